import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { last4Of } from "./storedSecrets.ts";

const pem = (content: string, label = "PRIVATE KEY") =>
  `-----BEGIN ${label}-----\n${content}\n-----END ${label}-----\n`;

test.each([
  ["s3cr3t-9xQf", "9xQf"],
  [" s3cr3t-9xQf\n", "9xQf"],
  ["ends-----", "----"],
  ["short", ""],
  [pem("MC4CAQAwBQYDK2VwBCIE\nIAbc"), "IAbc"],
  [pem("MC4CAQAwBQYDK2VwBCIE\r\nIw==\r\n", "RSA PRIVATE KEY"), "IEIw"],
  [`${pem("AAAABBBBCCCC")}${pem("DDDDEEEEFFFF")}`, "FFFF"],
  [pem("AAAA"), ""],
])("of the secret %j is shown %j", (secret, view) => {
  expect(last4Of(secret)).toBe(view);
});

test("private keys in PEM are told apart by what is shown of them", () => {
  const encoding = {
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  } as const;
  const keys = Array.from({ length: 4 }, () => generateKeyPairSync("ed25519", encoding).privateKey);
  expect(new Set(keys.map(last4Of)).size).toBe(4);
});
