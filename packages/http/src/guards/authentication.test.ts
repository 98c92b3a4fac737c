import { defaultSettings } from "@headwater/contracts";
import { describe, expect, it } from "vitest";
import { keyOf, mayUse } from "./authentication.ts";

const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString("base64")}` });

describe("the key of a request", () => {
  it("is the user of HTTP Basic with a blank password", () => {
    expect(keyOf("basic", basic("hw_key:"))).toBe("hw_key");
  });

  it.each([
    ["a password", basic("hw_key:secret")],
    ["no colon", basic("hw_key")],
    ["no user", basic(":")],
    ["another scheme", { authorization: "Bearer x" }],
    ["no header", {}],
    ["a key of intake", { "x-api-key": "hw_key" }],
  ])("is absent with %s", (_what, headers) => {
    expect(keyOf("basic", headers)).toBeUndefined();
  });

  it("is in x-api-key on intake", () => {
    expect(keyOf("apiKey", { "x-api-key": "hw_key" })).toBe("hw_key");
    expect(keyOf("apiKey", { "x-api-key": "" })).toBeUndefined();
    expect(keyOf("apiKey", basic("hw_key:"))).toBeUndefined();
  });
});

describe("scopes", () => {
  const key = (...scopes: string[]) => ({
    id: "k",
    scopes,
    account: { number: 1, id: "a".repeat(24), name: "test", settings: defaultSettings },
  });

  it("broad ones imply narrow ones, and never the other way", () => {
    expect(mayUse(key("read"), "contacts:read")).toBe(true);
    expect(mayUse(key("contacts:read"), "contacts:read")).toBe(true);
    expect(mayUse(key("contacts:read"), "read")).toBe(false);
    expect(mayUse(key("read"), "contacts:write")).toBe(false);
    expect(mayUse(key("read", "write"), "intake")).toBe(false);
    expect(mayUse(key(), undefined)).toBe(true);
  });
});
