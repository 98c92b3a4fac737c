import { classifyFailure } from "@headwater/kernel";
import { expect, test } from "vitest";
import type { ClickHouse } from "./clickhouse.ts";
import { readFromCurrentReplica } from "./currentReplica.ts";

interface Replica {
  readonly replica: string;
  readonly isBehind: 0 | 1;
  readonly rows: number;
}

/** Answers each question by the next of the replicas, as a load balancer does. */
function balanced(replicas: readonly Replica[]) {
  const asked: string[] = [];
  const clickhouse: Pick<ClickHouse, "query"> = {
    async query(sql) {
      const { replica, isBehind, rows } = replicas[asked.length % replicas.length] ?? {
        replica: "",
        isBehind: 0,
        rows: 0,
      };
      asked.push(sql);
      const isStatus = sql.includes("isBehind");
      if (isStatus && replica === "") return [];
      return JSON.parse(JSON.stringify([isStatus ? { replica, isBehind } : { replica, rows }]));
    },
  };
  return { asked, clickhouse };
}

const a: Replica = { replica: "a", isBehind: 0, rows: 10 };
const late: Replica = { replica: "b", isBehind: 1, rows: 7 };
const query = { table: "activities", sql: "SELECT count() AS rows FROM activities" };
const failure = (promise: Promise<unknown>) => promise.then(() => "none", classifyFailure);

test("a replica that holds everything is believed", async () => {
  const { clickhouse } = balanced([a]);
  expect(await readFromCurrentReplica<{ rows: number }>(clickhouse, query)).toMatchObject({ rows: 10 });
});

test("a replica that lags is not asked for rows: the caller tries again later", async () => {
  const { asked, clickhouse } = balanced([late]);
  expect(await failure(readFromCurrentReplica(clickhouse, query))).toBe("infrastructure");
  expect(asked).toHaveLength(1);
});

test("rows that another replica answered are not believed, whichever it is", async () => {
  for (const replicas of [
    [a, late],
    [a, { ...a, replica: "c" }],
  ]) {
    expect(await failure(readFromCurrentReplica(balanced(replicas).clickhouse, query))).toBe("infrastructure");
  }
});

test("a table that is not replicated is current", async () => {
  const { clickhouse } = balanced([{ replica: "", isBehind: 0, rows: 3 }]);
  expect(await readFromCurrentReplica<{ rows: number }>(clickhouse, query)).toMatchObject({ rows: 3 });
});
