import { ACTIVITIES_GROUP } from "@headwater/contracts";
import { createStoredRanges } from "@headwater/intake/sink/storedRanges";
import { readOffsets } from "@headwater/postgres/streams/streamOffsets";
import { afterEach, beforeEach, expect, test } from "vitest";
import { at, batchOf, context, freshHandlers, type Handlers, key } from "./handlerFixture.ts";

/*
 * ClickHouse logs a block's token before it renames the block's part. Killed in between, the token is there and the rows are
 * not. A test cannot kill at that instruction; it gets to the same state from the other side: the rows are written under the
 * token and then deleted by a mutation, which leaves the token in the log.
 */

let handlers: Handlers;
beforeEach(async () => {
  handlers = await freshHandlers();
});
afterEach(() => handlers.drop());

const START = { ...at, low: 0, high: 3 };

/** State has applied offsets 0 to 2; a process has written them to ClickHouse and died before it could say so. */
async function writeAndDie(): Promise<void> {
  const state = handlers.state();
  await state.start(START);
  await state.batch(batchOf(handlers.frames(0, 3)), context);
  const dying = handlers.activities({
    ranges: createStoredRanges(dyingAfterClaim(handlers.postgres), ACTIVITIES_GROUP),
  });
  await dying.start(START);
  await expect(dying.batch(batchOf(handlers.frames(0, 3)), context)).rejects.toThrow("killed");
}

/** Everything goes on as usual until the range is to be finished. */
function dyingAfterClaim(postgres: Handlers["postgres"]): Handlers["postgres"] {
  return {
    ...postgres,
    execute: async (statement, values) => {
      if (statement.name === "ranges_finish_shared") throw new Error("killed");
      return postgres.execute(statement, values);
    },
  };
}

async function loseTheRows(): Promise<void> {
  await handlers.clickhouse.command("ALTER TABLE activities DELETE WHERE 1 SETTINGS mutations_sync = 2");
  expect(await rows()).toEqual({ rows: 0, records: 0 });
}

async function rows() {
  const [counts] = await handlers.clickhouse.query<{ rows: number; records: number }>(
    "SELECT count() AS rows, uniqExact(record) AS records FROM activities",
  );
  return counts;
}

async function pendingToken(): Promise<string | undefined> {
  const [row] = await readOffsets(handlers.postgres, ["activities"]);
  return row?.pending?.token;
}

test("a token without its part, without the remedy, is answered with success for ever, and the rows are lost", async () => {
  const block = { table: "contact_aliases", columns: ["account", "contact", "survivor", "revision"], token: "one" };
  const insert = () => handlers.clickhouse.insertBlock({ ...block, body: "[1, 2, 3, 4]\n" });
  const count = async () => (await handlers.clickhouse.query("SELECT contact FROM contact_aliases")).length;
  await insert();
  expect(await count()).toBe(1);
  await handlers.clickhouse.command("ALTER TABLE contact_aliases DELETE WHERE 1 SETTINGS mutations_sync = 2");
  for (let retry = 0; retry < 3; retry++) await insert();
  expect(await count()).toBe(0);
});

test("a pending range, with the remedy, is counted, and missing rows are inserted once under a new token", async () => {
  await writeAndDie();
  const token = await pendingToken();
  expect(token).toBeDefined();
  await loseTheRows();
  const next = handlers.activities();
  await next.start(START);
  // Another owner may have sent rows under the new token as well: they are counted before the offset moves.
  expect(await next.batch(batchOf(handlers.frames(0, 3)), context)).toMatchObject({ kind: "wait" });
  expect(await rows()).toEqual({ rows: 6, records: 6 });
  expect(await pendingToken()).not.toBe(token);
  expect(await next.batch(batchOf(handlers.frames(0, 3)), context)).toEqual({ kind: "next", offset: 3 });
  expect(await rows()).toEqual({ rows: 6, records: 6 });
  expect(await readOffsets(handlers.postgres, ["activities"])).toMatchObject([
    { ...key, nextOffset: 3, pending: null },
  ]);
});

test("a pending range, with the remedy, adds no rows where they are there", async () => {
  await writeAndDie();
  expect(await rows()).toEqual({ rows: 6, records: 6 });
  const next = handlers.activities();
  await next.start(START);
  expect(await next.batch(batchOf(handlers.frames(0, 3)), context)).toEqual({ kind: "next", offset: 3 });
  expect(await rows()).toEqual({ rows: 6, records: 6 });
});

test("a range may begin in the middle of what state decided at once: every activity keeps its own contact", async () => {
  const state = handlers.state();
  await state.start(START);
  await state.batch(batchOf(handlers.frames(0, 3)), context);
  const activities = handlers.activities();
  await activities.start(START);
  expect(await activities.batch(batchOf(handlers.frames(0, 1)), context)).toEqual({ kind: "next", offset: 1 });
  expect(await activities.batch(batchOf(handlers.frames(1, 3)), context)).toEqual({ kind: "next", offset: 3 });
  const written = await handlers.clickhouse.query<{ record: string; contact: number }>(
    "SELECT record, contact FROM activities",
  );
  const contacts = await handlers.postgres.query<{ value: string; contact: number }>({
    text: "SELECT value, contact FROM contact_identifiers",
  });
  const numberOf = new Map(contacts.map(({ value, contact }) => [value, contact]));
  expect(written).toHaveLength(6);
  for (const { record, contact } of written) {
    expect([record, contact]).toEqual([record, numberOf.get(`p${record.charAt(1)}@example.com`)]);
  }
});
