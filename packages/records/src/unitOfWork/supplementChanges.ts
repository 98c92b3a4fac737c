import {
  fromSupplementRecordRow,
  type Supplement,
  type SupplementAccess,
  type SupplementClear,
  type SupplementRecord,
  type SupplementRecordRow,
} from "../supplements/supplement.ts";
import { supplementKey, supplementRecordKey, type UnloadedReads } from "./loadedRows.ts";

/** A record that a batch changed. */
export interface SupplementRecordChange {
  readonly account: number;
  readonly record: SupplementRecord;
  readonly visible: boolean;
  /** The record as it was stored when the batch began. */
  readonly before: SupplementRecord | undefined;
}

interface Loaded {
  readonly supplements: ReadonlyMap<string, Supplement | null>;
  readonly supplementRecords: ReadonlyMap<string, SupplementRecordRow | null>;
}

/** The supplement records of one batch: loaded rows under the changes of the records folded so far. */
export class SupplementChanges {
  readonly #loaded: Loaded;
  readonly #unloaded: UnloadedReads;
  readonly #read = new Map<string, SupplementRecord>();
  readonly #changed = new Map<string, SupplementRecordChange>();
  readonly #cleared = new Map<string, SupplementClear>();

  constructor(loaded: Loaded, unloaded: UnloadedReads) {
    this.#loaded = loaded;
    this.#unloaded = unloaded;
  }

  /** Changes by `supplementRecordKey`. */
  get changed(): ReadonlyMap<string, SupplementRecordChange> {
    return this.#changed;
  }

  /** The last clear of each table. */
  get clears(): readonly SupplementClear[] {
    return [...this.#cleared.values()];
  }

  /** The tables as folds of one account see them. */
  of(account: number): SupplementAccess {
    return {
      supplement: (key) => this.#definition(account, key),
      supplementRecord: (supplement, id) => this.#record(account, supplement, id),
      setSupplementRecord: (record) => this.#set(account, record),
      clearSupplement: ({ id, key }, version) => {
        this.#cleared.set(supplementKey(account, key), { account, supplement: id, version });
      },
    };
  }

  #definition(account: number, key: string): Supplement | undefined {
    const found = this.#loaded.supplements.get(supplementKey(account, key));
    if (found === undefined) return this.#unloaded.note({ kind: "supplement", account, key }, undefined);
    if (found === null) return undefined;
    const clear = this.#cleared.size > 0 ? this.#cleared.get(supplementKey(account, key)) : undefined;
    return clear === undefined ? found : { ...found, clearedVersion: clear.version };
  }

  #record(account: number, supplement: number, id: string): SupplementRecord | undefined {
    const key = supplementRecordKey(account, supplement, id);
    const known = this.#changed.get(key)?.record ?? this.#read.get(key);
    if (known !== undefined) return known;
    const row = this.#loaded.supplementRecords.get(key);
    if (row === undefined) {
      return this.#unloaded.note({ kind: "supplementRecord", account, supplement, id }, undefined);
    }
    if (row === null) return undefined;
    const record = fromSupplementRecordRow(supplement, id, row);
    this.#read.set(key, record);
    return record;
  }

  #set(account: number, record: SupplementRecord): void {
    const key = supplementRecordKey(account, record.supplement, record.id);
    const earlier = this.#changed.get(key);
    const before = earlier === undefined ? this.#read.get(key) : earlier.before;
    this.#changed.set(key, { account, record, visible: earlier?.visible === true, before });
  }

  emit(account: number, { supplement, id }: SupplementRecord): void {
    const key = supplementRecordKey(account, supplement, id);
    const change = this.#changed.get(key);
    if (change !== undefined) this.#changed.set(key, { ...change, visible: true });
  }
}
