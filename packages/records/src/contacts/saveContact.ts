import type { OnceCall } from "@headwater/api/idempotency/runOnce";
import type { WritePorts } from "@headwater/api/ports";
import { expectVersion } from "@headwater/api/writing/ifMatch";
import {
  type Account,
  canonicalName,
  identifierOfChannel,
  identifiersInOrder,
  isPlaceholder,
  missingIdentifier,
  type shapes,
} from "@headwater/contracts";
import { type Answer, refusal } from "@headwater/http";
import { contactIdOf, pointerStep } from "@headwater/kernel";
import type { Transaction } from "@headwater/postgres/connection/session";
import type { FoldState } from "../fold/foldState.ts";
import { createMissingLists } from "../lists/lists.ts";
import { liveMembership } from "../lists/membership.ts";
import { viewContact } from "../views/contactView.ts";
import { hasReadOnly, writeOnce } from "../writing/writeOnce.ts";
import { checkContact } from "./checkContact.ts";
import { contactAnswer } from "./contactAnswer.ts";
import type { ContactBody, NewContactBody } from "./contactBody.ts";
import type { Origin } from "./contactIndex.ts";
import { contactByKey, nobody } from "./findInState.ts";
import { addressedChannels } from "./membersView.ts";
import { type Contact, subscribeStatusOf } from "./model.ts";
import { identifiersTouched, readIdentifiers } from "./readIdentifiers.ts";
import { refusedDetails } from "./refusedDetails.ts";
import { type ContactRequest, type ContactWritten, writeContact } from "./writeContact.ts";

type SavePorts = WritePorts;
type Write = shapes.ContactWrite;

export interface SaveCall<Body> {
  readonly once: OnceCall;
  readonly body: Body;
  /** The header. */
  readonly ifMatch: string | undefined;
}

/**
 * Creates the contact that the body names, or writes to the one that it finds. Nothing is written when a part of it cannot be.
 * @throws HeadwaterError 409 `VERSION_CONFLICT`; 422 for a value that another contact holds (`MERGE_CONFLICT`), for a status that
 * needs `forceSubscribe`, and as for an intake record.
 */
export async function upsertContact(call: SaveCall<NewContactBody>, ports: SavePorts): Promise<Answer> {
  const { account } = call.once.caller;
  const contact: Write = { ...writeOf(call.body), ...identifyContact(call.body, account), canBeCreated: true };
  const read = readIdentifiers(contact, { account });
  if (read.given.kind === "invalid") throw invalidIdentifier(pathOfIdentifier(call.body, read.given.name));
  const missing = missingIdentifier(read.given);
  if (missing !== undefined) throw noIdentifier(pathOfIdentifier(call.body, missing.name));
  return save(call, ports, {
    reads: { identifiers: identifiersTouched(read), read, members: true },
    fold: (state, request, origin) => {
      expectVersionOf(firstHit(state, contact, account), call.ifMatch);
      return { written: writeContact(state, { ...request, contact }, origin) };
    },
  });
}

/** Writes to the contact of a `{primary_key}`. @throws HeadwaterError as `upsertContact`, and 404 `CONTACTS_CONTACT_NOT_FOUND`. */
export async function updateContact(
  primaryKey: string,
  call: SaveCall<ContactBody>,
  ports: SavePorts,
): Promise<Answer> {
  const { account } = call.once.caller;
  const key = contactByKey(primaryKey, account, call.ifMatch);
  return save(call, ports, {
    reads: key.reads,
    fold: (state, request, origin) => {
      const known = key.in(state);
      expectAddresses(known, call.body);
      const contact = { ...request.contact, identifiers: { cID: known.cid } };
      // The write changes the contact itself.
      const isCompared = hasReadOnly(call.once) && !mayLeaveLists(call.body);
      const before = isCompared ? beforeWrite(state, known, request, account) : undefined;
      return { written: writeContact(state, { ...request, contact }, origin), before };
    },
  });
}

/** A contact before a write of its own. */
interface Before {
  readonly view: object;
  /** Lists that the write puts it on. */
  readonly joins: ReadonlySet<string>;
}

function beforeWrite(state: FoldState, contact: Contact, { lists }: ContactRequest, { settings }: Account): Before {
  const asked = Object.keys(lists).flatMap((name) => (lists[name] === true ? (state.listByName(name) ?? []) : []));
  const joined = asked.filter(
    (list) => liveMembership(state.membership(list.id, contact.number), list)?.present !== true,
  );
  return { view: viewContact(contact, { settings }), joins: new Set(joined.map(({ name }) => name)) };
}

/** Returns the contact as it was stored. Its other lists are as the answer shows them: no write of its own takes it off one. */
function storedContact({ view, joins }: Before, { body }: Answer): object {
  const after: unknown = Reflect.get(Object(body), "listJoinDate");
  const listJoinDate = Object.fromEntries(Object.entries(Object(after)).filter(([name]) => !joins.has(name)));
  return { ...view, listJoinDate };
}

/** Returns whether a write may join the contact with another or take it off a list, and then does not know the lists it was on. */
export function mayLeaveLists({ mergeOptions, lists = [] }: ContactBody): boolean {
  return mergeOptions?.mergeAllowed === true || Object.values(lists).includes(false);
}

/** A channel that the contact does not have yet is made with an address. */
function expectAddresses(contact: Contact, { channels = {} }: ContactBody): void {
  const known = new Set([...contact.channels.keys(), ...addressedChannels(contact)]);
  const details = Object.keys(channels)
    .filter((name) => channels[name] !== null && channels[name]?.address === undefined && !known.has(name))
    .map((name) => ({
      path: `/channels/${pointerStep(name)}/address`,
      code: "required",
      message: "The contact does not have this channel yet: `address` is required.",
    }));
  if (details.length > 0) throw refusal("VALIDATION_ERROR", "The contact is invalid.", { details });
}

interface Saving {
  readonly reads: Parameters<typeof writeOnce>[1]["reads"];
  fold(
    state: FoldState,
    request: ContactRequest,
    origin: Origin,
  ): { readonly written: ContactWritten; readonly before?: Before | undefined };
}

async function save({ once, body }: SaveCall<ContactBody>, ports: SavePorts, { reads, fold }: Saving): Promise<Answer> {
  const { account } = once.caller;
  const contact = { ...writeOf(body), identifiers: {} };
  const { attributes } = contact;
  const details = checkContact({ identifiers: {}, ...(attributes && { attributes }) }, "").map((detail) => ({
    ...detail,
    path: pathInBody(detail.path),
  }));
  if (details.length > 0) throw refusal("VALIDATION_ERROR", "The contact is invalid.", { details });
  const request = { contact, lists: listsOf(body) };
  return writeOnce(
    once,
    {
      kind: "v2",
      suppressTriggers: body.suppressTriggers ?? true,
      ...(reads && { reads }),
      before: (transaction) => createLists(transaction, { account, request, nowMs: ports.clock.nowMs() }),
      fold: (state, origin) => {
        const { written, before } = fold(state, request, origin);
        return { ...expectWritten(written, body), before, origin };
      },
      answer: ({ contact: saved, origin }, session) => {
        const isNew = saved.cid === contactIdOf(account.id, origin.recordId);
        return contactAnswer(saved, { account, session, rules: origin.account.attributes, status: isNew ? 201 : 200 });
      },
      stored: ({ before }, answer) => before && storedContact(before, answer),
    },
    ports,
  );
}

/** A body as the contact of a record; without identifiers. */
function writeOf(body: ContactBody): Omit<Write, "identifiers"> {
  const { channels, attributes, forceSubscribe, mergeOptions, restrictedUpdateAttrKeys } = body;
  const members = channels === undefined ? attributes : { ...attributes, channels: channelsOf(channels) };
  return {
    ...(members !== undefined && Object.keys(members).length > 0 && { attributes: members }),
    forceSubscribe,
    mergeOptions,
    restrictedUpdateAttrKeys,
    canBeUpdated: true,
  };
}

function channelsOf(channels: NonNullable<ContactBody["channels"]>): Record<string, shapes.ChannelWrite> {
  return Object.fromEntries(Object.entries(channels).map(([name, channel]) => [name, channel ?? { address: null }]));
}

function listsOf({ lists = [] }: ContactBody): Readonly<Record<string, boolean>> {
  return Array.isArray(lists) ? Object.fromEntries(lists.map((name) => [name, true])) : lists;
}

interface Joining {
  readonly account: Account;
  readonly request: ContactRequest;
  readonly nowMs: number;
}

/** Lists that the contact joins and that may be made on the spot. */
async function createLists(transaction: Transaction, { account, request, nowMs }: Joining): Promise<void> {
  const names = Object.keys(request.lists).filter((name) => request.lists[name] === true);
  if (names.length === 0 || account.settings.strictLists) return;
  const { listsPerAccount: listsMax } = account.settings.limits;
  await createMissingLists(transaction, { account: account.number, names, createdAt: nowMs, listsMax });
}

function firstHit(state: FoldState, { identifiers, identifiersPriority }: Write, { settings }: Account) {
  const read = identifiersInOrder(settings, identifiers, identifiersPriority);
  if (read.kind === "invalid") return undefined;
  for (const identifier of [...read.identifiers, ...(read.former ?? [])]) {
    const contact = state.find(identifier);
    if (contact !== undefined) return contact;
  }
  return undefined;
}

/** `If-Match` of a contact that is not there expects one that is. */
function expectVersionOf(contact: Contact | undefined, ifMatch: string | undefined): void {
  if (ifMatch === undefined) return;
  if (contact === undefined) throw refusal("VERSION_CONFLICT", "No contact has these keys, so If-Match cannot match.");
  expectVersion(ifMatch, contact.version);
}

/** All of it or nothing: what an intake record would only be warned of is refused here. */
function expectWritten(written: ContactWritten, body: ContactBody) {
  if (written.kind === "unknown") throw nobody();
  if (written.kind === "refused") {
    const details = refusedDetails(written, (path) => pathOfList(body, path) ?? pathInBody(path));
    throw refusal(written.code, written.message, { details });
  }
  const { contact, warnings, conflicts } = written;
  if (warnings.has("MERGE_CONFLICT") || warnings.has("IDENTITY_CONFLICT")) throw heldByAnother(conflicts, body);
  if (warnings.has("STATUS_KEPT")) throw statusStored(contact, body);
  return written;
}

const IN_CHANNELS = /^\/attributes\/channels(?:\/|$)/;

/** Returns the path in the body for a path in a record's contact. */
function pathInBody(path: string): string {
  if (IN_CHANNELS.test(path)) return path.slice("/attributes".length);
  return path.startsWith("/identifiers") ? "/channels" : path;
}

/** Returns the path of a list that the body names in an array; undefined for what is none. */
function pathOfList({ lists }: ContactBody, path: string): string | undefined {
  const index = Array.isArray(lists) ? lists.findIndex((name) => path === `/lists/${pointerStep(name)}`) : -1;
  return index < 0 ? undefined : `/lists/${index}`;
}

function invalidIdentifier(path: string) {
  const message = "The identifier has no canonical form.";
  return refusal("VALIDATION_ERROR", message, { details: [{ path, code: "bad_value", message }] });
}

function noIdentifier(path: string) {
  const message = "The contact has no identifier: this one says that there is no value.";
  return refusal("VALIDATION_ERROR", message, { details: [{ path, code: "bad_value", message }] });
}

/** @param names canonical names of the identifiers that the other contacts have. */
function heldByAnother(names: ReadonlySet<string>, body: ContactBody) {
  const message = "Another contact has one of these identifiers, and merging the two is not allowed.";
  const details = [...names].map((name) => ({ path: pathOfIdentifier(body, name), code: "not_allowed", message }));
  return refusal("MERGE_CONFLICT", message, { details });
}

function whyStored(asked: string | undefined) {
  if (asked === "subscribed") {
    const message = "The channel is unsubscribed. Set `forceSubscribe` to resubscribe it.";
    return { code: "force_subscribe_required", message };
  }
  const message =
    asked === "pending"
      ? "Only a channel without a status can become pending."
      : "A channel's status cannot be reset to none.";
  return { code: "not_allowed", message };
}

function statusStored(contact: Contact, { channels = {} }: ContactBody) {
  const details = Object.entries(channels).flatMap(([name, channel]) => {
    const { subscribeStatus } = channel ?? {};
    if (subscribeStatus === undefined || subscribeStatus === subscribeStatusOf(contact.channels.get(name) ?? {})) {
      return [];
    }
    return [{ path: `/channels/${pointerStep(name)}/subscribeStatus`, ...whyStored(subscribeStatus) }];
  });
  return refusal("VALIDATION_ERROR", "The channel cannot have this status.", { details });
}

/** Identifiers by which a body names its contact. */
interface Identified {
  /** Identifiers in the form that a record of the log has. */
  readonly identifiers: Record<string, string | number>;
  readonly identifiersPriority: string[];
}

/**
 * A contact is found by its primary keys (of channels and attributes), then by the keys of `identifyBy`; where a body has none of
 * them, by the addresses of all its channels. Other keys only go to the contact that is found, but where a text such as `none` stands in
 * position of every address: they find it then.
 */
function identifyContact(body: NewContactBody, { settings }: Account): Identified {
  const values = keyValues(body);
  const primary = settings.identifiers.filter(({ kind }) => kind === "primary").map(({ name }) => name);
  const channels = Object.keys(body.channels).map(identifierOfChannel);
  const identifies = (name: string) => {
    const value = values.get(name);
    return value !== undefined && !isPlaceholder({ name, value: String(value) });
  };
  const choices = [
    [...primary, ...(body.identifyBy ?? []).map(canonicalName)].filter(identifies),
    channels.filter(identifies),
    settings.identifiers.map(({ name }) => name).filter(identifies),
  ];
  const names = [...new Set(choices.find(({ length }) => length > 0) ?? channels)];
  const identifiers = Object.fromEntries(names.map((name) => [name, values.get(name) ?? ""]));
  return { identifiers, identifiersPriority: names };
}

/** Returns where a body has the value of an identifier. @param name canonical. */
function pathOfIdentifier({ channels = {}, attributes = {} }: ContactBody, name: string): string {
  const channel = Object.keys(channels).find((one) => identifierOfChannel(one) === name);
  if (channel !== undefined) return `/channels/${pointerStep(channel)}/address`;
  const attribute = Object.keys(attributes).find((one) => canonicalName(one) === name);
  return attribute === undefined ? "/channels" : `/attributes/${pointerStep(attribute)}`;
}

/** Values that can find a contact, by canonical name; a channel's address comes before an attribute of the same name. No attribute is a cID. */
function keyValues({ channels, attributes = {} }: NewContactBody): Map<string, string | number> {
  const values = new Map<string, string | number>();
  for (const [name, value] of Object.entries(attributes)) {
    if (isKeyValue(value) && canonicalName(name) !== "cID") values.set(canonicalName(name), value);
  }
  for (const [name, { address }] of Object.entries(channels)) values.set(identifierOfChannel(name), address);
  return values;
}

function isKeyValue(value: unknown): value is string | number {
  return (typeof value === "string" && value.trim() !== "") || Number.isSafeInteger(value);
}
