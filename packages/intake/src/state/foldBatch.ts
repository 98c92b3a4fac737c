import { StaleState } from "@headwater/postgres/connection/writeConflict";
import type { Origin } from "@headwater/records/contacts/contactIndex";
import type { FoldState } from "@headwater/records/fold/foldState";
import { type Folded, type Outcome, rejected, skipped } from "@headwater/records/fold/outcome";
import type { BatchState } from "@headwater/records/unitOfWork/batchState";
import { AttributeRooms, type DefinedAttributes } from "./attributeRooms.ts";
import { BatchTooLarge, FOLD_MS_MAX, PoisonRecord } from "./batchBounds.ts";
import type { PlacedRecord } from "./placedRecord.ts";
import type { SentOn } from "./sentOn.ts";

export interface FoldInput {
  readonly records: readonly PlacedRecord[];
  /** Index of the first of them in its batch: indexes below are places in the batch. */
  readonly firstIndex: number;
  /** Keyed and redriven records that were dealt with before, by index. */
  readonly duplicates: ReadonlySet<number>;
  /** Records about contacts that were erased since, by their place among these. */
  readonly erased: ReadonlySet<number>;
  /** Records that are refused without being folded, by index: they broke the batch before. */
  readonly refused: ReadonlySet<number>;
  readonly sentOn: SentOn;
  /** Given when accounts of the batch have no room for more attributes. */
  readonly defined?: DefinedAttributes | undefined;
  /** Moment of `performance.now()` until which the pass may keep the process. */
  readonly endsAt: number;
}

/** Records between two looks at the clock. */
const RECORDS_A_LOOK = 8;

/**
 * Folds the records in order over the state. Pure: nothing is stored.
 * @returns the outcomes, which count only when the state held all that was read.
 * @throws PoisonRecord when a fold throws, a defect of ours shown by one record; BatchTooLarge when the pass takes too long.
 */
export function foldBatch(state: BatchState, input: FoldInput): readonly Outcome[] {
  const views = new Map<number, FoldState>();
  const outcomes: Outcome[] = [];
  const rooms = input.defined && new AttributeRooms(input.defined);
  input.records.forEach((placed, place) => {
    const early = earlyOutcome(input, place) ?? rooms?.refuse(placed);
    if (early !== undefined) {
      outcomes.push(early);
      return;
    }
    if (place % RECORDS_A_LOOK === 0 && performance.now() > input.endsAt) throw takesTooLong(input);
    try {
      const { number } = placed.account;
      const folded = foldOne(placed, viewOf(state, views, number), input.sentOn.get(number));
      state.collect(number, folded.changeEvents);
      outcomes.push(folded);
    } catch (error) {
      // Over stand-ins a fold may throw whatever it likes: the pass is thrown away.
      if (state.unloaded.length > 0) return;
      throw error instanceof StaleState ? error : new PoisonRecord(input.firstIndex + place, error);
    }
  });
  return outcomes;
}

function takesTooLong({ records }: FoldInput): BatchTooLarge {
  return new BatchTooLarge(`folding ${records.length} records takes longer than ${FOLD_MS_MAX} ms`);
}

function foldOne(placed: PlacedRecord, view: FoldState, sentOn: Origin["sentOn"]): Folded {
  const { operation, record, account, version, reads } = placed;
  const { read } = reads;
  return operation.fold(view, record, { account, recordId: record.redriveOf ?? record.id, version, read, sentOn });
}

function earlyOutcome(input: FoldInput, place: number): Outcome | undefined {
  const index = input.firstIndex + place;
  if (input.refused.has(index) || input.records[place]?.poison !== undefined) {
    return rejected("INTERNAL_ERROR", "", "The record hit an internal error. Operators have been alerted.");
  }
  if (input.duplicates.has(index)) return skipped("DUPLICATE");
  return input.erased.has(place) ? skipped("ERASED") : undefined;
}

function viewOf(state: BatchState, views: Map<number, FoldState>, account: number): FoldState {
  const known = views.get(account);
  if (known !== undefined) return known;
  const made = state.of(account);
  views.set(account, made);
  return made;
}
