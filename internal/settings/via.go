package settings

import (
	"strings"

	"locator/client"
	"locator/scheme"
)

// parseGateways parses the values of --gateway, SCHEME=URL each. The last one of a scheme counts.
func parseGateways(texts []string) (map[string]client.Via, error) {
	all := make(map[string]client.Via)
	for _, text := range texts {
		name, url, _ := strings.Cut(text, "=")
		if name = strings.ToLower(name); name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789+-.") != "" || url == "" {
			return nil, scheme.Fail(scheme.CodeUsage, "--gateway: must be SCHEME=URL, such as wais=http://gateway.example/")
		}
		g, err := client.ParseVia(url)
		if err != nil {
			return nil, scheme.Fail(scheme.CodeUsage, "--gateway %s: %w", name, err)
		}
		all[name] = g
	}
	return all, nil
}

// Via returns the gateways of --gateway by scheme.
func (f *Settings) Via() (map[string]client.Via, error) { return parseGateways(f.gateways) }

// addGateway adds a key of the section [gateway] to the setting of --gateway.
func (c *config) addGateway(key []string, v any) error {
	url, _ := v.(string)
	if _, err := parseGateways([]string{key[1] + "=" + url}); err != nil {
		return err
	}
	all := c.section("")
	all["gateway"] = append(all["gateway"], value{key, key[1] + "=" + url})
	return nil
}
