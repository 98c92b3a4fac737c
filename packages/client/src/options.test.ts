import { describe, expect, test } from "vitest";
import { createClient } from "./createClient.ts";
import { readOptions } from "./options.ts";

const apiKey = "hw_secret";

describe("an address", () => {
  test.each([
    "https://in.example.com",
    "https://example.com/intake",
    "http://127.0.0.1:8420",
    "http://localhost",
    "http://[::1]:1",
  ])("%s is taken", (url) => {
    expect(readOptions({ url, apiKey }).url.href).toBe(`${new URL(url).href.replace(/\/$/, "")}/`);
  });

  test.each([
    "http://example.com",
    "http://127.0.0.1.example.com",
    "ftp://localhost",
    "example.com",
    "https://x.org?a=1",
  ])("%s is refused: a key goes over HTTPS alone, but on this machine", (url) => {
    expect(() => createClient({ url, apiKey })).toThrow(TypeError);
    expect(() => createClient({ url: "https://x.org", serviceUrl: url, apiKey })).toThrow("serviceUrl");
  });

  test("with a password is refused without showing the password", () => {
    const refusal = expect.objectContaining({ message: expect.not.stringContaining("hunter2") });
    expect(() => createClient({ url: "https://me:hunter2@x.org", apiKey })).toThrow(refusal);
  });
});

test("a key that no header can hold is refused without showing it", () => {
  for (const bad of ["hw_secret\n", "hw secret", "", "hw_secrét"]) {
    const refusal = expect.objectContaining({ message: expect.not.stringMatching(/secr/) });
    expect(() => createClient({ url: "https://x.org", apiKey: bad })).toThrow(refusal);
  }
});

test("limits that cannot be kept are refused by their name", () => {
  const url = "https://x.org";
  const wrong = [
    [{ batch: { items: 0 } }, "batch.items"],
    [{ batch: { bytes: 20_000_000 } }, "batch.bytes"],
    [{ buffer: { bytes: 1 } }, "buffer.bytes"],
    [{ requestsInFlightMax: 0 }, "requestsInFlightMax"],
    [{ retry: { giveUpAfterMs: 7 * 86_400_000 } }, "retry.giveUpAfterMs"],
    [{ retry: { minMs: Number.NaN } }, "retry.minMs"],
  ] as const;
  for (const [options, name] of wrong) expect(() => createClient({ url, apiKey, ...options })).toThrow(name);
});
