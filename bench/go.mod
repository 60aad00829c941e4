module locator/bench

go 1.26.0

require (
	github.com/nlnwa/whatwg-url v0.6.2
	github.com/valyala/fasthttp v1.69.0
	locator v0.0.0
)

require (
	github.com/andybalholm/brotli v1.2.0 // indirect
	github.com/bits-and-blooms/bitset v1.20.0 // indirect
	github.com/klauspost/compress v1.18.2 // indirect
	github.com/valyala/bytebufferpool v1.0.0 // indirect
	golang.org/x/net v0.62.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/text v0.43.0 // indirect
)

replace locator => ../
