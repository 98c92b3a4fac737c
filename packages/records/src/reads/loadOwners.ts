import {
  hashAddress,
  hashEncodings,
  hashedNameOf,
  type Identifier,
  isHashedName,
  readHashedName,
} from "@headwater/contracts";
import { textArray } from "@headwater/postgres/connection/arrays";
import type { Session, Transaction } from "@headwater/postgres/connection/session";
import { loadCids } from "../contacts/contacts.ts";
import type { FormerHolder } from "../contacts/formerHolders.ts";
import { loadFormerIdentifiers } from "../contacts/formerIdentifiers.ts";
import { IdentifierMap } from "../contacts/identifierMap.ts";
import { type IdentifierKey, loadIdentifiers } from "../contacts/identifiers.ts";
import type { LoadedRows } from "../unitOfWork/loadedRows.ts";

const ASKED = "address_hashes(value) && (SELECT array_agg(decode(hash, 'hex')) FROM unnest($1::text[]) AS hash)";

/** Identifiers to be looked up: each once, and none that was looked up before. Until it is found it finds nobody. */
export class Owners {
  readonly values: IdentifierKey[] = [];
  readonly cids: { account: number; cid: string }[] = [];
  /** Hashes of addresses. */
  readonly hashes: IdentifierKey[] = [];
  readonly #rows: LoadedRows;

  constructor(rows: LoadedRows) {
    this.#rows = rows;
  }

  ask(account: number, identifier: Identifier): void {
    if (isHashedName(identifier.name) && this.#rows.hashedValues.add(account, identifier, null)) {
      this.hashes.push({ account, ...identifier });
      return;
    }
    if (!this.#rows.owners.add(account, identifier, null)) return;
    const { name, value } = identifier;
    if (name === "cID") this.cids.push({ account, cid: value });
    else this.values.push({ account, name, value });
  }
}

/**
 * Finds the addresses that hashes stand for, and asks for their owners. A hash that is asked for by a record of the log may stand for an
 * address that somebody had then.
 */
export async function loadHashes(transaction: Transaction, asked: Owners, rows: LoadedRows): Promise<void> {
  for (const [account, keys] of Map.groupBy(asked.hashes, (key) => key.account)) {
    const hashes = keys.map(({ value }) => value);
    for (const address of await loadHashedAddresses(transaction, { account, hashes, from: rows.oldest })) {
      for (const encoding of hashEncodings) {
        const hash = {
          name: hashedNameOf({ encoding, name: address.name }),
          value: hashAddress(encoding, address.value),
        };
        if (rows.hashedValues.get(account, hash) === null) rows.hashedValues.set(account, hash, address.value);
      }
      asked.ask(account, address);
    }
  }
}

/** A hash finds whom its address finds. */
function ownHashes({ hashes }: Owners, rows: LoadedRows): void {
  for (const { account, name, value } of hashes) {
    const address = rows.hashedValues.get(account, { name, value });
    const hashed = readHashedName(name);
    if (typeof address !== "string" || hashed === undefined) continue;
    rows.owners.set(account, { name, value }, rows.owners.get(account, { name: hashed.name, value: address }) ?? null);
  }
}

export async function loadOwners(transaction: Transaction, asked: Owners, rows: LoadedRows) {
  const { values, cids } = asked;
  const [byValue, byCid] = await Promise.all([loadIdentifiers(transaction, values), loadCids(transaction, cids)]);
  for (const row of byValue) rows.owners.set(row.account, row, row.contact);
  for (const row of byCid) rows.owners.set(row.account, { name: "cID", value: row.cid }, row.contact);
  ownHashes(asked, rows);
}

/** A write of `/v2` is above all that was changed, and asks nothing. */
export async function loadFormerHolders(transaction: Transaction, { values }: Owners, rows: LoadedRows) {
  if (rows.oldest === undefined) return;
  const found = new IdentifierMap<FormerHolder[]>();
  for (const row of await loadFormerIdentifiers(transaction, values, rows.oldest)) {
    const { account, contact, live, until } = row;
    if (found.add(account, row, [])) rows.formerHolders.set(account, row, found.get(account, row) ?? []);
    found.get(account, row)?.push({ contact, live, until });
  }
}

/** An address, by whose hash a record names a contact. */
interface HashedAddress {
  readonly name: string;
  readonly value: string;
}

interface HashesAsked {
  readonly account: number;
  /** Hashes in hex. */
  readonly hashes: readonly string[];
  /** The oldest record that asks, where records come again: addresses that somebody had then are found as well. */
  readonly from: string | undefined;
}

/**
 * Addresses of an account that have one of the hashes. The account stands in the text, for its index is one of its rows alone
 * (`createHashIndexes`); until that is built the account's identifiers are read.
 */
function loadHashedAddresses(session: Session, { account, hashes, from }: HashesAsked): Promise<HashedAddress[]> {
  const own = `account = ${Number(account)} AND ${ASKED}`;
  const current = `SELECT name, value FROM contact_identifiers WHERE ${own}`;
  const asked = textArray(hashes, (hash) => hash);
  if (from === undefined) return session.query({ text: current }, [asked]);
  const former = `SELECT name, value FROM former_identifiers WHERE until >= $2 AND ${own}`;
  return session.query({ text: `${current} UNION ${former}` }, [asked, from]);
}
