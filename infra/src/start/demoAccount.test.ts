import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { rememberDemoAccount } from "./supervisor.ts";

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "home-"));
  mkdirSync(join(home, "secrets"));
});

afterEach(() => {
  rmSync(home, { recursive: true });
});

test("the key that is shown once is there at the next start, for its owner's eyes alone", async () => {
  const first = await rememberDemoAccount(home, 'a line\n{"accountId":"a1","apiKey":"hw_1"}\n');
  expect(first).toEqual({ accountId: "a1", apiKey: "hw_1" });
  expect(await rememberDemoAccount(home, '{"accountId":"a1"}\n')).toEqual(first);
  expect(statSync(join(home, "secrets", "demo-account.json")).mode & 0o777).toBe(0o600);
});

test("the key of an account that was made elsewhere is not known", async () => {
  expect(await rememberDemoAccount(home, '{"accountId":"a1"}')).toEqual({ accountId: "a1", apiKey: null });
  await rememberDemoAccount(home, '{"accountId":"a1","apiKey":"hw_1"}');
  expect(await rememberDemoAccount(home, '{"accountId":"a2"}')).toEqual({ accountId: "a2", apiKey: null });
});
