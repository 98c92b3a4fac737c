import { type AccountSettings, canonicalTimezone } from "@headwater/contracts";
import {
  CRITERIA_KINDS,
  criteriaExamples,
  criteriaSchema,
  formsWith,
  nearestFirst,
  readInstant,
} from "@headwater/criteria";
import { parsedBy, publishedAs, type Refuse, readMembers } from "@headwater/http";
import { type ErrorDetail, listedWord, pointerStep } from "@headwater/kernel";
import { z } from "zod";

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

const SAMPLE_SIZE_MAX = 20;
const SAMPLE_SIZE = `The value must be an integer from 0 to ${SAMPLE_SIZE_MAX}.`;
const PRIMARY_KEY_CHARACTERS_MAX = 1_100;
const CLASSIFICATIONS = ["promotional", "transactional"] as const;

/** The member that limits a count to contacts that may be mailed. */
export function eligibleFor(channel: z.ZodType, description: string) {
  const grammar = z.strictObject({ channel, classification: z.enum(CLASSIFICATIONS) }).describe(description);
  return parsedBy(grammar, readEligibleFor);
}

function readEligibleFor(value: unknown, refuse: Refuse): CountOptions["eligibleFor"] {
  if (typeof value !== "object" || value === null)
    return refuse("type_mismatch", "The value must be {channel, classification}.");
  const { channel, classification, ...others }: Record<string, unknown> = { ...value };
  for (const name of Object.keys(others))
    refuse("unknown_field", "The member is unknown.", { below: [name], allowed: ["channel", "classification"] });
  if (channel === undefined) refuse("required", "`channel` is required.", { below: ["channel"] });
  else if (typeof channel !== "string" || channel === "")
    refuse("type_mismatch", "The value must be a channel key.", { below: ["channel"] });
  const known = listedWord(CLASSIFICATIONS, classification);
  if (known === undefined) {
    const where = { below: ["classification"], allowed: CLASSIFICATIONS };
    return refuse("bad_value", "The value is not a known classification.", where);
  }
  return typeof channel === "string" && channel !== "" ? { channel, classification: known } : undefined;
}

const options = {
  explain: z.boolean("The value must be `true` or `false`.").describe("Count at every node.").optional(),
  asOf: parsedBy(
    z.string().describe("The moment to count at, not in the future; windows end there. Default: now."),
    (value, refuse) => {
      const isTime = typeof value === "string" && readInstant(value, "UTC") !== undefined;
      return isTime ? value : refuse("bad_value", "The value is not an ISO 8601 date or timestamp.");
    },
  ).optional(),
  basis: z
    .enum(["recorded", "event"], "`basis` has an unknown value.")
    .describe("The meaning of a past `asOf`. Default `recorded`: the state as it was recorded then.")
    .optional(),
  timezone: parsedBy(z.string().describe("IANA name. Default: the time zone of the account."), (value, refuse) => {
    const timezone = typeof value === "string" ? canonicalTimezone(value) : undefined;
    return timezone ?? refuse("bad_value", "The value is not the IANA name of a time zone.");
  }).optional(),
  eligibleFor: eligibleFor(
    z.string().min(1),
    "Only contacts who may receive messages of this classification on the channel.",
  ).optional(),
  sampleSize: z
    .int({ error: SAMPLE_SIZE, abort: true })
    .min(0, SAMPLE_SIZE)
    .max(SAMPLE_SIZE_MAX, SAMPLE_SIZE)
    .describe("Number of cIDs to return, sampled evenly from the set.")
    .optional(),
  contact: parsedBy(
    z
      .string()
      .min(1)
      .describe(
        "Primary key of a contact: the answer says of each node whether it holds the contact, and what it saw. Needs `contacts:read` as well.",
      ),
    (value, refuse) => {
      const isKey = typeof value === "string" && value !== "" && value.length <= PRIMARY_KEY_CHARACTERS_MAX;
      return isKey ? value : refuse("type_mismatch", "The value must be the primary key of a contact.");
    },
  ).optional(),
};
const OPTION_NAMES = Object.keys(options);

/** Criteria bare or wrapped, or a saved audience, with options: for those who write bodies. */
const grammar = z
  .union([
    z.strictObject({ criteria: criteriaSchema, ...options }),
    z.strictObject({ id: z.string(), ...options }),
    z.strictObject({ key: z.string(), ...options }),
    ...formsWith(options),
  ])
  .meta({
    description:
      "Whom to count: criteria, bare or as a member, or a saved audience by `id` or `key`; and options beside.",
    examples: [
      ...Object.values(criteriaExamples),
      { criteria: { and: [] }, explain: true, sampleSize: 5 },
      { key: "vip" },
    ],
  });

/** The body of a count. The parser of criteria reports the mistakes of all members that are not options, with codes of its own. */
export const countBody = readMembers(publishedAs(z.looseObject(options), grammar));
export type CountBody = ReturnType<typeof countBody.parse>;

/** A caller's clock may go before ours by so much. */
const AHEAD_MS_MAX = 5_000;

/** Settings and clock by which the body is read. */
export interface ReadingCount {
  readonly settings: AccountSettings;
  /** Milliseconds since 1970 of the service's clock. */
  readonly nowMs: number;
}

/** Each names whom to count; a body has one of them, or criteria bare. */
const SUBJECTS = ["criteria", "id", "key"] as const;

/**
 * Parts a body into its options and its criteria: bare next to the options, or the member `criteria`. `{id}` and `{key}`
 * name a saved audience. Members of bare criteria that are neither stay with them, where they are errors.
 */
export function readCountRequest({ given: body, members, problems }: CountBody, reading: ReadingCount): CountRequest {
  const details: ErrorDetail[] = [...problems];
  const options = optionsOf(members, reading, details);
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

function optionsOf(
  { explain = false, basis = "recorded", timezone, ...members }: CountBody["members"],
  { settings, nowMs }: ReadingCount,
  details: ErrorDetail[],
): CountOptions {
  const zone = timezone ?? settings.timezone;
  const asOf = members.asOf === undefined ? undefined : readInstant(members.asOf, zone);
  if (asOf !== undefined && asOf > nowMs + AHEAD_MS_MAX)
    details.push({ path: "/asOf", code: "out_of_range", message: "It lies in the future." });
  return {
    explain,
    basis,
    timezone: zone,
    ...(asOf !== undefined && { asOf }),
    ...(members.eligibleFor && { eligibleFor: members.eligibleFor }),
    ...(members.sampleSize !== undefined && { sampleSize: members.sampleSize }),
    ...(members.contact !== undefined && { contact: members.contact }),
  };
}
