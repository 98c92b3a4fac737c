import {
  type Account,
  canonicalIdentifier,
  canonicalName,
  importedChannelMembers,
  type JobInput,
  type Json,
  toJson,
} from "@headwater/contracts";
import type { JobPorts } from "@headwater/jobs/runner/jobKind";
import { importFailed } from "@headwater/jobs/sources/importError";
import type { Cell, Row } from "@headwater/jobs/sources/row";
import { pointerStep } from "@headwater/kernel";
import { loadAttributeRules, loadAttributes } from "@headwater/records/attributes/postgres";
import { type Reading, type RowRead, type RowReader, refusedRow } from "../importKind.ts";
import { attributeValueOf, membershipOf, textOf } from "./cellValue.ts";
import { type ContactOptions, ContactRow } from "./contactRow.ts";
import { createHeaderReader } from "./headerSynonyms.ts";
import type { ImportColumn } from "./importColumn.ts";
import { listsOfImport } from "./importLists.ts";
import { createNotation } from "./notation.ts";
import { type Known, type Target, targetOf } from "./target.ts";

type Input = JobInput<"ImportContacts">;
type Ports = Pick<JobPorts, "postgres">;

/** Finds out what each column of a contact import is. @throws HeadwaterError for columns that it may not bring up. */
export async function contactReader(reading: Reading<Input>, ports: Ports): Promise<RowReader> {
  const { account, input, header } = reading;
  const [rules, defined] = await Promise.all([
    loadAttributeRules(ports.postgres, account),
    loadAttributes(ports.postgres, account.number),
  ]);
  const attributes = new Set(defined.map(({ key }) => key));
  const positions = new Set(defined.flatMap(({ key, type }) => (type === "geo" ? [key, `${key}.loc`] : [])));
  const paths = (header ?? []).map((name) => pathOf(name, input));
  const lists = await listsOfImport(
    reading,
    paths.filter((path) => path !== null),
    ports,
  );
  const known: Known = {
    account,
    lists: lists.names,
    attributes,
    places: positions,
    meaningOf: createHeaderReader(account),
  };
  expectMapped(input, header);
  const targets = targetsOf(header ?? [], input, known);
  refuseDoubled(targets);
  const newAttributes = namesOf(targets, "attribute").filter((name) => !isDefined(name, known));
  refuseChannels(newAttributes.filter(namesChannel));
  if (account.settings.strictAttributes || input.createAttributes === false) refuseNew(newAttributes);
  await lists.make(namesOf(targets, "list"));
  const options = optionsOf(input, { account, rules, lists });
  const brought = new BroughtAttributes(newAttributes, (name) => isDefined(name, known));
  const refusesNew = input.createAttributes === false;
  return {
    get newAttributes() {
      return brought.names;
    },
    newLists: lists.missing,
    ...(header !== null && { columns: columnsOf(header, targets, { input, options }) }),
    identifiers: input.identifyBy ?? account.settings.identifiers.map(({ name }) => name),
    ignoredColumns: (header ?? []).filter((name, index) => name !== "" && targets[index]?.kind === "ignored"),
    prepare: (rows) => lists.make(rows.flatMap((row) => listsNamedBy(row, known, input))),
    read: (row) =>
      row.kind === "cells"
        ? readCells(row, { header: header ?? [], targets, options })
        : readObject(row, { known, input, options, brought, refusesNew, hasColumns: header !== null }),
  };
}

function pathOf(name: string, { mapping = {} }: Input): string | null {
  if (Object.hasOwn(mapping, name)) return mapping[name] ?? null;
  return name === "" ? null : name;
}

/**
 * Finds what each column is. A header that would bring up an attribute, and that stands for an identifier which no other column is, is
 * that identifier.
 */
function targetsOf(header: readonly string[], input: Input, known: Known): Target[] {
  const exact = header.map((name): Target => {
    const path = pathOf(name, input);
    return path === null ? { kind: "ignored" } : targetOf(path, known);
  });
  const taken = new Set(exact.flatMap((target) => (target.kind === "identifier" ? [target.name] : [])));
  return exact.map((target, position) => {
    const name = header[position] ?? "";
    const meant = isMapped(name, input) ? undefined : identifierMeant(name, target, known);
    if (meant === undefined || taken.has(meant)) return target;
    taken.add(meant);
    return { kind: "identifier", name: meant };
  });
}

function isMapped(name: string, { mapping = {} }: Input): boolean {
  return Object.hasOwn(mapping, name);
}

function identifierMeant(name: string, target: Target, known: Known): string | undefined {
  if (target.kind !== "attribute" || target.name !== name || isDefined(name, known)) return undefined;
  return known.meaningOf(name);
}

function columnsOf(
  header: readonly string[],
  targets: readonly Target[],
  { input, options }: { readonly input: Input; readonly options: ContactOptions },
): ImportColumn[] {
  const finding = input.identifyBy?.map(canonicalName);
  return header.map((name, place) => {
    const target = targets[place] ?? { kind: "ignored" };
    const identifies = target.kind === "identifier" && (finding === undefined || finding.includes(target.name));
    return { name, path: pathOfTarget(target), identifies, readCell: (cell) => valueOfCell(cell, target, options) };
  });
}

function valueOfCell(cell: Cell, target: Target, options: ContactOptions): Json | undefined {
  const provided = textOf(cell, options);
  if (provided.kind === "unchanged" || typeof provided.value !== "string") return undefined;
  switch (target.kind) {
    case "identifier":
      return options.canonical(target.name, provided.value) ?? provided.value;
    case "attribute":
      return attributeValueOf(cell, target.name, options);
    case "list":
      return membershipOf(provided.value) ?? provided.value;
    case "channel":
    case "ignored":
      return provided.value;
  }
}

function pathOfTarget(target: Target): string | null {
  switch (target.kind) {
    case "identifier":
      return target.name;
    case "channel":
      return `channels.${target.channel}.${target.member}`;
    case "attribute":
      return `attributes.${target.name}`;
    case "list":
      return `lists.${target.name}`;
    case "ignored":
      return null;
  }
}

/** A mapping of a column that the source lacks is a mistake. */
function expectMapped({ mapping = {} }: Input, header: readonly string[] | null): void {
  if (header === null) return;
  const names = new Set(header);
  const unknown = Object.keys(mapping).filter((name) => !names.has(name));
  if (unknown.length > 0)
    throw importFailed(`\`mapping\` names columns that the source does not have: ${namesView(unknown)}.`);
}

/** The later of two columns would win in silence. Of identifiers there may be several, whose cells have to agree. */
function refuseDoubled(targets: readonly Target[]): void {
  const seen = new Set<string>();
  const doubled = new Set<string>();
  for (const target of targets) {
    const name = nameOf(target);
    if (name === undefined) continue;
    if (seen.has(name)) doubled.add(name);
    seen.add(name);
  }
  if (doubled.size > 0) throw importFailed(`Several columns write the same member: ${namesView([...doubled])}.`);
}

function nameOf(target: Target): string | undefined {
  switch (target.kind) {
    case "attribute":
      return `attributes.${target.name}`;
    case "list":
      return `lists.${target.name.toLowerCase()}`;
    case "channel":
      return `channels.${target.channel}.${target.member}`;
    default:
      return undefined;
  }
}

const DISPLAYED_NAMES_MAX = 20;

function namesView(names: readonly string[]): string {
  return names
    .slice(0, DISPLAYED_NAMES_MAX)
    .map((name) => JSON.stringify(name.slice(0, 128)))
    .join(", ");
}

function refuseNew(names: readonly string[]): void {
  if (names.length > 0)
    throw importFailed(`The source has columns for attributes that are not defined: ${namesView(names)}.`);
}

/** A misspelled member of a channel would be an attribute that nobody reads. */
function namesChannel(attribute: string): boolean {
  return attribute.startsWith("channels.");
}

function refuseChannels(names: readonly string[]): void {
  if (names.length > 0)
    throw importFailed(
      `The source has columns of members that channels do not have: ${namesView(names)}. There are ${importedChannelMembers.join(", ")}.`,
    );
}

function namesOf(targets: readonly Target[], kind: "attribute" | "list"): string[] {
  return [...new Set(targets.flatMap((target) => (target.kind === kind ? [target.name] : [])))];
}

/** Parts of a path stand in columns of their own: `home.city` where `home` is one. */
function isDefined(name: string, { account: { settings }, attributes, places }: Known): boolean {
  const dot = name.lastIndexOf(".");
  if (attributes.has(name) || (dot > 0 && places.has(name.slice(0, dot)))) return true;
  return settings.identifiers.some((identifier) => identifier.name === name);
}

function optionsOf(
  input: Input,
  known: Pick<ContactOptions, "rules"> & {
    readonly account: Account;
    readonly lists: Awaited<ReturnType<typeof listsOfImport>>;
  },
): ContactOptions {
  const { strategy = "upsert", forceSubscribe = false, mergeOptions, identifyBy, nullMarker, emptyCells } = input;
  return {
    strategy,
    forceSubscribe,
    mergeOptions,
    identifyBy: identifyBy?.map(canonicalName),
    written: writtenIdentifiers(known.account),
    nullMarker,
    storesEmpty: emptyCells === "store",
    notation: createNotation(input),
    lists: known.lists.ofAll,
    listIds: known.lists.ids,
    wouldBeMade: known.lists.wouldBeMade,
    rules: known.rules,
    canonical: (name, value) => canonicalIdentifier(known.account.settings, name, value),
  };
}

function writtenIdentifiers({ settings }: Account): ReadonlySet<string> {
  return new Set(settings.identifiers.map(({ name }) => name).filter((name) => name !== "cID"));
}

interface Columns {
  readonly header: readonly string[];
  readonly targets: readonly Target[];
  readonly options: ContactOptions;
}

function readCells({ cells }: Extract<Row, { kind: "cells" }>, { header, targets, options }: Columns): RowRead {
  const contact = new ContactRow(options);
  for (let place = 0; place < cells.length; place++) {
    const [cell, target] = [cells[place], targets[place]];
    if (cell !== undefined && target !== undefined) contact.addCell(header[place] ?? "", target, cell);
  }
  return itemOf(contact);
}

function itemOf(contact: ContactRow, ignored: readonly string[] = []): RowRead {
  const { wrong } = contact;
  if (wrong !== undefined) return refusedRow(wrong.message, `/${pointerStep(wrong.name)}`);
  const item = contact.toItem();
  if (item === undefined) return refusedRow("The row has no identifier of a contact.");
  return { kind: "item", item, ignored, ...(contact.joinsNewList && { joinsNewList: true }) };
}

interface Members {
  readonly known: Known;
  readonly input: Input;
  readonly options: ContactOptions;
  readonly brought: BroughtAttributes;
  /** A row that brings up an attribute is refused. */
  readonly refusesNew: boolean;
  /** The row is one of a file of columns (Parquet), in which arrays and objects may stand as their text. */
  readonly hasColumns: boolean;
}

function readObject(row: Row, members: Members): RowRead {
  const { known, input, options, brought, refusesNew, hasColumns } = members;
  const contact = new ContactRow(options, hasColumns);
  const ignored: string[] = [];
  for (const { name, target, value } of membersOf(row, known, input)) {
    if (target.kind === "ignored") ignored.push(name);
    const isNew = target.kind === "attribute" && brought.note(target.name);
    if (isNew && namesChannel(target.name)) return refusedRow("Channels have no such member.", `/${pointerStep(name)}`);
    if (isNew && refusesNew) return unknownAttribute(name);
    contact.addValue(name, target, hasColumns ? columnValue(value, target, options) : value);
  }
  // Ignored columns are named as such.
  return itemOf(contact, hasColumns ? [] : ignored);
}

/** Reads a text of a column as a quoted cell: the file says that it is a text, so it is never a number or a boolean. */
function columnValue(value: Json, target: Target, { rules }: ContactOptions): Json {
  if (typeof value !== "string" || target.kind !== "attribute") return value;
  return attributeValueOf({ text: value, isQuoted: true }, target.name, { rules });
}

function unknownAttribute(name: string): RowRead {
  const message = "The attribute is not defined, and the import may define none.";
  return { kind: "refused", code: "UNKNOWN_ATTRIBUTE", path: `/${pointerStep(name)}`, message };
}

/** Limit of the names that are shown. */
const BROUGHT_MAX = 1_000;

/** Names of attributes that rows bring up: those of columns, and those of members as they come. */
class BroughtAttributes {
  readonly #names: Set<string>;
  readonly #isDefined: (name: string) => boolean;

  constructor(names: readonly string[], isDefinedName: (name: string) => boolean) {
    this.#names = new Set(names);
    this.#isDefined = isDefinedName;
  }

  get names(): readonly string[] {
    return [...this.#names];
  }

  /** @returns true for one that is not defined. */
  note(name: string): boolean {
    if (this.#isDefined(name)) return false;
    if (this.#names.size < BROUGHT_MAX) this.#names.add(name);
    return true;
  }
}

interface Member {
  readonly name: string;
  readonly target: Target;
  readonly value: Json;
}

/** The members of a line of JSON: by the names of columns, or nested as the API has them. */
function* membersOf(row: Row, known: Known, input: Input): Generator<Member> {
  if (row.kind !== "object") return;
  const taken = new Set<string>();
  for (const [name, received] of Object.entries(row.members)) {
    const value = toJson(received);
    const nested = Object.hasOwn(input.mapping ?? {}, name) ? undefined : nestedOf(name, value);
    if (nested !== undefined) {
      for (const [path, inner] of nested) yield { name, target: targetOf(path, known), value: inner };
      continue;
    }
    const path = pathOf(name, input);
    if (path === null) continue;
    const target = targetOf(path, known);
    const meant = isMapped(name, input) ? undefined : identifierMeant(name, target, known);
    const isMeant = meant !== undefined && !Object.hasOwn(row.members, meant) && !taken.has(meant);
    if (isMeant) taken.add(meant);
    yield { name, target: isMeant ? { kind: "identifier", name: meant } : target, value };
  }
}

/** @returns undefined for what is no group of members. */
function nestedOf(name: string, value: Json): [string, Json][] | undefined {
  if (name === "lists" && Array.isArray(value)) return value.map((list) => [`lists.${String(list)}`, true]);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const entries = Object.entries(value);
  if (name === "identifiers" || name === "attributes" || name === "lists")
    return entries.map(([key, inner]) => [`${name}.${key}`, inner]);
  if (name !== "channels") return undefined;
  return entries.flatMap(([channel, members]) =>
    Object.entries(Object(members)).map(([key, inner]): [string, Json] => [
      `channels.${channel}.${key}`,
      toJson(inner),
    ]),
  );
}

function listsNamedBy(row: Row, known: Known, input: Input): string[] {
  const names: string[] = [];
  for (const { target } of membersOf(row, known, input)) if (target.kind === "list") names.push(target.name);
  return names;
}
