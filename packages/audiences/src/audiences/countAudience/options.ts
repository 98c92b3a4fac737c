import { type AccountSettings, canonicalTimezone } from "@headwater/contracts";
import { CRITERIA_KINDS, nearestFirst, readInstant } from "@headwater/criteria";
import { type ErrorDetail, listedWord, pointerStep } from "@headwater/kernel";

export interface CountOptions {
  readonly explain: boolean;
  /** Milliseconds since 1970. */
  readonly asOf?: number;
  readonly basis: "recorded" | "event";
  readonly timezone: string;
  readonly eligibleFor?: { readonly channel: string; readonly classification: "promotional" | "transactional" };
  readonly sampleSize?: number;
  /** Primary key of a contact that the answer is to explain. */
  readonly contact?: string;
}

/** Criteria as they were sent, and the JSON pointer to them. */
export interface SentCriteria {
  readonly criteria: unknown;
  readonly at: string;
}

export type CountRequest =
  | ({ readonly kind: "count"; readonly options: CountOptions } & SentCriteria)
  | { readonly kind: "saved"; readonly by: "id" | "key"; readonly named: string; readonly options: CountOptions }
  | {
      readonly kind: "invalid";
      readonly details: readonly ErrorDetail[];
      /** The options that could be read. */
      readonly options: CountOptions;
      /** Absent: the body has none. */
      readonly sent?: SentCriteria;
    };

const OPTION_NAMES = ["explain", "asOf", "basis", "timezone", "eligibleFor", "sampleSize", "contact"] as const;
export const BASES = ["recorded", "event"] as const;
export const CLASSIFICATIONS = ["promotional", "transactional"] as const;
export const SAMPLE_SIZE_MAX = 20;
/** A caller's clock may go before ours by so much. */
const AHEAD_MS_MAX = 5_000;

type Body = Readonly<Record<string, unknown>>;

/** Settings and clock by which the body is read. */
export interface ReadingCount {
  readonly settings: AccountSettings;
  /** Milliseconds since 1970 of the service's clock. */
  readonly nowMs: number;
}

/** Each names whom to count; a body has one of them, or criteria bare. */
const SUBJECTS = ["criteria", "id", "key"] as const;

/**
 * Parts a body into its options and its criteria: bare beside the options, or the member `criteria`. `{id}` and `{key}`
 * name a saved audience. Members of bare criteria that are neither stay with them, where they are errors.
 */
export function readCountRequest(body: Body, reading: ReadingCount): CountRequest {
  const details: ErrorDetail[] = [];
  const options = readOptions(body, reading, details);
  const rest = Object.entries(body).filter(([name]) => !isOneOf(OPTION_NAMES, name));
  const others = rest.filter(([name]) => !isOneOf(SUBJECTS, name));
  const [subject, ...more] = SUBJECTS.filter((name) => Object.hasOwn(body, name));
  const isBare = subject === undefined || others.some(([name]) => isOneOf(CRITERIA_KINDS, name));
  for (const name of isBare && subject !== undefined ? [subject, ...more] : more) details.push(secondSubject(name));
  if (!isBare) for (const [name] of others) details.push(unknownMember(name));
  const isOfCriteria = isBare || subject === "criteria";
  const named = isOfCriteria ? undefined : readName(subject, body[subject], details);
  const sent = isBare ? { criteria: Object.fromEntries(others), at: "" } : { criteria: body.criteria, at: "/criteria" };
  if (details.length > 0) return { kind: "invalid", details, options, ...(isOfCriteria && { sent }) };
  return named === undefined ? { kind: "count", ...sent, options } : { kind: "saved", ...named, options };
}

function readName(by: "id" | "key", named: unknown, details: ErrorDetail[]) {
  if (typeof named === "string") return { by, named };
  details.push({ path: `/${by}`, code: "type_mismatch", message: `The ${by} of a saved audience is a string.` });
  return undefined;
}

function secondSubject(name: string): ErrorDetail {
  const message = `A count is of bare criteria, of ${SUBJECTS.join(", of ")}: of one of them.`;
  return { path: `/${name}`, code: "not_allowed", message };
}

function isOneOf(names: readonly string[], name: string): boolean {
  return names.includes(name);
}

function unknownMember(name: string): ErrorDetail {
  const message = `${JSON.stringify(name)} is not a known member.`;
  return { path: `/${pointerStep(name)}`, code: "unknown_field", message, allowed: nearestFirst(name, OPTION_NAMES) };
}

function readOptions(body: Body, { settings, nowMs }: ReadingCount, details: ErrorDetail[]): CountOptions {
  const { explain = false, sampleSize } = body;
  const basis = listedWord(BASES, body.basis === undefined ? "recorded" : body.basis);
  const bad = (name: string, code: string, message: string, allowed?: readonly string[]) => {
    details.push({ path: `/${name}`, code, message, ...(allowed && { allowed }) });
    return undefined;
  };
  if (typeof explain !== "boolean") bad("explain", "type_mismatch", "The value must be `true` or `false`.");
  if (basis === undefined) bad("basis", "bad_value", "`basis` has an unknown value.", BASES);
  if (sampleSize !== undefined && !isSampleSize(sampleSize)) {
    const code = Number.isInteger(sampleSize) ? "out_of_range" : "type_mismatch";
    bad("sampleSize", code, `The value must be an integer from 0 to ${SAMPLE_SIZE_MAX}.`);
  }
  const contact = readContact(body.contact, bad);
  const timezone = readTimezone(body.timezone === undefined ? settings.timezone : body.timezone, bad);
  const asOf = readAsOf(body.asOf, timezone, bad);
  if (asOf !== undefined && asOf > nowMs + AHEAD_MS_MAX) bad("asOf", "out_of_range", "It lies in the future.");
  const eligibleFor = readEligibleFor(body.eligibleFor, bad);
  return {
    explain: explain === true,
    basis: basis ?? "recorded",
    timezone,
    ...(asOf !== undefined && { asOf }),
    ...(eligibleFor && { eligibleFor }),
    ...(isSampleSize(sampleSize) && { sampleSize }),
    ...(contact !== undefined && { contact }),
  };
}

type Bad = (name: string, code: string, message: string, allowed?: readonly string[]) => undefined;

function isSampleSize(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= SAMPLE_SIZE_MAX;
}

const PRIMARY_KEY_CHARACTERS_MAX = 1_100;

function readContact(value: unknown, bad: Bad): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "string" && value !== "" && value.length <= PRIMARY_KEY_CHARACTERS_MAX) return value;
  return bad("contact", "type_mismatch", "The value must be the primary key of a contact.");
}

function readTimezone(value: unknown, bad: Bad): string {
  const timezone = typeof value === "string" ? canonicalTimezone(value) : undefined;
  if (timezone === undefined) bad("timezone", "bad_value", "The value is not the IANA name of a time zone.");
  return timezone ?? "UTC";
}

function readAsOf(value: unknown, timezone: string, bad: Bad): number | undefined {
  if (value === undefined) return undefined;
  const instant = typeof value === "string" ? readInstant(value, timezone) : undefined;
  return instant ?? bad("asOf", "bad_value", "The value is not an ISO 8601 date or timestamp.");
}

/** Reads whom a count is limited to: contacts that may be mailed. */
export function readEligibleFor(value: unknown, bad: Bad): CountOptions["eligibleFor"] | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== "object" || value === null) {
    return bad("eligibleFor", "type_mismatch", "The value must be {channel, classification}.");
  }
  const { channel, classification, ...others }: Record<string, unknown> = { ...value };
  for (const name of Object.keys(others))
    bad(`eligibleFor/${pointerStep(name)}`, "unknown_field", "The member is unknown.", ["channel", "classification"]);
  if (channel === undefined) bad("eligibleFor/channel", "required", "`channel` is required.");
  else if (typeof channel !== "string" || channel === "")
    bad("eligibleFor/channel", "type_mismatch", "The value must be a channel key.");
  const known = listedWord(CLASSIFICATIONS, classification);
  if (known === undefined) {
    return bad("eligibleFor/classification", "bad_value", "The value is not a known classification.", CLASSIFICATIONS);
  }
  return typeof channel === "string" && channel !== "" ? { channel, classification: known } : undefined;
}
