import { identifierOfChannel } from "@headwater/contracts";
import { addressOf, fromRow } from "@headwater/domain/contact";
import { loadContacts, readLive } from "@headwater/stores/contacts";
import type { Session } from "@headwater/stores/postgres";
import type { ListedSend } from "@headwater/stores/sends";

/** Addresses that contacts have now, by the send; none for a contact without one, or that is gone. */
export type CurrentAddresses = ReadonlyMap<ListedSend, string>;

/** Reads the addresses of sends that have none of their own: those whose turn has not come, and those that were skipped. */
export async function readCurrentAddresses(
  session: Session,
  account: number,
  sends: readonly ListedSend[],
): Promise<CurrentAddresses> {
  const asked = sends.filter(({ address }) => address === null);
  if (asked.length === 0) return new Map();
  const rows = await readLive(
    account,
    asked.map(({ contact }) => contact),
    (keys) => loadContacts(session, keys),
  );
  return new Map(
    asked.flatMap((send) => {
      const row = rows.get(send.contact);
      const address = row && addressOf(fromRow(row), send.channel, identifierOfChannel(send.channel));
      return address === undefined ? [] : [[send, address] as const];
    }),
  );
}
