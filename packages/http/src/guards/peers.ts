import type { IncomingHttpHeaders } from "node:http";
import { isIP } from "node:net";
import { TLSSocket } from "node:tls";
import { createNetworks, networkOf } from "@headwater/kernel";

/**
 * Says where plain HTTP is answered: on the `loopback`, in development; from a `trusted-proxy` that ended TLS and says so in
 * `X-Forwarded-Proto`; or nowhere.
 */
export type PlainHttp = "loopback" | "refuse" | "trusted-proxy";

export interface PeerOptions {
  readonly plainHttp: PlainHttp;
  /** Addresses and ranges whose `X-Forwarded-Proto` and `X-Forwarded-For` are believed; nobody else's are. */
  readonly trustedProxies: readonly string[];
}

/** Part of a request that is checked. */
interface Asked {
  readonly headers: IncomingHttpHeaders;
  readonly socket: Connection;
}

interface Connection {
  readonly remoteAddress?: string | undefined;
}

/** Identifies the client: the socket says it, and a proxy only when its own address is trusted. */
export interface Peers {
  /** Returns whether the client came by HTTPS, or may come without. */
  isSecure(request: Asked): boolean;
  /** Returns whether this address is a proxy whose word is believed. */
  isTrusted(address: string): boolean;
  /** The client's address; undefined when a trusted proxy names one that cannot be read. */
  clientAddress(request: Asked): string | undefined;
  /** The network that a client who is not known yet shares as: an IPv4 address, an IPv6 /64; empty without an address. */
  clientNetwork(request: Asked): string;
}

/** Facts about a connection, looked up once. */
interface Peer {
  readonly isTls: boolean;
  readonly isLoopback: boolean;
  readonly isTrusted: boolean;
  readonly address: string | undefined;
}

const loopback = createNetworks(["127.0.0.0/8", "::1"]);

export function createPeers({ plainHttp, trustedProxies }: PeerOptions): Peers {
  const trusted = createNetworks(trustedProxies);
  const known = new WeakMap<Connection, Peer>();
  const peerOf = (socket: Connection): Peer => {
    const found = known.get(socket);
    if (found !== undefined) return found;
    const address = socket.remoteAddress;
    const isTrusted = address !== undefined && trusted.has(address);
    const isLoopback = address !== undefined && loopback.has(address);
    const peer = { isTls: socket instanceof TLSSocket, isLoopback, isTrusted, address };
    // A connection that was lost meanwhile has no address: what it says now is not what to remember.
    if (address !== undefined) known.set(socket, peer);
    return peer;
  };
  const peers: Peers = {
    isTrusted: (address) => trusted.has(address),
    isSecure({ headers, socket }) {
      const { isTls, isLoopback, isTrusted } = peerOf(socket);
      const said = isTrusted ? headers["x-forwarded-proto"] : undefined;
      // A proxy may reach us by TLS on behalf of a client that came without.
      if (said !== undefined && !isHttps(said)) return false;
      if (isTls) return true;
      if (plainHttp === "trusted-proxy") return said !== undefined;
      return plainHttp === "loopback" && isLoopback;
    },
    clientAddress({ headers, socket }) {
      const { address, isTrusted } = peerOf(socket);
      const forwarded = isTrusted ? headers["x-forwarded-for"] : undefined;
      if (forwarded === undefined) return address;
      return firstUntrusted([forwarded].flat().join(",").split(","), trusted);
    },
    clientNetwork: (request) => networkOf(peers.clientAddress(request) ?? ""),
  };
  return peers;
}

/** Each proxy of a chain may have added its own: all of them must have seen HTTPS. */
function isHttps(said: string | string[]): boolean {
  return [said]
    .flat()
    .join(",")
    .split(",")
    .every((protocol) => protocol.trim().toLowerCase() === "https");
}

/**
 * Finds the first address from the right, where our own proxies write; what stands left of the first address that is not ours, anybody may have sent.
 */
function firstUntrusted(hops: readonly string[], trusted: { has(address: string): boolean }): string | undefined {
  let farthest: string | undefined;
  for (const hop of hops.toReversed()) {
    farthest = addressOf(hop.trim());
    if (farthest === undefined || !trusted.has(farthest)) return farthest;
  }
  return farthest;
}

const WITH_PORT = /^(?:\[([^\]]+)\](?::\d{1,5})?|(\d+\.\d+\.\d+\.\d+):\d{1,5})$/;

/** Some proxies add the port: `203.0.113.7:4711`, `[2001:db8::7]:4711`. */
function addressOf(hop: string): string | undefined {
  const [, bracketed, dotted] = WITH_PORT.exec(hop) ?? [];
  const address = bracketed ?? dotted ?? hop;
  return isIP(address) === 0 ? undefined : address;
}
