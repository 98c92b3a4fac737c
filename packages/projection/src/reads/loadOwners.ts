import type { Identifier } from "@headwater/contracts";
import { type FormerHolder, IdentifierMap } from "@headwater/domain/contact";
import {
  type IdentifierKey,
  loadCids,
  loadFormerIdentifiers,
  loadIdentifiers,
  type Transaction,
} from "@headwater/stores";
import type { LoadedRows } from "../unitOfWork/loadedRows.ts";

/** Identifiers to be looked up: each once, and none that was looked up before. Until it is found it finds nobody. */
export class Owners {
  readonly values: IdentifierKey[] = [];
  readonly cids: { account: number; cid: string }[] = [];
  readonly #rows: LoadedRows;

  constructor(rows: LoadedRows) {
    this.#rows = rows;
  }

  ask(account: number, identifier: Identifier): void {
    if (!this.#rows.owners.add(account, identifier, null)) return;
    const { name, value } = identifier;
    if (name === "cID") this.cids.push({ account, cid: value });
    else this.values.push({ account, name, value });
  }
}

export async function loadOwners(transaction: Transaction, { values, cids }: Owners, rows: LoadedRows) {
  const [byValue, byCid] = await Promise.all([loadIdentifiers(transaction, values), loadCids(transaction, cids)]);
  for (const row of byValue) rows.owners.set(row.account, row, row.contact);
  for (const row of byCid) rows.owners.set(row.account, { name: "cID", value: row.cid }, row.contact);
}

/** A write of `/v2` is above all that was changed, and asks nothing. */
export async function loadFormerHolders(transaction: Transaction, { values }: Owners, rows: LoadedRows) {
  if (rows.oldest === undefined) return;
  const found = new IdentifierMap<FormerHolder[]>();
  for (const row of await loadFormerIdentifiers(transaction, values, rows.oldest)) {
    const { account, contact, living, until } = row;
    if (found.add(account, row, [])) rows.formerHolders.set(account, row, found.get(account, row) ?? []);
    found.get(account, row)?.push({ contact, living, until });
  }
}
