import type { JobInput } from "@headwater/contracts";
import { defineJobWithOutside, type JobPorts, type Work } from "@headwater/jobs/runner/jobKind";
import { watermarksShape } from "@headwater/jobs/runner/watermarksShape";
import type { Transaction } from "@headwater/postgres/connection/session";
import { followStreamWatermark, takeStreamWatermark } from "@headwater/postgres/outbox/streamWatermarks";
import { z } from "zod";
import { removeCleared } from "../contacts/attributeClears.ts";
import { fromRow, toDocument } from "../contacts/contactDocument.ts";
import { type AttributeClear, lockContactsWith, storeDocuments } from "./attributeClears.ts";

const DELETE_TIMEOUT_MS = 120_000;
const CHECK_EVERY_SECONDS = 1;

const counted = { looked: z.number(), removed: z.number() };
const progress = z.discriminatedUnion("phase", [
  z.object({ phase: z.literal("contacts"), after: z.number(), ...counted }),
  z.object({ phase: z.literal("sinks"), marks: watermarksShape, ...counted }),
  z.object({ phase: z.literal("last"), ...counted }),
]);
type Progress = z.output<typeof progress>;
type Deleting = Work<JobInput<"DeleteAttribute">, Progress>;

/**
 * The values are gone for every read since the definition was deleted. This removes what is stored of them: from the contacts, a
 * page at a time, then from the present in ClickHouse, when it has all that was written before. The history keeps them: who asks as
 * of an instant before counts by them.
 */
export const deleteAttributeJob = defineJobWithOutside<"DeleteAttribute", Progress, void>({
  jobName: "DeleteAttribute",
  progress,
  outside: async (work, ports) => {
    if (work.progress?.phase === "last") await deleteInClickHouse(work, ports);
  },
  async step({ account, input, progress: at }, transaction) {
    const { phase, looked: checked, removed } = at ?? { phase: "contacts", looked: 0, removed: 0 };
    if (at?.phase === "sinks") {
      const now = await followStreamWatermark(transaction, at.marks);
      if (now === "passed") return { kind: "more", progress: { phase: "last", looked: checked, removed } };
      return {
        kind: "wait",
        progress: { phase: "sinks", marks: now, looked: checked, removed },
        seconds: CHECK_EVERY_SECONDS,
      };
    }
    if (phase === "last") return { kind: "done", totalItems: checked, completedItems: checked };
    const after = at?.phase === "contacts" ? at.after : 0;
    const page = await removeAttribute(transaction, { account: account.number, ...input }, after);
    const sum = { looked: checked + page.looked, removed: removed + page.removed };
    const report = { completedItems: sum.looked, result: { totalRecords: sum.looked, updated: sum.removed } };
    if (page.last !== null)
      return { kind: "more", progress: { phase: "contacts", after: page.last, ...sum }, ...report };
    return {
      kind: "more",
      progress: { phase: "sinks", marks: await takeStreamWatermark(transaction), ...sum },
      ...report,
    };
  },
});

/** Deleting twice is deleting once; a row that comes later is hidden by the deletion's version. */
async function deleteInClickHouse({ account, input }: Deleting, { clickhouse }: JobPorts): Promise<void> {
  await clickhouse.command(
    `DELETE FROM contact_fields_current
      WHERE account = {account: UInt32} AND field = {field: String} AND version <= {version: String}`,
    { account: account.number, field: `attributes.${input.key}`, version: input.version },
    { timeoutMs: DELETE_TIMEOUT_MS },
  );
}

interface RemovedPage {
  /** Contacts that were gone through. */
  readonly looked: number;
  /** Number of those among them that had a value. */
  readonly removed: number;
  /** Last contact of this step, from which the next one goes on; null when there is nothing left. */
  readonly last: number | null;
}

/**
 * One step of removing what the deletion of a definition took: the next contacts in order of number keep a tombstone in its place.
 * Nobody sees a difference, so no version moves and no change event is emitted. Doing it again does nothing.
 * @param after the last number that was gone through, 0 at first.
 */
async function removeAttribute(transaction: Transaction, clear: AttributeClear, after: number): Promise<RemovedPage> {
  const { rows, looked, last } = await lockContactsWith(transaction, clear, after);
  const clears = new Map([[clear.key, clear.version]]);
  const changed = rows.flatMap((row) => {
    const contact = fromRow(row);
    return removeCleared(contact, clears) ? [{ number: row.number, doc: toDocument(contact) }] : [];
  });
  await storeDocuments(transaction, clear.account, changed);
  return { looked, removed: changed.length, last };
}
