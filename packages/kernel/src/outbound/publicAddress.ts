import ipaddr from "ipaddr.js";

/**
 * True for an address of the public internet. An IPv4 address written as IPv6 (`::ffff:10.0.0.1`) is the IPv4 address; ranges that
 * carry an IPv4 address to a translator (NAT64, 6to4, Teredo) are not public. What is no address is not public.
 */
export function isPublicAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === "unicast";
}
