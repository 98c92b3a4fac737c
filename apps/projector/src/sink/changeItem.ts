import type { ChangeEvent } from "@headwater/contracts";
import { changeLetter } from "../quarantine/changeLetter.ts";
import type { Letter } from "../quarantine/quarantine.ts";
import { writeChange } from "./historyRows.ts";
import type { PlacedChange } from "./readChanges.ts";
import type { SinkItem, SinkTables } from "./sink.ts";

/** A change event with its rows in ClickHouse. */
export class ChangeItem implements SinkItem {
  readonly #told: PlacedChange;

  constructor(told: PlacedChange) {
    this.#told = told;
  }

  get offset(): number {
    return this.#told.offset;
  }

  get place(): number {
    return this.#told.place;
  }

  get account(): number {
    return this.#told.change.value.account;
  }

  get change(): ChangeEvent {
    return this.#told.change;
  }

  write(tables: SinkTables): void {
    writeChange(tables, this.#told.change, this.#told.position);
  }

  letter(): Letter {
    const { key, offset, place, timeMs, change } = this.#told;
    return changeLetter(key, { offset, place, timeMs, value: change.value });
  }
}
