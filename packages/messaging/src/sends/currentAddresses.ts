import { identifierOfChannel } from "@headwater/contracts";
import { mapInSteps, runInSlices } from "@headwater/kernel";
import type { Session } from "@headwater/postgres/connection/session";
import { fromRow } from "@headwater/records/contacts/contactDocument";
import { type FoundContact, liveContactParts } from "@headwater/records/contacts/liveContacts";
import { addressOf } from "@headwater/records/contacts/model";
import type { ListedSend } from "./sendReads.ts";

/** Addresses that contacts have now, by the send; none for a contact without one, or that is gone. */
export type CurrentAddresses = ReadonlyMap<ListedSend, string>;

/** Reads the addresses of sends that have none of their own: those whose turn has not come, and those that were skipped. */
export async function readCurrentAddresses(
  session: Session,
  account: number,
  sends: readonly ListedSend[],
): Promise<CurrentAddresses> {
  const asked = Map.groupBy(
    sends.filter(({ address }) => address === null),
    ({ contact }) => contact,
  );
  const addresses = new Map<ListedSend, string>();
  for await (const part of liveContactParts(session, account, [...asked.keys()])) {
    const addressed = mapInSteps(part, (row) => addressesOf(row, asked.get(row.asked) ?? []));
    for (const [send, address] of (await runInSlices(addressed)).flat()) addresses.set(send, address);
  }
  return addresses;
}

function addressesOf(row: FoundContact, sends: readonly ListedSend[]): (readonly [ListedSend, string])[] {
  const contact = fromRow(row);
  return sends.flatMap((send) => {
    const address = addressOf(contact, send.channel, identifierOfChannel(send.channel));
    return address === undefined ? [] : [[send, address] as const];
  });
}
