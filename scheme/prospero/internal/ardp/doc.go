// Package ardp is the transport of Prospero: the Asynchronous Reliable Delivery Protocol, version
// 0, over UDP. A request of one or more packets gets a response of one or more packets.
package ardp
