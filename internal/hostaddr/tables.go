package hostaddr

// ipv4Special is the IANA IPv4 Special-Purpose Address Registry (RFC 6890) as of July 2026: block,
// name, RFC, the registry's word on whether it is globally reachable, and where such an address is
// for people. A block that was given back has no such word, nor has one where it depends; both
// count as no. The registry is at https://www.iana.org/assignments/iana-ipv4-special-registry
const ipv4Special = `
0.0.0.0/8          | "This network"                            | RFC 791 3.2      | no | this machine
0.0.0.0/32         | "This host on this network"               | RFC 1122 3.2.1.3 | no | this machine
10.0.0.0/8         | Private-Use                               | RFC 1918         | no | in a private network
100.64.0.0/10      | Shared Address Space                      | RFC 6598         | no | in a private network
127.0.0.0/8        | Loopback                                  | RFC 1122 3.2.1.3 | no | this machine
169.254.0.0/16     | Link Local                                | RFC 3927         | no | on the local link
172.16.0.0/12      | Private-Use                               | RFC 1918         | no | in a private network
192.0.0.0/24       | IETF Protocol Assignments                 | RFC 6890 2.1     | no
192.0.0.0/29       | IPv4 Service Continuity Prefix            | RFC 7335         | no
192.0.0.8/32       | IPv4 dummy address                        | RFC 7600         | no
192.0.0.9/32       | Port Control Protocol Anycast             | RFC 7723         | yes
192.0.0.10/32      | Traversal Using Relays around NAT Anycast | RFC 8155         | yes
192.0.0.170/32     | NAT64/DNS64 Discovery                     | RFC 8880         | no
192.0.0.171/32     | NAT64/DNS64 Discovery                     | RFC 8880         | no
192.0.2.0/24       | Documentation (TEST-NET-1)                | RFC 5737         | no
192.31.196.0/24    | AS112-v4                                  | RFC 7535         | yes
192.52.193.0/24    | AMT                                       | RFC 7450         | yes
192.88.99.0/24     | Deprecated (6to4 Relay Anycast)           | RFC 7526         | no
192.88.99.2/32     | 6a44-relay anycast address                | RFC 6751         | no
192.168.0.0/16     | Private-Use                               | RFC 1918         | no | in a private network
192.175.48.0/24    | Direct Delegation AS112 Service           | RFC 7534         | yes
198.18.0.0/15      | Benchmarking                              | RFC 2544         | no
198.51.100.0/24    | Documentation (TEST-NET-2)                | RFC 5737         | no
203.0.113.0/24     | Documentation (TEST-NET-3)                | RFC 5737         | no
240.0.0.0/4        | Reserved                                  | RFC 1112 4       | no
255.255.255.255/32 | Limited Broadcast                         | RFC 8190         | no
`

// ipv6Special is the IANA IPv6 Special-Purpose Address Registry of the same month:
// https://www.iana.org/assignments/iana-ipv6-special-registry
const ipv6Special = `
::1/128           | Loopback Address                                   | RFC 4291 | no | this machine
::/128            | Unspecified Address                                | RFC 4291 | no | this machine
::ffff:0:0/96     | IPv4-mapped Address                                | RFC 4291 | no
64:ff9b::/96      | IPv4-IPv6 Translation                              | RFC 6052 | yes
64:ff9b:1::/48    | IPv4-IPv6 Translation                              | RFC 8215 | no
100::/64          | Discard-Only Address Block                         | RFC 6666 | no
100:0:0:1::/64    | Dummy IPv6 Prefix                                  | RFC 9780 | no
2001::/23         | IETF Protocol Assignments                          | RFC 2928 | no
2001::/32         | TEREDO                                             | RFC 4380 | no
2001:1::1/128     | Port Control Protocol Anycast                      | RFC 7723 | yes
2001:1::2/128     | Traversal Using Relays around NAT Anycast          | RFC 8155 | yes
2001:1::3/128     | DNS-SD Service Registration Protocol Anycast       | RFC 9665 | yes
2001:2::/48       | Benchmarking                                       | RFC 5180 | no
2001:3::/32       | AMT                                                | RFC 7450 | yes
2001:4:112::/48   | AS112-v6                                           | RFC 7535 | yes
2001:10::/28      | Deprecated (previously ORCHID)                     | RFC 4843 | no
2001:20::/28      | ORCHIDv2                                           | RFC 7343 | yes
2001:30::/28      | Drone Remote ID Protocol Entity Tags (DETs) Prefix | RFC 9374 | yes
2001:db8::/32     | Documentation                                      | RFC 3849 | no
2002::/16         | 6to4                                               | RFC 3056 | no
2620:4f:8000::/48 | Direct Delegation AS112 Service                    | RFC 7534 | yes
3fff::/20         | Documentation                                      | RFC 9637 | no
5f00::/16         | Segment Routing (SRv6) SIDs                        | RFC 9602 | no
fc00::/7          | Unique-Local                                       | RFC 4193 | no | in a private network
fe80::/10         | Link-Local Unicast                                 | RFC 4291 | no | on the local link
`

// furtherSpecial are blocks to which nothing public belongs, but which the two registries do not
// have: multicast, what was given back, and the address at which every virtual machine in Azure
// reaches the host it runs on
// (https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16). Of IPv6
// only 2000::/3 is handed out as global unicast; all other addresses are reserved (RFC 4291 2.4),
// so that a block that the registries do not name yet is not public.
const furtherSpecial = `
224.0.0.0/4 | Multicast                      | RFC 5771     | no
::/0        | Reserved by IETF               | RFC 4291 2.4 | no
2000::/3    | -                              | -            | yes
3ffe::/16   | Deprecated (previously 6bone)  | RFC 3701     | no
fec0::/10   | Deprecated (site-local)        | RFC 3879     | no
ff00::/8    | Multicast                      | RFC 4291     | no

168.63.129.16/32 | Azure platform service    | -            | no
`
