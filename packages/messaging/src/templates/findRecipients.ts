import { type Account, canonicalIdentifier, identifierOfChannel } from "@headwater/contracts";
import { refusal } from "@headwater/http";
import type { Transaction } from "@headwater/postgres/connection/session";
import { checkContact } from "@headwater/records/contacts/checkContact";
import { fromRow } from "@headwater/records/contacts/contactDocument";
import type { Origin } from "@headwater/records/contacts/contactIndex";
import { findContact } from "@headwater/records/contacts/findContact";
import { addressOf, type Contact, isValidChannel, subscribeStatusOf } from "@headwater/records/contacts/model";
import { identifiersTouched, readIdentifiers } from "@headwater/records/contacts/readIdentifiers";
import { refusedDetails } from "@headwater/records/contacts/refusedDetails";
import { writeContact } from "@headwater/records/contacts/writeContact";
import type { FoldResult } from "@headwater/records/fold/foldEvents";
import type { FoldState } from "@headwater/records/fold/foldState";
import { writeState } from "@headwater/records/writes/writeState";
import type { NamedRecipient } from "./recipients.ts";
import type { Found, FoundRecipient } from "./storeSends.ts";

export interface FindingRecipients {
  readonly account: Account;
  readonly channel: string;
  readonly named: readonly NamedRecipient[];
  readonly nowMs: number;
  readonly requestId: string;
}

/** Nobody is known by the address: the test goes to an empty contact. */
const UNKNOWN = { contact: 0, cid: "0".repeat(24), isSubscribed: false } as const;

/** Finds the recipients of a test, and writes nothing of them. */
export async function findTested(
  transaction: Transaction,
  { account, channel, named }: FindingRecipients,
): Promise<Found[]> {
  const found: Found[] = [];
  for (const { contact, address } of named) {
    const read = readIdentifiers(contact, { account });
    const identifiers = read.given.kind === "ok" ? read.given.identifiers : [];
    const cid = identifiers.find(({ name }) => name === "cID")?.value;
    const former = read.given.kind === "ok" ? (read.given.former ?? []) : [];
    const others = [...identifiers, ...former].filter(({ name }) => name !== "cID");
    const row = await findContact(transaction, account, { ...(cid !== undefined && { cid }), identifiers: others });
    if (row !== undefined) found.push(recipientOf(fromRow(row), { account, channel }));
    else found.push(address === undefined ? undefined : unknownRecipient(address, { account, channel }));
  }
  return found;
}

/** Recipients whose contacts were written. */
export interface WrittenRecipients {
  readonly found: readonly Found[];
  /** Position of the write in the outbox. */
  readonly position: number;
}

/** Creates and writes the recipients' contacts by the folds of `POST /v2/contacts`: all of them or none. They are locked then. */
export async function writeRecipients(
  transaction: Transaction,
  finding: FindingRecipients,
): Promise<WrittenRecipients> {
  const { account, channel, named, nowMs, requestId } = finding;
  for (const { contact, at } of named) expectNames(contact, at);
  const reads = named.map(({ contact }) => readIdentifiers(contact, { account }));
  const identifiers = reads.flatMap((read) => identifiersTouched(read));
  const { result, position } = await writeState({ transaction, nowMs }, account, {
    kind: "v2",
    recordId: `${requestId}:0:0`,
    reads: { identifiers, members: true },
    fold: (state, origin) => foldRecipients(state, named, origin),
  });
  const found = result.contacts.map((contact) =>
    contact === undefined ? undefined : recipientOf(contact, { account, channel }),
  );
  return { found, position };
}

interface Folded extends FoldResult {
  readonly contacts: readonly (Contact | undefined)[];
}

/** Each is a record of its own, so that each new contact gets an id of its own. */
function foldRecipients(state: FoldState, named: readonly NamedRecipient[], origin: Origin): Folded {
  const [request] = origin.recordId.split(":");
  const written = named.map(({ contact, at }, index) => {
    const own = { account: origin.account, version: origin.version, recordId: `${request}:${index}:0` };
    return { at, done: writeContact(state, { contact, lists: {} }, own) };
  });
  const contacts = written.map(({ at, done }) => {
    if (done.kind === "unknown") return undefined;
    if (done.kind === "refused") {
      throw refusal(done.code, done.message, { details: refusedDetails(done, (path) => pathOf(path, at)) });
    }
    if (done.warnings.has("MERGE_CONFLICT") || done.warnings.has("IDENTITY_CONFLICT")) throw conflict(at);
    return done.contact;
  });
  return { contacts, changeEvents: written.flatMap(({ done }) => (done.kind === "written" ? done.changeEvents : [])) };
}

function expectNames({ attributes }: NamedRecipient["contact"], at: string): void {
  const details = checkContact({ identifiers: {}, ...(attributes && { attributes }) }, "").map((detail) => ({
    ...detail,
    path: pathOf(detail.path, at),
  }));
  if (details.length > 0) throw refusal("VALIDATION_ERROR", "The recipient is invalid.", { details });
}

/** Attributes are members of the recipient itself, and so are its identifiers. */
function pathOf(path: string, at: string): string {
  return path.startsWith("/identifiers") ? at : `${at}${path.replace(/^\/attributes/, "")}`;
}

function conflict(at: string) {
  const message = "The identifiers belong to different contacts.";
  return refusal("MERGE_CONFLICT", message, { details: [{ path: at, code: "not_allowed", message }] });
}

type Channel = Pick<FindingRecipients, "account" | "channel">;

function recipientOf(contact: Contact, of: Channel): FoundRecipient {
  const { channel } = of;
  const state = contact.channels.get(channel) ?? {};
  const address = addressOf(contact, channel, identifierOfChannel(channel));
  const isSubscribed = subscribeStatusOf(state) === "subscribed";
  const hasBounced = address !== undefined && state.bounced?.value === address;
  const isValid = !hasBounced && isValidChannel(channel, {}, canonicalAddress(address, of));
  return { contact: contact.number, cid: contact.cid, address, isSubscribed, isValid };
}

function unknownRecipient(address: string, of: Channel): FoundRecipient {
  return { ...UNKNOWN, address, isValid: isValidChannel(of.channel, {}, canonicalAddress(address, of)) };
}

function canonicalAddress(address: string | undefined, { account, channel }: Channel): string | undefined {
  if (address === undefined) return undefined;
  return canonicalIdentifier(account.settings, identifierOfChannel(channel), address) ?? address;
}
