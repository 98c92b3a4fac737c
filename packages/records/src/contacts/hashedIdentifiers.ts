import { textArray } from "@headwater/postgres/connection/arrays";
import type { Session } from "@headwater/postgres/connection/session";

/** An address, by whose hash a record names a contact. */
export interface HashedAddress {
  readonly name: string;
  readonly value: string;
}

export interface HashesAsked {
  readonly account: number;
  /** Hashes in hex. */
  readonly hashes: readonly string[];
  /** The oldest record that asks, where records come again: addresses that somebody had then are found as well. */
  readonly from: string | undefined;
}

const ASKED = "address_hashes(value) && (SELECT array_agg(decode(hash, 'hex')) FROM unnest($1::text[]) AS hash)";

/**
 * Addresses of an account that have one of the hashes. The account stands in the text, for its index is one of its rows alone
 * (`createHashIndexes`); until that is built the account's identifiers are read.
 */
export function loadHashedAddresses(
  session: Session,
  { account, hashes, from }: HashesAsked,
): Promise<HashedAddress[]> {
  const own = `account = ${Number(account)} AND ${ASKED}`;
  const current = `SELECT name, value FROM contact_identifiers WHERE ${own}`;
  const asked = textArray(hashes, (hash) => hash);
  if (from === undefined) return session.query({ text: current }, [asked]);
  const former = `SELECT name, value FROM former_identifiers WHERE until >= $2 AND ${own}`;
  return session.query({ text: `${current} UNION ${former}` }, [asked, from]);
}
