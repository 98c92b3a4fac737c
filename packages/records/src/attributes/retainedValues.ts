import { textArray } from "@headwater/postgres/connection/arrays";
import type { Session, Transaction } from "@headwater/postgres/connection/session";
import type { AttributeKey } from "./attributeDefinitions.ts";

/** A value and how many erased contacts had it. */
export interface RetainedValue {
  /** JSON text. */
  readonly value: string;
  readonly contacts: number;
}

const addStatement = {
  name: "retained_values_add",
  text: `INSERT INTO retained_values AS v (account, key, value, contacts)
    SELECT $1, key, value, 1 FROM unnest($2::text[], $3::text[]) AS r (key, value) ORDER BY key, value
    ON CONFLICT (account, key, value) DO UPDATE SET contacts = v.contacts + 1`,
};
const readStatement = {
  name: "retained_values_read",
  text: `SELECT value, contacts FROM retained_values WHERE account = $1 AND key = $2
    ORDER BY contacts DESC, value LIMIT $3`,
};
const deleteStatement = {
  name: "retained_values_delete",
  text: "DELETE FROM retained_values WHERE account = $1 AND key = $2",
};

/** Counts one contact for each value; a key stands once. In order of key and value, so that two erasures do not wait for each other. */
export async function addRetainedValues(
  transaction: Transaction,
  account: number,
  values: readonly { readonly key: string; readonly value: string }[],
): Promise<void> {
  if (values.length === 0) return;
  const columns = [textArray(values, ({ key }) => key), textArray(values, ({ value }) => value)];
  await transaction.execute(addStatement, [account, ...columns]);
}

/** The most frequent first. */
export function readRetainedValues(
  session: Session,
  { account, key }: AttributeKey,
  rowsMax: number,
): Promise<RetainedValue[]> {
  return session.query(readStatement, [account, key, rowsMax]);
}

export async function deleteRetainedValues(transaction: Transaction, { account, key }: AttributeKey): Promise<void> {
  await transaction.execute(deleteStatement, [account, key]);
}
