import { loadReads, loadRows } from "@headwater/projection";
import { DocumentsTooLarge, type Transaction } from "@headwater/stores";
import { BatchTooLarge, BrokenRecord, FOLD_MS_MAX, RECORD_CPU_MS_MAX, ROUNDS_MAX } from "./batchBounds.ts";
import { findErased } from "./erased.ts";
import { type Folded, type FoldInput, foldBatch } from "./foldBatch.ts";

export type PartInput = Omit<FoldInput, "erased" | "endsAt">;
type FoldedInWhole = Extract<Folded, { kind: "folded" }>;

/**
 * Loads what the records will ask for, folds them, loads what was missing, and folds again from the beginning until nothing is.
 * @throws BatchTooLarge and DocumentsTooLarge, of several records; BrokenRecord.
 */
export async function foldPart(transaction: Transaction, part: PartInput): Promise<FoldedInWhole> {
  const isAlone = part.records.length === 1;
  try {
    return await foldRounds(transaction, part, isAlone ? foldAlone : foldTogether);
  } catch (error) {
    // What one record alone cannot pass it never can.
    const isBound = error instanceof BatchTooLarge || error instanceof DocumentsTooLarge;
    if (isAlone && isBound) throw new BrokenRecord(part.firstIndex, error);
    throw error;
  }
}

async function foldRounds(
  transaction: Transaction,
  part: PartInput,
  fold: (input: Omit<FoldInput, "endsAt">) => Folded,
): Promise<FoldedInWhole> {
  const { records, rows } = part;
  await loadRows(transaction, foldedOf(part), rows);
  for (let round = 0; round < ROUNDS_MAX; round++) {
    // Looked at behind the rows: who is not found because of an erasure is known to be erased.
    const erased = await findErased(transaction, records);
    const folded = fold({ ...part, erased });
    if (folded.kind === "folded") return folded;
    if (folded.kind === "broken") throw new BrokenRecord(folded.index, folded.error);
    if (folded.kind === "late")
      throw new BatchTooLarge(`folding ${records.length} records takes longer than ${FOLD_MS_MAX} ms`);
    await loadReads(transaction, folded.needs, rows);
  }
  throw new BatchTooLarge(`${records.length} records asked for more state ${ROUNDS_MAX} times`);
}

/** What a refused record would ask for may be what broke the batch. */
function foldedOf({ records, refused, firstIndex }: PartInput): PartInput["records"] {
  return refused.size === 0 ? records : records.filter((_, place) => !refused.has(firstIndex + place));
}

function foldTogether(input: Omit<FoldInput, "endsAt">): Folded {
  return foldBatch({ ...input, endsAt: performance.now() + FOLD_MS_MAX });
}

/** By the processor's time: a machine that is busy with something else makes no record wrong. */
function foldAlone(input: Omit<FoldInput, "endsAt">): Folded {
  const startedAt = process.threadCpuUsage();
  const folded = foldBatch({ ...input, endsAt: Number.POSITIVE_INFINITY });
  const { user, system } = process.threadCpuUsage(startedAt);
  if (user + system < RECORD_CPU_MS_MAX * 1_000) return folded;
  throw new BatchTooLarge("the record exceeds the time limit of a fold");
}
