import {
  type Account,
  canonicalIdentifier,
  findsByHash,
  hashedFormsOf,
  type Identifier,
  identifierOfChannel,
  timeOfVersion,
} from "@headwater/contracts";
import { erasedHashOf, formerHashOf, HeadwaterError, newJobId } from "@headwater/kernel";
import type { Transaction } from "@headwater/postgres/connection/session";
import { WriteConflict } from "@headwater/postgres/connection/writeConflict";
import { toCartDocument } from "../carts/cart.ts";
import { type StoredCart, upsertCarts } from "../carts/carts.ts";
import { toDocument } from "../contacts/contactDocument.ts";
import { insertContacts, type StoredContact, updateContacts } from "../contacts/contacts.ts";
import {
  giveFormerIdentifiers,
  insertFormerIdentifiers,
  takeFormerIdentifiers,
} from "../contacts/formerIdentifiers.ts";
import { deleteIdentifiers, type IdentifierRow, insertIdentifiers, moveIdentifiers } from "../contacts/identifiers.ts";
import { toMergeDocument } from "../contacts/mergeDocument.ts";
import { insertMerges, type MergeRow, moveToSurvivors } from "../contacts/merges.ts";
import { addressOf, type Contact, subscribeStatusOf } from "../contacts/model.ts";
import { deleteMemberships, endMerge } from "../contacts/splits.ts";
import { readErasureSecret } from "../erasures/erasureSecret.ts";
import { eraseContact } from "../erasures/erasures.ts";
import { clearLists, noteOverwritten } from "../lists/listClears.ts";
import { type StoredMembership, upsertMemberships } from "../lists/memberships.ts";
import { toMembersDocument } from "../members/membersDocument.ts";
import { toOrderDocument, versionOfOrder } from "../orders/orderDocument.ts";
import { insertOrders, type StoredOrder, updateOrders } from "../orders/orders.ts";
import { viewOrder } from "../orders/orderView.ts";
import { isDeletedOrder } from "../orders/orderWrite.ts";
import { deleteSupplementEntries, insertSupplementEntries } from "../supplements/supplementEntries.ts";
import {
  insertSupplementRecords,
  type StoredSupplementRecord,
  updateSupplementRecords,
} from "../supplements/supplementRecords.ts";
import { clearSupplements, noteSupplementUpdates } from "../supplements/supplementTables.ts";
import { liftAll, suppress } from "../suppressions/suppressions.ts";
import type { BatchChanges, ErasureChange, SuppressionChange } from "../unitOfWork/batchChanges.ts";
import { type LoadedRows, membershipKey, orderKey, supplementRecordKey } from "../unitOfWork/loadedRows.ts";
import { allOf } from "./allOf.ts";
import { entryChanges, updatesOf } from "./supplementEntries.ts";

export interface StoreInput {
  readonly changes: BatchChanges;
  readonly rows: LoadedRows;
  readonly accounts: ReadonlyMap<number, Account>;
  /** The outbox position of the batch. */
  readonly revision: number;
}

/**
 * Writes what a batch changed.
 * @returns what only the database knows of its merges and splits.
 * @throws WriteConflict when another transaction made the same identifier or order first.
 */
export async function storeChanges(transaction: Transaction, input: StoreInput): Promise<StoredChanges> {
  const { changes, revision } = input;
  const contacts = contactRows(changes);
  const orders = orderRows(input);
  const identifiers = identifierChanges(changes, input.rows);
  const records = supplementRecordRows(changes, input.rows);
  const entries = entryChanges(changes, input.rows);
  const ended = endMerges(transaction, changes, revision);
  const writes = [
    insertContacts(transaction, contacts.made, revision),
    updateContacts(transaction, contacts.changed, revision),
    expectAll(identifiers.removed.length, deleteIdentifiers(transaction, identifiers.removed)),
    expectAll(identifiers.moved.length, moveIdentifiers(transaction, identifiers.moved)),
    expectAll(identifiers.added.length, insertIdentifiers(transaction, identifiers.added)),
    upsertMemberships(transaction, membershipRows(changes)),
    clearLists(transaction, changes.clears).then(() => noteOverwritten(transaction, overwrittenRows(input))),
    expectAll(orders.made.length, insertOrders(transaction, orders.made, revision)),
    updateOrders(transaction, orders.changed, revision),
    upsertCarts(transaction, cartRows(changes), revision),
    expectAll(records.made.length, insertSupplementRecords(transaction, records.made, revision)),
    updateSupplementRecords(transaction, records.changed, revision),
    deleteSupplementEntries(transaction, entries.removed),
    insertSupplementEntries(transaction, entries.added),
    clearSupplements(transaction, changes.supplementClears),
    noteSupplementUpdates(transaction, updatesOf(changes)),
    insertMerges(transaction, mergeRows(changes)),
    insertFormerIdentifiers(transaction, changes.formerIdentifiers),
    ...changes.formersGiven.map((provided) => giveFormerIdentifiers(transaction, provided)),
  ];
  const suppressed = storeSuppressions(transaction, changes.suppressions);
  // Behind the suppressions: what is erased shows no address any more.
  const erasing = suppressed.then(() =>
    Promise.all(changes.erasures.map((erasure) => erase(transaction, erasure, input.accounts))),
  );
  const before = storeMerges(transaction, changes);
  await allOf([...writes, suppressed, erasing, before, ended]);
  return { aliasesBefore: await before, ...(await ended) };
}

async function erase(
  transaction: Transaction,
  { account, contact, version }: ErasureChange,
  accounts: StoreInput["accounts"],
): Promise<void> {
  const of = accounts.get(account);
  if (of === undefined) throw new Error(`account ${account} of an erasure is not known`);
  const identifiers = [...contact.identifiers].flatMap(([name, values]) => values.map((value) => ({ name, value })));
  const cid = { name: "cID", value: contact.cid };
  const secret = await readErasureSecret(transaction);
  const { number } = contact;
  const known = withHashes(of, [...identifiers, cid]);
  const now = known.map((one) => ({ hash: erasedHashOf(secret, of.id, one), version }));
  // What it had before and others may have now: records of its own time that name nobody else are about it.
  const taken = await takeFormerIdentifiers(transaction, { account, number });
  const before = taken.flatMap(({ until, ...one }) =>
    withHashes(of, [one]).map((form) => ({ hash: formerHashOf(secret, of.id, form), version: until })),
  );
  const tombstones = [...now, ...before];
  const addresses = addressesOf(contact, of);
  await eraseContact(transaction, { account, number, version, identifiers, tombstones, addresses });
}

/** Returns the canonical addresses of a contact's channels. */
function addressesOf(contact: ErasureChange["contact"], { settings }: Account) {
  return [...contact.channels].flatMap(([channel, state]) => {
    const name = identifierOfChannel(channel);
    const address = canonicalIdentifier(settings, name, addressOf(contact, channel, name) ?? "");
    if (address === undefined) return [];
    return [{ channel, address, isUnsubscribed: subscribeStatusOf(state) === "unsubscribed" }];
  });
}

/** Records may name the contact by hashes of its addresses as well, where the account lets hashes find. */
function withHashes({ settings }: Account, identifiers: readonly Identifier[]): readonly Identifier[] {
  if (!findsByHash(settings)) return identifiers;
  return identifiers.flatMap((one) => [one, ...hashedFormsOf(settings, one)]);
}

/** Merges and splits move rows that no fold has seen. */
export interface StoredChanges {
  /** Numbers that were aliases of a contact before it was merged itself, by its number. */
  readonly aliasesBefore: ReadonlyMap<number, readonly number[]>;
  /** Numbers that are aliases of a contact that lives again, by its number. */
  readonly aliasesReturned: ReadonlyMap<number, readonly number[]>;
  readonly ordersReturned: readonly StoredOrder[];
}

/** Changes of a batch without merges and splits. */
export const nothingMoved: StoredChanges = { aliasesBefore: new Map(), aliasesReturned: new Map(), ordersReturned: [] };

/** One transaction emits all of them. */
const ORDERS_RETURNED_MAX = 10_000;

async function endMerges(transaction: Transaction, { splits }: BatchChanges, revision: number) {
  const ended = splits.map(async ({ lists, recordId: byRecord, ...split }) => {
    const { account, survivor: contact, merged } = split;
    const [returned] = await Promise.all([
      endMerge(transaction, { ...split, byRecord }, revision),
      deleteMemberships(transaction, { account, contact }, lists),
    ]);
    return { merged, ...returned };
  });
  const all = await Promise.all(ended);
  const aliasesReturned = new Map(all.map(({ merged, aliases }) => [merged, aliases]));
  const ordersReturned = all.flatMap(({ orders }) => orders);
  if (ordersReturned.length > ORDERS_RETURNED_MAX) throw tooManyOrders();
  return { aliasesReturned, ordersReturned };
}

function tooManyOrders(): HeadwaterError {
  const publicMessage = `A split can move at most ${ORDERS_RETURNED_MAX} orders.`;
  const details = [{ path: "/primaryKey", code: "too_many", message: publicMessage }];
  return new HeadwaterError({ code: "VALIDATION_ERROR", status: 422, publicMessage, details });
}

/** Fewer rows than meant: the state that was folded over is not the state that is stored. */
async function expectAll(expected: number, written: Promise<number>): Promise<void> {
  if ((await written) !== expected) throw new WriteConflict("another transaction wrote one of the rows first");
}

function contactRows(changes: BatchChanges) {
  const created: StoredContact[] = [];
  const changed: StoredContact[] = [];
  for (const { contact, isNew } of changes.contacts.values()) (isNew ? created : changed).push(contactRow(contact));
  return { made: created, changed: changed.sort((a, b) => a.account - b.account || a.number - b.number) };
}

function contactRow(contact: Contact): StoredContact {
  const { account, number, cid, createdAt, modifiedAt, version } = contact;
  const mergedInto = contact.mergedInto ?? null;
  return { account, number, cid, createdAt, modifiedAt, version, mergedInto, doc: toDocument(contact) };
}

function identifierChanges(changes: BatchChanges, rows: LoadedRows) {
  const added: IdentifierRow[] = [];
  const moved: IdentifierRow[] = [];
  const removed: IdentifierRow[] = [];
  changes.owners.forEach((identifier, contact) => {
    const { account, name, value } = identifier;
    // One that was not looked up came with a contact that was: a merged contact's other identifiers are stored already.
    const before = rows.owners.get(account, identifier);
    if (before === contact) return;
    const row = { account, name, value, contact: contact ?? 0 };
    if (before === null) added.push(row);
    else if (contact === null) removed.push(row);
    else moved.push(row);
  });
  return { added, moved, removed };
}

function membershipRows(changes: BatchChanges) {
  const dead = new Set(changes.merges.map(({ merged }) => merged.number));
  return [...changes.memberships.values()]
    .filter(({ membership }) => !dead.has(membership.contact))
    .map(({ account, membership }) => ({ account, ...membership }))
    .sort((a, b) => a.account - b.account || a.list - b.list || a.contact - b.contact);
}

/** Returns the rows, as they were loaded, of members that a clear took and that are written again. */
function overwrittenRows({ changes, rows }: StoreInput): StoredMembership[] {
  const cleared = new Map<number, string>();
  for (const list of rows.lists.values())
    if (list?.clearedVersion !== undefined) cleared.set(list.id, list.clearedVersion);
  for (const { list, version } of changes.clears) cleared.set(list, version);
  if (cleared.size === 0) return [];
  return [...changes.memberships.values()].flatMap(({ account, membership: { list, contact } }) => {
    const before =
      rows.memberships.get(membershipKey(list, contact)) ??
      rows.membershipsOf.get(contact)?.find((one) => one.list === list);
    // Ids of lists are those of an account: one that another account cleared is left out by the statement.
    const isTaken = before?.present === true && before.version <= (cleared.get(list) ?? "");
    return isTaken ? [{ account, ...before }] : [];
  });
}

function orderRows({ changes, rows, accounts }: StoreInput) {
  const built: StoredOrder[] = [];
  const changed: StoredOrder[] = [];
  for (const { account, order, mergedFrom } of changes.orders.values()) {
    const settings = accounts.get(account)?.settings;
    if (settings === undefined) continue;
    const { orderId, contact } = order;
    const { purchasedAt } = viewOrder(order, settings);
    const written = { purchasedAt, version: versionOfOrder(order), doc: toOrderDocument(order) };
    const deleted = isDeletedOrder(order);
    const row = { account, orderId, contact, mergedFrom, ...written, deleted };
    ((rows.orders.get(orderKey(account, orderId)) ?? null) === null ? built : changed).push(row);
  }
  return { made: built, changed };
}

function mergeRows(changes: BatchChanges): MergeRow[] {
  return changes.merges.map((record) => {
    const { account, survivor, merged, recordId: byRecord, version } = record;
    const numbers = { account, survivor: survivor.number, merged: merged.number };
    return { ...numbers, at: timeOfVersion(version), version, byRecord, before: toMergeDocument(record) };
  });
}

async function storeMerges(transaction: Transaction, changes: BatchChanges): Promise<Map<number, number[]>> {
  const merges = changes.merges.map(({ account, merged }) => {
    return { account, merged: merged.number, survivor: finalSurvivor(merged, changes) };
  });
  const aliases = new Map<number, number[]>();
  for (const { number, merged } of await moveToSurvivors(transaction, merges)) {
    aliases.set(merged, [...(aliases.get(merged) ?? []), number]);
  }
  return aliases;
}

/** The contact a merged one ends in when its survivor was merged later in the same batch. */
export function finalSurvivor(merged: Contact, changes: BatchChanges): number {
  let number = merged.number;
  for (let next = merged.mergedInto; next !== undefined; ) {
    number = next;
    next = changes.contacts.get(number)?.contact.mergedInto;
  }
  return number;
}

/** Returns carts in order of contact: those of merged contacts went to their survivors. */
export function cartRows({ carts, merges }: BatchChanges): StoredCart[] {
  const dead = new Set(merges.map(({ merged }) => merged.number));
  return [...carts.values()]
    .filter(({ cart }) => !dead.has(cart.contact))
    .map(({ account, cart }) => {
      return { account, contact: cart.contact, version: cart.version, doc: toCartDocument(cart) };
    })
    .sort((a, b) => a.account - b.account || a.contact - b.contact);
}

/** Supplement records that the batch made, and those it found and changed. */
function supplementRecordRows({ supplementRecords }: BatchChanges, rows: LoadedRows) {
  const result: StoredSupplementRecord[] = [];
  const changed: StoredSupplementRecord[] = [];
  for (const { account, record } of supplementRecords.values()) {
    const { supplement, id, contact = null, createdAt, modifiedAt, version, deletedVersion = null } = record;
    const doc = toMembersDocument(record.members);
    const isNew = (rows.supplementRecords.get(supplementRecordKey(account, supplement, id)) ?? null) === null;
    const times = { createdAt, modifiedAt, version, deletedVersion };
    (isNew ? result : changed).push({ account, supplement, id, contact, ...times, doc });
  }
  return { made: result, changed };
}

/** Suppresses and lifts the addresses of a batch: of the changes of one address for one reason the last counts. */
async function storeSuppressions(transaction: Transaction, changes: readonly SuppressionChange[]): Promise<void> {
  const last = lastChanges(changes);
  for (const [account, lifted] of Map.groupBy(last.lifted, (one) => one.account)) {
    await liftAll(transaction, account, { addresses: lifted, reasons: ["complaint", "erased-unsubscribed"] });
  }
  for (const { account, channel, address, because: reason, version } of last.suppressed) {
    if (reason === "resubscribed") continue;
    const target = { kind: "address", value: address } as const;
    const nowMs = timeOfVersion(version);
    await suppress(transaction, { account, channel, id: newJobId(), target, reason, nowMs });
  }
}

function lastChanges(changes: readonly SuppressionChange[]) {
  const lifted = new Map<string, SuppressionChange>();
  const suppressed = new Map<string, SuppressionChange>();
  for (const change of changes) {
    const { account, channel, address, because } = change;
    const key = JSON.stringify([account, channel, address]);
    if (because === "resubscribed") {
      lifted.set(key, change);
      suppressed.delete(`${key}complaint`);
    } else {
      suppressed.set(key + because, change);
    }
  }
  return { lifted: [...lifted.values()], suppressed: [...suppressed.values()] };
}
