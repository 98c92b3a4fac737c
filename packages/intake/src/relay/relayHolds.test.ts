import { createLogger, createMetrics } from "@headwater/kernel";
import type { Session } from "@headwater/postgres/connection/session";
import type { RelayHold } from "@headwater/postgres/outbox/relayHold";
import { expect, test } from "vitest";
import { watchRelayHolds } from "./relayHolds.ts";

const hold: RelayHold = { pid: 71, application: "psql", state: "idle in transaction", sinceMs: 0, seconds: 90 };
const never = () => Promise.reject(new Error("not asked in this test"));
const session: Session = { query: never, execute: never };

test("a transaction that holds the relay is a series and one line of the log, until it ends", async () => {
  const lines: { msg: string; pid: number }[] = [];
  const logger = createLogger({ name: "test", destination: { write: (line) => void lines.push(JSON.parse(line)) } });
  const metrics = createMetrics({ processMetrics: false });
  let found: RelayHold | undefined = hold;
  let isRelaying = true;
  const find = async () => found;
  const holds = watchRelayHolds({ session, metrics, logger, isRelaying: () => isRelaying, find });
  const series = async () => {
    await holds.look();
    return (await metrics.render()).split("\n").filter((line) => line.startsWith("headwater_relay_held_seconds"));
  };
  const own = 'headwater_relay_held_seconds{pid="71",application="psql"} 90';
  expect(await series()).toEqual([own]);
  expect(await series()).toEqual([own]);
  expect(lines).toMatchObject([
    {
      pid: 71,
      msg: "a transaction of psql (pid 71), idle in transaction, has held the relay back since 1970-01-01T00:00:00.000Z",
    },
  ]);
  isRelaying = false;
  expect(await series()).toEqual([]);
  isRelaying = true;
  found = undefined;
  expect(await series()).toEqual([]);
  found = hold;
  expect(await series()).toEqual([own]);
  expect(lines).toHaveLength(2);
});
