import type { Transaction } from "@headwater/postgres/connection/session";
import { loadCarts } from "../carts/carts.ts";
import { lockSupplementRecords } from "../supplements/supplementRecords.ts";
import { loadSupplements, type StoredSupplement } from "../supplements/supplements.ts";
import { type LoadedRows, type StateRead, supplementKey, supplementRecordKey } from "../unitOfWork/loadedRows.ts";
import type { RecordReads } from "./missingRows.ts";

/** One for all records that ask for nothing of a kind, as most do. */
const none: readonly never[] = [];

/** Takes documents that were loaded off what may still be. @returns the rows. */
export function chargeTo<Row extends { readonly doc: string }>(rows: LoadedRows, loaded: readonly Row[]) {
  for (const { doc } of loaded) rows.bytesLeft -= doc.length;
  return loaded;
}

/** Carts of the contacts that records find. */
export function unloadedCarts(records: readonly RecordReads[], rows: LoadedRows): StateRead[] {
  const unloaded: StateRead[] = [];
  for (const { account, reads } of records) {
    if (reads.cart !== true) continue;
    for (const identifier of reads.identifiers) {
      const contact = rows.owners.get(account.number, identifier) ?? undefined;
      if (contact !== undefined) unloaded.push({ kind: "cart", account: account.number, contact });
    }
  }
  return unloaded;
}

/** Asked for after the contacts' locks: what is read then stays so until the batch is stored. */
export async function loadCartRows(transaction: Transaction, reads: readonly StateRead[], rows: LoadedRows) {
  const keys = new Map<number, { account: number; contact: number }>();
  for (const read of reads) if (read.kind === "cart" && !rows.carts.has(read.contact)) keys.set(read.contact, read);
  for (const contact of keys.keys()) rows.carts.set(contact, null);
  const stored = await loadCarts(transaction, [...keys.values()], rows.bytesLeft);
  for (const row of chargeTo(rows, stored)) rows.carts.set(row.contact, row);
}

/** An account of which a record writes memberships or supplement records: next to others, or alone. */
export interface AccountWriter {
  readonly account: number;
  readonly alone: boolean;
}

/** Returns the contact whose records the record may write. */
export function tableWriter({ account: { number: account }, reads }: RecordReads): readonly AccountWriter[] {
  const { supplement, clearsSupplement } = reads;
  if (supplement === undefined && clearsSupplement === undefined) return none;
  return [{ account, alone: clearsSupplement !== undefined }];
}

export function unloadedTables(records: readonly RecordReads[]): StateRead[] {
  return records.flatMap<StateRead>(({ account, reads: { supplement, clearsSupplement } }) => {
    const key = supplement?.key ?? clearsSupplement;
    return key === undefined ? none : [{ kind: "supplement", account: account.number, key }];
  });
}

export async function loadTables(transaction: Transaction, reads: readonly StateRead[], rows: LoadedRows) {
  const keys = new Map<string, { account: number; key: string }>();
  for (const read of reads) if (read.kind === "supplement") keys.set(supplementKey(read.account, read.key), read);
  for (const key of keys.keys()) rows.supplements.set(key, rows.supplements.get(key) ?? null);
  for (const row of await loadSupplements(transaction, [...keys.values()])) {
    rows.supplements.set(supplementKey(row.account, row.key), toTable(row));
  }
}

function toTable({ id, key, indexes, contactObject, autogenerateIDs, clearedVersion }: StoredSupplement) {
  return { id, key, indexes, contactObject, autogenerateIDs, clearedVersion: clearedVersion ?? undefined };
}

/** Records of tables that are loaded already. */
export function unloadedRecords(records: readonly RecordReads[], rows: LoadedRows): StateRead[] {
  return records.flatMap<StateRead>(({ account: of, reads: { supplement } }) => {
    if (supplement === undefined) return none;
    const account = of.number;
    const table = rows.supplements.get(supplementKey(account, supplement.key)) ?? undefined;
    if (table === undefined) return none;
    return [{ kind: "supplementRecord", account, supplement: table.id, id: supplement.id }];
  });
}

export async function loadRecordRows(transaction: Transaction, reads: readonly StateRead[], rows: LoadedRows) {
  const keys = new Map<string, Extract<StateRead, { kind: "supplementRecord" }>>();
  for (const read of reads) if (read.kind === "supplementRecord") keys.set(keyOf(read), read);
  for (const key of keys.keys()) rows.supplementRecords.set(key, rows.supplementRecords.get(key) ?? null);
  const stored = await lockSupplementRecords(transaction, [...keys.values()], rows.bytesLeft);
  for (const row of chargeTo(rows, stored)) {
    rows.supplementRecords.set(keyOf(row), row);
  }
}

function keyOf({ account, supplement, id }: { account: number; supplement: number; id: string }): string {
  return supplementRecordKey(account, supplement, id);
}
