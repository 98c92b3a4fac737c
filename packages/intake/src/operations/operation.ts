import type { AccountSettings, ErrorDetail, Identifier, shapes } from "@headwater/contracts";
import type { Origin } from "@headwater/records/contacts/contactIndex";
import type { FoldState } from "@headwater/records/fold/foldState";
import type { Folded } from "@headwater/records/fold/outcome";
import type { StateReads } from "@headwater/records/fold/stateReads";
import type { z } from "zod";

/** A record of one operation as it stands in a frame. */
export interface IntakeRecord {
  readonly id: string;
  readonly receivedAt: number;
  readonly keyed?: boolean | undefined;
  readonly redriveOf?: string | undefined;
  readonly once?: string | undefined;
  readonly row?: number | undefined;
  readonly source?: string | undefined;
  readonly suppressTriggers?: boolean | undefined;
}

/** Members of every body that say how it came, next to what it says. */
export interface SentMembers {
  readonly source?: string | undefined;
  readonly suppressTriggers?: boolean | undefined;
}

/** Returns these members of a record as its body had them. */
export function sentMembers({ source, suppressTriggers }: SentMembers): SentMembers {
  return {
    ...(source !== undefined && { source }),
    ...(suppressTriggers !== undefined && { suppressTriggers }),
  };
}

/** Returns whether a record starts nothing: as it says, and by default where it is a row of an import or an upsert of a contact. */
export function suppressesTriggers(
  { suppressesTriggers: byDefault }: Pick<LoggedOperation, "suppressesTriggers">,
  { suppressTriggers, row }: IntakeRecord,
): boolean {
  return suppressTriggers ?? (byDefault === true || row !== undefined);
}

/** One part of an accepted body; each becomes a record. */
export type RecordPart = PartIdentity & {
  /** The operation's own members of the record, in wire form. */
  readonly members: Readonly<Record<string, unknown>>;
};

/** Decides the partition: the contact, or a key of its own for a record that names none. */
type PartIdentity =
  | { readonly contact: shapes.ContactReference; readonly key?: undefined }
  | { readonly contact?: undefined; readonly key: Identifier };

/** An operation as the log and its consumers know it. */
export interface LoggedOperation<Member extends IntakeRecord = IntakeRecord> {
  readonly name: string;
  /** Its records start no automation unless they say so. */
  readonly suppressesTriggers?: true;
  /** The record in a frame, closed; the registry's schema is made from it. */
  readonly record: z.ZodType<Member>;
  reads(record: Member, origin: Pick<Origin, "account">): StateReads;
  /** Pure: no driver, no clock, no random. */
  fold(state: FoldState, record: Member, origin: Origin): Folded;
  /** The body that becomes this record and no other. Absent: the record's own members, as they are. */
  itemOf?(record: Member): unknown;
  /** Pointer to the members of the body that become a record each. A fold names paths in the body of its record alone: `<elements>/0`. */
  readonly elements?: string;
}

/** A rule that an item breaks. */
export interface Fault extends ErrorDetail {
  /** Code of the refusal of an item that breaks only such rules; default `VALIDATION_ERROR`. */
  readonly itemCode?: "RESERVED_ACTION";
}

/** An operation as validation knows it: which bodies it accepts, and which records they become. */
export interface ValidatedOperation<Body = unknown> {
  /** The single body, closed; validation strips and names what it does not know. */
  readonly body: z.ZodType<Body>;
  /** Names of its decimal members: a number with more digits than a double holds is kept exactly there, as a string. */
  readonly decimalMembers?: readonly string[];
  /** A complete example that a test sends. */
  readonly sample: Body;
  /** Rules of validation that a shape cannot say. Paths are pointers into the body. */
  check(body: Body, settings: AccountSettings, nowMs: number): readonly Fault[];
  split(body: Body): readonly RecordPart[];
}

/** An operation without a route of its own: only pushes of partners become its records. */
export interface InternalOperation<Body = unknown, Member extends IntakeRecord = IntakeRecord>
  extends LoggedOperation<Member>,
    ValidatedOperation<Body> {
  itemOf?(record: Member): NoInfer<Body>;
}

/** All that an operation is. Route, batch twin, OpenAPI, topic, consumer and client follow from it. */
export interface Operation<Body = unknown, Member extends IntakeRecord = IntakeRecord>
  extends InternalOperation<Body, Member> {
  readonly summary: string;
  readonly batchItemsMax: number;
}

/** Keeps the types of a definition together; the registry forgets them again. */
export function defineOperation<Body, Member extends IntakeRecord>(
  definition: Operation<Body, Member>,
): Operation<Body, Member> {
  return definition;
}

/** The same for an operation without a route. */
export function defineInternalOperation<Body, Member extends IntakeRecord>(
  definition: InternalOperation<Body, Member>,
): InternalOperation<Body, Member> {
  return definition;
}
