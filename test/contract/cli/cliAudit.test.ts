import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { insertLogEntry } from "@headwater/api/accountLog/accountLog";
import { NO_KEY, sealKeysOf } from "@headwater/api/accountLog/seal";
import { sealEntries } from "@headwater/api/accountLog/seals";
import { connect, createMemoryTerminal, runCommand } from "@headwater/cli";
import { readSettingsKeys } from "@headwater/kernel";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Fresh, freshPostgres } from "../stores/fresh.ts";

let fresh: Fresh<Postgres>;
let home: string;
beforeAll(async () => {
  fresh = await freshPostgres();
  home = await mkdtemp(join(tmpdir(), "headwater-audit-"));
});
afterAll(async () => {
  await fresh.drop();
  await rm(home, { recursive: true });
});

async function headwater(args: readonly string[]) {
  const { terminal, out, said } = createMemoryTerminal({ input: "" });
  const code = await runCommand({ args, env: { HEADWATER_HOME: home, POSTGRES_URL: fresh.url }, terminal, connect });
  return { code, out: out(), err: said() };
}

test("audit verify finds nothing in a sealed log, and says with exit 1 what was changed or cut off", async () => {
  const keyFile = join(home, "settings-key");
  await writeFile(keyFile, `${"07".repeat(32)}\n`);
  const [key = NO_KEY] = sealKeysOf(readSettingsKeys(keyFile));
  await insertLogEntry(fresh.store, {
    ...{ account: 1, at: Date.now(), category: "System", level: "Info", action: "createApikey", message: "m" },
  });
  const made = await fresh.store.transaction((one) => sealEntries(one, key, Date.now()));
  const verify = (...more: readonly string[]) =>
    headwater(["audit", "verify", "--key-file", keyFile, "--json", ...more]);
  const right = await verify("--expect", `${made?.number}:${made?.mac}`);
  expect([right.code, JSON.parse(right.out)]).toEqual([0, []]);
  expect(right.err).toContain(`the last seal is ${made?.number}:${made?.mac}`);
  const without = await headwater(["audit", "verify", "--json"]);
  expect(without).toMatchObject({ code: 2, err: expect.stringContaining("HEADWATER_SETTINGS_KEY_FILE") });
  await fresh.store.transaction(async (one) => {
    await one.execute({ text: "SET LOCAL session_replication_role = replica" });
    await one.execute({ text: "UPDATE account_log SET actor = 'nobody'" });
  });
  const cut = await verify("--expect", `${(made?.number ?? 0) + 1}:${"0".repeat(64)}`);
  const kinds = new Set(JSON.parse(cut.out).map(({ kind }: { kind: string }) => kind));
  expect([cut.code, kinds]).toEqual([1, new Set(["changed", "tailCut"])]);
  expect((await verify("--expect", "last")).code).toBe(2);
});
