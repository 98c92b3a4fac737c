import type { Transaction } from "./session.ts";

const statement = {
  name: "key_order",
  text: "SELECT set_config(name, 'off', true) FROM unnest(ARRAY['enable_sort', 'enable_seqscan', 'enable_bitmapscan']) AS s (name)",
};

/**
 * Makes the rest of the transaction read rows along their index. A table that has just been filled has no statistics: the planner takes it
 * for a small one, and sorts a million rows for the first thousand.
 */
export async function readInKeyOrder(transaction: Transaction): Promise<void> {
  await transaction.query(statement);
}
