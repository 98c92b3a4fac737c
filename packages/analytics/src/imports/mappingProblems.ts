import {
  type Account,
  canonicalName,
  identifierRules,
  importedChannelMembers,
  readChannelColumn,
} from "@headwater/contracts";
import { nearestNames } from "@headwater/criteria";
import { type ErrorDetail, pointerStep } from "@headwater/kernel";
import type { Session } from "@headwater/postgres/connection/session";
import { loadAttributes } from "@headwater/records/attributes/postgres";
import { hasIdentifierNamed } from "@headwater/records/contacts/identifiers";
import type { ImportBody } from "./importBodies.ts";

type Names = Pick<ImportBody, "mapping" | "columns" | "identifyBy">;
type Caller = Pick<Account, "number" | "settings">;

const CHANNELS = "channels.";
const ATTRIBUTES = "attributes.";
const IDENTIFIERS = "identifiers.";
/** Exports write it, and nobody can set it: its column is passed over. */
const NEVER_WRITTEN = /^channels\..+\.valid$/;
const SUGGESTED_MAX = 3;

/** Finds mappings to members that channels do not have, and names of identifiers that nothing can be identified by. */
export async function mappingProblems(names: Names, account: Caller, session: Session): Promise<ErrorDetail[]> {
  return [...(await channelProblems(names, account, session)), ...(await identifierProblems(names, account, session))];
}

async function channelProblems(
  { mapping = {} }: Names,
  { number, settings }: Caller,
  session: Session,
): Promise<ErrorDetail[]> {
  const { formats } = identifierRules(settings);
  const wrong = Object.entries(mapping).flatMap(([header, path]) => {
    const attribute = path?.startsWith(ATTRIBUTES) ? path.slice(ATTRIBUTES.length) : path;
    if (path === null || attribute?.startsWith(CHANNELS) !== true) return [];
    const isKnown = attribute === path && (formats.has(canonicalName(path)) || isChannelMember(path));
    return isKnown ? [] : [{ header, attribute }];
  });
  if (wrong.length === 0) return [];
  const defined = new Set((await loadAttributes(session, number)).map(({ key }) => key));
  const unknown = wrong.filter(({ attribute }) => !defined.has(attribute));
  return unknown.map(({ header }) => ({
    path: `/mapping/${pointerStep(header)}`,
    code: "unknown_field",
    message: "Channels have no such member.",
    allowed: importedChannelMembers.map((member) => `${CHANNELS}<channel>.${member}`),
  }));
}

function isChannelMember(path: string): boolean {
  return NEVER_WRITTEN.test(path) || readChannelColumn(path) !== undefined;
}

/** Contacts may have identifiers that the account does not list; a first one has to be named as one in the request. */
async function identifierProblems(
  { identifyBy = [], mapping = {}, columns = [] }: Names,
  { number: account, settings }: Caller,
  session: Session,
): Promise<ErrorDetail[]> {
  const { formats } = identifierRules(settings);
  const named = [...Object.values(mapping), ...columns].flatMap((path) =>
    path?.startsWith(IDENTIFIERS) ? canonicalName(path.slice(IDENTIFIERS.length)) : [],
  );
  const known = new Set([...formats.keys(), ...named]);
  const problems: ErrorDetail[] = [];
  for (const [index, name] of identifyBy.entries()) {
    if (known.has(canonicalName(name)) || (await hasIdentifierNamed(session, account, canonicalName(name)))) continue;
    const message = "No identifier has this name. A new one is named by a mapping to `identifiers.<name>`.";
    const allowed = [...new Set([...nearestNames(name, formats.keys()), ...formats.keys()])].slice(0, SUGGESTED_MAX);
    problems.push({ path: `/identifyBy/${index}`, code: "unknown_reference", message, allowed });
  }
  return problems;
}
