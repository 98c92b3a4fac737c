import { CLAIM_MS_MAX } from "@headwater/intake/sink/insertBlocks";
import { readOffsets } from "@headwater/postgres/streams/streamOffsets";
import { afterEach, beforeEach, expect, test } from "vitest";
import { at, batchOf, context, freshHandlers, type Handlers } from "./handlerFixture.ts";

/*
 * A process claims a range, is stopped (SIGSTOP, a paused machine), and wakes when others have finished the range long ago
 * and ClickHouse has forgotten its token.
 */

let handlers: Handlers;
beforeEach(async () => {
  handlers = await freshHandlers();
  const state = handlers.state();
  await state.start(START);
  await state.batch(batchOf(handlers.frames(0, 3)), context);
});
afterEach(() => handlers.drop());

const START = { ...at, low: 0, high: 3 };

async function rows() {
  const [counts] = await handlers.clickhouse.query<{ rows: number; records: number }>(
    "SELECT count() AS rows, uniqExact(record) AS records FROM activities",
  );
  return counts;
}

/** A process that claims offsets 0 to 2 and, before it sends them, sleeps while `meanwhile` happens. */
async function sleeper(meanwhile: () => Promise<void>) {
  const sleeping = handlers.activities({ beforeInsert: meanwhile });
  await sleeping.start(START);
  return sleeping.batch(batchOf(handlers.frames(0, 3)), context);
}

async function rivalFinishes(): Promise<void> {
  const rival = handlers.activities();
  await rival.start(START);
  expect(await rival.batch(batchOf(handlers.frames(0, 3)), context)).toEqual({ kind: "next", offset: 3 });
}

/** The table remembers so few tokens that any other insert makes it forget. */
async function forgetTokens(): Promise<void> {
  await handlers.clickhouse.command("ALTER TABLE activities MODIFY SETTING non_replicated_deduplication_window = 1");
  await handlers.clickhouse.insertBlock({
    table: "activities",
    columns: ["account", "record"],
    body: '[999, "another"]\n',
    token: "another",
  });
  await handlers.clickhouse.command("ALTER TABLE activities DELETE WHERE account = 999 SETTINGS mutations_sync = 2");
}

test("a block, without the remedy, doubles its rows when it is sent after its token was forgotten", async () => {
  const send = () =>
    handlers.clickhouse.insertBlock({
      table: "memberships_history",
      columns: ["account", "list", "contact"],
      body: "[1, 2, 3]\n",
      token: "claimed",
    });
  await handlers.clickhouse.command(
    "ALTER TABLE memberships_history MODIFY SETTING non_replicated_deduplication_window = 1",
  );
  await send();
  await handlers.clickhouse.insertBlock({
    table: "memberships_history",
    columns: ["account", "list", "contact"],
    body: "[7, 7, 7]\n",
    token: "later",
  });
  await send();
  const written = await handlers.clickhouse.query("SELECT contact FROM memberships_history WHERE account = 1");
  expect(written).toHaveLength(2);
});

test("a process whose claim is old, with the remedy, sends nothing and ends", async () => {
  const woken = sleeper(async () => {
    await rivalFinishes();
    await forgetTokens();
    handlers.clock.advance(CLAIM_MS_MAX + 1);
  });
  await expect(woken).rejects.toMatchObject({ code: "INTERNAL_ERROR", retriable: false });
  expect(await rows()).toEqual({ rows: 6, records: 6 });
});

test("a process on a paused machine, whose monotonic clock stood still, sends nothing either", async () => {
  const woken = sleeper(async () => {
    await rivalFinishes();
    await forgetTokens();
    handlers.clock.setNowMs(handlers.clock.nowMs() + CLAIM_MS_MAX + 1);
  });
  await expect(woken).rejects.toMatchObject({ code: "INTERNAL_ERROR", retriable: false });
  expect(await rows()).toEqual({ rows: 6, records: 6 });
});

test("a short sleeper sends the same token, which adds nothing, and goes on where the other one is", async () => {
  const result = await sleeper(rivalFinishes);
  expect(result).toEqual({ kind: "seek", offset: 3 });
  expect(await rows()).toEqual({ rows: 6, records: 6 });
  expect(await readOffsets(handlers.postgres, ["activities"])).toMatchObject([{ nextOffset: 3, pending: null }]);
});
