import {
  hashAddress,
  type Identifier,
  isHashedName,
  readHashedName,
  timeOfVersion,
  type Version,
} from "@headwater/contracts";
import { contactIdOf } from "@headwater/kernel";
import { StaleState } from "@headwater/postgres/connection/writeConflict";
import { emptyDocument, fromRow, toDocument } from "../contacts/contactDocument.ts";
import type { Origin } from "../contacts/contactIndex.ts";
import { FormerHolders } from "../contacts/formerHolders.ts";
import { IdentifierMap } from "../contacts/identifierMap.ts";
import { fromMergeRow } from "../contacts/mergeDocument.ts";
import { addIdentifier, type Contact, dropIdentifier } from "../contacts/model.ts";
import type { BeforeMerge, MergeRecord, SplitRecord, StoredMerge } from "../contacts/storedMerge.ts";
import type { ContactChanged, FoldEvent } from "../fold/foldEvents.ts";
import type { FoldState } from "../fold/foldState.ts";
import { Members } from "../members/members.ts";
import type { BatchChanges, ContactChange, ErasureChange, FormersInput, SuppressionChange } from "./batchChanges.ts";
import { CartsAndSupplements } from "./cartsAndSupplements.ts";
import { ListChanges } from "./listChanges.ts";
import { ListCounts } from "./listCounts.ts";
import { type LoadedRows, type StateRead, UnloadedReads } from "./loadedRows.ts";
import { MembershipChanges } from "./membershipChanges.ts";
import { OrderChanges } from "./orderChanges.ts";

/**
 * The state of one batch in memory: loaded rows under the changes of the records folded so far. What folds ask for and was not loaded is
 * collected in `unloaded`: then nothing that was folded counts, and what it threw says nothing.
 */
export class BatchState {
  readonly #loaded: LoadedRows;
  readonly #seenActivity: (key: string) => boolean;
  readonly #contacts = new Map<number, Contact>();
  readonly #changes = new Map<number, ContactChange>();
  readonly #owners = new IdentifierMap<number | null>();
  readonly #hashes: HashedValues;
  readonly #formers: FormerHolders;
  readonly #formersGiven: FormersInput[] = [];
  /** Contacts of this batch by the cID they were given; made when somebody asks for a cID. */
  #made: Map<string, number> | undefined;
  #lastChange: ContactChange | undefined;
  readonly #merges: MergeRecord[] = [];
  readonly #splits: SplitRecord[] = [];
  readonly #erasures: ErasureChange[] = [];
  readonly #suppressions: SuppressionChange[] = [];
  readonly #unloaded = new UnloadedReads();
  readonly #memberships: MembershipChanges;
  readonly #orders: OrderChanges;
  readonly #activityKeys = new Set<string>();
  readonly #lists: ListChanges;
  readonly #listCounts: ListCounts;
  readonly #others: CartsAndSupplements;
  #numbersTaken = 0;
  #before: BeforeMerge = { survivor: emptyDocument, merged: emptyDocument, survivorCreatedAt: 0 };

  constructor(loaded: LoadedRows, seenActivity: (key: string) => boolean = () => false) {
    this.#loaded = loaded;
    this.#seenActivity = seenActivity;
    this.#formers = new FormerHolders(loaded.formerHolders);
    this.#hashes = new HashedValues(loaded.hashedValues, this.#owners);
    const unloaded = this.#unloaded;
    const isCreated = (contact: number) => this.#changes.get(contact)?.isNew === true;
    this.#orders = new OrderChanges(loaded.orders, (contact) => this.#survivorOf(contact), unloaded);
    this.#lists = new ListChanges(loaded.lists, unloaded);
    this.#memberships = new MembershipChanges(loaded, isCreated, unloaded);
    this.#listCounts = new ListCounts({
      loaded,
      lists: this.#lists,
      memberships: this.#memberships,
      isMade: isCreated,
      unloaded,
    });
    this.#others = new CartsAndSupplements(loaded, isCreated, unloaded);
  }

  /** State that folds have asked for and that was not loaded; some of it more than once. */
  get unloaded(): readonly StateRead[] {
    return this.#unloaded.reads;
  }

  /** The state as folds of one account see it. */
  of(account: number): FoldState {
    return {
      find: (identifier, at) => this.#find(account, identifier, at),
      owner: (input, at) => {
        const identifier = this.#plain(account, input);
        if (identifier === undefined) return undefined;
        const owner = this.#owner(account, identifier);
        return this.#formerHolder(account, identifier, at) ?? owner;
      },
      create: (origin) => this.#create(origin),
      attach: (contact, identifier, view) => this.#attach(contact, identifier, view),
      detach: (contact, identifier) => this.#detach(contact, identifier),
      ownedUntil: ({ number: contact }, { name, value }, until) =>
        void this.#formers.add({ account, name, value, contact, until }),
      formerHolder: (provided, at) => {
        const identifier = this.#plain(account, provided);
        return identifier === undefined ? undefined : this.#formers.at(account, identifier, at)?.contact;
      },
      giveFormer: (from, to) => void this.#formersGiven.push({ account, from: from.number, to: to.number }),
      attributeCleared: this.#clearsOf(account),
      touched: (contact) => void this.#change(contact),
      merging: (survivor, merged, explicit) => {
        const before = { survivor: toDocument(survivor), merged: toDocument(merged) };
        this.#before = { ...before, survivorCreatedAt: survivor.createdAt, ...(explicit && { explicit }) };
      },
      merged: (survivor, merged, origin) => this.#merged(survivor, merged, origin),
      contactByNumber: (number) => this.#contact(account, number),
      listByName: (name) => this.#lists.find({ kind: "listName", account, name }),
      listById: (id) => this.#lists.find({ kind: "listId", account, id }),
      clearList: ({ id }, version) => this.#lists.clear({ account, list: id, version }),
      ...this.#memberships.of(account),
      ...this.#listCounts.of(account),
      mergesOf: (survivor) => this.#mergesOf(account, survivor),
      erase: (contact, version) => void this.#erasures.push({ account, contact, version }),
      split: (split) => void this.#splits.push({ account, ...split }),
      ...this.#orders.of(account),
      ...this.#others.of(account),
      seenActivity: (key) => this.#activityKeys.has(key) || this.#seenActivity(key),
      rememberActivity: (key) => void this.#activityKeys.add(key),
    };
  }

  /** Takes the change events that a fold of the account returned. @param suppressTriggers they may start no automation. */
  collect(account: number, events: readonly FoldEvent[], suppressTriggers = false): void {
    this.#lists.collect(suppressTriggers);
    for (const event of events) {
      if (event.kind === "contact") this.#collectFields(event);
      else if (event.kind === "membership") this.#memberships.emit(event, suppressTriggers);
      else if (event.kind === "order") this.#orders.emit(account, event.order, suppressTriggers);
      else if (event.kind === "suppression") this.#suppressions.push({ account, ...event });
      else this.#others.emit(account, event, suppressTriggers);
    }
  }

  changes(): BatchChanges {
    return {
      contacts: this.#changes,
      owners: this.#owners,
      formerIdentifiers: this.#formers.changed,
      formersGiven: this.#formersGiven,
      merges: this.#merges,
      splits: this.#splits,
      erasures: this.#erasures,
      suppressions: this.#suppressions,
      memberships: this.#memberships.changed,
      orders: this.#orders.changed,
      clears: this.#lists.clears,
      ...this.#others.changes(),
      activityKeys: this.#activityKeys,
    };
  }

  /** Asked for every attribute of every record: nearly all accounts have none. */
  #clearsOf(account: number): (name: string) => Version | undefined {
    const clears = this.#loaded.attributeClears.get(account);
    return clears === undefined ? () => undefined : (name) => clears.get(name);
  }

  /** The address that a hash stands for; every other identifier is itself. Undefined: a hash of nobody's address. */
  #plain(account: number, identifier: Identifier): Identifier | undefined {
    if (!isHashedName(identifier.name)) return identifier;
    const found = this.#hashes.find(account, identifier);
    if (found === undefined) return this.#unloaded.note({ kind: "owner", account, identifier }, undefined);
    return found ?? undefined;
  }

  #owner(account: number, identifier: Identifier): number | undefined {
    const created = identifier.name === "cID" ? this.#madeByCid().get(identifier.value) : undefined;
    const changed = created ?? this.#owners.get(account, identifier);
    const owner = changed === undefined ? this.#loaded.owners.get(account, identifier) : changed;
    if (owner === undefined) return this.#unloaded.note({ kind: "owner", account, identifier }, undefined);
    return owner === null ? undefined : this.#survivorOf(owner);
  }

  #madeByCid(): Map<string, number> {
    if (this.#made !== undefined) return this.#made;
    this.#made = new Map();
    for (const { contact, isNew } of this.#changes.values()) if (isNew) this.#made.set(contact.cid, contact.number);
    return this.#made;
  }

  /** Follows merges of this batch. */
  #survivorOf(number: number): number {
    let survivor = number;
    for (let next = this.#mergedInto(survivor); next !== undefined; next = this.#mergedInto(survivor)) survivor = next;
    return survivor;
  }

  #mergedInto(number: number): number | undefined {
    return this.#contacts.get(number)?.mergedInto ?? this.#loaded.contacts.get(number)?.mergedInto ?? undefined;
  }

  /** Asked behind the owner, whose read loads both. */
  #formerHolder(account: number, identifier: Identifier, at: Version | undefined): number | undefined {
    const holder = at === undefined ? undefined : this.#formers.at(account, identifier, at);
    return holder === undefined ? undefined : this.#survivorOf(holder.live);
  }

  #find(account: number, received: Identifier, at: Version | undefined): Contact | undefined {
    const identifier = this.#plain(account, received);
    if (identifier === undefined) return undefined;
    const owner = this.#owner(account, identifier);
    const former = this.#formerHolder(account, identifier, at);
    if (former !== undefined) return this.#contact(account, former);
    if (owner === undefined) return undefined;
    const contact = this.#contact(account, owner);
    const isTheirs = identifier.name === "cID" || contact.identifiers.get(identifier.name)?.includes(identifier.value);
    if (isTheirs !== true) throw new StaleState(`contact ${owner} is not found by its ${identifier.name} any more`);
    return contact;
  }

  #contact(account: number, number: number): Contact {
    const known = this.#contacts.get(number);
    if (known !== undefined) return known;
    const row = this.#loaded.contacts.get(number);
    if (row === undefined) return this.#unloaded.leave({ kind: "contact", account, number });
    const contact = fromRow(row, this.#loaded.attributeClears.get(account));
    this.#contacts.set(number, contact);
    return contact;
  }

  #create(origin: Origin): Contact {
    const taken = this.#numbersTaken++;
    // The stand-in is below 0: no contact's.
    const number = this.#loaded.numbers[taken] ?? this.#unloaded.note({ kind: "numbers" }, -1 - taken);
    const at = timeOfVersion(origin.version);
    const contact: Contact = {
      account: origin.account.number,
      number,
      cid: contactIdOf(origin.account.id, origin.recordId),
      createdAt: at,
      modifiedAt: at,
      version: origin.version,
      characters: undefined,
      mergedInto: undefined,
      identifiers: new Map(),
      attributes: new Members(),
      channels: new Map(),
    };
    this.#contacts.set(number, contact);
    this.#change(contact).isNew = true;
    this.#made?.set(contact.cid, number);
    return contact;
  }

  #change(contact: Contact): ContactChange {
    // A record asks for each of its members.
    if (this.#lastChange?.contact === contact) return this.#lastChange;
    let change = this.#changes.get(contact.number);
    if (change === undefined) {
      change = { contact, fields: new Members(), isNew: false };
      this.#changes.set(contact.number, change);
    }
    this.#lastChange = change;
    return change;
  }

  #collectFields({ contact, fields }: ContactChanged): void {
    const change = this.#change(contact);
    // Most contacts meet one record of a batch.
    if (change.fields.size === 0) change.fields = fields;
    else for (const [path, written] of fields) change.fields.set(path, written);
  }

  #attach(contact: Contact, identifier: Identifier, displayed: boolean): void {
    addIdentifier(contact, identifier, displayed);
    this.#owners.set(contact.account, identifier, contact.number);
    this.#hashes.attached(contact.account, identifier);
    this.#change(contact);
  }

  #detach(contact: Contact, identifier: Identifier): void {
    dropIdentifier(contact, identifier);
    this.#owners.set(contact.account, identifier, null);
    this.#change(contact);
  }

  #merged(survivor: Contact, merged: Contact, origin: Origin): void {
    const { account } = origin;
    const lists = this.#memberships.merge(account.number, survivor.number, merged.number);
    const carts = this.#others.carts.merge(account.number, survivor.number, merged.number);
    this.#merges.push({
      account: account.number,
      survivor,
      merged,
      recordId: origin.recordId,
      version: origin.version,
      place: this.#merges.length,
      ...lists,
      carts,
      before: this.#before,
    });
    this.#change(merged);
    this.#change(survivor);
  }

  #mergesOf(account: number, survivor: number): readonly StoredMerge[] {
    const rows = this.#loaded.merges.get(survivor);
    if (rows === undefined) return this.#unloaded.note({ kind: "mergesOf", account, survivor }, []);
    return rows.map((row) => fromMergeRow(account, row, this.#loaded.attributeClears.get(account)));
  }
}

/** Addresses by their hashes: those that are stored, and those that records of the batch gave to contacts. */
class HashedValues {
  readonly #loaded: IdentifierMap<string | null>;
  readonly #attached: IdentifierMap<number | null>;
  /** Values that the batch attached, by account and name of the hash, then by the hash; made for those that are asked for. */
  readonly #made = new Map<string, Map<string, string>>();

  constructor(loaded: IdentifierMap<string | null>, attached: IdentifierMap<number | null>) {
    this.#loaded = loaded;
    this.#attached = attached;
  }

  /** @returns the address that a hash stands for; null when nobody has it; undefined when it was not looked up. */
  find(account: number, { name, value: hash }: Identifier): Identifier | null | undefined {
    const hashed = readHashedName(name);
    if (hashed === undefined) return null;
    const value = this.#loaded.get(account, { name, value: hash }) ?? this.#madeFor(account, name).get(hash);
    if (value !== undefined) return { name: hashed.name, value };
    return this.#loaded.get(account, { name, value: hash }) === undefined ? undefined : null;
  }

  /** A record gave the identifier to a contact. */
  attached(account: number, identifier: Identifier): void {
    if (this.#made.size === 0) return;
    for (const [key, values] of this.#made) {
      const [number, name = ""] = key.split("\n", 2);
      if (Number(number) === account) keep(values, name, identifier);
    }
  }

  #madeFor(account: number, name: string): Map<string, string> {
    const key = `${account}\n${name}`;
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    const values = new Map<string, string>();
    this.#attached.forEach((identifier) => {
      if (identifier.account === account) keep(values, name, identifier);
    });
    this.#made.set(key, values);
    return values;
  }
}

function keep(values: Map<string, string>, hashedName: string, { name, value }: Identifier): void {
  const hashed = readHashedName(hashedName);
  if (hashed?.name === name) values.set(hashAddress(hashed.encoding, value), value);
}
