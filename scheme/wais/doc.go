// Package wais accesses wais URLs (RFC 1738 3.9, RFC 4156): descriptions of databases, searches,
// and documents.
//
// A WAIS server has databases of documents. A search returns headlines with scores, and
// document-ids, which only the server that issued them understands. A client fetches a document in
// pieces, each by a request of its own, on a connection that stays open. [Scheme.Search] also
// searches for documents that resemble others (relevance feedback), and [ParseSource] reads the
// description of a database. [Scheme.Steps] shows the requests without a network.
//
// RFCs: 1625 (WAIS over Z39.50-1988), 1738 3.9, 4156 (URLs). The captures of freeWAIS-sf 2.2.10
// that QUIRK comments cite are in internal/capture/testdata/wais.
//
// # Document-ids in URLs
//
// The URLs of a listing have the form of RFC 1738, the document-id with escapes; Entry.Plain has
// the form of older clients, with the length of the document and the fields of the document-id.
// Both are accessed, and both yield the same bytes for the server.
//
// # The end of a document
//
// A document is complete when the length in its URL is reached, or when the server says that the
// range ends beyond it. A piece that is shorter than requested is not taken for the end. One byte
// more than the length is requested: a document that goes on after its length is an error.
package wais
