import { type Identifier, type Version, versionBefore } from "@headwater/contracts";
import type { ContactIndex, Origin } from "./contactIndex.ts";
import type { Contact, FormerIdentifier } from "./model.ts";

/** Limit of one contact: the oldest beyond it are forgotten. */
const IDENTIFIER_HISTORY_MAX = 64;

/** Returns what the contact shows under a name to a record of the version: the value it had then, as far as that was taken since. */
export function visibleAt(contact: Contact, name: string, version: Version): string | undefined {
  const then = contact.identifierHistory?.find((one) => one.name === name && one.until >= version);
  return then === undefined ? contact.identifiers.get(name)?.[0] : then.value;
}

/**
 * Returns whether the value that the contact shows under a name was changed by a later write than this one, or came with a later split.
 */
export function isVisibleSince({ identifierHistory, apart }: Contact, name: string, version: Version): boolean {
  if (apart !== undefined && apart.since > version) return true;
  return identifierHistory?.some((one) => one.name === name && one.by > version) === true;
}

/** Takes an identifier from a contact and remembers that it was shown. @returns up to when records met the contact by it. */
export function takeIdentifier(
  index: ContactIndex,
  contact: Contact,
  identifier: Identifier,
  { version: by }: Pick<Origin, "version">,
): Version {
  const { name, value } = identifier;
  const isVisible = contact.identifiers.get(name)?.[0] === value;
  index.detach(contact, identifier);
  const greatest = greatestVersionOf(contact);
  const until = greatest > by ? greatest : by;
  if (isVisible) contact.identifierHistory = newest([...(contact.identifierHistory ?? []), { name, value, by, until }]);
  return until;
}

/** Attaches an identifier as the shown one; the one shown before finds the contact as well. */
export function showInstead(
  index: ContactIndex,
  contact: Contact,
  identifier: Identifier,
  { version: by }: Origin,
): void {
  const { name } = identifier;
  const view = contact.identifiers.get(name)?.[0];
  index.attach(contact, identifier, true);
  if (view === undefined || view === identifier.value) return;
  const replaced = { name, value: view, by, until: versionBefore(by) };
  contact.identifierHistory = newest([...(contact.identifierHistory ?? []), replaced]);
}

/** Joins the histories of two contacts that become one. */
export function joinIdentifierHistory(survivor: Contact, { identifierHistory }: Contact): void {
  if (identifierHistory === undefined) return;
  const all = [...(survivor.identifierHistory ?? []), ...identifierHistory];
  survivor.identifierHistory = newest(all.sort((left, right) => (left.by < right.by ? -1 : 1)));
}

/** Removes what the other one had brought. */
export function leaveIdentifierHistory(survivor: Contact, { identifierHistory: theirs = [] }: Contact): void {
  const isTheirs = (one: FormerIdentifier) => {
    return theirs.some(({ name, value, by }) => name === one.name && value === one.value && by === one.by);
  };
  const own = survivor.identifierHistory?.filter((one) => !isTheirs(one));
  survivor.identifierHistory = own !== undefined && own.length > 0 ? own : undefined;
}

function newest(identifierHistory: readonly FormerIdentifier[]): readonly FormerIdentifier[] {
  return identifierHistory.slice(-IDENTIFIER_HISTORY_MAX);
}

/**
 * The greatest version that wrote anything of the contact. Another partition may be ahead of a record that changes an identifier: what
 * it has applied to the contact by then, by whichever identifier, is not to search for somebody else when it comes again.
 */
function greatestVersionOf({ version, attributes, channels }: Contact): Version {
  let greatest = version;
  const see = (other: Version | undefined) => {
    if (other !== undefined && other > greatest) greatest = other;
  };
  attributes.forEach((_name, _value, own) => void see(own));
  for (const { address, subscribedAt, unsubscribedAt, bounced, ...status } of channels.values()) {
    for (const member of [address, subscribedAt, unsubscribedAt, bounced]) see(member?.version);
    for (const own of [status.unsubscribed, status.forced, status.subscribed, status.pending]) see(own);
  }
  return greatest;
}
