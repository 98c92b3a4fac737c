import { deepEqual, equal } from "node:assert/strict";
import type { RejectRow } from "@headwater/contracts";
import type { OutboxRow } from "@headwater/postgres/outbox/outbox";
import type { MemoryOutbox } from "./memoryOutbox.ts";
import { deadLetterRow } from "./parkedContract.ts";

/** An outbox, with what a test does around it. */
export interface OutboxUnderTest {
  readonly outbox: Pick<MemoryOutbox, "next" | "mark">;
  /** Commits a transaction that appends the rows. */
  append(rows: readonly OutboxRow[]): Promise<void>;
  /** Ids of the records that dead letters are stored of. */
  lettersOf(recordIds: readonly string[]): Promise<readonly string[]>;
}

const row = (position: number): OutboxRow => ({
  position,
  topic: "changes.carts",
  sourcePartition: 3,
  payload: `{"position":${position},"changes":[]}`,
});

async function positions({ outbox }: OutboxUnderTest, rowsMax = 10): Promise<readonly number[]> {
  return (await outbox.next(rowsMax)).rows.map(({ position }) => position);
}

async function markFirst(under: OutboxUnderTest, deadLetters: readonly RejectRow[] = []) {
  const { progress, rows } = await under.outbox.next(1);
  const [first] = rows;
  if (first === undefined) throw new Error("the outbox is empty");
  const to = { xid: first.xid, position: first.position, offsets: { "changes.carts": { 3: first.position } } };
  return { progress, to, isMarked: await under.outbox.mark(progress, to, deadLetters) };
}

/** Promises of every outbox, in memory or in Postgres: each is given an empty one. */
export const outboxContract: readonly (readonly [promise: string, check: (under: OutboxUnderTest) => Promise<void>])[] =
  [
    [
      "rows come in the order of commit, as many as are asked for, and stay until they are marked",
      async (under) => {
        await under.append([row(1), row(2)]);
        await under.append([row(3)]);
        deepEqual(await positions(under, 2), [1, 2]);
        deepEqual(await positions(under), [1, 2, 3]);
      },
    ],
    [
      "a mark drops what was published up to it and keeps its offsets",
      async (under) => {
        await under.append([row(1), row(2)]);
        const { to } = await markFirst(under);
        deepEqual(await positions(under), [2]);
        deepEqual((await under.outbox.next(1)).progress, to);
      },
    ],
    [
      "of two relays that published the same rows one marks them, with its letters",
      async (under) => {
        await under.append([row(1), row(2)]);
        const { progress, to, isMarked } = await markFirst(under, [deadLetterRow("first")]);
        equal(isMarked, true);
        equal(await under.outbox.mark(progress, to, [deadLetterRow("second")]), false);
        deepEqual(await under.lettersOf(["first", "second"]), ["first"]);
      },
    ],
  ];
