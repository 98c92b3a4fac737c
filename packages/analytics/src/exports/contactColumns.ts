import { readContext, readSeenFields } from "@headwater/audiences/criteria/knownNames";
import { type Account, type ExportedContactColumn, identifierRules } from "@headwater/contracts";
import { type CriteriaContext, createListNames, GEO_PARTS, geoPartOf } from "@headwater/criteria";
import type { Refuse } from "@headwater/http";
import type { RoutePorts } from "../ports.ts";
import { below, type ConfigurationProblems } from "./configurationProblems.ts";

type Source = ExportedContactColumn["source"];

/** Names of all that an export of contacts may have columns of. */
export interface ContactNames {
  /** The column of a field's path, a bare attribute key or identifier, `lists`, `lists.<name>` or `listJoinDate.<name>`. */
  find(name: string): Source | undefined;
  /** The membership column of a list by its name or id. */
  findList(list: string | number): { readonly name: string; readonly source: Source } | undefined;
  /** Paths that `*` stands for. */
  readonly all: readonly string[];
  /** Names that a misspelled one may have meant. */
  readonly suggested: readonly string[];
}

const LISTS = "lists";
const MEMBER = "lists.";
const JOINED = "listJoinDate.";

/** Columns of one export. */
const COLUMNS_MAX = 2_000;

export async function readContactNames(
  account: Account,
  asOf: number | undefined,
  ports: Pick<RoutePorts, "postgres" | "clickHouse">,
): Promise<ContactNames> {
  const seen = await readSeenFields(account, [], ports);
  const context = await readContext(account, ports, { asOf, named: "all", seen });
  return contactNames(context, new Set(identifierRules(account.settings).formats.keys()));
}

/**
 * Names of an account's fields and lists. A bare name of `identifiers` means the identifier of every contact, also where an attribute has
 * the name: contacts that were never written one would have an empty column.
 */
export function contactNames(
  { fields, lists }: Pick<CriteriaContext, "fields" | "lists">,
  identifiers: ReadonlySet<string>,
): ContactNames {
  const byName = new Map(lists.toReversed().map((list) => [list.name.toLowerCase(), list] as const));
  const known = createListNames(lists);
  const sourceOf = (path: string): Source | undefined => {
    const type = fields.get(path);
    if (type !== undefined) return fieldSource(path, type);
    const position = geoPartOf(path, fields);
    return position && { kind: "value", field: position.field, declared: position.type, part: position.part };
  };
  const bareSource = (name: string): Source | undefined => {
    const [first, second] = identifiers.has(name) ? ["identifiers", "attributes"] : ["attributes", "identifiers"];
    return sourceOf(`${first}.${name}`) ?? sourceOf(`${second}.${name}`);
  };
  const ofList = (name: string, prefix: string, kind: "list" | "joined"): Source | undefined => {
    const list = name.startsWith(prefix) ? byName.get(name.slice(prefix.length).toLowerCase()) : undefined;
    return list === undefined ? undefined : { kind, list: list.id };
  };
  return {
    find: (name) => {
      if (name === LISTS) return { kind: "lists" };
      return sourceOf(name) ?? bareSource(name) ?? ofList(name, MEMBER, "list") ?? ofList(name, JOINED, "joined");
    },
    findList: (input) => {
      const list = known.find(input);
      return list === undefined
        ? undefined
        : { name: `${MEMBER}${list.name}`, source: { kind: "list", list: list.id } };
    },
    all: [...fields.keys(), LISTS],
    suggested: [
      ...fields.keys(),
      ...positionParts(fields),
      ...bareNames([...fields.keys(), ...positionParts(fields)]),
      LISTS,
      ...lists.flatMap(({ name }) => [`${MEMBER}${name}`, `${JOINED}${name}`]),
    ],
  };
}

/** Names that attributes and identifiers are also asked for as. */
function bareNames(paths: Iterable<string>): string[] {
  return [...paths].flatMap((path) => /^(?:attributes|identifiers)\.(.+)$/.exec(path)?.[1] ?? []);
}

function positionParts(fields: CriteriaContext["fields"]): string[] {
  return [...fields].flatMap(([path, type]) => (type === "geo" ? GEO_PARTS.map((part) => `${path}.${part}`) : []));
}

function fieldSource(path: string, type: string): Source {
  if (path === "cID" || path === "identifiers.cID") return { kind: "column", column: "cid" };
  if (path === "createdAt") return { kind: "column", column: "created_at" };
  if (path === "lastModified") return { kind: "column", column: "modified_at" };
  const [, channel, member] = /^channels\.(.+)\.([^.]+)$/.exec(path) ?? [];
  if (channel === undefined) return { kind: "value", field: path, declared: type };
  if (member === "address") return { kind: "channel", channel, member: "address" };
  if (member === "subscribeStatus") return { kind: "channel", channel, member: "status" };
  if (member === "valid") return { kind: "channel", channel, member: "valid" };
  return { kind: "value", field: path, declared: "moment" };
}

/** Reads a list of field names, or `*`, which stands for all that the account has. */
export function readFieldNames(value: unknown, refuse: Refuse): "*" | readonly string[] | undefined {
  if (value === "*") return value;
  if (!Array.isArray(value) || value.length > COLUMNS_MAX)
    return refuse("type_mismatch", `The value must be "*" or a list of up to ${COLUMNS_MAX} names.`);
  for (const [index, name] of value.entries())
    if (typeof name !== "string") refuse("type_mismatch", "A field is named by a string.", { below: [index] });
  return value.filter((name) => typeof name === "string");
}

/** Returns the columns of fields, and adds a problem for each that the account does not have. */
export function columnsOf(
  fields: "*" | readonly string[],
  path: string,
  { names, problems }: { readonly names: ContactNames; readonly problems: ConfigurationProblems },
): ExportedContactColumn[] {
  const all = () => names.all.flatMap((name) => toColumn(name, names) ?? []);
  if (fields === "*") return all();
  return fields.flatMap((name, index) => {
    if (name === "*") return all();
    const column = toColumn(name, names);
    if (column === undefined) problems.unknown(below(path, index), "unknown_field", name, names.suggested);
    return column ?? [];
  });
}

function toColumn(name: string, names: ContactNames): ExportedContactColumn | undefined {
  const source = names.find(name);
  return source === undefined ? undefined : { name, source };
}
