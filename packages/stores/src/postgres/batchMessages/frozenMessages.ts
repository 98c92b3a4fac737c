import { textArray } from "../connection/arrays.ts";
import type { Session } from "../connection/session.ts";

const frozenStatement = {
  name: "batch_messages_frozen",
  text: "SELECT id, frozen FROM batch_messages WHERE account = $1 AND id = ANY($2::text[]) AND frozen IS NOT NULL",
};

/** Returns messages as they stood when they began, as JSON text. */
export function readFrozenMessages(
  session: Session,
  account: number,
  ids: readonly string[],
): Promise<{ readonly id: string; readonly frozen: string }[]> {
  return session.query<{ id: string; frozen: string }>(frozenStatement, [account, textArray(ids, (id) => id)]);
}
