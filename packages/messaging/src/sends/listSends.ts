import { readCounted } from "@headwater/api/paging/counted";
import { listAnswer, pickFields } from "@headwater/api/paging/listAnswer";
import { cutPage, readPage } from "@headwater/api/paging/page";
import type { Account } from "@headwater/contracts";
import { identifierOfChannel } from "@headwater/contracts";
import type { Answer } from "@headwater/http";
import { mapInSteps, runInSlices } from "@headwater/kernel";
import type { Session } from "@headwater/postgres/connection/session";
import { fromRow } from "@headwater/records/contacts/contactDocument";
import { loadCids, readAliases } from "@headwater/records/contacts/contacts";
import { type FoundContact, liveContactParts } from "@headwater/records/contacts/liveContacts";
import { addressOf } from "@headwater/records/contacts/model";
import type { RoutePorts } from "../ports.ts";
import { countSends, type ListedSend, pageSends, type SendFilters } from "./sendReads.ts";
import { SEND_MEMBERS, type SendsQuery, sendRecord, sendsCursor } from "./sendView.ts";

/** Message whose sends are listed. */
export interface SendsOf {
  /** Id of a batch message or template. */
  readonly message: string;
  readonly path: string;
  readonly account: Account;
  /** Unless the query says another. */
  readonly direction: "asc" | "desc";
}

/** Lists who got a message, who did not, and why, by message and contact: of a template by its days. */
export async function listSends(
  query: SendsQuery,
  { message, path, account, direction: fallback }: SendsOf,
  { postgres, cursors }: Pick<RoutePorts, "postgres" | "cursors">,
): Promise<Answer> {
  const { number } = account;
  const rules = { list: `sends of ${message}`, key: sendsCursor, direction: fallback, account: number, cursors };
  const page = readPage(query, rules);
  const pick = pickFields(query.fields, SEND_MEMBERS);
  const filters = await filtersOf(query, { message, account: number }, postgres);
  const { after, direction, skip, perPage } = page;
  const { rows, total } = await readCounted(postgres, query, {
    page: (session) =>
      pageSends(session, { ...filters, direction, skip, rowsMax: perPage + 1, ...(after && { after }) }),
    count: (session) => countSends(session, filters),
  });
  const cut = cutPage(rows, page, ({ message: id, contact, n }) => ({ message: id, contact, n }));
  const addresses = await readCurrentAddresses(postgres, number, cut.rows);
  const view = cut.rows.map((row) =>
    sendRecord(account, { ...row, address: row.address ?? addresses.get(row) ?? null }),
  );
  const listed = { rows: view.map(pick), nextCursor: cut.nextCursor };
  return listAnswer({ path, query, page, listed, total });
}

async function filtersOf(
  { state, reason, cID }: SendsQuery,
  { account, message }: { readonly account: number; readonly message: string },
  postgres: RoutePorts["postgres"],
): Promise<SendFilters> {
  const shared = { account, message, ...(state && { state }), ...(reason && { reason }) };
  return cID === undefined ? shared : { ...shared, contacts: await numbersOf({ account, cid: cID }, postgres) };
}

/** Returns the numbers of a contact: its own, and those of contacts that were merged into it. */
async function numbersOf(
  { account, cid }: { readonly account: number; readonly cid: string },
  postgres: RoutePorts["postgres"],
): Promise<number[]> {
  const [found] = await loadCids(postgres, [{ account, cid: cid.toLowerCase() }]);
  if (found === undefined) return [];
  const aliases = await readAliases(postgres, [{ account, number: found.contact }]);
  return [found.contact, ...aliases.map(({ number }) => number)];
}

/** Addresses that contacts have now, by the send; none for a contact without one, or that is gone. */
type CurrentAddresses = ReadonlyMap<ListedSend, string>;

/** Reads the addresses of sends that have none of their own: those whose turn has not come, and those that were skipped. */
async function readCurrentAddresses(
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
