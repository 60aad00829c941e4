// Package symlink opens paths and does not follow symbolic links that another user may have
// planted.
//
// Everybody can make a link in a folder such as /tmp. A program that writes to /tmp/report through
// a link of another user changes a file of that user's choice. The rule is the one that Linux has
// with fs.protected_symlinks: a link in a sticky folder that everyone can write to is followed only
// if it belongs to the caller or to the owner of the folder. Here the rule holds on all Unix
// systems, and for links in the middle of a path, too.
package symlink
