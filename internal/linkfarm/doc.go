// Package linkfarm starts servers whose links behave as real ones do: walls, limits, refused HEAD,
// odd redirects, bad minutes, and dead links of every kind among good ones. Each link has the
// verdict that is right. It is for tests and for comparisons of programs that check links; it needs
// no network.
package linkfarm
