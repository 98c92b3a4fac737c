import { createHash } from "node:crypto";
import { canonicalName, type JobInput, type Json, toJson } from "@headwater/contracts";
import type { Cell, Row } from "@headwater/jobs/sources/row";
import { type Reading, type RowRead, type RowReader, refusedRow } from "../importKind.ts";
import { attributeValueOf, type CellRules, textOf, timeOf } from "./cellValue.ts";
import { createHeaderReader, plainHeader } from "./headerSynonyms.ts";
import { createNotation } from "./notation.ts";

type Input = JobInput<"ImportActivities">;

/** Member of an activity that a column writes. */
type Target =
  | { readonly kind: "event"; readonly member: "name" | "time" | "UID" | "geo" | "device" | "properties" }
  /** Id of an export's row, which stands for a UID that is missing. */
  | { readonly kind: "id" }
  | { readonly kind: "identifier"; readonly name: string }
  | { readonly kind: "property"; readonly name: string }
  | { readonly kind: "ignored" };

const EVENT_MEMBERS = ["name", "time", "UID", "geo", "device", "properties"] as const;
/** Columns of activity exports that nobody can set. */
const NEVER_WRITTEN = new Set(["receivedAt", "mcID", "bmID", "place", "email"]);
const PROPERTIES = "properties.";
const IDENTIFIERS = "identifiers.";
const meanings: ReadonlyMap<string, (typeof EVENT_MEMBERS)[number]> = new Map(
  Object.entries({
    name: ["name", "action", "event", "event name", "activity"],
    time: ["time", "timestamp", "datetime", "date", "event time", "occurred at"],
    UID: ["uid", "event id", "activity id"],
  }).flatMap(([member, headers]) => {
    const known = EVENT_MEMBERS.find((one) => one === member);
    return known === undefined ? [] : headers.map((header) => [plainHeader(header), known] as const);
  }),
);

/** Reads activities: a column is a member of the activity, an identifier of its contact, or a property of its name. */
export async function activityReader({ account, input, header }: Reading<Input>): Promise<RowReader> {
  const meaningOf = createHeaderReader(account);
  const names = new Set(account.settings.identifiers.map(({ name }) => name));
  const hasId = header?.includes("cID") === true;
  const targetOf = (provided: string): Target => {
    const mapped = Object.hasOwn(input.mapping ?? {}, provided) ? input.mapping?.[provided] : provided;
    if (mapped === null || mapped === undefined || mapped === "") return { kind: "ignored" };
    return targetOfPath(mapped, { names, meaningOf, hasId });
  };
  const targets = (header ?? []).map(targetOf);
  const rules = {
    nullMarker: input.nullMarker,
    storesEmpty: input.emptyCells === "store",
    notation: createNotation(input),
  };
  const read = (row: Row): RowRead => {
    if (row.kind === "broken") return refusedRow("The row cannot be read.");
    const activity = new ActivityRow(input);
    if (row.kind === "object") readMembers(row.members, activity, targetOf);
    else readCells(row.cells, activity, { targets, rules });
    return activity.toItem();
  };
  const columns = header?.map((name, index) => {
    const target = targets[index] ?? { kind: "ignored" };
    const readCell = (cell: Cell) => valueOfCell(cell, target, rules);
    return { name, path: pathOf(target), identifies: target.kind === "identifier", readCell };
  });
  const ignoredColumns = (header ?? []).filter(
    (name, position) => name !== "" && targets[position]?.kind === "ignored",
  );
  return {
    newAttributes: [],
    newLists: [],
    ignoredColumns,
    read,
    identifiers: [...names],
    ...(columns && { columns }),
  };
}

interface Known {
  readonly names: ReadonlySet<string>;
  readonly meaningOf: (header: string) => string | undefined;
  /** The contact is named by its cID: of an export's other addresses none is needed. */
  readonly hasId: boolean;
}

function targetOfPath(path: string, { names, meaningOf, hasId }: Known): Target {
  if (path.startsWith(IDENTIFIERS)) return { kind: "identifier", name: canonicalName(path.slice(IDENTIFIERS.length)) };
  if (path.startsWith(PROPERTIES)) return { kind: "property", name: path.slice(PROPERTIES.length) };
  if (path === "id") return { kind: "id" };
  if (NEVER_WRITTEN.has(path) && (path !== "email" || hasId)) return { kind: "ignored" };
  const exact = EVENT_MEMBERS.find((member) => member === path);
  const member = exact ?? meanings.get(plainHeader(path));
  if (member !== undefined) return { kind: "event", member };
  const identifier = names.has(canonicalName(path)) ? canonicalName(path) : meaningOf(path);
  return identifier === undefined ? { kind: "property", name: path } : { kind: "identifier", name: identifier };
}

function pathOf(target: Target): string | null {
  switch (target.kind) {
    case "event":
      return target.member;
    case "identifier":
      return target.name;
    case "property":
      return `${PROPERTIES}${target.name}`;
    case "id":
      return "UID";
    case "ignored":
      return null;
  }
}

/** @returns undefined for a cell that says nothing. */
function valueOfCell(cell: Cell, target: Target, rules: CellRules): Json | undefined {
  const received = textOf(cell, rules);
  if (received.kind === "unchanged" || typeof received.value !== "string") return undefined;
  if (target.kind === "property") return attributeValueOf(cell, target.name, rules);
  if (target.kind !== "event") return received.value;
  if (target.member === "time") return timeOf(received.value, rules.notation);
  const isText = target.member === "name" || target.member === "UID";
  return isText ? received.value : attributeValueOf(cell, target.member, {});
}

interface Columns {
  readonly targets: readonly Target[];
  readonly rules: CellRules;
}

function readCells(cells: readonly Cell[], activity: ActivityRow, { targets, rules }: Columns): void {
  for (const [place, cell] of cells.entries()) {
    const target = targets[place] ?? { kind: "ignored" };
    const value = valueOfCell(cell, target, rules);
    if (value !== undefined) activity.add(target, value);
  }
}

/** Reads members by the names of columns, or nested as intake has them. */
function readMembers(
  members: Readonly<Record<string, unknown>>,
  activity: ActivityRow,
  targetOf: (name: string) => Target,
): void {
  for (const [name, given] of Object.entries(members)) {
    const value = toJson(given);
    if (value === null) continue;
    const inner = name === "contact" ? Reflect.get(Object(value), "identifiers") : value;
    if (name !== "identifiers" && name !== "contact") activity.add(targetOf(name), value);
    else if (typeof inner === "object" && inner !== null)
      for (const [key, one] of Object.entries(inner))
        activity.add({ kind: "identifier", name: canonicalName(key) }, toJson(one));
  }
}

const UID_CHARACTERS = 32;

/** Gathers the members of one activity. */
class ActivityRow {
  readonly #input: Input;
  readonly #identifiers: Record<string, Json> = {};
  readonly #event: Record<string, Json> = {};
  readonly #properties: Record<string, Json> = {};
  #id: Json | undefined;

  constructor(input: Input) {
    this.#input = input;
  }

  add(target: Target, value: Json): void {
    if (target.kind === "identifier") this.#identifiers[target.name] = value;
    else if (target.kind === "event") this.#event[target.member] = value;
    else if (target.kind === "property") this.#properties[target.name] = value;
    else if (target.kind === "id") this.#id = value;
  }

  toItem(): RowRead {
    if (Object.keys(this.#identifiers).length === 0) return refusedRow("The row has no identifier of a contact.");
    const { identifyBy, canBeCreated = false } = this.#input;
    const { properties: given, ...event } = this.#event;
    const properties = {
      ...(typeof given === "object" && given !== null && !Array.isArray(given) && given),
      ...this.#properties,
    };
    const contact = {
      identifiers: this.#identifiers,
      ...(identifyBy && { identifiersPriority: identifyBy }),
      ...(canBeCreated && { canBeCreated }),
    };
    const whole = { ...event, ...(Object.keys(properties).length > 0 && { properties }) };
    const UID = event.UID ?? this.#id ?? uidOf({ identifiers: this.#identifiers, ...whole });
    return { kind: "item", item: { contact, contactactivities: [{ ...whole, UID }] } };
  }
}

/** Makes the UID of an activity that has none of its content: the same row is the same activity in every import. */
function uidOf(activity: object): string {
  return `row-${createHash("sha256").update(JSON.stringify(activity)).digest("hex").slice(0, UID_CHARACTERS)}`;
}
