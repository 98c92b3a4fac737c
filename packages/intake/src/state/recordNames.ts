import type { PlacedRecord } from "./placedRecord.ts";

/** Ids of the records of a batch. They are looked up only where a redriven record asks, which few batches have. */
export class RecordNames {
  readonly #added: (readonly PlacedRecord[])[] = [];
  #names: Set<string> | undefined;

  add(records: readonly PlacedRecord[]): void {
    this.#added.push(records);
    for (const placed of this.#names === undefined ? [] : records) this.#addNames(placed);
  }

  /** Returns whether one of these redriven records stands for a record that was added. */
  haveOneOf(records: readonly PlacedRecord[]): boolean {
    return records.some(({ account, record: { redriveOf } }) => {
      return redriveOf !== undefined && this.#all().has(nameOf(account.number, redriveOf));
    });
  }

  #all(): ReadonlySet<string> {
    if (this.#names === undefined) {
      this.#names = new Set();
      for (const placed of this.#added.flat()) this.#addNames(placed);
    }
    return this.#names;
  }

  #addNames({ account, record: { id, redriveOf } }: PlacedRecord): void {
    this.#names?.add(nameOf(account.number, id));
    if (redriveOf !== undefined) this.#names?.add(nameOf(account.number, redriveOf));
  }
}

function nameOf(account: number, id: string): string {
  return `${account}\n${id}`;
}
