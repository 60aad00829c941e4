// Package storetest is the suite that each check.Store passes.
package storetest
