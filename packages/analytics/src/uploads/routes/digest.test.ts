import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { readDigest } from "./createUpload.ts";

const hash = createHash("sha256").update("body");
const base64 = hash.copy().digest("base64");
const hex = hash.digest("hex");
const md5 = "md5=:hBotaNnAA8nBDcYZbaMNkQ==:";

describe("Repr-Digest", () => {
  test.each([
    [`sha-256=:${base64}:`, hex],
    [`SHA-256=:${base64}:`, hex],
    [`${md5}, sha-256=:${base64}:;p=1`, hex],
    [md5, undefined],
    [undefined, undefined],
  ])("%s names the checksum %s", (header, expected) => {
    expect(readDigest(header)).toBe(expected);
  });

  test.each([
    "garbage",
    "",
    hex,
    `sha-256=${base64}`,
    `sha-256=${hex}`,
    "sha-256=:AAAA:",
    `sha-256 = :${base64}:`,
    `sha-256=:${base64}:, garbage`,
    `sha256:${hex}`,
    `${md5},`,
  ])("%j is refused and not passed over", (header) => {
    expect(() => readDigest(header)).toThrow(expect.objectContaining({ code: "VALIDATION_ERROR", status: 422 }));
  });
});
