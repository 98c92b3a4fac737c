import { BlockList, isIP } from "node:net";

/** Addresses and ranges of them. */
export interface Networks {
  /** An IPv4 address written as IPv6 (`::ffff:10.0.0.1`) is the IPv4 address. What is no address is in no network. */
  has(address: string): boolean;
}

/** True for an IPv4 or IPv6 address, or a range of them as CIDR: `203.0.113.7`, `10.0.0.0/8`, `2001:db8::/32`. */
export function isNetwork(text: string): boolean {
  return parseNetwork(text) !== undefined;
}

/** @throws Error for an entry that is no network; ask `isNetwork` first where others wrote them. */
export function createNetworks(entries: readonly string[]): Networks {
  const list = new BlockList();
  for (const entry of entries) {
    const network = knownNetwork(entry);
    list.addSubnet(network.address, network.prefix, network.family);
  }
  return {
    has(address) {
      const family = familyOf(address);
      return family !== undefined && list.check(address, family);
    },
  };
}

/**
 * Returns the networks that lie in both lists, as they were written there; empty when nothing does. Ranges of CIDR never overlap
 * in part, so the smaller one of each pair is the whole of what the two share.
 * @throws Error for an entry that is no network.
 */
export function intersectNetworks(some: readonly string[], others: readonly string[]): string[] {
  const shared = some.flatMap((one) => others.flatMap((other) => smallerOf(one, other) ?? []));
  return [...new Set(shared)];
}

/** True when no address of `inner` lies outside `outer`. @throws Error for an entry that is no network. */
export function containsNetworks(outer: readonly string[], inner: readonly string[]): boolean {
  return inner.every((one) => outer.some((other) => contains(other, one)));
}

/** Returns the network that counts as one stranger: the IPv4 address, or the first 64 bits of an IPv6 address. */
export function networkOf(address: string): string {
  const mapped = MAPPED.exec(address)?.[1] ?? address;
  if (isIP(mapped) !== 6) return mapped;
  const [before = "", after] = mapped.split("%")[0]?.split("::") ?? [];
  const head = before === "" ? [] : before.split(":");
  const tail = after === undefined || after === "" ? [] : after.split(":");
  const zeros = after === undefined ? [] : Array<string>(Math.max(0, 8 - head.length - tail.length)).fill("0");
  const groups = [...head, ...zeros, ...tail].slice(0, 4);
  return groups.map(shortGroup).join(":");
}

/** Returns a group of an IPv6 address without the zeros that it may begin with. */
function shortGroup(group: string): string {
  let from = 0;
  while (from < group.length - 1 && group[from] === "0") from += 1;
  return group.slice(from).toLowerCase();
}

function smallerOf(one: string, other: string): string | undefined {
  if (contains(other, one)) return one;
  return contains(one, other) ? other : undefined;
}

function contains(outer: string, inner: string): boolean {
  const [wide, narrow] = [knownNetwork(outer), knownNetwork(inner)];
  return bitsOf(narrow) >= bitsOf(wide) && createNetworks([outer]).has(narrow.address);
}

/** Returns the fixed bits in IPv6, where every IPv4 address lies too: `::ffff:a00:0/97` is wider than `10.0.0.0/8`. */
function bitsOf({ prefix, family }: Network): number {
  return family === "ipv4" ? prefix + MAPPED_BITS : prefix;
}

interface Network {
  readonly address: string;
  readonly prefix: number;
  readonly family: "ipv4" | "ipv6";
}

const CIDR = /^([^/%]+)(?:\/(\d{1,3}))?$/;
/** `::ffff:10.0.0.0/104` and `10.0.0.0/8` are one network. */
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
const MAPPED_BITS = 96;

function knownNetwork(entry: string): Network {
  const network = parseNetwork(entry);
  if (network === undefined) throw new Error(`${entry} is neither an IP address nor a CIDR range`);
  return network;
}

function parseNetwork(text: string): Network | undefined {
  const [, written = "", bits] = CIDR.exec(text) ?? [];
  const family = familyOf(written);
  if (family === undefined) return undefined;
  const widest = family === "ipv4" ? 32 : 128;
  const prefix = bits === undefined ? widest : Number(bits);
  if (prefix > widest) return undefined;
  const [, mapped] = MAPPED.exec(written) ?? [];
  if (mapped === undefined) return { address: written, prefix, family };
  return prefix < MAPPED_BITS ? undefined : { address: mapped, prefix: prefix - MAPPED_BITS, family: "ipv4" };
}

function familyOf(address: string): Network["family"] | undefined {
  switch (isIP(address)) {
    case 4:
      return "ipv4";
    case 6:
      return "ipv6";
    default:
      return undefined;
  }
}
