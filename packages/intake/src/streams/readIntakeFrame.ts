import { hasForbiddenText } from "@headwater/kernel";
import type { Codec } from "@headwater/topics";
import { subjectOf } from "../operations/jsonSchema.ts";
import type { IntakeRecord, LoggedOperation } from "../operations/operation.ts";
import { loggedOperations } from "../operations/registry.ts";

/** A message of an intake topic as every group reads it, so that all of them agree on what is a record. */
export type IntakeFrame =
  | {
      readonly kind: "frame";
      readonly operation: LoggedOperation;
      /** 24 hex characters, of an account that may not exist. */
      readonly account: string;
      /** Records by position; undefined for a member that is no record. */
      readonly records: readonly (IntakeRecord | undefined)[];
    }
  | { readonly kind: "unreadable"; readonly reason: string };

/** A version has 12 bits for the position. */
const FRAME_RECORDS_MAX = 4_096;
const ACCOUNT_CHARACTERS_MAX = 64;
const ID_CHARACTERS_MAX = 1_024;
/** Forbidden text can only come from an escape: a message without one need not be walked. */
const ESCAPE = "\\u";
const YEAR_10000_MS = 253_402_300_800_000;

const operationOf: ReadonlyMap<string, LoggedOperation> = new Map(
  loggedOperations.map((operation) => [subjectOf(operation), operation]),
);

/**
 * Decodes a message. What no process of ours writes is returned as unreadable and never thrown.
 * @throws HeadwaterError 503, retriable, when a schema id is not known and the registry is away.
 */
export async function readIntakeFrame(codec: Pick<Codec, "decode">, value: Buffer): Promise<IntakeFrame> {
  const decoded = await codec.decode(value);
  if (decoded.kind === "undecodable") return { kind: "unreadable", reason: decoded.reason };
  const operation = operationOf.get(decoded.subject);
  if (operation === undefined) return unreadable(`no operation writes ${decoded.subject}`);
  if (!isFrame(decoded.value)) return unreadable("not a frame");
  const { account, records } = decoded.value;
  if (account.length > ACCOUNT_CHARACTERS_MAX || hasForbiddenText(account)) return unreadable("not an account");
  if (records.length > FRAME_RECORDS_MAX) return unreadable(`a frame of more than ${FRAME_RECORDS_MAX} records`);
  const toRecord = value.includes(ESCAPE) ? toCleanRecord : toKnownRecord;
  return { kind: "frame", operation, account, records: records.map(toRecord) };
}

function unreadable(reason: string): IntakeFrame {
  return { kind: "unreadable", reason };
}

function isFrame(value: unknown): value is { readonly account: string; readonly records: readonly unknown[] } {
  if (typeof value !== "object" || value === null) return false;
  return "account" in value && typeof value.account === "string" && "records" in value && Array.isArray(value.records);
}

function toKnownRecord(value: unknown): IntakeRecord | undefined {
  return isRecord(value) ? value : undefined;
}

/** Validation refuses text that Postgres cannot store. In the log it would fail the look-ups that a batch shares, and so its neighbours. */
function toCleanRecord(value: unknown): IntakeRecord | undefined {
  return hasForbiddenText(value) ? undefined : toKnownRecord(value);
}

/**
 * Checks the members by which a record is known and counted; all else was checked by validation, and a fold that meets another
 * shape quarantines that record alone.
 */
function isRecord(value: unknown): value is IntakeRecord {
  if (typeof value !== "object" || value === null || !("id" in value) || !("receivedAt" in value)) return false;
  if (!isId(value.id) || !isTime(value.receivedAt)) return false;
  if ("redriveOf" in value && value.redriveOf !== undefined && !isId(value.redriveOf)) return false;
  if ("row" in value && value.row !== undefined && !isRow(value.row)) return false;
  return !("once" in value) || value.once === undefined || isId(value.once);
}

function isId(value: unknown): boolean {
  return typeof value === "string" && value.length > 0 && value.length <= ID_CHARACTERS_MAX && !hasForbiddenText(value);
}

function isRow(value: unknown): boolean {
  return Number.isSafeInteger(value) && typeof value === "number" && value >= 0;
}

function isTime(value: unknown): boolean {
  return Number.isSafeInteger(value) && typeof value === "number" && value >= 0 && value < YEAR_10000_MS;
}
