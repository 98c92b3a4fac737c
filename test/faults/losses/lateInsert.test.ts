import { randomUUID } from "node:crypto";
import type { Block, ClickHouse } from "@headwater/clickhouse/clickhouse";
import { HeadwaterError } from "@headwater/kernel";
import { afterEach, beforeEach, expect, test } from "vitest";
import { at, batchOf, context, freshHandlers, type Handlers } from "./handlerFixture.ts";

/*
 * ClickHouse is slower than our timeout: the call is given up, and the server applies the insert later, when the range was
 * sent again or even finished.
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
const ALL_ONCE = { rows: 6, records: 6 };
const timedOut = () =>
  new HeadwaterError({
    code: "SERVICE_UNAVAILABLE",
    status: 503,
    publicMessage: "ClickHouse does not answer.",
    retriable: true,
  });

/** Keeps the first block for later instead of sending it. */
function slowServer(clickhouse: ClickHouse) {
  const late: Block[] = [];
  const insertBlock = async (block: Block): Promise<void> => {
    if (late.length > 0) return clickhouse.insertBlock(block);
    late.push(block);
    throw timedOut();
  };
  const applyLate = async () => {
    for (const block of late) await clickhouse.insertBlock(block);
  };
  return { insertBlock, applyLate };
}

async function rows() {
  const [counts] = await handlers.clickhouse.query<{ rows: number; records: number }>(
    "SELECT count() AS rows, uniqExact(record) AS records FROM activities",
  );
  return counts;
}

/** Gives the first call up; another process sends the range again. */
async function sendAgain(): Promise<{ readonly applyLate: () => Promise<void> }> {
  const { insertBlock, applyLate } = slowServer(handlers.clickhouse);
  const dying = handlers.activities({ clickhouse: { insertBlock } });
  await dying.start(START);
  await expect(dying.batch(batchOf(handlers.frames(0, 3)), context)).rejects.toThrow("does not answer");
  const next = handlers.activities({ clickhouse: { insertBlock } });
  await next.start(START);
  expect(await next.batch(batchOf(handlers.frames(0, 3)), context)).toEqual({ kind: "next", offset: 3 });
  return { applyLate };
}

test("an insert under another token, without the remedy, doubles its rows when it is applied late", async () => {
  const block = {
    table: "contact_aliases",
    columns: ["account", "contact", "survivor", "revision"],
    body: "[1, 2, 3, 4]\n",
  };
  for (const _attempt of [1, 2]) await handlers.clickhouse.insertBlock({ ...block, token: randomUUID() });
  expect(await handlers.clickhouse.query("SELECT contact FROM contact_aliases")).toHaveLength(2);
});

test("an insert, with the remedy, adds nothing when it is applied after its range was finished", async () => {
  const { applyLate } = await sendAgain();
  expect(await rows()).toEqual(ALL_ONCE);
  await applyLate();
  expect(await rows()).toEqual(ALL_ONCE);
});

test("an insert, with the remedy, adds nothing twice when it is applied before its range is sent again", async () => {
  const { insertBlock, applyLate } = slowServer(handlers.clickhouse);
  const same = handlers.activities({ clickhouse: { insertBlock } });
  await same.start(START);
  await expect(same.batch(batchOf(handlers.frames(0, 3)), context)).rejects.toThrow("does not answer");
  await applyLate();
  let result = await same.batch(batchOf(handlers.frames(0, 3)), context);
  while (result.kind === "wait") result = await same.batch(batchOf(handlers.frames(0, 3)), context);
  expect(result).toMatchObject({ offset: 3 });
  expect(await rows()).toEqual(ALL_ONCE);
});
