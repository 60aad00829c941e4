package client

import (
	"context"
	"fmt"
	"testing"
	"time"

	"locator/scheme"
)

// The size of the cache is limited.
//
// Covers: P6
func TestCacheBound(t *testing.T) {
	t.Parallel()
	c := New(Options{Policy: &asked{}, Registry: scheme.NewRegistry(fake{name: "http"})})
	err := c.Do(t.Context(), scheme.Request{URL: parse("http://h/")}, func(_ context.Context, env *scheme.Env, _ scheme.Scheme) error {
		for i := range maxCached + 100 {
			env.Cache.Put(fmt.Sprint(i), i, time.Hour)
		}
		if v, ok := env.Cache.Get(fmt.Sprint(maxCached + 99)); !ok || v != maxCached+99 {
			t.Errorf("the last fact is %v, %v", v, ok)
		}
		return nil
	})
	if err != nil || len(c.cache.m) > maxCached {
		t.Errorf("%v; %d facts", err, len(c.cache.m))
	}
}
