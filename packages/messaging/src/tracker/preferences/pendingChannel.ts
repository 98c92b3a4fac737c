import type { Session } from "@headwater/postgres/connection/session";
import { fromRow } from "@headwater/records/contacts/contactDocument";
import { subscribeStatusOf } from "@headwater/records/contacts/model";
import { liveContact } from "../contacts/liveContact.ts";
import type { NamedToken } from "../events/messageEvent.ts";

/** Returns whether the contact of a token has yet to confirm the channel of its message. Rejects while the store is away. */
export type IsPending = (token: NamedToken) => Promise<boolean>;

export function createPendingLookup(session: Session): IsPending {
  return async ({ account, contact: number, names: { channel } }) => {
    const row = await liveContact(session, account, number);
    if (row === undefined) return false;
    return subscribeStatusOf(fromRow(row).channels.get(channel) ?? {}) === "pending";
  };
}
