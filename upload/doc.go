// Package upload sends data to resources: one with [Put], a folder of files with [Tree]. After a
// failure that may pass it tries again, as far as the data can be read again and the protocol makes
// that safe.
//
//	c := client.New(client.Options{Registry: all.Registry()})
//	h, err := os.Open("README")
//	...
//	out, err := upload.Put(ctx, c, scheme.Request{URL: u}, scheme.Body{Reader: h}, upload.Options{Retries: 2})
//	...
//	out.Resource.Close()
package upload
