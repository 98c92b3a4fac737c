import {
  type ArrayEdit,
  addressedChannel,
  arrayItemsMax,
  identifierRules,
  isArrayEdit,
  isObject,
  isPlaceholder,
  type Json,
  JsonSet,
  type Written,
} from "@headwater/contracts";
import { canonicalOf, valueView } from "./canonicalAddress.ts";
import { toJson } from "./castAttributes.ts";
import type { ContactIndex, Origin } from "./contactIndex.ts";
import { editGeo } from "./geoMembers.ts";
import { memberPaths } from "./memberPaths.ts";
import type { Contact } from "./model.ts";
import { isIdentifierAttribute } from "./readIdentifiers.ts";
import { allowedMembers, isSet } from "./restrictedMembers.ts";
import { channelOf, writeAddress, writeChannel } from "./writeChannel.ts";
import { effectOf, later } from "./writeEffect.ts";
import {
  changed,
  emptyTally,
  identifierWritten,
  type MembersWrite,
  showIdentifier,
  type WriteTally,
  type Writing,
} from "./writing.ts";

/** JSON characters of an array that is edited again and again: past them the oldest fall out. */
const ARRAY_CHARACTERS_MAX = 256 * 1024;

/** Writes attributes and channels, member by member: a lower version never overwrites. */
export function writeMembers(index: ContactIndex, contact: Contact, write: MembersWrite, origin: Origin): WriteTally {
  const { attributes, channels } = write;
  const { settings } = origin.account;
  const { formats } = identifierRules(settings);
  const writing = { index, contact, write, origin, tally: emptyTally(), formats, paths: memberPaths(settings) };
  for (const name in attributes) {
    if (name !== "channels") writeAttribute(writing, name, toJson(attributes[name]));
  }
  for (const [name, edit] of write.geoEdits) writeGeo(writing, name, edit);
  if (channels === undefined) return writing.tally;
  for (const name in channels) {
    const channel = channels[name];
    if (channel !== undefined) writeChannel(writing, name, channel);
  }
  return writing.tally;
}

function writeAttribute(writing: Writing, name: string, input: Json): void {
  const { contact, write, origin, tally } = writing;
  const current = contact.attributes.get(name);
  if (write.held.has(name)) return;
  if (write.restricted.has(name) && isSet(current, { ...writing, identifier: name })) {
    tally.restricted++;
    return;
  }
  const edited = isArrayEdit(input);
  const itemsMax = arrayItemsMax(origin.account.attributes?.get(name));
  const value = edited ? editArray(current?.value, input, itemsMax) : valueView(name, input, origin);
  setAttribute(writing, name, { value, version: edited ? later(current, origin.version) : origin.version });
}

/** Members of a geo value, in order of arrival as edits of arrays are. */
function writeGeo(writing: Writing, name: string, edit: Readonly<Record<string, Json>>): void {
  const { contact, write, origin, tally } = writing;
  const current = contact.attributes.get(name);
  const before = current?.value ?? null;
  if (write.restricted.has(name) && before !== null) {
    tally.restricted++;
    return;
  }
  const known = isObject(before) ? before : {};
  const allowed = allowedMembers(name, { before: known, edit }, write.restricted);
  const names = Object.keys(allowed).length;
  if (names < Object.keys(edit).length) tally.restricted++;
  if (names === 0) return;
  const value = editGeo(known, allowed);
  // A merge of this very record may have brought a later position, which has no location to write a part of.
  if (value !== undefined) setAttribute(writing, name, { value, version: later(current, origin.version) });
}

function setAttribute(writing: Writing, name: string, written: Written): void {
  const { index, contact, origin, tally, formats, paths } = writing;
  const cleared = index.attributeCleared(name);
  if (cleared !== undefined && origin.version <= cleared) {
    tally.superseded++;
    return;
  }
  const current = contact.attributes.get(name);
  const effect = effectOf(current, written);
  tally[effect]++;
  if (effect === "superseded") return;
  if (current === undefined) contact.attributes.append(name, written);
  else contact.attributes.set(name, written);
  if (effect === "unchanged") {
    index.touched(contact);
    return;
  }
  const { value, version } = written;
  changed(writing, paths.attribute(name), version === origin.version ? written : { value, version: origin.version });
  if (isIdentifierAttribute(name, formats)) writeIdentifier(writing, name, value);
}

/**
 * An identifier that is a channel's address is the address, too. What cannot be an identifier leaves the one that is there, and so the
 * contact can be found; null takes it away, but not from a channel, nor one by which the record itself names the contact.
 */
function writeIdentifier(writing: Writing, name: string, value: Json): void {
  const { contact, write, paths } = writing;
  const canonical = identifierWritten(writing, name, value);
  for (const [channel, state] of contact.channels) {
    const at = { name: channel, state, paths: paths.channel(channel) };
    if (at.paths.identifier !== name || state.address === undefined) continue;
    const isPresent = write.channels?.[channel]?.address !== undefined;
    if (canonical !== undefined && !isPresent) writeAddress(writing, at, canonical);
    return;
  }
  const isNamed = write.given.some((identifier) => identifier.name === name);
  if (canonical === undefined && value !== null) keepPlaceholder(writing, name, value);
  else if (canonical !== undefined || !isNamed) showIdentifier(writing, name, value);
}

/** Shows what stands in place of an address as the channel's address, which is not valid, where the contact has none. */
function keepPlaceholder(writing: Writing, name: string, value: Json): void {
  const { contact, origin, paths } = writing;
  const channel = addressedChannel(name);
  const text = canonicalOf(name, value, origin);
  if (channel === undefined || text === undefined || contact.identifiers.has(name)) return;
  if (!isPlaceholder({ name, value: text })) return;
  writeAddress(writing, { name: channel, state: channelOf(contact, channel), paths: paths.channel(channel) }, text);
}

/** Returns an array with an edit done. Takes as long as both are large together. */
function editArray(
  current: Json | undefined,
  { add = [], remove = [] }: ArrayEdit,
  itemsMax: number | undefined,
): Json {
  const before: readonly Json[] = Array.isArray(current) ? current : [];
  const removed = new JsonSet(remove);
  const stored = remove.length === 0 ? before : before.filter((item) => !removed.has(item));
  const there = new JsonSet(add.length === 0 ? [] : stored);
  const items = [...stored, ...add.filter((item) => there.add(item))];
  return withinBound(itemsMax === undefined ? items : items.slice(-itemsMax));
}

/** The newest items that fit, one at least. */
function withinBound(items: readonly Json[]): Json {
  let from = items.length;
  for (let capacity = ARRAY_CHARACTERS_MAX; from > 0; from--) {
    capacity -= JSON.stringify(items[from - 1]).length + 1;
    if (capacity < 0 && from < items.length) break;
  }
  return from === 0 ? items : items.slice(from);
}
