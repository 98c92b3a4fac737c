import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import {
  ensureErasureSecret,
  readErasureSecret,
  readErasureSecretFile,
} from "@headwater/records/erasures/erasureSecret";
import { insertTombstones } from "@headwater/records/erasures/erasures";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Fresh, freshPostgres, logger } from "../stores/fresh.ts";

let fresh: Fresh<Postgres>;
let postgres: Postgres;
beforeEach(async () => {
  fresh = await freshPostgres();
  postgres = fresh.store;
});
afterEach(() => fresh.drop());

const OTHER = Buffer.alloc(32, 7);
/** Postgres of a process that was given the secret. */
const input = (erasureSecret: Buffer): Postgres => ({
  ...postgres,
  erasureSecret,
  transaction: (run, options) =>
    postgres.transaction((session, atCommit) => run({ ...session, erasureSecret }, atCommit), options),
});
const resolve = (erasureSecret: Buffer) => ensureErasureSecret(input(erasureSecret), logger);
const erase = () =>
  postgres.transaction((transaction) => insertTombstones(transaction, 1, [{ hash: "h", version: "0".repeat(32) }]));
async function stored() {
  const [row] = await postgres.query<{ secret: string | null }>({ text: "SELECT secret::text FROM erasure_secret" });
  return row?.secret;
}
const wrong = { code: "CONFIG_INVALID", publicMessage: expect.stringContaining("does not match") };

describe("the secret of erased identifiers", () => {
  test("stands in Postgres when no process was given one, and stays there", async () => {
    const secret = await readErasureSecret(postgres);
    await ensureErasureSecret(postgres, logger);
    expect(await readErasureSecret(postgres)).toEqual(secret);
  });

  test("the present secret can move outside: it leaves Postgres, whatever was hashed with it", async () => {
    const secret = await readErasureSecret(postgres);
    await erase();
    await resolve(secret);
    await resolve(secret);
    expect(await stored()).toBeNull();
    expect(await readErasureSecret(input(secret))).toEqual(secret);
  });

  test("is refused when it is another than that of the stored hashes, at the start and at each use", async () => {
    const secret = await readErasureSecret(postgres);
    await erase();
    await expect(resolve(OTHER)).rejects.toMatchObject(wrong);
    await expect(readErasureSecret(input(OTHER))).rejects.toMatchObject(wrong);
    expect(await readErasureSecret(postgres)).toEqual(secret);
    await resolve(secret);
    await expect(resolve(OTHER)).rejects.toMatchObject(wrong);
    await expect(readErasureSecret(input(OTHER))).rejects.toMatchObject(wrong);
  });

  test("may be any while nobody was erased; from then on a process without it is refused", async () => {
    await resolve(OTHER);
    expect(await stored()).toBeNull();
    await erase();
    expect(await readErasureSecret(input(OTHER))).toEqual(OTHER);
    const missing = { code: "CONFIG_INVALID", publicMessage: expect.stringContaining("is not set") };
    await expect(ensureErasureSecret(postgres, logger)).rejects.toMatchObject(missing);
    await expect(readErasureSecret(postgres)).rejects.toMatchObject(missing);
  });

  test("is read from a file of 64 or more hex digits, and no other is taken", () => {
    const folder = mkdtempSync(join(tmpdir(), "erasure-secret-"));
    const file = join(folder, "secret");
    writeFileSync(file, `${OTHER.toString("hex")}\n`);
    expect(readErasureSecretFile(file)).toEqual(OTHER);
    expect(readErasureSecretFile(undefined)).toBeUndefined();
    for (const text of ["", "secret", "ab".repeat(31), `${"ab".repeat(32)}a`]) {
      writeFileSync(file, text);
      expect(() => readErasureSecretFile(file)).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }));
    }
    rmSync(folder, { recursive: true });
  });
});
