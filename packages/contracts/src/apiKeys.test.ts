import { describe, expect, it } from "vitest";
import { coversScope, isScope, newApiKeyBody } from "./apiKeys.ts";

describe("scopes", () => {
  it("broad ones cover narrow ones of every resource, and never the other way", () => {
    expect(coversScope(["read"], "orders:read")).toBe(true);
    expect(coversScope(["orders:read"], "orders:read")).toBe(true);
    for (const wanted of ["read", "orders:write", "contacts:read", "intake"]) {
      expect([wanted, coversScope(["orders:read"], wanted)]).toEqual([wanted, false]);
    }
    expect(coversScope(["audiences:read"], "audiencecount:read")).toBe(true);
    expect(coversScope(["audiencecount:read"], "audiences:read")).toBe(false);
    expect(coversScope(["audiences:read"], "audiencecount:write")).toBe(false);
    expect(coversScope(["read", "write"], "intake")).toBe(false);
    expect(coversScope(["read", "write", "intake"], "message-events")).toBe(false);
  });

  it.each(["read", "write", "intake", "message-events", "orders:read", "apikeys:write"])("%s is one", (text) => {
    expect(isScope(text)).toBe(true);
  });

  it.each(["", "READ", "order:read", "orders", "orders:delete", "orders:", ":read", "intake:write"])(
    "%j is none",
    (text) => {
      expect(isScope(text)).toBe(false);
    },
  );
});

describe("the body of a new key", () => {
  const problems = (body: unknown) =>
    (newApiKeyBody.safeParse(body).error?.issues ?? []).map(({ path, ...issue }) => [
      `/${path.join("/")}`,
      "params" in issue ? issue.params?.code : issue.code,
    ]);

  it("needs a name and scopes, but where it replaces a key", () => {
    expect(problems({})).toEqual([
      ["/name", "required"],
      ["/scopes", "required"],
    ]);
    expect(problems({ rotates: "k1" })).toEqual([]);
    expect(problems({ rotates: "k1", graceHours: 0, scopes: ["read"] })).toEqual([]);
    expect(problems({ name: "n", scopes: ["read"], graceHours: 1 })).toEqual([["/graceHours", "not_allowed"]]);
  });

  it("may have members that nobody knows: they are ignored", () => {
    const body = { name: "n", scopes: ["read"] };
    expect(newApiKeyBody.parse({ ...body, colour: 1 })).toEqual(body);
  });

  it.each([
    [{ scopes: ["reed"] }, "/scopes/0"],
    [{ scopes: [] }, "/scopes"],
    [{ allowIPs: [] }, "/allowIPs"],
    [{ allowIPs: ["10.0.0.0/8", "10.0.0.0/99"] }, "/allowIPs/1"],
    [{ name: "  " }, "/name"],
    [{ name: "\u0000" }, "/name"],
    [{ expiresAt: 5 }, "/expiresAt"],
    [{ rotates: "k1", graceHours: 721 }, "/graceHours"],
  ])("%j is not one", (wrong, at) => {
    expect(problems({ name: "n", scopes: ["read"], ...wrong }).map(([path]) => path)).toContain(at);
  });
});
