// Package prosperotest has an in-process Prospero server for tests, named like net/http/httptest.
package prosperotest
