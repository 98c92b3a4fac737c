import { plainArray } from "@headwater/postgres/connection/arrays";
import type { Session, Transaction } from "@headwater/postgres/connection/session";
import { FREE_DUE, HELD_UNTRIED } from "../sends/heldRows.ts";
import type { BatchMessageKey } from "./batchMessages.ts";

/** A wanted send that waits until its message's new audience is known. */
export interface HeldContact {
  readonly contact: number;
  /** Number by which audiences know the contact: the survivor's after a merge. */
  readonly person: number;
}

const pageStatement = {
  name: "held_sends_page",
  text: `SELECT s.contact, COALESCE(c.merged_into, s.contact) AS person FROM (
      SELECT contact FROM sends WHERE account = $1 AND message = $2 AND ${HELD_UNTRIED} ORDER BY contact LIMIT $3) AS s
    LEFT JOIN contacts c ON c.account = $1 AND c.number = s.contact`,
};
const skipStatement = {
  name: "held_sends_skip",
  text: `UPDATE sends SET state = 'skipped', reason = $4, at = $5, owner = NULL, claim_until = 0
    WHERE account = $1 AND message = $2 AND contact = ANY ($3::bigint[]) AND ${HELD_UNTRIED}`,
};
const freeStatement = {
  name: "held_sends_free",
  text: `UPDATE sends SET due_at = ${FREE_DUE} WHERE account = $1 AND message = $2 AND contact = ANY ($3::bigint[]) AND ${HELD_UNTRIED}`,
};

/** Returns the first contacts whose sends were held with their message before anybody tried them. */
export function readHeldContacts(
  session: Session,
  { account, id, rowsMax }: BatchMessageKey & { readonly rowsMax: number },
): Promise<HeldContact[]> {
  return session.query<HeldContact>(pageStatement, [account, id, rowsMax]);
}

export interface ComparedSends {
  readonly left: readonly number[];
  readonly staying: readonly number[];
  /** Reason of those that left. */
  readonly reason: string;
}

/**
 * Ends held sends of contacts that left the audience, and frees the others. No sender can hold a claim on either: each row is checked
 * again under its lock.
 */
export async function resolveHeldSends(
  transaction: Transaction,
  { account, id, nowMs }: BatchMessageKey & { readonly nowMs: number },
  { left, staying, reason }: ComparedSends,
): Promise<void> {
  const numbers = (contacts: readonly number[]) => plainArray(contacts, (contact) => contact);
  if (left.length > 0) await transaction.execute(skipStatement, [account, id, numbers(left), reason, nowMs]);
  if (staying.length > 0) await transaction.execute(freeStatement, [account, id, numbers(staying)]);
}
