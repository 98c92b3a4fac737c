import { type Account, canonicalIdentifier, identifierOfChannel } from "@headwater/contracts";
import { mapInSteps, runInSlices } from "@headwater/kernel";
import type { Session, Transaction } from "@headwater/postgres/connection/session";
import { fromRow } from "@headwater/records/contacts/contactDocument";
import { loadContacts, lockContacts, type StoredContact } from "@headwater/records/contacts/contacts";
import { type LoadContacts, readLive } from "@headwater/records/contacts/liveContacts";
import {
  addressOf,
  type Contact,
  isValidChannel,
  type SubscribeStatus,
  subscribeStatusOf,
} from "@headwater/records/contacts/model";
import { type SuppressionReason, suppressedAmong } from "@headwater/records/suppressions/suppressions";
import { readCountedSends } from "../../sends/sendReads.ts";
import type { StoredSend } from "../../sends/sendRow.ts";
import { longestCapMs } from "./caps.ts";

/** A recipient as Postgres knows it now. */
export interface Recipient {
  /** Null for the recipient of a test whom nobody knows. */
  readonly row: StoredContact | null;
  readonly address: string | undefined;
  readonly status: SubscribeStatus;
  /** False once the address bounced for good, and for what cannot be an address of its channel. */
  readonly isValid: boolean;
  readonly suppressed: readonly SuppressionReason[];
  /** Promotional sends that were or may have been handed over. */
  readonly counted: readonly { readonly channel: string; readonly intendedAt: number }[];
}

/**
 * Recipients of sends: a contact has an address and a status in each channel, and tests go to many whom nobody knows. Whoever is missing was
 * erased.
 */
export type Recipients = ReadonlyMap<StoredSend, Recipient>;

export interface Recipience {
  readonly account: Account;
  readonly sends: readonly StoredSend[];
  readonly nowMs: number;
}

/** Contact of a test that no contact was found for. */
const NOBODY = 0;

/** Reads what decides whether contacts get a message. */
export function readRecipients(session: Session, of: Recipience): Promise<Recipients> {
  return recipients(session, of, (keys) => loadContacts(session, keys));
}

/** The same with the contacts locked: what was committed before is obeyed, and two senders do not count caps at the same time. */
export function lockRecipients(transaction: Transaction, of: Recipience): Promise<Recipients> {
  return recipients(transaction, of, (keys) => lockContacts(transaction, keys));
}

async function recipients(
  session: Session,
  { account, sends, nowMs }: Recipience,
  load: LoadContacts,
): Promise<Recipients> {
  const { number, settings } = account;
  const numbers = [...new Set(sends.map(({ contact }) => contact))].filter((one) => one !== NOBODY);
  const rows = await readLive(number, numbers, load);
  const see = (send: StoredSend) => ({ send, ...seenBy(account, send, rows.get(send.contact)) });
  const found = await runInSlices(mapInSteps(sends, see));
  const people = [...new Set([...rows.values()].map((row) => row.number))];
  const counting = longestCapMs(settings.messaging.caps);
  const [suppressed, counted] = await Promise.all([
    suppressedByChannel(session, number, found),
    counting === 0 ? [] : readCountedSends(session, { account: number, people, after: nowMs - counting }),
  ]);
  return new Map(
    found.flatMap(({ send, row, address, status, isValid }) => {
      if (row === undefined) return [];
      const reasons = suppressed.get(send.channel)?.get(address ?? "") ?? [];
      const own = counted.filter(({ person }) => person === row?.number);
      return [[send, { row, address, status, isValid, suppressed: reasons, counted: own }] as const];
    }),
  );
}

interface Seen {
  readonly row: StoredContact | null | undefined;
  readonly address: string | undefined;
  readonly status: SubscribeStatus;
  readonly isValid: boolean;
}

function seenBy(account: Account, send: StoredSend, row: StoredContact | undefined): Seen {
  const { channel } = send;
  if (send.contact === NOBODY) {
    const address = send.address === null ? undefined : canonicalAddress(account, channel, send.address);
    return { row: null, address, status: "none", isValid: isValidChannel(channel, {}, address) };
  }
  if (row === undefined) return { row, address: undefined, status: "none", isValid: true };
  const contact: Contact = fromRow(row);
  const state = contact.channels.get(channel) ?? {};
  const stored = addressOf(contact, channel, identifierOfChannel(channel));
  const address = stored === undefined ? undefined : canonicalAddress(account, channel, stored);
  // What bounced is the address as it is stored.
  const isValid = state.bounced?.value !== stored && isValidChannel(channel, state, address);
  return { row, address, status: subscribeStatusOf(state), isValid: stored === undefined || isValid };
}

/** Contacts may have addresses in a form of before. */
function canonicalAddress({ settings }: Account, channel: string, address: string): string {
  return canonicalIdentifier(settings, identifierOfChannel(channel), address) ?? address;
}

async function suppressedByChannel(
  session: Session,
  account: number,
  found: readonly (Seen & { readonly send: StoredSend })[],
): Promise<Map<string, Map<string, SuppressionReason[]>>> {
  const byChannel = Map.groupBy(found, ({ send }) => send.channel);
  const channels = [...byChannel].map(async ([channel, seen]) => {
    const addresses = seen.flatMap(({ address }) => address ?? []);
    return [channel, await suppressedAmong(session, { account, channel }, [...new Set(addresses)])] as const;
  });
  return new Map(await Promise.all(channels));
}
