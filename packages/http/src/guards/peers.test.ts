import { describe, expect, it } from "vitest";
import { createPeers, type PlainHttp } from "./peers.ts";

const PROXY = "10.0.0.1";

function ask(address: string, headers: Record<string, string> = {}) {
  return { socket: { remoteAddress: address }, headers };
}

const peers = (plainHttp: PlainHttp) => createPeers({ plainHttp, trustedProxies: ["10.0.0.0/8", "2001:db8::/32"] });

describe("plain HTTP", () => {
  const said = (proto: string) => ({ "x-forwarded-proto": proto });

  it("is answered nowhere when it is refused, whatever headers say", () => {
    for (const address of ["127.0.0.1", PROXY, "203.0.113.7"]) {
      expect(peers("refuse").isSecure(ask(address, said("https")))).toBe(false);
    }
  });

  it("is answered on the loopback in development, and nowhere else", () => {
    const { isSecure } = peers("loopback");
    const answered = ["127.0.0.1", "127.8.9.1", "::1", "::ffff:127.0.0.1"];
    const others = ["203.0.113.7", "10.0.0.1", "::ffff:203.0.113.7", "::2", "1127.0.0.1"];
    expect([...answered, ...others].filter((address) => isSecure(ask(address)))).toEqual(answered);
  });

  it("is answered to a trusted proxy that says https, in any case, for every hop", () => {
    const { isSecure } = peers("trusted-proxy");
    for (const proto of ["https", "HTTPS", "https, https"]) expect(isSecure(ask(PROXY, said(proto)))).toBe(true);
    for (const proto of ["http", "", "https, http", "http, https", "httpsx", "wss"]) {
      expect([proto, isSecure(ask(PROXY, said(proto)))]).toEqual([proto, false]);
    }
    expect(isSecure(ask(PROXY))).toBe(false);
    expect(isSecure(ask("::ffff:10.9.9.9", said("https")))).toBe(true);
  });

  it("is refused to everybody else who says https, the loopback included", () => {
    const { isSecure } = peers("trusted-proxy");
    for (const address of ["203.0.113.7", "127.0.0.1", "::1", "11.0.0.1"]) {
      expect([address, isSecure(ask(address, said("https")))]).toEqual([address, false]);
    }
  });
});

describe("the client's address", () => {
  const { clientAddress } = peers("trusted-proxy");
  const through = (forwarded: string) => clientAddress(ask(PROXY, { "x-forwarded-for": forwarded }));

  it("is the socket's when that is no trusted proxy, whatever its headers say", () => {
    expect(clientAddress(ask("203.0.113.7", { "x-forwarded-for": "192.0.2.1" }))).toBe("203.0.113.7");
    expect(clientAddress(ask("203.0.113.7"))).toBe("203.0.113.7");
  });

  it("takes all addresses of an IPv6 /64 for one stranger", () => {
    const { clientNetwork } = peers("trusted-proxy");
    expect(clientNetwork(ask("2001:db8:0:1::1"))).toBe(clientNetwork(ask("2001:db8:0:1:ffff::2")));
    expect(clientNetwork(ask("2001:db8:0:1::1"))).not.toBe(clientNetwork(ask("2001:db8:0:2::1")));
    expect(clientNetwork(ask(PROXY, { "x-forwarded-for": "2001:db8::7" }))).toBe("2001:db8:0:0");
  });

  it("is the last one in the header that is no proxy of ours: what stands before it anybody may have sent", () => {
    expect(through("203.0.113.7")).toBe("203.0.113.7");
    expect(through("192.0.2.1, 203.0.113.7")).toBe("203.0.113.7");
    expect(through("192.0.2.1, 203.0.113.7, 10.0.0.2, 2001:db8::5")).toBe("203.0.113.7");
    expect(through("10.0.0.9,10.0.0.2")).toBe("10.0.0.9");
  });

  it("is read with a port and in brackets", () => {
    expect(through("203.0.113.7:4711")).toBe("203.0.113.7");
    expect(through("[2001:db9::7]:4711")).toBe("2001:db9::7");
    expect(through("[2001:db9::7]")).toBe("2001:db9::7");
    expect(through("2001:db9::7")).toBe("2001:db9::7");
  });

  it("is unknown when what a proxy names cannot be read, and never somebody else's", () => {
    for (const forwarded of ["", "unknown", "192.0.2.1, unknown", "192.0.2.1,", "203.0.113.7:port", "_hidden"]) {
      expect([forwarded, through(forwarded)]).toEqual([forwarded, undefined]);
    }
  });

  it("is the proxy's own when it names nobody", () => {
    expect(clientAddress(ask(PROXY))).toBe(PROXY);
  });
});
