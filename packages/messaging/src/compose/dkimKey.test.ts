import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { problemOfDkimKey } from "./dkimKey.ts";

const rsa = (modulusLength: number, publicExponent = 65_537n) => {
  return { asymmetricKeyType: "rsa", asymmetricKeyDetails: { modulusLength, publicExponent } } as const;
};

test("keys are read as they are made", () => {
  expect(problemOfDkimKey(generateKeyPairSync("rsa", { modulusLength: 2_048 }).privateKey)).toBeUndefined();
  expect(problemOfDkimKey(generateKeyPairSync("ed25519").privateKey)).toBeUndefined();
  const problem = "The key must be an RSA or an Ed25519 key.";
  expect(problemOfDkimKey(generateKeyPairSync("x25519").privateKey)).toBe(problem);
});

test.each([
  [rsa(1_024), undefined],
  [rsa(4_096), undefined],
  [rsa(1_023), "An RSA key must have at least 1024 bits."],
  [rsa(4_097), "An RSA key can have at most 4096 bits."],
  [rsa(16_384), "An RSA key can have at most 4096 bits."],
  [rsa(2_048, 2n ** 33n + 1n), "The public exponent of an RSA key can have at most 32 bits."],
])("%o", (key, problem) => {
  expect(problemOfDkimKey(key)).toBe(problem);
});
