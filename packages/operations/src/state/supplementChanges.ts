import { StateMissing, supplementKey, supplementRecordKey } from "./loaded.ts";
import {
  fromSupplementRecordRow,
  type Supplement,
  type SupplementAccess,
  type SupplementRecord,
  type SupplementRecordRow,
} from "./supplement.ts";

/** A record that a batch changed. */
export interface SupplementRecordChange {
  readonly account: number;
  readonly record: SupplementRecord;
  readonly visible: boolean;
}

interface Loaded {
  readonly supplements: ReadonlyMap<string, Supplement | null>;
  readonly supplementRecords: ReadonlyMap<string, SupplementRecordRow | null>;
}

/** The supplement records of one batch: loaded rows under the changes of the records folded so far. */
export class SupplementChanges {
  readonly #loaded: Loaded;
  readonly #read = new Map<string, SupplementRecord>();
  readonly #changed = new Map<string, SupplementRecordChange>();

  constructor(loaded: Loaded) {
    this.#loaded = loaded;
  }

  /** By `supplementRecordKey`. */
  get changed(): ReadonlyMap<string, SupplementRecordChange> {
    return this.#changed;
  }

  /** The tables as folds of one account see them. */
  of(account: number): SupplementAccess {
    return {
      supplement: (key) => this.#definition(account, key),
      supplementRecord: (supplement, id) => this.#record(account, supplement, id),
      setSupplementRecord: (record, visible) => this.#set(account, record, visible),
    };
  }

  #definition(account: number, key: string): Supplement | undefined {
    const found = this.#loaded.supplements.get(supplementKey(account, key));
    if (found === undefined) throw new StateMissing({ kind: "supplement", account, key });
    return found ?? undefined;
  }

  #record(account: number, supplement: number, id: string): SupplementRecord | undefined {
    const key = supplementRecordKey(account, supplement, id);
    const known = this.#changed.get(key)?.record ?? this.#read.get(key);
    if (known !== undefined) return known;
    const row = this.#loaded.supplementRecords.get(key);
    if (row === undefined) throw new StateMissing({ kind: "supplementRecord", account, supplement, id });
    if (row === null) return undefined;
    const record = fromSupplementRecordRow(supplement, id, row);
    this.#read.set(key, record);
    return record;
  }

  #set(account: number, record: SupplementRecord, visible: boolean): void {
    const key = supplementRecordKey(account, record.supplement, record.id);
    const before = this.#changed.get(key);
    this.#changed.set(key, { account, record, visible: visible || before?.visible === true });
  }
}
