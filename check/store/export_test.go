package store

import (
	"context"

	"locator/check"
)

// Setting returns a setting of the connections of a Postgres database.
func Setting(ctx context.Context, s check.Store, name string) (value string, err error) {
	return value, s.(*store).db.view().query(ctx, func(scan func(...any) error) error { return scan(&value) }, "SELECT current_setting(?1)", name)
}
