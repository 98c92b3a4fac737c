import type { Account } from "@headwater/contracts";
import type { Session } from "@headwater/postgres/connection/session";

const statement = {
  name: "starts_by_changes",
  text: `SELECT EXISTS (SELECT FROM orchestrations WHERE account = $1 AND is_enabled AND version IS NOT NULL AND deleted_at IS NULL)
      OR EXISTS (SELECT FROM event_triggers WHERE account = $1) AS starts`,
};

/** Returns whether the account has an enabled orchestration, or a template that activities send: changes may start one. */
export async function startsByChanges(session: Session, { number }: Account): Promise<boolean> {
  const [found] = await session.query<{ starts: boolean }>(statement, [number]);
  return found?.starts === true;
}
