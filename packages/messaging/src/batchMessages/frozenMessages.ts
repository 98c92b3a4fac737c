import { textArray } from "@headwater/postgres/connection/arrays";
import type { Session } from "@headwater/postgres/connection/session";

const frozenStatement = {
  name: "batch_messages_frozen",
  text: "SELECT id, frozen, experiment FROM batch_messages WHERE account = $1 AND id = ANY($2::text[]) AND frozen IS NOT NULL",
};

/** A message as it stood when it began, and what its experiment has learnt, both JSON text. */
export interface StoredFrozenMessage {
  readonly id: string;
  readonly frozen: string;
  readonly experiment: string | null;
}

/** Reads messages that have begun. */
export function readFrozenMessages(
  session: Session,
  account: number,
  ids: readonly string[],
): Promise<StoredFrozenMessage[]> {
  return session.query<StoredFrozenMessage>(frozenStatement, [account, textArray(ids, (id) => id)]);
}
