import type { Transaction } from "@headwater/postgres/connection/session";

/** An operator's action that passes over data or deletes them. */
export interface OperatorEntry {
  readonly who: string;
  readonly action: string;
  /** Digest of the preview that was confirmed. */
  readonly digest: string;
  readonly reason: string;
  readonly before: object;
  readonly after: object;
}

const insertStatement = {
  name: "operator_log_insert",
  text: "INSERT INTO operator_log (who, action, digest, reason, before, after) VALUES ($1, $2, $3, $4, $5, $6)",
};

/** Writes the entry in the transaction of its effect. */
export async function noteOperation(transaction: Transaction, entry: OperatorEntry): Promise<void> {
  const { who, action, digest, reason, before, after } = entry;
  const values = [who, action, digest, reason, JSON.stringify(before), JSON.stringify(after)];
  await transaction.execute(insertStatement, values);
}
