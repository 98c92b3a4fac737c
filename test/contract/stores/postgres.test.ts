import { createPostgres, migratePostgres, type Postgres, postgresFailure } from "@headwater/stores/postgres";
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

describe("a transaction", () => {
  it("keeps nothing when its function throws", async () => {
    const failed = fresh.store.transaction(async (transaction) => {
      await transaction.execute({ text: "UPDATE relay_progress SET position = 77" });
      throw new Error("no");
    });
    await expect(failed).rejects.toThrow("no");
    expect(await fresh.store.query({ text: "SELECT position FROM relay_progress" })).toEqual([{ position: 0 }]);
  });

  it("runs statements that were sent together in their order", async () => {
    const answers = await fresh.store.transaction((transaction) =>
      Promise.all(
        [1, 2, 3].map(() => transaction.query<{ n: number }>({ text: "SELECT nextval('contact_numbers') AS n" })),
      ),
    );
    const [first, second, third] = answers.map(([row]) => row?.n ?? 0);
    expect([second, third]).toEqual([(first ?? 0) + 1, (first ?? 0) + 2]);
  });

  it("reports the statement that failed, not one that it aborted, whichever is heard of first", async () => {
    const failed = fresh.store.transaction(async (transaction) => {
      const disk = "DO $$ BEGIN RAISE EXCEPTION 'no space' USING ERRCODE = 'disk_full'; END $$";
      const slow = async () => {
        try {
          await transaction.execute({ text: disk });
        } finally {
          await new Promise((resolve) => setImmediate(resolve));
        }
      };
      await Promise.all([slow(), transaction.query({ text: "SELECT 1" })]);
    });
    expect(await failureOf(failed)).toBe("unavailable");
  });

  it("does not pass for committed when the error of a statement was never awaited", async () => {
    const careless = fresh.store.transaction(async (transaction) => {
      transaction.query({ text: "SELECT 1/0" }).catch(() => undefined);
    });
    await expect(careless).rejects.toThrow("not awaited");
  });

  it("answers bigint as a number, uuid as 32 hex characters and json as its text", async () => {
    const text = `SELECT 9007199254740991::bigint AS n, '0192f0c1-0000-0000-0000-00000000000a'::uuid AS u, '{"a": 1}'::json AS j`;
    expect(await fresh.store.query({ text })).toEqual([
      { n: Number.MAX_SAFE_INTEGER, u: "0192f0c100000000000000000000000a", j: '{"a": 1}' },
    ]);
    await expect(fresh.store.query({ text: "SELECT 9007199254740993 AS n" })).rejects.toThrow("beyond 2^53");
  });

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
  it("tell what is away from what is wrong", async () => {
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
    expect(await failureOf(fresh.store.query({ text: "SELECT nonsense" }))).toBe("other");
    const again = "INSERT INTO relay_progress (id, xid, position, offsets) VALUES (1, '1', 1, '{}')";
    expect(await failureOf(fresh.store.execute({ text: again }))).toBe("unique");
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
