package file

import (
	"errors"
	"os"
	"testing"
)

// The root of the tree is opened with a separator: "C:" is the current folder on that drive.
func TestConfinedDrive(t *testing.T) {
	t.Parallel()
	var opened string
	c := confined{"C:", func(path string) (*os.Root, error) {
		opened = path
		return nil, errors.New("not opened")
	}}
	if _, err := c.stat("C:" + separator + "name"); err == nil || opened != "C:"+separator {
		t.Errorf("opened %q, %v", opened, err)
	}
}
