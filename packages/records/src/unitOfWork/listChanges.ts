import type { Version } from "@headwater/contracts";
import type { List } from "../lists/list.ts";
import { type LoadedRows, listIdKey, listNameKey, type StateRead, type UnloadedReads } from "./loadedRows.ts";

/** A list was emptied: memberships at or below the version are gone. */
export interface ListClear {
  readonly account: number;
  readonly list: number;
  readonly version: Version;
  /** Its members start no automation by it. */
  readonly isSuppressed?: boolean;
}

type ListRead = Extract<StateRead, { readonly kind: "listName" | "listId" }>;

/** Lists of one batch: loaded rows under what its records cleared so far. */
export class ListChanges {
  readonly #loaded: LoadedRows["lists"];
  readonly #unloaded: UnloadedReads;
  readonly #latest = new Map<string, Version>();
  /** Clears in the order of the records; of one list each is later than the one before. */
  readonly clears: ListClear[] = [];
  #collected = 0;

  constructor(loaded: LoadedRows["lists"], unloaded: UnloadedReads) {
    this.#loaded = loaded;
    this.#unloaded = unloaded;
  }

  find(read: ListRead): List | undefined {
    const { account } = read;
    const list = this.stored(read);
    if (list === undefined) return undefined;
    const clearedVersion = this.clears.length > 0 ? this.#latest.get(listIdKey(account, list.id)) : undefined;
    return clearedVersion === undefined ? list : { ...list, clearedVersion };
  }

  /** Returns the list as it was before the batch. */
  stored(read: ListRead): List | undefined {
    const { account } = read;
    const key = read.kind === "listName" ? listNameKey(account, read.name) : listIdKey(account, read.id);
    const list = this.#loaded.get(key);
    if (list === undefined) return this.#unloaded.note(read, undefined);
    return list ?? undefined;
  }

  /** Notes whether the clears since the last call may start automation. */
  collect(isSuppressed: boolean): void {
    if (isSuppressed)
      for (let index = this.#collected; index < this.clears.length; index++) {
        const clear = this.clears[index];
        if (clear !== undefined) this.clears[index] = { ...clear, isSuppressed };
      }
    this.#collected = this.clears.length;
  }

  clear(clear: ListClear): void {
    this.clears.push(clear);
    this.#latest.set(listIdKey(clear.account, clear.list), clear.version);
  }
}
