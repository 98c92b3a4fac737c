import type { Session } from "../connection/session.ts";

const countStatement = {
  name: "losses_count",
  text: "SELECT count(*) AS losses FROM losses WHERE topic = $1",
};

/** Counts how often an operator has adopted a partition of a topic whose log had lost records. */
export async function countLosses(session: Session, topic: string): Promise<number> {
  const [row] = await session.query<{ losses: number }>(countStatement, [topic]);
  return row?.losses ?? 0;
}
