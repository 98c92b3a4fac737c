import { postgresFailure } from "@headwater/postgres/connection/failures";
import { createPostgres, type Postgres } from "@headwater/postgres/connection/postgres";
import { migratePostgres } from "@headwater/postgres/migrate/migrate";
import { postgresContract } from "@headwater/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Fresh, freshPostgres, gate, logger, postgresOn } from "./fresh.ts";

let fresh: Fresh<Postgres>;
beforeAll(async () => {
  fresh = await freshPostgres();
});
afterAll(() => fresh.drop());

const failureOf = (promise: Promise<unknown>) => promise.then(() => "none", postgresFailure);

describe("migrations of Postgres", () => {
  it("are applied once, by whichever of two processes is first", async () => {
    const empty = await freshPostgres(false);
    const applied = await Promise.all([
      migratePostgres({ url: empty.url, logger }),
      migratePostgres({ url: empty.url, logger }),
    ]);
    const names = applied.flat();
    expect(names.length).toBeGreaterThan(3);
    expect(new Set(names).size).toBe(names.length);
    expect(await migratePostgres({ url: empty.url, logger })).toEqual([]);
    await empty.drop();
  });

  it("refuse a database whose migration was changed", async () => {
    const changed = await freshPostgres();
    await changed.store.execute({ text: "UPDATE schema_migrations SET checksum = 'x' WHERE name = '001_intake'" });
    await expect(migratePostgres({ url: changed.url, logger })).rejects.toThrow("001_intake was changed");
    await changed.drop();
  });
});

describe("Postgres keeps the contract of its port", () => {
  it.each(postgresContract)("%s", (_promise, check) => check(fresh.store));
});

describe("a transaction", () => {
  it("of a sleeper is ended, and its locks are free for the next owner", async () => {
    const sleeper = postgresOn(fresh.url, { idleInTransactionTimeoutMs: 200 });
    const locked = gate();
    const woken = gate();
    const slept = sleeper.transaction(async (transaction) => {
      await transaction.query({ text: "SELECT id FROM relay_progress FOR UPDATE" });
      locked.open();
      await woken.opened;
      await transaction.query({ text: "SELECT 1" });
    });
    const failure = failureOf(slept);
    await locked.opened;
    await fresh.store.transaction((transaction) =>
      transaction.query({ text: "SELECT id FROM relay_progress FOR UPDATE" }),
    );
    woken.open();
    expect(await failure).toBe("unavailable");
    await sleeper.close();
  });
});

describe("failures of Postgres", () => {
  it("distinguish an outage from an error", async () => {
    const nobody = createPostgres({
      url: "postgres://a:b@127.0.0.1:1/c",
      poolMax: 1,
      applicationName: "x",
      statementTimeoutMs: 1000,
      logger,
    });
    expect(await failureOf(nobody.ping())).toBe("unavailable");
    await expect(nobody.ping()).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE", status: 503, retriable: true });
    await nobody.close();
  });

  it("a connection that dies in a transaction is unavailable, and the next one works", async () => {
    const died = fresh.store.transaction((transaction) =>
      transaction.query({ text: "SELECT pg_terminate_backend(pg_backend_pid())" }),
    );
    expect(await failureOf(died)).toBe("unavailable");
    await fresh.store.ping();
  });

  it("a statement that takes too long is a timeout", async () => {
    const hasty = postgresOn(fresh.url, { statementTimeoutMs: 100 });
    expect(await failureOf(hasty.query({ text: "SELECT pg_sleep(5)" }))).toBe("timeout");
    await hasty.close();
  });

  it("of two transactions that wait for each other one is a conflict, the other commits", async () => {
    const [text, other] = [11, 12].map((n) => `SELECT pg_advisory_xact_lock(${n})`);
    const both = [gate(), gate()];
    const cross = async (mine: number, first = "", second = "") =>
      fresh.store.transaction(async (transaction) => {
        await transaction.query({ text: first });
        both[mine]?.open();
        await both[1 - mine]?.opened;
        await transaction.query({ text: second });
      });
    const failures = await Promise.all([failureOf(cross(0, text, other)), failureOf(cross(1, other, text))]);
    expect(failures.sort()).toEqual(["conflict", "none"]);
  });
});
