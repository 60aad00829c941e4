// Package outlink parses the URLs of other schemes in menus and listings that strangers write.
package outlink
