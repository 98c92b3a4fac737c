import { type Account, canonicalIdentifier as canonicalOf, identifierRules, timeOfVersion } from "@headwater/contracts";
import {
  addressField,
  type CriteriaContext,
  type CriteriaReferences,
  channelsOf,
  criteriaReferences,
  type FieldType,
  knownFields,
  nearestFirst,
  OPERATORS,
  type SupplementReference,
} from "@headwater/criteria";
import type { Session } from "@headwater/postgres/connection/session";
import { readAttributeClears } from "@headwater/records/attributes/attributeClears";
import { loadAttributes } from "@headwater/records/attributes/postgres";
import { readGoneNames } from "@headwater/records/lists/namedLists";
import { loadSupplements, pageSupplements } from "@headwater/records/supplements/supplements";
import { readSupplementClearsAfter, readSupplementClearsBelow } from "@headwater/records/supplements/supplementTables";
import type { CriteriaPorts } from "./criteriaPorts.ts";
import { readAudiences, SUGGESTED_MAX } from "./knownAudiences.ts";
import { readLists } from "./knownLists.ts";
import { readPostalCodes } from "./postalCodes.ts";
import { readSentChannels } from "./sentChannels.ts";
import { versionAfter } from "./versionAfter.ts";

/** The table of coordinates that rules about postal codes need. */
const POSTAL_CODES = "postal_codes";

/** Names and instant that a context is read for. */
export interface Naming {
  /** Milliseconds since 1970: lists and attributes are as they were cleared and deleted up to then, too. */
  readonly asOf?: number | undefined;
  /** Milliseconds since 1970: the first of several instants up to `asOf`. */
  readonly since?: number | undefined;
  /** Names in the criteria; `all` for whatever a misspelled name may have meant. */
  readonly named: CriteriaReferences | "all";
  /** Channels and identifiers that only the data know. */
  readonly seen?: readonly string[];
  readonly self?: CriteriaContext["self"];
  readonly namesAudience?: boolean | undefined;
}

/** Reads the names that criteria of the account may use. */
export async function readContext(account: Account, ports: CriteriaPorts, naming: Naming): Promise<CriteriaContext> {
  const { named, asOf, seen = [], self, namesAudience = false } = naming;
  const { formats } = identifierRules(account.settings);
  const readAll = async (session: Session) => {
    const read = readStored(session, account.number, naming);
    return Promise.all([loadAttributes(session, account.number), readAttributeClears(session, account.number), read]);
  };
  const [definitions, deletions, stored] = await ports.postgres.transaction(readAll, { isSnapshot: true });
  const canonicalIdentifier = (name: string, value: string) => canonicalOf(account.settings, name, value);
  const lowerCaseIdentifiers = new Set([...formats].flatMap(([name, format]) => (format === "email" ? [name] : [])));
  const attributes = attributesAt(definitions, deletions, asOf);
  const byKey = Map.groupBy(deletions, ({ key }) => `attributes.${key}`);
  const clears = new Map([...byKey].map(([path, own]) => [path, own.map(({ version }) => version)]));
  const fields = fieldsOf(attributes, [...formats.keys()], seen);
  const postalCodes = named === "all" ? undefined : await readPaths(account.number, stored, ports);
  const { lists, goneLists, audiences, supplements } = stored;
  const optional = {
    ...(self && { self }),
    ...(postalCodes && { postalCodes }),
    ...(namesAudience && { namesAudience }),
  };
  const identifiers = { canonicalIdentifier, lowerCaseIdentifiers };
  return { fields, clears, lists, goneLists, audiences, supplements, ...identifiers, ...optional };
}

type Stored = Awaited<ReturnType<typeof readStored>>;

/** Saved audiences are read first: what they name is needed as well. */
async function readStored(session: Session, account: number, { named, asOf, since }: Naming) {
  const audiences = await readAudiences(session, account, named === "all" ? "all" : named.audiences);
  const saved =
    named === "all" ? NOTHING : criteriaReferences(...[...audiences.values()].map(({ criteria }) => criteria));
  const direct = named === "all" ? NOTHING : named;
  const names = [...direct.lists.names, ...saved.lists.names];
  const ids = [...direct.lists.ids, ...saved.lists.ids];
  const postalCodes = [...direct.postalCodes, ...saved.postalCodes];
  const keys = new Set([
    ...direct.supplements,
    ...saved.supplements,
    ...(postalCodes.length > 0 ? [POSTAL_CODES] : []),
  ]);
  const [lists, supplements] = await Promise.all([
    readLists(session, { account, wanted: named === "all" ? "all" : { names, ids }, asOf, since }),
    readSupplements(session, { account, keys: named === "all" ? "all" : [...keys], asOf, since }),
  ]);
  const known = new Set(lists.map(({ id }) => id));
  // Only criteria that name a deleted list ask for its name.
  const goneLists = await readGoneNames(session, { account, ids: ids.filter((id) => !known.has(id)) });
  return { audiences, lists, goneLists, supplements, postalCodes };
}

const NOTHING = criteriaReferences();

function readPaths(account: number, { supplements, postalCodes: codes }: Stored, ports: CriteriaPorts) {
  const table = supplements.get(POSTAL_CODES);
  return table === undefined || codes.length === 0 ? undefined : readPostalCodes(account, { table, codes }, ports);
}

function fieldsOf(attributes: ReadonlyMap<string, FieldType>, identifiers: readonly string[], seen: readonly string[]) {
  const channels = seen.flatMap((field) => /^channels\.(.+)\.[^.]+$/.exec(field)?.[1] ?? []);
  const names = seen.flatMap((field) => (field.startsWith("identifiers.") ? [field.slice("identifiers.".length)] : []));
  return knownFields({
    attributes,
    identifiers: new Set([...identifiers, ...names]),
    channels: new Set([...channels, ...names.flatMap((name) => /^channels\.(.+)\.address$/.exec(name)?.[1] ?? [])]),
  });
}

/** Limit of the channels that an error names. */
const DISPLAYED_NAMES_MAX = 20;

/** @returns the channels that there are, the nearest first, for one that neither the product, a contact nor a message that was sent has; undefined for a known one. */
export async function channelsUnlessKnown(
  account: Account,
  channel: string,
  ports: Pick<CriteriaPorts, "clickHouse">,
): Promise<readonly string[] | undefined> {
  const wanted = addressField(channel);
  const fieldsWith = (seen: readonly string[]) =>
    fieldsOf(new Map(), [...identifierRules(account.settings).formats.keys()], seen);
  if (fieldsWith([]).has(wanted)) return undefined;
  const fields = fieldsWith(await readSeenFields(account, [wanted], ports));
  if (fields.has(wanted) || (await readSentChannels(account, [channel], ports)).length > 0) return undefined;
  return nearestFirst(channel, channelsOf(fields)).slice(0, DISPLAYED_NAMES_MAX);
}

type Typed = { readonly key: string; readonly type: string };

/** The attributes of now; at a past moment also those that were deleted since, each with the type it had. */
function attributesAt(
  definitions: readonly Typed[],
  deletions: readonly (Typed & { readonly version: string })[],
  asOf: number | undefined,
): Map<string, FieldType> {
  const since = asOf === undefined ? [] : deletions.filter(({ version }) => timeOfVersion(version) > asOf);
  // The first deletion since then stands last: it ended the definition of that moment.
  const typed = [...definitions, ...since.toReversed()];
  return new Map(typed.map(({ key, type }) => [key, toFieldType(type)]));
}

function toFieldType(type: string): FieldType {
  return isFieldType(type) ? type : "auto";
}

function isFieldType(type: string): type is FieldType {
  return Object.hasOwn(OPERATORS, type);
}

/** Limit of the names that are checked. Senders of contacts name their channels and identifiers: there may be any number of them. */
const SEEN_MAX = 20_000;
/** Searched for whatever their place among those; a longer name cannot be stored. */
const WANTED_MAX = 50;
const NAME_CHARACTERS_MAX = 300;

const seenStatement = `SELECT field FROM contact_fields_current
  WHERE account = {account: UInt32} AND (startsWith(field, 'channels.') OR startsWith(field, 'identifiers.'))
  GROUP BY field ORDER BY has({wanted: Array(String)}, field) DESC, field LIMIT ${SEEN_MAX}`;

/** Channels and identifiers that the account's contacts have: those that make the wanted fields known, and others for suggestions. */
export async function readSeenFields(
  account: Account,
  wanted: readonly string[],
  { clickHouse }: Pick<CriteriaPorts, "clickHouse">,
): Promise<string[]> {
  const known = wanted.filter((field) => field.length <= NAME_CHARACTERS_MAX).slice(0, WANTED_MAX);
  const params = { account: account.number, wanted: [...new Set(known.flatMap(witnessesOf))] };
  const rows = await clickHouse.query<{ field: string }>(seenStatement, params);
  return rows.map(({ field }) => field);
}

/** Stored fields that make a field known: any member of its channel, or the channel's identifier. */
function witnessesOf(field: string): string[] {
  const channel = /^channels\.(.+)\.[^.]+$/.exec(field)?.[1];
  if (channel === undefined) return [field];
  const members = CHANNEL_MEMBERS.map((member) => `channels.${channel}.${member}`);
  return [...members, `identifiers.channels.${channel}.address`];
}

const CHANNEL_MEMBERS = ["address", "subscribeStatus", "subscribedAt", "unsubscribedAt", "valid"] as const;

interface SupplementsRead {
  /** The account's number. */
  readonly account: number;
  readonly keys: readonly string[] | "all";
  /** Milliseconds since 1970. */
  readonly asOf: number | undefined;
  /** Milliseconds since 1970: the first instant of several up to `asOf`, of which every clear counts. */
  readonly since?: number | undefined;
}

/** Reads the tables that criteria name, with their clears; at a past moment also the last one before it. */
async function readSupplements(
  session: Session,
  { account, keys, asOf, since = asOf }: SupplementsRead,
): Promise<Map<string, SupplementReference>> {
  if (keys !== "all" && keys.length === 0) return new Map();
  const tables =
    keys === "all"
      ? await pageSupplements(session, { account, direction: "asc", skip: 0, rowsMax: SUGGESTED_MAX })
      : await loadSupplements(
          session,
          keys.map((key) => ({ account, key })),
        );
  const earlier = since === undefined ? [] : await readSupplementClearsBelow(session, account, versionAfter(since));
  const later =
    since === asOf || since === undefined ? [] : await readSupplementClearsAfter(session, account, versionAfter(since));
  const clearsOf = Map.groupBy([...earlier, ...later], ({ supplement }) => supplement);
  return new Map(
    tables.map(({ id, key, contactObject: isLinked, clearedVersion }) => {
      const versions = [clearedVersion, ...(clearsOf.get(id) ?? []).map(({ version }) => version)];
      const clears = new Set(versions.filter((clear) => typeof clear === "string"));
      return [key, { id, key, isLinked, clears: [...clears] }];
    }),
  );
}
