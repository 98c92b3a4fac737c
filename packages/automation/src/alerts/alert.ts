import { storableText } from "@headwater/api/paging/query";
import { toTimestamp } from "@headwater/contracts";
import type { ErrorDetail } from "@headwater/kernel";
import { z } from "zod";

/** Types that watch a batch message or a template. Rates are fractions of what was sent in the period. */
export const messageAlertTypes = [
  "total-sent",
  "delivered-rate",
  "bounce-rate",
  "complaint-rate",
  "optout-rate",
  "open-rate",
  "click-rate",
  "revenue",
] as const;

/** Types that watch the whole account. */
export const accountAlertTypes = [
  "lag-seconds",
  "intake-rejected-rate",
  "jobs-failed",
  "runs-failed",
  "unknown-sends",
  "webhook-disabled",
] as const;

export const alertTypes = [...messageAlertTypes, ...accountAlertTypes] as const;
export type AlertType = (typeof alertTypes)[number];
export type MessageAlertType = (typeof messageAlertTypes)[number];
export type AccountAlertType = (typeof accountAlertTypes)[number];

export const alertStates = ["ok", "raised", "unjudged"] as const;
export type AlertStateName = (typeof alertStates)[number];

/** Kinds of what alerts watch. */
export const alertEntities = ["batch-message", "message-automation", "account"] as const;
export type AlertEntity = (typeof alertEntities)[number];

/** Alerts of an account. */
export const ALERTS_MAX = 100;
const NOTIFY_MAX = 20;
const CONDITIONS_MAX = 10;
const ADDRESS_CHARACTERS_MAX = 254;
const VALUE_MAX = 1e15;
const PERIOD_MINUTES_MIN = 16;
/** The longest period, in minutes. */
export const PERIOD_MINUTES_MAX = 1_440;
export const PERIOD_MINUTES_DEFAULT = 60;
const TARGET_CHARACTERS_MAX = 64;

/** Id of a batch message or template. */
export const targetId = storableText(TARGET_CHARACTERS_MAX).min(1);

const address = storableText(ADDRESS_CHARACTERS_MAX).pipe(
  z.email({ pattern: z.regexes.html5Email, error: "is not an email address" }),
);

const condition = z.object({
  operator: z.enum(["lt", "lte", "gt", "gte"]),
  value: z.number().min(-VALUE_MAX).max(VALUE_MAX).describe("A fraction from 0 to 1 for rates."),
});
export const conditionsShape = z.array(condition).min(1).max(CONDITIONS_MAX);
export type AlertCondition = z.output<typeof condition>;

/** Members of an alert as bodies give them: `null` removes one that may be absent. */
export const alertMembers = {
  type: z.enum(alertTypes),
  enabled: z.boolean(),
  msID: targetId.describe("Id of a batch message.").nullish(),
  mdtID: targetId.describe("The `mdtID` of a template.").nullish(),
  notify: z.array(address).max(NOTIFY_MAX).describe("Addresses that get a mail."),
  conditions: conditionsShape.describe("All of them must hold."),
  period: z
    .number()
    .int()
    .min(PERIOD_MINUTES_MIN)
    .max(PERIOD_MINUTES_MAX)
    .describe("Minutes that are looked back over; default 60.")
    .nullish(),
};

/** Body that creates an alert. */
export const alertBody = z.object(alertMembers);

/** Members that rules hold over. */
export interface AlertTarget {
  readonly type: AlertType;
  readonly msID: string | null;
  readonly mdtID: string | null;
}

/** Returns what is wrong with what an alert watches, besides the shapes of its members. */
export function targetProblems({ type, msID, mdtID }: AlertTarget): ErrorDetail[] {
  const given = [
    ...(msID === null ? [] : [{ path: "/msID", name: "msID" }]),
    ...(mdtID === null ? [] : [{ path: "/mdtID", name: "mdtID" }]),
  ];
  if (!isMessageType(type)) {
    return given.map(({ path, name }) => ({
      path,
      code: "not_allowed",
      message: `\`${type}\` watches the account and takes no \`${name}\`.`,
    }));
  }
  if (given.length === 1) return [];
  const message = `\`${type}\` requires exactly one of \`msID\` and \`mdtID\`.`;
  return [{ path: "/msID", code: given.length === 0 ? "required" : "not_allowed", message }];
}

const messageTypeNames: ReadonlySet<string> = new Set(messageAlertTypes);
const RATES: ReadonlySet<AlertType> = new Set([
  ...["delivered-rate", "bounce-rate", "complaint-rate", "optout-rate", "open-rate", "click-rate"],
  "intake-rejected-rate",
] as const);

export function isMessageType(type: AlertType): type is MessageAlertType {
  return messageTypeNames.has(type);
}

export function entityOf({ msID, mdtID }: Pick<AlertTarget, "msID" | "mdtID">): AlertEntity {
  if (msID !== null) return "batch-message";
  return mdtID === null ? "account" : "message-automation";
}

/** Counts that an alert's value is made of. */
export interface Sample {
  readonly count: number;
  /** Count that a rate is a fraction of; not used by other types. */
  readonly of: number;
}

/** Digits behind the point that a rate is rounded to. */
const RATE_DIGITS = 6;

/** Returns the value of an alert; undefined for a rate of nothing. */
export function alertValue(type: AlertType, { count, of }: Sample): number | undefined {
  if (!RATES.has(type)) return count;
  return of === 0 ? undefined : Number((count / of).toFixed(RATE_DIGITS));
}

const comparisons: Readonly<Record<AlertCondition["operator"], (value: number, bound: number) => boolean>> = {
  lt: (value, bound) => value < bound,
  lte: (value, bound) => value <= bound,
  gt: (value, bound) => value > bound,
  gte: (value, bound) => value >= bound,
};

/** Returns whether a value fulfils all conditions. */
export function areMet(conditions: readonly AlertCondition[], value: number): boolean {
  return conditions.every(({ operator, value: bound }) => comparisons[operator](value, bound));
}

/** A stored alert, without what only its evaluation reads. Times are milliseconds since 1970. */
export interface AlertRow extends AlertTarget {
  readonly id: string;
  readonly enabled: boolean;
  readonly notify: readonly string[];
  readonly conditions: readonly AlertCondition[];
  readonly period: number;
  readonly state: AlertStateName;
  readonly since: number | null;
  readonly value: number | null;
  readonly asOf: number | null;
  readonly lastRaised: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** An alert as answers and events show it. */
export const alertShape = z.strictObject({
  id: z.string(),
  type: alertMembers.type,
  enabled: z.boolean(),
  msID: z.string().optional(),
  mdtID: z.string().optional(),
  notify: z.array(z.string()),
  conditions: z.array(z.strictObject(condition.shape)),
  period: z.number().int(),
  state: z.enum(alertStates).describe("`unjudged`: a rate of nothing, or nothing could be counted."),
  since: z.string().describe("Time since which it has this state."),
  value: z.number().optional().describe("Value of the last evaluation."),
  asOf: z.string().optional().describe("Instant up to which the value has counted everything."),
  lastRaised: z.string().optional(),
  ct: z.string(),
  lm: z.string(),
});

export function alertView(row: AlertRow): z.input<typeof alertShape> {
  const { id, type, enabled, msID, mdtID, notify, conditions, period, state, since, value, asOf, lastRaised } = row;
  return {
    ...{ id, type, enabled },
    ...(msID !== null && { msID }),
    ...(mdtID !== null && { mdtID }),
    ...{ notify: [...notify], conditions: [...conditions], period, state },
    since: toTimestamp(since ?? row.createdAt),
    ...(value !== null && { value }),
    ...(asOf !== null && { asOf: toTimestamp(asOf) }),
    ...(lastRaised !== null && { lastRaised: toTimestamp(lastRaised) }),
    ...{ ct: toTimestamp(row.createdAt), lm: toTimestamp(row.updatedAt) },
  };
}

export const alertExample = {
  id: "65f0c0ffee65f0c0ffee0111",
  type: "bounce-rate",
  enabled: true,
  msID: "65f0c0ffee65f0c0ffee00e1",
  notify: ["ops@example.com"],
  conditions: [{ operator: "gt", value: 0.05 }],
  period: 60,
  state: "raised",
  since: "2026-01-09T22:47:00.000Z",
  value: 0.081,
  asOf: "2026-01-09T22:47:00.000Z",
  lastRaised: "2026-01-09T22:47:00.000Z",
  ct: "2026-01-09T20:00:00.000Z",
  lm: "2026-01-09T20:00:00.000Z",
} as const;

export const alertRequestExample = {
  ...{ type: "lag-seconds", enabled: true, notify: ["ops@example.com"], conditions: [{ operator: "gt", value: 600 }] },
  period: 60,
} as const;
