import { lastWrite, type Origin, shapes, timeOfVersion, type Written } from "@headwater/contracts";
import { supplementRecordIdOf } from "@headwater/kernel";
import { pointer } from "../contactWrite.ts";
import { toJson } from "../json.ts";
import { applied, type Outcome, rejected, skipped, unknownContact } from "../outcome.ts";
import type { FoldState } from "../state/foldState.ts";
import type { Supplement, SupplementRecord } from "../state/supplement.ts";
import { badField } from "./indexes.ts";
import { linksOf } from "./link.ts";
import type { UpsertSupplementsRecordsRecord } from "./schema.ts";

/** Looks like an id of ours; only records whose id we made have one. */
const GENERATED = /^[0-9a-f]{24}$/i;
/** Written by us, or meant for us: not stored as fields. */
const notFields: ReadonlySet<string> = new Set(["id", "suppressTriggers", "ct", "lm"]);

/**
 * Writes the record's fields one by one: absent = unchanged, null = removed, a lower version never overwrites. A record of
 * a contact object belongs to the contact that its `cID`, else its `email`, finds.
 */
export function fold(state: FoldState, { supplement: key, record }: UpsertSupplementsRecordsRecord, origin: Origin) {
  const supplement = state.supplement(key);
  if (supplement === undefined) return rejected("RECORD_NOT_FOUND", "/supplement", "The account has no such table.");
  const at = `/records/${origin.recordId.split(":")[2] ?? 0}`;
  const id = record.id ?? supplementRecordIdOf(origin.account.id, origin.recordId);
  const known = living(state.supplementRecord(supplement.id, id), supplement);
  const refused = refuseId(supplement, { given: record.id, isKnown: known !== undefined, at });
  if (refused !== undefined) return refused;
  if (supplement.clearedVersion !== undefined && supplement.clearedVersion > origin.version) {
    return skipped("SUPERSEDED");
  }
  return upsert(state, { supplement, id, known, fields: record, at }, origin);
}

function living(record: SupplementRecord | undefined, { clearedVersion }: Supplement): SupplementRecord | undefined {
  return record === undefined || clearedVersion === undefined || record.version > clearedVersion ? record : undefined;
}

interface GivenId {
  readonly given: string | undefined;
  readonly isKnown: boolean;
  readonly at: string;
}

function refuseId({ autogenerateIDs }: Supplement, { given, isKnown, at }: GivenId): Outcome | undefined {
  const refuse = (message: string) => rejected("VALIDATION_ERROR", `${at}/id`, message);
  if (given === undefined) return autogenerateIDs ? undefined : refuse("A record of this table needs an id.");
  if (isKnown) return undefined;
  if (autogenerateIDs) return refuse("This table makes its ids, and has no record with this one.");
  return GENERATED.test(given) ? refuse("An id of 24 hex characters is never given, only made.") : undefined;
}

interface Upsert {
  readonly supplement: Supplement;
  readonly id: string;
  readonly known: SupplementRecord | undefined;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly at: string;
}

function upsert(state: FoldState, { supplement, id, known, fields, at }: Upsert, origin: Origin): Outcome {
  const { members, written, changed, superseded, unchanged } = writeFields(known, fields, origin);
  const bad = badField(supplement, written);
  if (bad !== undefined) return rejected(bad.code, `${at}/${pointer(bad.field)}`, bad.message);
  if (known !== undefined && isTooLarge(members)) return rejected("VALIDATION_ERROR", at, TOO_LARGE);
  const link = contactOf(state, { supplement, known, members, at }, origin);
  if (link.kind === "refused") return link.outcome;
  const visible = known === undefined || changed > 0;
  if (!visible && unchanged === 0) return skipped(superseded > 0 ? "SUPERSEDED" : "UNCHANGED");
  const time = timeOfVersion(origin.version);
  const record: SupplementRecord = {
    supplement: supplement.id,
    id,
    contact: link.contact,
    createdAt: Math.min(known?.createdAt ?? time, time),
    modifiedAt: visible ? Math.max(known?.modifiedAt ?? time, time) : (known?.modifiedAt ?? time),
    version: known !== undefined && known.version > origin.version ? known.version : origin.version,
    members,
  };
  state.setSupplementRecord(record, visible);
  return visible ? applied(link.contact ?? 0) : skipped(superseded > 0 ? "SUPERSEDED" : "UNCHANGED");
}

interface FieldsWritten {
  readonly members: ReadonlyMap<string, Written>;
  /** Those of them that were written now. */
  readonly written: ReadonlyMap<string, Written>;
  changed: number;
  unchanged: number;
  superseded: number;
}

/** On a copy: a record that is refused afterwards leaves nothing behind. */
function writeFields(
  known: SupplementRecord | undefined,
  fields: Readonly<Record<string, unknown>>,
  origin: Origin,
): FieldsWritten {
  const members = new Map(known?.members);
  const accepted = new Map<string, Written>();
  const result = { members, written: accepted, changed: 0, unchanged: 0, superseded: 0 };
  for (const [name, given] of Object.entries(fields)) {
    if (given === undefined || notFields.has(name)) continue;
    const written = lastWrite(members.get(name), toJson(given), origin.version);
    result[written.kind]++;
    if (written.kind !== "superseded") accepted.set(name, written.member);
  }
  for (const [name, member] of accepted) members.set(name, member);
  return result;
}

const TOO_LARGE = "A record has at most 1,000 fields and 524,288 characters, with what it had before.";

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
  { supplement, known, members, at }: Pick<Upsert, "supplement" | "known" | "at"> & Pick<FieldsWritten, "members">,
  { account }: Origin,
): ContactLink {
  if (!supplement.contactObject) return { kind: "contact", contact: undefined };
  const [link] = linksOf(valuesOf(members), account);
  if (link === undefined) {
    const message = "A record of this table carries the cID or the email of its contact.";
    return { kind: "refused", outcome: rejected("VALIDATION_ERROR", `${at}/email`, message) };
  }
  const [before] = known === undefined ? [] : linksOf(valuesOf(known.members), account);
  if (known?.contact !== undefined && before?.name === link.name && before.value === link.value) {
    return { kind: "contact", contact: known.contact };
  }
  const contact = state.owner(link);
  if (contact === undefined) return { kind: "refused", outcome: unknownContact(`${at}/${link.name}`) };
  return { kind: "contact", contact };
}

function valuesOf(members: ReadonlyMap<string, Written>): Readonly<Record<string, unknown>> {
  return { cID: members.get("cID")?.value, email: members.get("email")?.value };
}
