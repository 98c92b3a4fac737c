import { HeadwaterError } from "@headwater/kernel";
import { postgresFailure } from "@headwater/postgres/connection/failures";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Fresh, freshPostgres, postgresOn } from "./fresh.ts";

let fresh: Fresh<Postgres>;
beforeAll(async () => {
  fresh = await freshPostgres(false);
});
afterAll(() => fresh.drop());

const backend = {
  name: "lookup_backend",
  text: "SELECT pg_backend_pid() AS pid, $1::int AS n",
  isLookup: true,
} as const;
const quotient = { name: "lookup_quotient", text: "SELECT 1 / $1::int AS n", isLookup: true } as const;
interface Seen {
  readonly pid: number;
  readonly n: number;
}

describe("look-ups of one turn", () => {
  test("share few connections, and each gets its own answer", async () => {
    const numbers = Array.from({ length: 40 }, (_, n) => n);
    const rows = await Promise.all(numbers.map((n) => fresh.store.query<Seen>(backend, [n])));
    expect(rows.map(([row]) => row?.n)).toEqual(numbers);
    const byPid = Map.groupBy(rows.flat(), ({ pid }) => pid);
    expect(byPid.size).toBeLessThanOrEqual(4);
    const [alone] = await fresh.store.query<Seen>(backend, [7]);
    expect(byPid.has(alone?.pid ?? 0)).toBe(true);
  });

  test("fail one by one: those beside a bad one are answered", async () => {
    const answers = await Promise.allSettled([1, 0, 1].map((n) => fresh.store.query<{ n: number }>(quotient, [n])));
    expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(await fresh.store.query<{ n: number }>(quotient, [1])).toEqual([{ n: 1 }]);
  });

  test("lookups that lose their connection all hear that Postgres is away, and the next ones go on with another", async () => {
    const one = postgresOn(fresh.url, { poolMax: 1 });
    const ended = { text: "SELECT pg_terminate_backend(pg_backend_pid())", isLookup: true } as const;
    const answers = await Promise.allSettled([one.query(ended), one.query(backend, [1]), one.query(backend, [2])]);
    for (const answer of answers) {
      if (answer.status === "fulfilled") expect.fail("the connection was gone");
      expect(answer.reason).toBeInstanceOf(HeadwaterError);
      expect(postgresFailure(answer.reason)).toBe("unavailable");
    }
    expect(await one.query<Seen>(backend, [3])).toMatchObject([{ n: 3 }]);
    await one.close();
  });

  test("in a transaction see what it wrote", async () => {
    const seen = await fresh.store.transaction(async (transaction) => {
      await transaction.execute({ text: "CREATE TEMP TABLE written (n int) ON COMMIT DROP" });
      await transaction.execute({ text: "INSERT INTO written VALUES (5)" });
      return transaction.query<{ n: number }>({ text: "SELECT n FROM written", isLookup: true });
    });
    expect(seen).toEqual([{ n: 5 }]);
  });

  test("are refused when nobody listens", async () => {
    const nowhere = postgresOn("postgres://127.0.0.1:1/nowhere");
    const answers = await Promise.allSettled([1, 2].map((n) => nowhere.query(backend, [n])));
    expect(answers.map((answer) => answer.status === "rejected" && postgresFailure(answer.reason))).toEqual([
      "unavailable",
      "unavailable",
    ]);
    await nowhere.close();
  });
});
