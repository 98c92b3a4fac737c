import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createSealer, readSealer, readSettingsKeys } from "./sealing.ts";

const [old, current] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const unopened = expect.objectContaining({ code: "CONFIG_INVALID" });

test("a sealed text opens in its own context, unchanged, and reveals nothing of itself", () => {
  const sealer = createSealer([current]);
  const sealed = sealer.seal("a secret: é", "account/storage/lake");
  expect(sealed).not.toContain("secret");
  expect(sealer.seal("a secret: é", "account/storage/lake")).not.toBe(sealed);
  expect(sealer.open(sealed, "account/storage/lake")).toBe("a secret: é");
  expect(() => sealer.open(sealed, "another/storage/lake")).toThrow(unopened);
  const changed = `${sealed.slice(0, -2)}${sealed.endsWith("AA") ? "BB" : "AA"}`;
  for (const wrong of [changed, "", "v1.00000000.AAAA", "plain", sealed.slice(0, 20)]) {
    expect(() => sealer.open(wrong, "account/storage/lake")).toThrow(unopened);
  }
});

test("texts of a former key open while it is kept, and are known as such", () => {
  const sealed = createSealer([old]).seal("secret", "context");
  const both = createSealer([current, old]);
  expect(both.open(sealed, "context")).toBe("secret");
  expect(both.isCurrent(sealed)).toBe(false);
  expect(both.isCurrent(both.seal("secret", "context"))).toBe(true);
  expect(() => createSealer([current]).open(sealed, "context")).toThrow(unopened);
});

test("keys are read from a file of 64 hex digits a line, and no other is taken", () => {
  const folder = mkdtempSync(join(tmpdir(), "sealing-"));
  const file = join(folder, "keys");
  writeFileSync(file, `${current.toString("hex")}\n${old.toString("hex")}\n`);
  const sealed = createSealer([old]).seal("secret", "context");
  expect(readSealer(file)?.open(sealed, "context")).toBe("secret");
  expect(readSettingsKeys(file)).toEqual([current, old]);
  expect(readSealer(undefined)).toBeUndefined();
  for (const text of ["", "secret", "ab".repeat(31), "ab".repeat(33), `${"ab".repeat(32)}\n`.repeat(9)]) {
    writeFileSync(file, text);
    expect(() => readSealer(file)).toThrow(unopened);
  }
  rmSync(folder, { recursive: true });
});

test("a token of a context holds under each key that is kept, for no other context, and is the same each time", () => {
  const both = createSealer([current, old]);
  const token = both.tokenOf("transport 1");
  expect(token).toBe(createSealer([current]).tokenOf("transport 1"));
  expect([both.isTokenOf("transport 1", token), both.isTokenOf("transport 2", token)]).toEqual([true, false]);
  expect(both.isTokenOf("transport 1", createSealer([old]).tokenOf("transport 1"))).toBe(true);
  expect(createSealer([old]).isTokenOf("transport 1", token)).toBe(false);
  for (const wrong of ["", token.slice(1), `${token}A`, `${token}${"A".repeat(10_000)}`, "é".repeat(43)]) {
    expect(both.isTokenOf("transport 1", wrong)).toBe(false);
  }
});
