import type { Postgres } from "@headwater/postgres/connection/postgres";
import type { Transaction } from "@headwater/postgres/connection/session";
import { createPartnerListChange, deletePartnerListChanges } from "@headwater/records/lists/partnerListChanges";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Fresh, freshPostgres } from "./fresh.ts";

let fresh: Fresh<Postgres>;
beforeAll(async () => {
  fresh = await freshPostgres();
});
afterAll(() => fresh.drop());

let tables = 0;
/** A change that leaves one row behind each time it is made, and how often it was. */
async function countedChange() {
  const table = `made_${++tables}`;
  await fresh.store.execute({ text: `CREATE TABLE ${table} (at timestamptz)` });
  return {
    make: async (transaction: Transaction) =>
      void (await transaction.execute({ text: `INSERT INTO ${table} SELECT now()` })),
    times: async () => (await fresh.store.query({ text: `SELECT at FROM ${table}` })).length,
  };
}

describe("a change of a partner's list", () => {
  test("is made once under its name, by calls that come together, too; another account's is another", async () => {
    const { make, times } = await countedChange();
    const key = { account: 1, partner: "cdpsync", name: "together\u0000" };
    await Promise.all(Array.from({ length: 8 }, () => createPartnerListChange(fresh.store, key, make)));
    expect(await times()).toBe(1);
    await createPartnerListChange(fresh.store, { ...key, account: 2 }, make);
    expect(await times()).toBe(2);
  });

  test("a change that failed half way leaves nothing, and is made by its repeat", async () => {
    const { make, times } = await countedChange();
    const key = { account: 1, partner: "cdpsync", name: "half way" };
    const failing = createPartnerListChange(fresh.store, key, async (transaction) => {
      await make(transaction);
      throw new Error("half way");
    });
    await expect(failing).rejects.toThrow("half way");
    expect(await times()).toBe(0);
    await createPartnerListChange(fresh.store, key, make);
    await createPartnerListChange(fresh.store, key, make);
    expect(await times()).toBe(1);
  });

  test("is forgotten once its time is over, and not before", async () => {
    const { make, times } = await countedChange();
    const key = { account: 1, partner: "cdpsync", name: "old" };
    await deletePartnerListChanges(fresh.store, Date.now() + 60_000);
    await createPartnerListChange(fresh.store, key, make);
    expect(await deletePartnerListChanges(fresh.store, Date.now() - 60_000)).toBe(0);
    expect(await deletePartnerListChanges(fresh.store, Date.now() + 60_000)).toBe(1);
    await createPartnerListChange(fresh.store, key, make);
    expect(await times()).toBe(2);
  });
});
