import type { Account } from "@headwater/contracts";
import type { Session } from "@headwater/postgres/connection/session";
import type { AccountDocument } from "./accounts.ts";

const formerStatement = {
  text: `SELECT a.id, a.name FROM intake.accounts a
    WHERE a.addresses_rewritten_at IS NULL AND EXISTS (SELECT 1 FROM contacts c WHERE c.account = a.number)
    ORDER BY a.number LIMIT $1`,
};
const mayHoldStatement = {
  text: "SELECT 1 FROM intake.accounts WHERE number = $1 AND addresses_rewritten_at IS NULL",
};
const rewrittenStatement = {
  text: "UPDATE intake.accounts SET addresses_rewritten_at = now() WHERE number = $1 AND version = $2",
};

/** Reads the accounts with contacts whose addresses may be stored in a former form. */
export function listFormerAddresses(session: Session, rowsMax: number): Promise<Pick<Account, "id" | "name">[]> {
  return session.query<Pick<Account, "id" | "name">>(formerStatement, [rowsMax]);
}

/** Returns whether addresses of an account may be stored in a former form. */
export async function mayHoldFormerAddresses(session: Session, account: number): Promise<boolean> {
  return (await session.query(mayHoldStatement, [account])).length > 0;
}

/** Records that all addresses of an account are in their canonical form, by its settings as they were when that began. */
export async function noteAddressesRewritten(session: Session, { account, version }: AccountDocument): Promise<void> {
  await session.execute(rewrittenStatement, [account.number, version]);
}
