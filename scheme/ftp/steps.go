package ftp

import "locator"

// Steps is [Steps]: it makes the scheme a scheme.Explainer.
func (Scheme) Steps(u locator.URL) ([]string, error) { return Steps(u) }
