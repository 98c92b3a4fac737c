import { plainArray, textArray } from "@headwater/postgres/connection/arrays";
import type { Session } from "@headwater/postgres/connection/session";

/** A message as an `mcID` names it: without the day or hour of a child. */
export interface MessageKey {
  readonly account: number;
  readonly message: string;
}

export interface MessageChannel extends MessageKey {
  readonly channel: string;
}

/** A template that is gone is known by its children. */
const statement = {
  name: "sends_message_channels",
  text: `SELECT k.account, k.message, m.channel FROM unnest($1::int[], $2::text[]) AS k (account, message)
    CROSS JOIN LATERAL (
      SELECT channel FROM batch_messages b WHERE b.account = k.account AND b.id = k.message
      UNION ALL SELECT channel FROM automation_templates t WHERE t.account = k.account AND t.mdt_id = k.message
      UNION ALL SELECT channel FROM template_children c WHERE c.account = k.account AND c.mdt_id = k.message
      LIMIT 1
    ) AS m`,
};

/** Returns the channels of those of the messages that are known. */
export async function readMessageChannels(
  session: Session,
  keys: readonly MessageKey[],
): Promise<readonly MessageChannel[]> {
  if (keys.length === 0) return [];
  const values = [plainArray(keys, ({ account }) => account), textArray(keys, ({ message }) => message)];
  return session.query<MessageChannel>(statement, values);
}
