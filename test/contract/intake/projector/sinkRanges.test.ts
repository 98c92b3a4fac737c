import { randomUUID } from "node:crypto";
import { createStoredRanges } from "@headwater/intake/sink/storedRanges";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { rangesContract } from "@headwater/testing";
import { afterAll, beforeAll, describe, test } from "vitest";
import { type Fresh, freshPostgres } from "../../stores/fresh.ts";

let fresh: Fresh<Postgres>;
beforeAll(async () => {
  fresh = await freshPostgres();
});
afterAll(() => fresh.drop());

describe("a sink's progress in Postgres keeps the contract of the one in memory", () => {
  test.each(rangesContract)("%s", (_promise, check) => check(createStoredRanges(fresh.store, randomUUID())));
});
