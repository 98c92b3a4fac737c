import { type Account, type Identifier, isHashedName, type Version } from "@headwater/contracts";
import { type IntakeRecord, type LoggedOperation, suppressesTriggers } from "@headwater/intake/operations/operation";
import { type CartRow, toCartDocument } from "@headwater/records/carts/cart";
import type { AttributeClears } from "@headwater/records/contacts/attributeClears";
import type { ContactRow } from "@headwater/records/contacts/contactDocument";
import type { Contact } from "@headwater/records/contacts/model";
import type { MergeRow, SplitRecord } from "@headwater/records/contacts/storedMerge";
import type { FoldState } from "@headwater/records/fold/foldState";
import type { Outcome } from "@headwater/records/fold/outcome";
import type { List, Membership } from "@headwater/records/lists/list";
import { toMembersDocument } from "@headwater/records/members/membersDocument";
import { toOrderDocument } from "@headwater/records/orders/orderDocument";
import type { Supplement, SupplementRecordRow } from "@headwater/records/supplements/supplement";
import type { BatchChanges } from "@headwater/records/unitOfWork/batchChanges";
import { BatchState } from "@headwater/records/unitOfWork/batchState";
import { foldOver } from "@headwater/records/unitOfWork/foldUntilLoaded";
import type { ListClear } from "@headwater/records/unitOfWork/listChanges";
import {
  emptyRows,
  type LoadedRows,
  listIdKey,
  listNameKey,
  membershipKey,
  orderKey,
  type StateRead,
  supplementKey,
} from "@headwater/records/unitOfWork/loadedRows";
import { loadListCount } from "./listCounts.ts";
import { loadAllOf } from "./loadAllOf.ts";
import { loadCartOrSupplement } from "./loadCartOrSupplement.ts";
import { MemoryFormers } from "./memoryFormers.ts";
import {
  addressOfHash,
  eventsOf,
  fill,
  isStoredBy,
  mergedInto,
  ownerKey,
  returned,
  toMergeRow,
  toRow,
} from "./memoryRows.ts";

/** One record with its position in the order of commits. */
export interface VersionedRecord {
  readonly operation: LoggedOperation;
  readonly record: IntakeRecord;
  readonly version: Version;
}

/**
 * The stored state in memory: an in-memory port of the projector's Postgres for unit and property tests. It stores and
 * loads documents as Postgres does, so that what is not written to a row is lost here too.
 */
export class MemoryState {
  readonly contacts = new Map<number, ContactRow>();
  readonly owners = new Map<string, number>();
  readonly formers = new MemoryFormers();
  readonly memberships = new Map<string, Membership>();
  readonly orders = new Map<string, { contact: number; doc: string; mergedFrom?: number | undefined }>();
  readonly carts = new Map<number, CartRow>();
  readonly supplements = new Map<string, Supplement>();
  readonly supplementRecords = new Map<string, SupplementRecordRow>();
  readonly lists = new Map<string, List>();
  readonly attributeClears = new Map<number, AttributeClears>();
  /** Last membership that change events emitted: what ClickHouse holds. */
  readonly emitted = new Map<string, Membership>();
  readonly aliases = new Map<number, number>();
  merges: readonly MergeRow[] = [];
  /** Changes that the last batch stored. */
  lastChanges: BatchChanges | undefined;
  readonly #seen = new Set<string>();
  #nextNumber = 1;

  defineList(account: number, list: List): void {
    this.lists.set(listNameKey(account, list.name), list);
    this.lists.set(listIdKey(account, list.id), list);
  }

  defineSupplement(account: number, supplement: Supplement): void {
    this.supplements.set(supplementKey(account, supplement.key), supplement);
  }

  /** Returns the same state on its own: what is written to one is not in the other. */
  copy(): MemoryState {
    const copy = new MemoryState();
    fill(copy.contacts, this.contacts);
    fill(copy.owners, this.owners);
    fill(copy.memberships, this.memberships);
    for (const [key, order] of this.orders) copy.orders.set(key, { ...order });
    fill(copy.carts, this.carts);
    fill(copy.supplements, this.supplements);
    fill(copy.supplementRecords, this.supplementRecords);
    fill(copy.lists, this.lists);
    fill(copy.attributeClears, this.attributeClears);
    fill(copy.emitted, this.emitted);
    fill(copy.aliases, this.aliases);
    for (const key of this.#seen) copy.#seen.add(key);
    copy.formers.all = this.formers.all;
    copy.merges = this.merges;
    copy.#nextNumber = this.#nextNumber;
    return copy;
  }

  /** Folds one write of `/v2` and stores what changed; a fold that changes nothing that others see may return anything. */
  write<Result>(account: Account, fold: (state: FoldState) => Result): Result {
    return this.#run((state) => {
      const folded = foldOver(state, () => fold(state.of(account.number)));
      state.collect(account.number, eventsOf(folded?.result));
      return folded;
    }).result;
  }

  /** Folds the records in order as one batch and stores what changed. */
  apply(account: Account, records: readonly VersionedRecord[]): Outcome[] {
    return this.#run((state) => {
      const view = state.of(account.number);
      return records.flatMap(({ operation, record, version }) => {
        const origin = { account, recordId: record.redriveOf ?? record.id, version };
        const folded = foldOver(state, () => operation.fold(view, record, origin));
        if (folded === undefined) return [];
        const { changeEvents, ...outcome } = folded.result;
        state.collect(account.number, changeEvents, suppressesTriggers(operation, record));
        return outcome;
      });
    });
  }

  /** The passes of `foldUntilLoaded`, without waiting in between. */
  #run<Result>(pass: (state: BatchState) => Result | undefined): Result {
    const rows = { ...emptyRows(), attributeClears: this.attributeClears };
    for (;;) {
      const state = new BatchState(rows, (key) => this.#seen.has(key));
      const result = pass(state);
      if (state.unloaded.length === 0 && result !== undefined) {
        this.lastChanges = state.changes();
        this.store(this.lastChanges);
        return result;
      }
      for (const read of state.unloaded) this.load(rows, read);
    }
  }

  /** Loads what a fold asked for. */
  load(rows: LoadedRows, read: StateRead): void {
    switch (read.kind) {
      case "owner":
        this.#loadOwner(rows, read);
        return;
      case "contact": {
        const row = this.contacts.get(read.number);
        if (row === undefined) throw new Error(`No contact ${read.number}`);
        rows.contacts.set(read.number, row);
        return;
      }
      case "membership": {
        const key = membershipKey(read.list, read.contact);
        rows.memberships.set(key, this.memberships.get(key) ?? null);
        return;
      }
      case "order": {
        const key = orderKey(read.account, read.orderId);
        rows.orders.set(key, this.orders.get(key) ?? null);
        return;
      }
      case "membershipsOf":
      case "mergesOf":
        loadAllOf(this, rows, read);
        return;
      case "cart":
      case "supplement":
      case "supplementRecord":
        loadCartOrSupplement(this, rows, read);
        return;
      case "listName":
      case "listId": {
        const { account } = read;
        const key = read.kind === "listName" ? listNameKey(account, read.name) : listIdKey(account, read.id);
        rows.lists.set(key, this.lists.get(key) ?? null);
        return;
      }
      case "greatestListId":
      case "listCount":
        loadListCount(this, rows, read);
        return;
      case "numbers":
        rows.numbers.push(this.#nextNumber + rows.numbers.length);
        return;
    }
  }

  #erase(account: number, { number, identifiers }: Contact): void {
    this.contacts.delete(number);
    this.carts.delete(number);
    this.formers.forget(number, this.aliases);
    for (const [name, values] of identifiers) {
      for (const value of values) this.owners.delete(ownerKey(account, { name, value }));
    }
  }

  #loadOwner(rows: LoadedRows, read: Extract<StateRead, { kind: "owner" }>): void {
    const { account, identifier } = read;
    if (isHashedName(identifier.name)) {
      rows.hashedValues.set(account, identifier, addressOfHash(read, [...this.owners.keys()], this.formers.all));
      return;
    }
    const owner = this.#ownerOf(account, identifier);
    rows.owners.set(account, identifier, owner === undefined ? null : (this.aliases.get(owner) ?? owner));
    this.formers.load(rows, read, this.aliases);
  }

  #ownerOf(account: number, identifier: Identifier): number | undefined {
    if (identifier.name !== "cID") return this.owners.get(ownerKey(account, identifier));
    return [...this.contacts.values()].find(({ cid }) => cid === identifier.value)?.number;
  }

  /** Stores what folds changed. */
  store(changes: BatchChanges): void {
    for (const { contact } of changes.contacts.values()) {
      this.contacts.set(contact.number, toRow(contact));
      // Numbers that were taken and not used are there again: cuts of one log give the same.
      this.#nextNumber = Math.max(this.#nextNumber, contact.number + 1);
    }
    changes.owners.forEach((identifier, contact) => {
      const key = ownerKey(identifier.account, identifier);
      if (contact === null) this.owners.delete(key);
      else this.owners.set(key, contact);
    });
    this.formers.store(changes, this.aliases);
    this.#storeMemberships(changes);
    for (const [key, { order, mergedFrom }] of changes.orders) {
      this.orders.set(key, { contact: order.contact, doc: toOrderDocument(order), mergedFrom });
    }
    for (const record of changes.merges) {
      this.merges = [...this.merges, toMergeRow(record)];
      this.#storeMerge(record.survivor.number, record.merged.number);
    }
    for (const split of changes.splits) this.#storeSplit(split);
    for (const { account, contact } of changes.erasures) this.#erase(account, contact);
    for (const clear of changes.clears) this.#storeClear(clear);
    for (const [contact, { cart }] of changes.carts) {
      this.carts.set(contact, { version: cart.version, doc: toCartDocument(cart) });
    }
    for (const { merged } of changes.merges) this.carts.delete(merged.number);
    for (const [key, { record }] of changes.supplementRecords) {
      const { contact = null, createdAt, modifiedAt, version, deletedVersion = null, members } = record;
      const times = { createdAt, modifiedAt, version, deletedVersion };
      this.supplementRecords.set(key, { contact, ...times, doc: toMembersDocument(members) });
    }
    for (const { account, supplement: id, version: clearedVersion } of changes.supplementClears) {
      const table = [...this.supplements.values()].find((one) => one.id === id);
      if (table !== undefined) this.defineSupplement(account, { ...table, clearedVersion });
    }
    for (const key of changes.activityKeys) this.#seen.add(key);
  }

  #storeMemberships({ memberships, merges }: BatchChanges): void {
    for (const [key, { membership, visible, emittedAs }] of memberships) {
      this.memberships.set(key, membership);
      if (visible) this.emitted.set(key, { ...membership, version: emittedAs ?? membership.version });
    }
    for (const { merged, memberships: theirs } of merges) {
      for (const left of theirs) {
        this.emitted.set(membershipKey(left.list, merged.number), { ...left, contact: merged.number, present: false });
      }
    }
  }

  #storeClear({ account, list: id, version }: ListClear): void {
    const list = this.lists.get(listIdKey(account, id));
    if (list !== undefined) this.defineList(account, { ...list, clearedVersion: version });
    for (const [key, membership] of this.memberships) {
      if (membership.list !== id) continue;
      if (isStoredBy(version, membership)) this.emitted.set(key, membership);
      const back = returned(this.merges, version, membership);
      if (back !== undefined) this.emitted.set(key, { ...membership, present: false, version: back });
    }
  }

  #storeMerge(survivor: number, merged: number): void {
    for (const [from, to] of this.aliases) if (to === merged) this.aliases.set(from, survivor);
    this.aliases.set(merged, survivor);
    for (const order of this.orders.values()) {
      if (order.contact !== merged) continue;
      order.mergedFrom ??= merged;
      order.contact = survivor;
    }
    for (const [key, { contact }] of this.memberships) if (contact === merged) this.memberships.delete(key);
  }

  #storeSplit({ survivor, merged, mergeVersion, version: undoneVersion }: SplitRecord): void {
    this.merges = this.merges.map((merge) => {
      return merge.merged === merged && merge.version === mergeVersion ? { ...merge, undoneVersion } : merge;
    });
    this.aliases.delete(merged);
    const own = mergedInto(this.merges, merged);
    for (const number of own) if (number !== merged) this.aliases.set(number, merged);
    for (const order of this.orders.values()) {
      if (order.contact !== survivor || order.mergedFrom === undefined || !own.has(order.mergedFrom)) continue;
      order.contact = merged;
      if (order.mergedFrom === merged) order.mergedFrom = undefined;
    }
  }
}
