import { parseTime, toTimestamp } from "@headwater/contracts";
import { type ChannelState, type Contact, subscribeStatusOf } from "@headwater/records/contacts/model";
import { subscriptionTimestamp, type TimestampName } from "@headwater/records/contacts/subscriptionTimestamps";

/**
 * Returns a contact as its profile holds it.
 * @param timezone of the account: times of channels that were given as a date alone are its midnight.
 */
export function contactData(contact: Contact, timezone: string): object {
  const channels = [...contact.channels].map(([name, state]) => {
    const times = {
      subscribedAt: timeOf(state, "subscribedAt", timezone),
      unsubscribedAt: timeOf(state, "unsubscribedAt", timezone),
    };
    return [name, { address: state.address?.value, subscribeStatus: subscribeStatusOf(state), ...times }] as const;
  });
  return {
    cID: contact.cid,
    identifiers: Object.fromEntries(contact.identifiers),
    channels: Object.fromEntries(channels),
    attributes: Object.fromEntries(
      [...contact.attributes].flatMap(([name, { value }]) => (value === null ? [] : [[name, value]])),
    ),
    createdAt: toTimestamp(contact.createdAt),
    lastModified: toTimestamp(contact.modifiedAt),
  };
}

function timeOf(state: ChannelState, name: TimestampName, timezone: string): string | undefined {
  const value = subscriptionTimestamp(state, name)?.value;
  const ms = typeof value === "string" ? parseTime(value, timezone) : undefined;
  return ms === undefined ? undefined : toTimestamp(ms);
}
