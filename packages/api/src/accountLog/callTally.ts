import type { Clock } from "@headwater/kernel";
import type { CallCount, CalledApi } from "./callCounts.ts";

/** A call that was answered, of a caller who is known. */
export interface RecordedCall {
  readonly caller: { readonly id: string; readonly account: { readonly number: number } };
  readonly operation: string;
  readonly status: number;
  /** The error code of a call that was refused or failed. */
  readonly code?: string | undefined;
  /** Items of a call that brought some. */
  readonly items?: { readonly accepted: number; readonly rejected: number } | undefined;
}

/** Counts in memory, by minute. */
export interface CallTally {
  /** Takes no time worth naming: it stands on the way of every call. */
  count(call: RecordedCall): void;
  /** Takes out counts of minutes (since 1970) before this one. */
  take(beforeMinute: number, countsMax: number): CallCount[];
  /** Puts counts back that could not be written. */
  giveBack(counts: readonly CallCount[]): void;
}

export interface CallTallyOptions {
  readonly api: CalledApi;
  readonly clock: Clock;
  /** Called for each call that is not counted. */
  readonly onDrop: () => void;
  /** Bound on what is held: keys, codes and operations of all minutes. */
  readonly countsMax?: number;
}

const COUNTS_MAX = 50_000;
const MINUTE_MS = 60_000;
const ACCEPTED = { code: "", status: 0 } as const;

type Counts = { -readonly [Member in keyof CallCount]: CallCount[Member] };
type Named = Omit<CallCount, "calls" | "accepted" | "rejected">;

export function createCallTally(options: CallTallyOptions): CallTally {
  return new Tally(options);
}

class Tally implements CallTally {
  readonly #options: CallTallyOptions;
  readonly #countsMax: number;
  /** Counts by minute, key and outcome: the name of an operation alone is the outcome of an accepted call. */
  readonly #minutes = new Map<number, Map<string, Map<string, Counts>>>();
  #held = 0;

  constructor(options: CallTallyOptions) {
    this.#options = options;
    this.#countsMax = options.countsMax ?? COUNTS_MAX;
  }

  count = ({ caller, operation, status, code, items }: RecordedCall): void => {
    const { clock, api, onDrop } = this.#options;
    const minute = Math.floor(clock.nowMs() / MINUTE_MS);
    const outcome = code === undefined ? ACCEPTED : { code, status };
    const { account, id: key } = caller;
    const counts = this.#find({ minute, account: account.number, key, api, operation, ...outcome }, this.#countsMax);
    if (counts === undefined) {
      onDrop();
      return;
    }
    counts.calls += 1;
    if (items === undefined) return;
    counts.accepted += items.accepted;
    counts.rejected += items.rejected;
  };

  take(beforeMinute: number, countsMax: number): CallCount[] {
    const taken: CallCount[] = [];
    for (const [minute, byKey] of this.#minutes) {
      if (minute >= beforeMinute) continue;
      for (const [key, byOutcome] of byKey) {
        if (taken.length >= countsMax) return taken;
        taken.push(...byOutcome.values());
        this.#held -= byOutcome.size;
        byKey.delete(key);
      }
      this.#minutes.delete(minute);
    }
    return taken;
  }

  giveBack(rows: readonly CallCount[]): void {
    for (const row of rows) {
      const counts = this.#find(row, Number.POSITIVE_INFINITY);
      if (counts === undefined) continue;
      counts.calls += row.calls;
      counts.accepted += row.accepted;
      counts.rejected += row.rejected;
    }
  }

  /** Returns undefined where there are no such counts yet and no space for more. */
  #find({ minute, account, key, api, code, status, operation }: Named, countsMax: number): Counts | undefined {
    const byOutcome = within(within(this.#minutes, minute), key);
    const outcome = code === "" ? operation : `${operation} ${status} ${code}`;
    const known = byOutcome.get(outcome);
    if (known !== undefined || this.#held >= countsMax) return known;
    const counts = { minute, account, key, api, code, status, operation, calls: 0, accepted: 0, rejected: 0 };
    byOutcome.set(outcome, counts);
    this.#held += 1;
    return counts;
  }
}

function within<Key, Inner, Value>(maps: Map<Key, Map<Inner, Value>>, key: Key): Map<Inner, Value> {
  const known = maps.get(key);
  if (known !== undefined) return known;
  const created = new Map<Inner, Value>();
  maps.set(key, created);
  return created;
}
