import { messageNamed } from "@headwater/records/contacts/messageEvents";
import { isActivity } from "./partitionState.ts";
import type { PlacedRecord } from "./placedRecord.ts";
import type { StateTransaction } from "./stateStore.ts";

/** Channels of messages by their id, by number of the account. */
export type SentOn = ReadonlyMap<number, ReadonlyMap<string, string>>;

const none: SentOn = new Map();

/** Finds the channels of messages that reports are about which do not name one; nearly all reports do. */
export async function findSentOn(
  transaction: Pick<StateTransaction, "messageChannels">,
  records: readonly PlacedRecord[],
): Promise<SentOn> {
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
