import type { RejectRow } from "@headwater/contracts";
import { defaultSettings } from "@headwater/contracts";
import { rejected } from "@headwater/records/fold/outcome";
import type { LogFrame } from "@headwater/topics";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ATTEMPT_HEADER, type LoggedRecord } from "./loggedRecord.ts";
import { readFrames } from "./readFrames.ts";
import { toRejectRow } from "./rejectRows.ts";
import { resolveRepeats } from "./repeats.ts";

/*
 * Records that wait for a contact, their attempts in any order with any number of copies, and the contacts, in one partition. What
 * becomes of each, and how often it is tried, is the same wherever batches end, and whatever is published more than once.
 */

const account = { number: 1, id: "a".repeat(24), name: "test", settings: defaultSettings };
const WAITING = ["r0:0:0", "r1:0:0", "r2:0:0"] as const;
const WAITS_MS = [5_000, 60_000];

interface Step {
  readonly id: (typeof WAITING)[number];
  /** Number of the attempt; undefined when the contact comes. */
  readonly attempt: number | undefined;
}

interface End {
  readonly row: Pick<RejectRow, "status" | "attempts"> | undefined;
  readonly trials: number;
}

const steps = fc.array(
  fc.record({
    id: fc.constantFrom(...WAITING),
    attempt: fc.option(fc.constantFrom(1, 2, 3), { nil: undefined, freq: 8 }),
  }),
  { maxLength: 24 },
);

function frameOf(offset: number, record: { readonly id: string; readonly redriveOf?: string }, attempt?: number) {
  const value = Buffer.from(JSON.stringify({ account: account.id, records: [{ receivedAt: 0, ...record }] }));
  const headers: Readonly<Record<string, string>> = attempt === undefined ? {} : { [ATTEMPT_HEADER]: String(attempt) };
  return { offset, timeMs: offset, key: undefined, value, headers };
}

function toLog(taken: readonly Step[]): LogFrame[] {
  const first = WAITING.map((id, offset) => frameOf(offset, { id }));
  const later = taken.map(({ id, attempt }, index) =>
    frameOf(WAITING.length + index, attempt === undefined ? { id: `contact ${id}` } : { id, redriveOf: id }, attempt),
  );
  return [...first, ...later];
}

const reading = {
  codec: {
    decode: async (value: Buffer) => {
      const parsed: unknown = JSON.parse(value.toString());
      return { kind: "decoded", subject: "intake.upsertContact", value: parsed } as const;
    },
  },
  accounts: { byId: async () => account },
  topic: "intake.records",
  partition: 0,
  greatestTime: 0,
  recordsMax: 1_000,
};

/** Applies the log in batches that end where the bits say, each over what those before it stored. */
async function applyLog(log: readonly LogFrame[], endsAfter: (offset: number) => boolean) {
  const store = new Store();
  for (let nextOffset = 0; nextOffset < log.length; ) {
    const end = log.findIndex(({ offset }) => offset >= nextOffset && endsAfter(offset));
    const frames = log.slice(nextOffset, end < 0 ? log.length : end + 1);
    const read = await readFrames({ ...reading, nextOffset }, frames);
    store.apply(read.flatMap(({ records }) => records));
    nextOffset = (read.at(-1)?.offset ?? 0) + 1;
  }
  return store.ends();
}

/** Stands for Postgres: rows of these records. */
class Store {
  readonly #rows = new Map<string, RejectRow>();
  readonly #contacts = new Set<string>();
  readonly #trials = new Map<string, number>();

  apply(records: readonly LoggedRecord[]): void {
    const rejects = [...this.#rows.values()].map((row) => {
      return { ...row, redrive: null, redriveOutcome: null, quarantinedBy: null };
    });
    const stored = { applied: new Set<string>(), rejects, importedAgain: new Set<number>() };
    const { duplicates, attempts } = resolveRepeats(records, stored);
    for (const [index, located] of records.entries()) {
      if (!duplicates.has(index)) this.#fold(located, attempts.get(index) ?? 0);
    }
  }

  #fold(placed: LoggedRecord, attempts: number): void {
    const { id } = placed.record;
    if (id.startsWith("contact ")) {
      this.#contacts.add(id);
      return;
    }
    this.#trials.set(id, (this.#trials.get(id) ?? 0) + 1);
    const row = this.#rows.get(id);
    if (!this.#contacts.has(`contact ${id}`)) this.#rows.set(id, unknownContact(placed, attempts));
    else if (row !== undefined) this.#rows.set(id, { ...row, status: "applied" });
  }

  ends(): End[] {
    return WAITING.map((id) => {
      const row = this.#rows.get(id);
      return { row: row && { status: row.status, attempts: row.attempts }, trials: this.#trials.get(id) ?? 0 };
    });
  }
}

function unknownContact(placed: LoggedRecord, attempts: number): RejectRow {
  const outcome = rejected("CONTACTS_CONTACT_NOT_FOUND", "/contact", "There is no such contact.");
  if (outcome.kind !== "rejected") throw new Error("rejected makes a rejection");
  return toRejectRow(placed, outcome, { topic: "t", partition: 0, nowMs: 0, attempts, parkedForMs: WAITS_MS });
}

const oneByOne = () => true;

test("parked records end the same and are tried as often wherever batches end", async () => {
  const ends = fc.infiniteStream(fc.boolean()).map((bits) => {
    const known: boolean[] = [];
    return (offset: number) => {
      while (known.length <= offset) known.push(bits.next().value === true);
      return known[offset] === true;
    };
  });
  await fc.assert(
    fc.asyncProperty(steps, ends, async (taken, endsAfter) => {
      const log = toLog(taken);
      expect(await applyLog(log, endsAfter)).toEqual(await applyLog(log, oneByOne));
    }),
    { numRuns: 500 },
  );
});

test("an attempt that is published again, however late, changes nothing", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const once = taken.filter(({ id, attempt }, index) => {
        return index === taken.findIndex((other) => other.id === id && other.attempt === attempt);
      });
      expect(await applyLog(toLog(taken), oneByOne)).toEqual(await applyLog(toLog(once), oneByOne));
    }),
    { numRuns: 500 },
  );
});

test("a record is tried as often as it has attempts, and is rejected after the last of them", async () => {
  const [id] = WAITING;
  const ends = await applyLog(toLog([1, 1, 2, 1, 2].map((attempt) => ({ id, attempt }))), () => false);
  expect(ends[0]).toEqual({ row: { status: "open", attempts: 2 }, trials: 3 });
});
