import type { Identifier } from "@headwater/contracts";
import { erasedHashOf, formerHashOf } from "@headwater/kernel";
import { DocumentsTooLarge } from "@headwater/postgres/connection/failures";
import type { Outcome } from "@headwater/records/fold/outcome";
import { BehindLocks } from "@headwater/records/reads/behindLocks";
import type { BatchState } from "@headwater/records/unitOfWork/batchState";
import type { LoadedRows } from "@headwater/records/unitOfWork/loadedRows";
import { type FoldedState, runFold } from "@headwater/records/unitOfWork/runFold";
import { BatchTooLarge, FOLD_MS_MAX, PoisonRecord, RECORD_CPU_MS_MAX, ROUNDS_MAX } from "./batchBounds.ts";
import { type FoldInput, foldBatch } from "./foldBatch.ts";
import type { PlacedRecord } from "./placedRecord.ts";
import type { StateTransaction } from "./stateStore.ts";

export type PartInput = Omit<FoldInput, "erased" | "endsAt"> & {
  readonly rows: LoadedRows;
  readonly seenActivity: (key: string) => boolean;
};
type FoldedPass = FoldedState<readonly Outcome[]>;

/**
 * Loads what the records will ask for and folds them.
 * @throws BatchTooLarge and DocumentsTooLarge, of several records; PoisonRecord.
 */
export async function foldPart(transaction: StateTransaction, part: PartInput): Promise<FoldedPass> {
  const isAlone = part.records.length === 1;
  try {
    return await foldRounds(transaction, part, isAlone ? foldAlone : foldTogether);
  } catch (error) {
    // What one record alone cannot pass it never can.
    const isBound = error instanceof BatchTooLarge || error instanceof DocumentsTooLarge;
    if (isAlone && isBound) throw new PoisonRecord(part.firstIndex, error);
    throw error;
  }
}

type Pass = (state: BatchState, input: Omit<FoldInput, "endsAt">) => readonly Outcome[];

async function foldRounds(transaction: StateTransaction, part: PartInput, fold: Pass): Promise<FoldedPass> {
  const { records, rows, seenActivity } = part;
  // Looked at behind the rows: who is not found because of an erasure is known to be erased.
  const erased = new BehindLocks(() => findErased(transaction, records));
  await transaction.loadRows(foldedOf(part), rows, () => erased.queue());
  return runFold({
    rows,
    seenActivity,
    roundsMax: ROUNDS_MAX,
    pass: async (state) => fold(state, { ...part, erased: await erased.next() }),
    load: (reads) => transaction.loadReads(reads, rows),
    exhausted: () => new BatchTooLarge(`${records.length} records asked for more state ${ROUNDS_MAX} times`),
  });
}

/** Leaves refused records out: what one would ask for may be what broke the batch. */
function foldedOf({ records, refused, firstIndex }: PartInput): PartInput["records"] {
  return refused.size === 0 ? records : records.filter((_, place) => !refused.has(firstIndex + place));
}

function foldTogether(state: BatchState, input: Omit<FoldInput, "endsAt">): readonly Outcome[] {
  return foldBatch(state, { ...input, endsAt: performance.now() + FOLD_MS_MAX });
}

/** Measures by the processor's time: a machine that is busy with something else makes no record wrong. */
function foldAlone(state: BatchState, input: Omit<FoldInput, "endsAt">): readonly Outcome[] {
  const startedAt = process.threadCpuUsage();
  const outcomes = foldBatch(state, { ...input, endsAt: Number.POSITIVE_INFINITY });
  const { user, system } = process.threadCpuUsage(startedAt);
  if (user + system < RECORD_CPU_MS_MAX * 1_000) return outcomes;
  throw new BatchTooLarge("the record exceeds the time limit of a fold");
}

/**
 * Records of before an erasure that name an identifier of who was erased, by index: they come late, or again. Nearly always there
 * is no erasure above the oldest record of a batch, and this is one look at an index.
 */
async function findErased(
  transaction: Pick<StateTransaction, "erasedFrom" | "erasureSecret">,
  records: readonly PlacedRecord[],
): Promise<ReadonlySet<number>> {
  const oldest = oldestOf(records);
  const found = new Set<number>();
  if (oldest === undefined) return found;
  const cutOffs = new Map<string, string>();
  for (const { account, hash, version } of await transaction.erasedFrom(oldest)) {
    cutOffs.set(`${account} ${hash}`, version);
  }
  if (cutOffs.size === 0) return found;
  const secret = await transaction.erasureSecret();
  for (const [index, { account, reads, version }] of records.entries()) {
    const isBelow = (hash: string) => version <= (cutOffs.get(`${account.number} ${hash}`) ?? "");
    const isTheirs = (one: Identifier) => isBelow(erasedHashOf(secret, account.id, one));
    const wasTheirs = (one: Identifier) => isTheirs(one) || isBelow(formerHashOf(secret, account.id, one));
    const { identifiers } = reads;
    // An identifier that they had before may be another's: the record is about them when it names nobody else.
    if (identifiers.some(isTheirs) || (identifiers.length > 0 && identifiers.every(wasTheirs))) found.add(index);
  }
  return found;
}

function oldestOf(records: readonly PlacedRecord[]): string | undefined {
  let oldest: string | undefined;
  for (const { version } of records) if (oldest === undefined || version < oldest) oldest = version;
  return oldest;
}
