import { type CriteriaContext, type FieldType, knownFields, type ListReference, OPERATORS } from "@headwater/audience";
import { type Account, canonicalValue, identifierRules, timeOfVersion, versionOf } from "@headwater/contracts";
import { loadAttributes, pageLists, readAttributeClears, readClearsBelow, type StoredList } from "@headwater/stores";
import type { ServicePorts } from "../ports.ts";
import { withSnapshot } from "../reading/withSnapshot.ts";

const LISTS_MAX = 100_000;

/** What a context is read for. */
export interface Naming {
  /** Milliseconds since 1970: lists and attributes are as they were cleared and deleted up to then, too. */
  readonly asOf?: number;
  /** Channels and identifiers that only the data know. */
  readonly seen?: readonly string[];
}

/** What criteria of the account may name. */
export async function readContext(
  account: Account,
  { postgres }: Pick<ServicePorts, "postgres">,
  { asOf, seen = [] }: Naming,
): Promise<CriteriaContext> {
  const { formats } = identifierRules(account.settings);
  const [definitions, lists, earlier, deletions] = await withSnapshot(postgres, (session) =>
    Promise.all([
      loadAttributes(session, account.number),
      pageLists(session, { account: account.number, rowsMax: LISTS_MAX }),
      asOf === undefined ? [] : readClearsBelow(session, account.number, versionAfter(asOf)),
      readAttributeClears(session, account.number),
    ]),
  );
  const clearOf = new Map(earlier.map(({ list, version }) => [list, version]));
  const channels = seen.flatMap((field) => /^channels\.(.+)\.[^.]+$/.exec(field)?.[1] ?? []);
  const names = seen.flatMap((field) => (field.startsWith("identifiers.") ? [field.slice("identifiers.".length)] : []));
  const fields = knownFields({
    attributes: attributesAt(definitions, deletions, asOf),
    identifiers: new Set([...formats.keys(), ...names]),
    channels: new Set([...channels, ...names.flatMap((name) => /^channels\.(.+)\.address$/.exec(name)?.[1] ?? [])]),
  });
  const canonicalIdentifier = (name: string, value: string) => canonicalValue(formats.get(name) ?? "string", value);
  const byKey = Map.groupBy(deletions, ({ key }) => `attributes.${key}`);
  const clears = new Map([...byKey].map(([path, own]) => [path, own.map(({ version }) => version)]));
  return { fields, clears, lists: lists.map((list) => toReference(list, clearOf.get(list.id))), canonicalIdentifier };
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

/** A version has 44 bits for its time. */
const TIME_MS_MAX = 2 ** 44 - 1;

/** The lowest version of a later millisecond; a moment may be given that no write has. */
function versionAfter(timeMs: number): string {
  return versionOf(Math.min(Math.max(0, timeMs + 1), TIME_MS_MAX), { lane: 0, partition: 0, offset: 0, place: 0 });
}

function toReference({ id, name, clearedVersion }: StoredList, earlier: string | undefined): ListReference {
  const clears = [clearedVersion, earlier].filter((clear) => typeof clear === "string");
  return clears.length > 0 ? { id, name, clears } : { id, name };
}

function toFieldType(type: string): FieldType {
  return isFieldType(type) ? type : "auto";
}

function isFieldType(type: string): type is FieldType {
  return Object.hasOwn(OPERATORS, type);
}

/** Whoever sends contacts names their channels and identifiers: there may be any number of them. */
const SEEN_MAX = 20_000;
/** Looked for whatever their place among those; a longer name cannot be stored. */
const WANTED_MAX = 50;
const NAME_CHARACTERS_MAX = 300;

const seenStatement = `SELECT field FROM contact_fields_current
  WHERE account = {account: UInt32} AND (startsWith(field, 'channels.') OR startsWith(field, 'identifiers.'))
  GROUP BY field ORDER BY has({wanted: Array(String)}, field) DESC, field LIMIT ${SEEN_MAX}`;

/** Channels and identifiers that the account's contacts have: those that make the wanted fields known, and others for suggestions. */
export async function readSeenFields(
  account: Account,
  wanted: readonly string[],
  { clickHouse }: Pick<ServicePorts, "clickHouse">,
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
