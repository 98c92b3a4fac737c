import {
  type Account,
  type ContactWrite,
  castWritten,
  findsByHash,
  type Identifier,
  type IdentifierRules,
  type IdentifiersResult,
  identifierRules,
  identifiersInOrder,
  isHashedName,
  isNotAnAddress,
  isPlaceholder,
} from "@headwater/contracts";
import { canonicalOf } from "./canonicalAddress.ts";
import { toJson } from "./castAttributes.ts";
import type { IdentifiersRead, Origin } from "./contactIndex.ts";
import { memberPaths } from "./memberPaths.ts";

/** Returns whether an attribute of this name writes an identifier of its contact: every contact has a cID of its own. */
export function isIdentifierAttribute(name: string, formats: IdentifierRules["formats"]): boolean {
  return formats.has(name) && name !== "channels" && name !== "cID";
}

function writtenIdentifiers(write: ContactWrite, origin: Pick<Origin, "account">): Identifier[] {
  const { attributes } = write;
  if (attributes === undefined) return [];
  const { settings } = origin.account;
  const { formats } = identifierRules(settings);
  const result: Identifier[] = [];
  for (const name in attributes) {
    if (isIdentifierAttribute(name, formats)) {
      addCanonical(result, name, canonicalOf(name, castValue(name, attributes[name], origin.account), origin));
    }
  }
  const { channels } = attributes;
  if (channels === undefined) return result;
  const paths = memberPaths(settings);
  for (const name in channels) {
    const { identifier } = paths.channel(name);
    addCanonical(result, identifier, canonicalOf(identifier, channels[name]?.address, origin));
  }
  return result;
}

/** Returns a value as it is written: an attribute that is declared as a number writes `007` as 7, and that is the identifier then. */
function castValue(name: string, input: unknown, { attributes, settings }: Account): unknown {
  const rule = attributes?.get(name);
  const cast = rule && castWritten(rule, toJson(input), settings.timezone);
  return cast?.kind === "value" ? cast.value : input;
}

function addCanonical(identifiers: Identifier[], name: string, value: string | undefined): void {
  if (value !== undefined) identifiers.push({ name, value });
}

/** The canonical identifiers of a record's contact: read once, for its look-ups and for its fold. */
export function readIdentifiers(write: ContactWrite, origin: Pick<Origin, "account">): IdentifiersRead {
  const provided = identifiersInOrder(origin.account.settings, write.identifiers, write.identifiersPriority);
  const read = { given: findingOf(provided, origin), written: writtenIdentifiers(write, origin) };
  if (!read.written.some(isPlaceholder)) return read;
  const named = provided.kind === "ok" ? provided.identifiers : [];
  const written = read.written.filter((one) => !isPlaceholder(one) || includesIdentifier(named, one));
  const writesPlaceholder = read.written.some((one) => isPlaceholder(one) && isNotAnAddress(one));
  return writesPlaceholder ? { ...read, written, writesPlaceholder } : { ...read, written };
}

export function includesIdentifier(identifiers: readonly Identifier[], { name, value }: Identifier): boolean {
  return identifiers.some((one) => one.name === name && one.value === value);
}

/** Hashes find nobody in an account that has not asked for it: they are left out, and looked up nowhere. */
function findingOf(received: IdentifiersResult, { account }: Pick<Origin, "account">): IdentifiersResult {
  if (received.kind !== "ok" || !received.identifiers.some(({ name }) => isHashedName(name))) return received;
  if (findsByHash(account.settings)) return received;
  return { ...received, identifiers: received.identifiers.filter(({ name }) => !isHashedName(name)) };
}

/** All identifiers a record can meet: those it names and those its attributes would write. */
export function identifiersTouched({ given, written }: IdentifiersRead): readonly Identifier[] {
  const named = given.kind === "ok" ? [...given.identifiers, ...(given.former ?? [])] : [];
  const more = written.filter((one) => !includesIdentifier(named, one));
  return more.length === 0 ? named : [...named, ...more];
}
