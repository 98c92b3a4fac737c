import { shapes, timeOfVersion, toJson, toPlainTime, type Version, type Written } from "@headwater/contracts";
import { pointerStep } from "@headwater/kernel";
import type { Origin } from "../contacts/contactIndex.ts";
import { effectOf } from "../contacts/writeEffect.ts";
import type { FoldState } from "../fold/foldState.ts";
import { type Folded, folded, type Outcome, rejected, skipped, unknownContact, upserted } from "../fold/outcome.ts";
import { builtInTables } from "./builtInTables.ts";
import { floorOf, liveRecord, type Supplement, type SupplementRecord } from "./supplement.ts";
import { linksOf } from "./supplementLink.ts";
import { badField } from "./supplementTypes.ts";

/** Written by us, or meant for us: not stored as fields. */
const notFields: ReadonlySet<string> = new Set(["id", "suppressTriggers", "ct", "lm"]);
/** Looks like an id of ours; only records whose id we made have one. */
const GENERATED = /^[0-9a-f]{24}$/i;

export interface RecordRead {
  /** The record with what was written since the table was cleared and the record deleted. */
  readonly known: SupplementRecord | undefined;
  /** A write at or below it changes nothing. */
  readonly floor: Version;
}

export function readRecord(state: FoldState, supplement: Supplement, id: string): RecordRead {
  const stored = state.supplementRecord(supplement.id, id);
  return { known: liveRecord(stored, supplement), floor: floorOf(supplement, stored) };
}

/** Returns why a new record may not have the id that was given. */
export function refuseNewId({ autogenerateIDs }: Supplement, input: string | undefined): string | undefined {
  if (input === undefined) return autogenerateIDs ? undefined : "`id` is required for a record of this table.";
  if (autogenerateIDs) return "This table generates its ids, and no record has this id.";
  return GENERATED.test(input) ? "An id of 24 hex characters is reserved for generated ids." : undefined;
}

/** A write of a record whose table and id are known to be right. */
export interface RecordWrite {
  readonly supplement: Supplement;
  readonly id: string;
  /** The record as `readRecord` returns it. */
  readonly known: SupplementRecord | undefined;
  readonly fields: Readonly<Record<string, unknown>>;
  /** JSON pointer to the record, for refusals. */
  readonly at: string;
}

/**
 * Writes the record's fields one by one: absent = unchanged, null = removed, a lower version never overwrites. A record of
 * a contact object belongs to the contact that its `cID`, else its `email`, finds.
 */
export function upsertRecord(
  state: FoldState,
  { supplement, id, known, fields, at }: RecordWrite,
  origin: Origin,
): Folded {
  const { members, written, changed, superseded, unchanged } = writeFields(known, { fields, supplement }, origin);
  const bad = badField(supplement, written);
  if (bad !== undefined) return folded(rejected(bad.code, `${at}/${pointerStep(bad.field)}`, bad.message));
  if (known !== undefined && isTooLarge(members)) return folded(rejected("VALIDATION_ERROR", at, TOO_LARGE));
  const link = contactOf(state, { supplement, known, members, at }, origin);
  if (link.kind === "refused") return folded(link.outcome);
  const visible = known === undefined || changed > 0;
  const isLater = known !== undefined && origin.version > known.version;
  if (!visible && unchanged === 0 && !isLater) return folded(skipped(superseded > 0 ? "SUPERSEDED" : "UNCHANGED"));
  const time = timeOfVersion(origin.version);
  const record: SupplementRecord = {
    supplement: supplement.id,
    id,
    contact: link.contact,
    createdAt: Math.min(known?.createdAt ?? time, time),
    modifiedAt: visible ? Math.max(known?.modifiedAt ?? time, time) : (known?.modifiedAt ?? time),
    version: known !== undefined && known.version > origin.version ? known.version : origin.version,
    deletedVersion: state.supplementRecord(supplement.id, id)?.deletedVersion,
    members,
  };
  state.setSupplementRecord(record);
  return visible
    ? folded(upserted(link.contact ?? 0, known === undefined), [{ kind: "supplementRecord", record }])
    : folded(skipped(superseded > 0 ? "SUPERSEDED" : "UNCHANGED"));
}

interface FieldsWritten {
  readonly members: ReadonlyMap<string, Written>;
  /** Members that were written now. */
  readonly written: ReadonlyMap<string, Written>;
  changed: number;
  unchanged: number;
  superseded: number;
}

/** Returns a field as it is kept: an indexed date in a form that its index reads. */
function storedValue(name: string, provided: unknown, { indexes }: RecordWrite["supplement"]) {
  const isDate = typeof provided === "string" && indexes.some(({ field, type }) => field === name && type === "date");
  return isDate ? (toPlainTime(provided) ?? provided) : toJson(provided);
}

/** Writes to a copy: a record that is refused afterwards leaves nothing behind. */
function writeFields(
  known: SupplementRecord | undefined,
  { fields, supplement }: Pick<RecordWrite, "fields" | "supplement">,
  origin: Origin,
): FieldsWritten {
  const members = new Map(known?.members);
  const accepted = new Map<string, Written>();
  const result = { members, written: accepted, changed: 0, unchanged: 0, superseded: 0 };
  for (const [name, received] of Object.entries(fields)) {
    if (received === undefined || notFields.has(name)) continue;
    const written = { value: storedValue(name, received, supplement), version: origin.version };
    const effect = effectOf(members.get(name), written);
    result[effect]++;
    if (effect !== "superseded") accepted.set(name, written);
  }
  for (const [name, member] of accepted) members.set(name, member);
  return result;
}

const TOO_LARGE = "A record can have at most 1,000 fields and 524,288 characters, including its existing fields.";

function isTooLarge(members: ReadonlyMap<string, Written>): boolean {
  const { fieldsPerSupplementRecord, charactersPerSupplementRecord } = shapes.bounds;
  if (members.size > fieldsPerSupplementRecord) return true;
  let characters = 0;
  for (const [name, { value }] of members) characters += name.length + JSON.stringify(value).length;
  return characters > charactersPerSupplementRecord;
}

type ContactLink =
  | { readonly kind: "contact"; readonly contact: number | undefined }
  | { readonly kind: "refused"; readonly outcome: Outcome };

/** The contact is looked up when the record is new or names another one than before. */
function contactOf(
  state: FoldState,
  { supplement, known, members, at }: Pick<RecordWrite, "supplement" | "known" | "at"> & Pick<FieldsWritten, "members">,
  { account, version }: Origin,
): ContactLink {
  if (!supplement.contactObject) return { kind: "contact", contact: undefined };
  const [link] = linksOf(valuesOf(members), account);
  if (link === undefined) {
    // A partner may know its contact by an id of its own alone: the record is kept all the same.
    if (builtInTables.has(supplement.key)) return { kind: "contact", contact: known?.contact };
    const message = "A record of this table requires the `cID` or `email` of its contact.";
    return { kind: "refused", outcome: rejected("VALIDATION_ERROR", `${at}/email`, message) };
  }
  const [before] = known === undefined ? [] : linksOf(valuesOf(known.members), account);
  if (known?.contact !== undefined && before?.name === link.name && before.value === link.value) {
    return { kind: "contact", contact: known.contact };
  }
  const contact = state.owner(link, version);
  if (contact === undefined) {
    return { kind: "refused", outcome: unknownContact(`${at}/${link.name}`, `No contact has this \`${link.name}\`.`) };
  }
  return { kind: "contact", contact };
}

function valuesOf(members: ReadonlyMap<string, Written>): Readonly<Record<string, unknown>> {
  return { cID: members.get("cID")?.value, email: members.get("email")?.value };
}
