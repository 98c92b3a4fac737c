import { expect, test } from "vitest";
import { fingerprintOf, readHostKey } from "./hostKeys.ts";

const key = "AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl";
const fingerprint = "SHA256:+DiY3wvvV6TuJJhbpZisF/zLDA0zPMSvHdkr4UvCOqU";

test("a host key is known by its fingerprint, however it is written", () => {
  expect(fingerprintOf(Buffer.from(key, "base64"))).toBe(fingerprint);
  for (const written of [
    key,
    fingerprint,
    `${fingerprint}=`,
    `ssh-ed25519 ${key}`,
    `ssh-ed25519 ${key} comment`,
    `sftp.example ssh-ed25519 ${key}\n`,
  ]) {
    expect(readHostKey(written)).toBe(fingerprint);
  }
});

test("other texts are no host key", () => {
  for (const written of ["", "MD5:aa:bb", "SHA256:short", "ssh-ed25519", "AAAA"]) {
    expect(readHostKey(written)).toBeUndefined();
  }
});
