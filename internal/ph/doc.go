// Package ph is a client for CSO name servers, which are phone books. A gopher item of type 2 names one.
//
// A query is what a user would type after "query": values or field=value, and "return" with the names of the fields to
// print.
//
// RFCs: 2378 (Ph).
package ph
