import { describe, expect, it } from "vitest";
import { keyOf } from "./authentication.ts";

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
