import { describe, expect, it } from "vitest";
import { containsNetworks, createNetworks, intersectNetworks, isNetwork, networkOf } from "./networks.ts";

describe("networks", () => {
  it("hold addresses and ranges of both families, and nothing else", () => {
    const networks = createNetworks(["10.0.0.5/8", "1.2.3.4", "2001:db8::/32", "::1"]);
    const inside = ["10.255.0.1", "1.2.3.4", "2001:db8:ffff::1", "::1"];
    const outside = ["11.0.0.1", "1.2.3.5", "2001:db9::1", "::2", "", "host", "10.0.0.1:80", "fe80::1%eth0"];
    expect([...inside, ...outside].filter((address) => networks.has(address))).toEqual(inside);
    expect(createNetworks([]).has("127.0.0.1")).toBe(false);
  });

  it("take an IPv4 address for the same, however it is written", () => {
    const networks = createNetworks(["10.0.0.0/8", "::ffff:192.0.2.0/120"]);
    for (const address of ["::ffff:10.1.2.3", "::ffff:0a01:0203", "192.0.2.9", "::ffff:192.0.2.9"]) {
      expect([address, networks.has(address)]).toEqual([address, true]);
    }
    expect(networks.has("192.0.3.1")).toBe(false);
  });

  it.each([
    "",
    "host",
    "1.2.3",
    "1.2.3.4/33",
    "1.2.3.4/",
    "/8",
    "::/129",
    "01.2.3.4",
    "::ffff:1.2.3.4/95",
    "1.2.3.4/-1",
  ])("%j is none", (text) => {
    expect(isNetwork(text)).toBe(false);
    expect(() => createNetworks([text])).toThrow("neither");
  });
});

describe("two lists of networks", () => {
  it.each([
    [["203.0.113.0/24"], ["0.0.0.0/0", "::/0"], ["203.0.113.0/24"]],
    [
      ["203.0.113.0/24", "2001:db8::/32"],
      ["203.0.113.7", "2001:db8:1::/48"],
      ["203.0.113.7", "2001:db8:1::/48"],
    ],
    [["203.0.113.0/24"], ["198.51.100.0/24", "2001:db8::/32"], []],
    [["203.0.113.0/24"], ["::/0"], ["203.0.113.0/24"]],
    [["10.0.0.0/8"], ["::ffff:a00:0/97"], ["10.0.0.0/8"]],
    [["0.0.0.0/0"], ["::ffff:a00:0/97"], ["::ffff:a00:0/97"]],
    [["203.0.113.0/24"], ["203.0.113.99/16"], ["203.0.113.0/24"]],
    [["203.0.113.0/24"], ["::ffff:203.0.113.0/121"], ["::ffff:203.0.113.0/121"]],
    [["10.0.0.1", "10.0.0.1"], ["10.0.0.1"], ["10.0.0.1"]],
  ])("%j and %j share %j", (some, others, shared) => {
    expect(intersectNetworks(some, others)).toEqual(shared);
    expect(containsNetworks(some, intersectNetworks(some, others))).toBe(true);
  });

  it("a list of networks contains another only as a whole", () => {
    expect(containsNetworks(["10.0.0.0/8"], ["10.1.0.0/16", "10.9.9.9"])).toBe(true);
    expect(containsNetworks(["10.0.0.0/8"], ["10.1.0.0/16", "11.0.0.1"])).toBe(false);
    expect(containsNetworks(["10.1.0.0/16"], ["10.0.0.0/8"])).toBe(false);
    expect(() => containsNetworks(["host"], ["::1"])).toThrow("neither");
  });
});

describe("strangers", () => {
  it.each([
    ["192.0.2.1", "192.0.2.1"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["2001:db8:0:1:aaaa::1", "2001:db8:0:1"],
    ["2001:0DB8::1", "2001:db8:0:0"],
    ["::1", "0:0:0:0"],
    ["fe80::1%eth0", "fe80:0:0:0"],
    ["1:2:3:4:5:6:7:8", "1:2:3:4"],
    ["no address", "no address"],
  ])("from %s count as %s", (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
