import type { Session } from "@headwater/postgres/connection/session";

/** One row with all numbers: a row each would cost more than the numbers do. */
const contactsStatement = {
  name: "contact_numbers_take",
  text: "SELECT string_agg(nextval('contact_numbers')::text, ',') AS numbers FROM generate_series(1, $1::int)",
};
const outboxStatement = {
  name: "outbox_positions_take",
  text: "SELECT string_agg(nextval('outbox_positions')::text, ',') AS numbers FROM generate_series(1, $1::int)",
};

/** Unused numbers leave gaps. */
export function takeContactNumbers(session: Session, count: number): Promise<number[]> {
  return take(session, contactsStatement, count);
}

/** Ascending. To be taken after all row locks of the transaction: then positions of batches that touched one row grow in order of commit. */
export function takeOutboxPositions(session: Session, count: number): Promise<number[]> {
  return take(session, outboxStatement, count);
}

async function take(session: Session, statement: typeof contactsStatement, count: number): Promise<number[]> {
  if (count === 0) return [];
  const [row] = await session.query<{ numbers: string }>(statement, [count]);
  if (row === undefined) throw new Error("an aggregate answers one row");
  return row.numbers.split(",").map(Number);
}
