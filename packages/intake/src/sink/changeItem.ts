import type { ChangeEvent } from "@headwater/contracts";
import { changeLetter } from "../quarantine/changeLetter.ts";
import type { Letter } from "../quarantine/quarantine.ts";
import { writeChange } from "./historyRows.ts";
import type { PlacedChange } from "./readChanges.ts";
import type { SinkItem, SinkTables } from "./sink.ts";

/** A change event with its rows in ClickHouse. */
export class ChangeItem implements SinkItem {
  readonly #placed: PlacedChange;

  constructor(placed: PlacedChange) {
    this.#placed = placed;
  }

  get offset(): number {
    return this.#placed.offset;
  }

  get place(): number {
    return this.#placed.place;
  }

  get account(): number {
    return this.#placed.change.value.account;
  }

  get change(): ChangeEvent {
    return this.#placed.change;
  }

  write(tables: SinkTables): void {
    writeChange(tables, this.#placed.change, this.#placed.position);
  }

  letter(): Letter {
    const { key, offset, place, timeMs, change } = this.#placed;
    return changeLetter(key, { offset, place, timeMs, value: change.value });
  }
}
