import { identifierOfChannel } from "@headwater/contracts";
import { addressOf, fromRow } from "@headwater/domain/contact";
import { loadContacts, type StoredContact } from "@headwater/stores/contacts";
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
  const load = (numbers: readonly number[]) =>
    loadContacts(
      session,
      [...new Set(numbers)].map((number) => ({ account, number })),
    );
  const own = await load(asked.map(({ contact }) => contact));
  const merged = own.flatMap(({ mergedInto }) => (mergedInto === null ? [] : [mergedInto]));
  const survivors = merged.length === 0 ? [] : await load(merged);
  const rows = new Map([...own, ...survivors].map((row) => [row.number, row]));
  return new Map(
    asked.flatMap((send) => {
      const row = liveOf(rows.get(send.contact), rows);
      const address = row && addressOf(fromRow(row), send.channel, identifierOfChannel(send.channel));
      return address === undefined ? [] : [[send, address] as const];
    }),
  );
}

function liveOf(row: StoredContact | undefined, rows: ReadonlyMap<number, StoredContact>): StoredContact | undefined {
  return row === undefined || row.mergedInto === null ? row : rows.get(row.mergedInto);
}
