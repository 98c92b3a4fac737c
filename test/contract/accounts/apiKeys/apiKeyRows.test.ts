import { createAccount } from "@headwater/accounts/accounts/accounts";
import { apiKeyRowsOf } from "@headwater/accounts/accounts/apiKeyRows";
import { defaultSettings } from "@headwater/contracts";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { apiKeyRowsContract } from "@headwater/testing";
import { afterAll, beforeAll, describe, test } from "vitest";
import { type Fresh, freshPostgres } from "../../stores/fresh.ts";

let fresh: Fresh<Postgres>;
beforeAll(async () => {
  fresh = await freshPostgres();
});
afterAll(() => fresh.drop());

describe("keys in Postgres keep the contract of those in memory", () => {
  test.each(apiKeyRowsContract)("%s", async (_promise, check) => {
    await fresh.store.execute({ text: "DELETE FROM intake.api_keys" });
    await fresh.store.execute({ text: "DELETE FROM intake.accounts" });
    const created = (id: string) =>
      createAccount(fresh.store, { id: id.repeat(24), name: `account ${id}`, settings: defaultSettings });
    const [account, other] = [await created("a"), await created("b")];
    await check({ rows: apiKeyRowsOf(fresh.store), account: account.number, other: other.number });
  });
});
