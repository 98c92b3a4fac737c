import { describe, expect, it } from "vitest";
import { rightsBeyond, scopesBeyond, sharedLimits } from "./keyRights.ts";

const LIMITED = { scopes: ["apikeys:write", "orders:read"], allowIps: ["203.0.113.0/24"], expiresAtMs: 1_000 };
const FREE = { scopes: ["read", "write", "admin"] };

describe("the rights of a key", () => {
  it("cover those of a key that may do no more, from nowhere else and for no longer", () => {
    expect(rightsBeyond(LIMITED, LIMITED)).toEqual([]);
    expect(rightsBeyond(FREE, LIMITED)).toEqual([]);
    expect(rightsBeyond(LIMITED, { ...LIMITED, allowIps: ["203.0.113.7"], expiresAtMs: 999 })).toEqual([]);
  });

  it.each([
    [{ ...LIMITED, scopes: ["orders:read", "orders:write", "intake"] }, ["orders:write", "intake"]],
    [{ ...LIMITED, allowIps: ["203.0.0.0/16"] }, ["addresses"]],
    [{ scopes: [], expiresAtMs: 1_000 }, ["addresses"]],
    [{ ...LIMITED, expiresAtMs: 1_001 }, ["expiry"]],
    [{ scopes: ["read"] }, ["read", "addresses", "expiry"]],
  ])("do not cover %j", (other, beyond) => {
    expect(rightsBeyond(LIMITED, other)).toEqual(beyond);
  });

  it("name the scopes they cannot give", () => {
    expect(scopesBeyond(FREE, ["orders:read", "intake", "message-events"])).toEqual(["intake", "message-events"]);
  });
});

describe("the limits of a new key", () => {
  it.each([
    [{}, { allowIps: ["203.0.113.0/24"], expiresAtMs: 1_000 }],
    [
      { allowIps: ["0.0.0.0/0"], expiresAtMs: 2_000 },
      { allowIps: ["203.0.113.0/24"], expiresAtMs: 1_000 },
    ],
    [
      { allowIps: ["203.0.113.9"], expiresAtMs: 500 },
      { allowIps: ["203.0.113.9"], expiresAtMs: 500 },
    ],
    [{ allowIps: ["198.51.100.1"] }, { allowIps: [], expiresAtMs: 1_000 }],
  ])("of %j are what its maker allows of them", (wanted, limits) => {
    expect(sharedLimits(LIMITED, wanted)).toEqual(limits);
    expect(sharedLimits(FREE, wanted)).toEqual(wanted);
  });
});
