import { plainArray, textArray } from "@headwater/postgres/connection/arrays";
import type { Session } from "@headwater/postgres/connection/session";
import { messageNamed } from "@headwater/records/contacts/messageEvents";
import type { LoggedRecord } from "./loggedRecord.ts";
import { isActivity } from "./partitionState.ts";

/** Channels of messages by their id, by number of the account. */
export type MessageChannels = ReadonlyMap<number, ReadonlyMap<string, string>>;

const none: MessageChannels = new Map();

/** Finds the channels of messages that reports are about which do not name one; nearly all reports do. */
export async function findMessageChannels(
  transaction: MessageChannelReads,
  records: readonly LoggedRecord[],
): Promise<MessageChannels> {
  const asked = new Map<string, { readonly account: number; readonly message: string }>();
  for (const { operation, account, record } of records) {
    if (operation.name !== "createContactactivities" || !isActivity(record)) continue;
    const message = messageNamed(record.event, account);
    if (message !== undefined) asked.set(`${account.number}\n${message}`, { account: account.number, message });
  }
  if (asked.size === 0) return none;
  const found = new Map<number, Map<string, string>>();
  for (const { account, message, channel } of await transaction.messageChannels([...asked.values()])) {
    const own = found.get(account) ?? new Map<string, string>();
    found.set(account, own.set(message, channel));
  }
  return found;
}

/** A message as an `mcID` names it: without the day or hour of a child. */
export interface MessageKey {
  readonly account: number;
  readonly message: string;
}

export interface MessageChannel extends MessageKey {
  readonly channel: string;
}

export interface MessageChannelReads {
  /** Returns the channels of those of the messages that are known. */
  messageChannels(keys: readonly MessageKey[]): Promise<readonly MessageChannel[]>;
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
