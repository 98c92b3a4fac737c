import { hash } from "node:crypto";
import { deleteOlder, TIMESTAMP } from "@headwater/postgres/connection/oldRows";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import type { Session, Transaction } from "@headwater/postgres/connection/session";
import type { PartnerListKey } from "./partnerLists.ts";

/** A change of a list, by the partner's own name of it. */
export interface PartnerListChangeKey extends Pick<PartnerListKey, "account" | "partner"> {
  readonly name: string;
}

const claimStatement = {
  name: "partner_list_changes_claim",
  text: `INSERT INTO intake.partner_list_changes (account, partner, name_hash) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
};
const aging = { table: "intake.partner_list_changes", column: "made_at", moment: TIMESTAMP };

/**
 * Makes a change and remembers its name, both or neither: one that failed is made by its repeat, and one that was made is not made again.
 * Two that come at once wait for each other.
 */
export async function createPartnerListChange(
  postgres: Postgres,
  { account, partner, name }: PartnerListChangeKey,
  change: (transaction: Transaction) => Promise<void>,
): Promise<void> {
  // Names are the partner's, of any length and text.
  const values = [account, partner, hash("sha256", name, "hex")];
  await postgres.transaction(async (transaction) => {
    if ((await transaction.execute(claimStatement, values)) === 1) await change(transaction);
  });
}

/** Names of changes that were made before then (milliseconds since 1970). @returns how many. */
export function deletePartnerListChanges(session: Session, before: number): Promise<number> {
  return deleteOlder(session, aging, before);
}
