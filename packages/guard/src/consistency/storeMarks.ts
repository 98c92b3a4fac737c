import type { Session } from "@headwater/postgres/connection/session";

const readStatement = { text: "SELECT activities_block AS block FROM store_marks WHERE id = 1" };
const setStatement = { text: "UPDATE store_marks SET activities_block = $1 WHERE id = 1" };

/**
 * The block of ClickHouse's activities up to which all rows lie below the stored offsets. Only parts with newer blocks are compared with
 * claims, so that a check every two seconds costs what was written since, however large the table is.
 */
export async function readActivitiesBlock(session: Session): Promise<number> {
  const [row] = await session.query<{ block: number }>(readStatement);
  if (row === undefined) throw new Error("store_marks has its row from the migration");
  return row.block;
}

export async function setActivitiesBlock(session: Session, block: number): Promise<void> {
  await session.execute(setStatement, [block]);
}
