import { canonicalTimezone, instantOf, readMoment } from "@headwater/audience";
import type { AccountSettings } from "@headwater/contracts";
import type { ErrorDetail } from "@headwater/kernel";

export interface CountOptions {
  readonly explain: boolean;
  /** Milliseconds since 1970. */
  readonly asOf?: number;
  readonly basis: "recorded" | "event";
  readonly timezone: string;
  readonly eligibleFor?: { readonly channel: string; readonly classification: "promotional" | "transactional" };
  readonly sampleSize?: number;
}

export type CountRequest =
  | { readonly kind: "count"; readonly criteria: unknown; readonly options: CountOptions }
  | { readonly kind: "saved" }
  | { readonly kind: "invalid"; readonly details: readonly ErrorDetail[] };

const OPTION_NAMES = ["explain", "asOf", "basis", "timezone", "eligibleFor", "sampleSize"] as const;
export const SAMPLE_SIZE_MAX = 20;

type Body = Readonly<Record<string, unknown>>;

/**
 * Parts a body into its options and its criteria: bare beside the options, or the member `criteria`. `{id}` and `{key}`
 * name a saved audience. Members that are neither stay with the criteria, where they are errors.
 */
export function readCountRequest(body: Body, settings: AccountSettings): CountRequest {
  const rest = Object.fromEntries(Object.entries(body).filter(([name]) => !isOptionName(name)));
  const details: ErrorDetail[] = [];
  const options = readOptions(body, settings, details);
  const others = Object.keys(rest).filter((name) => name !== "criteria" && name !== "id" && name !== "key");
  const isWrapped = Object.hasOwn(rest, "criteria");
  if (isWrapped || others.length === 0) {
    for (const name of others) details.push(unknownMember(name));
    if (details.length > 0) return { kind: "invalid", details };
    if (isWrapped) return { kind: "count", criteria: rest.criteria, options };
    if (Object.hasOwn(rest, "id") || Object.hasOwn(rest, "key")) return { kind: "saved" };
  }
  return details.length > 0 ? { kind: "invalid", details } : { kind: "count", criteria: rest, options };
}

function isOptionName(name: string): boolean {
  const names: readonly string[] = OPTION_NAMES;
  return names.includes(name);
}

function unknownMember(name: string): ErrorDetail {
  const message = `${JSON.stringify(name)} is not a member beside criteria.`;
  return { path: `/${name}`, code: "unknown_member", message, allowed: OPTION_NAMES };
}

function readOptions(body: Body, settings: AccountSettings, details: ErrorDetail[]): CountOptions {
  const { explain = false, basis = "recorded", sampleSize } = body;
  const bad = (name: string, code: string, message: string, allowed?: readonly string[]) => {
    details.push({ path: `/${name}`, code, message, ...(allowed && { allowed }) });
    return undefined;
  };
  if (typeof explain !== "boolean") bad("explain", "type_mismatch", "It is true or false.");
  if (basis !== "recorded" && basis !== "event") bad("basis", "bad_value", "It is not a basis.", ["recorded", "event"]);
  if (sampleSize !== undefined && !isSampleSize(sampleSize)) {
    bad("sampleSize", "out_of_range", `It is a whole number up to ${SAMPLE_SIZE_MAX}.`);
  }
  const timezone = readTimezone(body.timezone ?? settings.timezone, bad);
  const asOf = readAsOf(body.asOf, timezone, bad);
  const eligibleFor = readEligibleFor(body.eligibleFor, bad);
  return {
    explain: explain === true,
    basis: basis === "event" ? "event" : "recorded",
    timezone,
    ...(asOf !== undefined && { asOf }),
    ...(eligibleFor && { eligibleFor }),
    ...(isSampleSize(sampleSize) && { sampleSize }),
  };
}

type Bad = (name: string, code: string, message: string, allowed?: readonly string[]) => undefined;

function isSampleSize(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= SAMPLE_SIZE_MAX;
}

function readTimezone(value: unknown, bad: Bad): string {
  const timezone = typeof value === "string" ? canonicalTimezone(value) : undefined;
  if (timezone === undefined) bad("timezone", "bad_value", "It is not the IANA name of a time zone.");
  return timezone ?? "UTC";
}

function readAsOf(value: unknown, timezone: string, bad: Bad): number | undefined {
  if (value === undefined) return undefined;
  const moment = typeof value === "string" ? readMoment(value) : undefined;
  if (moment !== undefined) return instantOf(moment, timezone);
  return bad("asOf", "bad_value", "It is not a date or timestamp of ISO 8601.");
}

function readEligibleFor(value: unknown, bad: Bad): CountOptions["eligibleFor"] | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== "object" || value === null) {
    return bad("eligibleFor", "type_mismatch", "It is {channel, classification}.");
  }
  const { channel, classification, ...others }: Record<string, unknown> = { ...value };
  for (const name of Object.keys(others)) bad(`eligibleFor/${name}`, "unknown_member", "It is not known here.");
  if (typeof channel !== "string" || channel === "")
    bad("eligibleFor/channel", "type_mismatch", "It is a channel's key.");
  if (classification !== "promotional" && classification !== "transactional") {
    const allowed = ["promotional", "transactional"];
    return bad("eligibleFor/classification", "bad_value", "It is not a classification.", allowed);
  }
  return typeof channel === "string" && channel !== "" ? { channel, classification } : undefined;
}
