import type { Outcome } from "@headwater/records/fold/outcome";
import { emptyRows } from "@headwater/records/unitOfWork/loadedRows";
import { loadDefined } from "./attributeRooms.ts";
import { BATCH_BYTES_MAX, RECORD_BYTES_MAX } from "./batchBounds.ts";
import type { Duplicates } from "./duplicates.ts";
import { foldPart } from "./foldPart.ts";
import type { SentOn } from "./sentOn.ts";
import type { StateBatch } from "./stateBatch.ts";
import type { StateTransaction } from "./stateStore.ts";
import { type FoldedPart, storeOutcomes, storePart } from "./storeOutcomes.ts";
import type { ReadTrigger } from "./triggeredEvents.ts";

export interface Parts {
  /** Records that broke the batch before, by index: rejected without being folded. */
  readonly refused: ReadonlySet<number>;
  /** An account of the batch has no room for more attributes: each record's are looked at. */
  readonly isOutOfAttributes: boolean;
  readonly known: Duplicates;
  /** Triggers that activities of the batch may fit. */
  readonly triggers: readonly ReadTrigger[];
  /** Channels of messages that its reports are about. */
  readonly sentOn: SentOn;
}

export interface AppliedParts {
  readonly outcomes: readonly Outcome[];
  readonly memberships: readonly FoldedPart["changes"]["memberships"][];
  readonly activityKeys: ReadonlySet<string>;
  /** Number of triggers with which activities were not compared. */
  readonly uncompared: number;
}

/** Part after part in the order of the records: each finds what those before it stored. The last one stores what became of all. */
export async function applyParts(
  transaction: StateTransaction,
  batch: StateBatch,
  { recordsAtOnce, ...parts }: Parts & { readonly recordsAtOnce: number },
): Promise<AppliedParts> {
  const outcomes: Outcome[] = [];
  const memberships: FoldedPart["changes"]["memberships"][] = [];
  let activityKeys: ReadonlySet<string> = new Set();
  let position = 0;
  for (let from = 0; ; from += recordsAtOnce) {
    const to = Math.min(from + recordsAtOnce, batch.records.length);
    const part = await applyPart(transaction, batch, { ...parts, from, to, activityKeys });
    for (const outcome of part.outcomes) outcomes.push(outcome);
    const { changes } = part;
    memberships.push(changes.memberships);
    activityKeys = joinKeys(activityKeys, changes.activityKeys);
    if (to < batch.records.length) {
      position = Math.max(position, await storePart(transaction, batch, { ...part, ...parts, rejects: [] }));
      continue;
    }
    const windowFrom = batch.windowFrom(activityKeys);
    const end = { ...part, ...parts, ...parts.known, outcomes, windowFrom, position };
    const uncompared = await storeOutcomes(transaction, batch, end);
    return { outcomes, activityKeys, memberships, uncompared };
  }
}

/** Nearly every batch is one part: its keys are handed on as they are. */
export function joinKeys(keys: ReadonlySet<string>, more: ReadonlySet<string>): ReadonlySet<string> {
  return keys.size === 0 ? more : keys.union(more);
}

interface Part extends Parts {
  readonly from: number;
  readonly to: number;
  /** Keys of the parts before it. */
  readonly activityKeys: ReadonlySet<string>;
}

export async function applyPart(transaction: StateTransaction, batch: StateBatch, part: Part): Promise<FoldedPart> {
  const { from, to, activityKeys } = part;
  const rows = emptyRows(to - from > 1 ? BATCH_BYTES_MAX : RECORD_BYTES_MAX);
  const { result: outcomes, state } = await foldPart(transaction, {
    records: from === 0 && to === batch.records.length ? batch.records : batch.records.slice(from, to),
    firstIndex: from,
    seenActivity: (key) => activityKeys.has(key) || (batch.seenActivity(key) && !part.known.resumed.has(key)),
    rows,
    refused: part.refused,
    sentOn: part.sentOn,
    duplicates: part.known.duplicates,
    defined: part.isOutOfAttributes ? await loadDefined(transaction, batch.accounts.values()) : undefined,
  });
  return { outcomes, changes: state.changes(), rows };
}
