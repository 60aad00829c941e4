package scheme

import (
	"reflect"
	"testing"
	"time"
)

// Covers: P6
func TestLimitsWithDefaults(t *testing.T) {
	t.Parallel()
	got := Limits{}.WithDefaults()
	want := Limits{Idle: 30 * time.Second, Line: 8 << 10, Header: 256 << 10, Entries: 1_000_000, Listing: 256 << 20, Hops: 10,
		LineTime: time.Minute, ReplyTime: 10 * time.Minute}
	if got != want {
		t.Errorf("defaults %+v, want %+v", got, want)
	}
	// For a new limit, decide here whether zero means "none" or "the default".
	for i, v := range reflect.VisibleFields(reflect.TypeFor[Limits]()) {
		if v.Name != "Body" && v.Name != "Time" && reflect.ValueOf(got).Field(i).IsZero() {
			t.Errorf("the limit %s has no default, so a peer sets it", v.Name)
		}
	}
	own := Limits{Idle: 1, Line: 2, Header: 3, Entries: 4, Listing: 5, Body: 6, Hops: 7, Time: 8, LineTime: 9, ReplyTime: 10}
	if got := own.WithDefaults(); got != own {
		t.Errorf("limits that were set became %+v", got)
	}
}
