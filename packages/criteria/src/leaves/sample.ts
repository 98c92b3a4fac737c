import { z } from "zod";
import type { Scope } from "../compile/scope.ts";
import type { LeafSet } from "../compile/selection.ts";
import { CRITERIA_LIMITS } from "../limits.ts";
import type { Parse } from "../parse/parserRun.ts";
import { checkMembers, isJsonObject, type JsonObject, pointer } from "../parse/problems.ts";
import type { Points } from "../trend/points.ts";
import { ALWAYS, rowCodes } from "../trend/rowCodes.ts";
import type { LeafDefinition } from "./leaf.ts";

export interface SampleLeaf {
  readonly kind: "sample";
  readonly path: string;
  readonly salt: string;
  /** Range in parts of the whole; `to` is excluded. */
  readonly from: number;
  readonly to: number;
  /** Parts of the whole: 100,000,000. Absent in criteria that messages and jobs stored when ranges had 10,000 of them. */
  readonly whole?: number;
}

/** A stable share of all contacts. */
export const sampleLeaf: LeafDefinition<SampleLeaf> = {
  kind: "sample",
  forms: [
    {
      sample: z
        .strictObject({
          percent: z.number().min(0).max(100),
          from: z.number().min(0).max(100).optional(),
          salt: z.string().max(CRITERIA_LIMITS.saltCharactersMax).optional(),
        })
        .describe("A stable share, of two decimals at most; ranges side by side of one salt have nobody in common."),
    },
  ],
  examples: [{ sample: { percent: 10, salt: "spring" } }, { sample: { percent: 33.33, from: 33.33 } }],
  parse: parseSample,
  select: selectSample,
  trend: sampleTrend,
  saw: sawOfSample,
};

const PERCENT_MAX = 100;
/** Shares have two decimals at most. */
const HUNDREDTHS = 100;
/** Ends are stored in millionths of a percent, as those of samples that were stored with more decimals. */
const PERCENT_PARTS = 1_000_000;

/** `{"sample": {"percent", "from"?, "salt"?}}`: ranges side by side of one salt have no contact in common. */
function parseSample(input: JsonObject, path: string, parse: Parse): SampleLeaf | undefined {
  const { problems } = parse;
  checkMembers(problems, input, path, ["sample"]);
  const at = pointer(path, "sample");
  const sample = input.sample;
  if (!isJsonObject(sample)) return problems.add("type_mismatch", at, "a sample is {percent, from, salt}");
  checkMembers(problems, sample, at, ["percent", "from", "salt"]);
  const percent = parsePercent(sample.percent, pointer(at, "percent"), parse);
  const from = sample.from === undefined ? 0 : parsePercent(sample.from, pointer(at, "from"), parse);
  const salt = parseSalt(sample.salt ?? "", pointer(at, "salt"), parse);
  if (percent === undefined || from === undefined || salt === undefined) return undefined;
  // The sum is rounded, not the share: so the ranges of shares side by side meet.
  const ends = { from: toParts(from), to: toParts(from + percent) };
  const whole = toParts(PERCENT_MAX);
  if (ends.to <= whole) return { kind: "sample", path, salt, ...ends, whole };
  return problems.add("bad_value", at, `from and percent together are at most ${PERCENT_MAX}`);
}

function toParts(percent: number): number {
  return Math.round(percent * PERCENT_PARTS);
}

function parsePercent(value: unknown, at: string, { problems }: Parse): number | undefined {
  if (typeof value !== "number") return problems.add("type_mismatch", at, "a share is a number of percent");
  const isShort = Math.round(value * HUNDREDTHS) / HUNDREDTHS === value;
  if (isShort && value >= 0 && value <= PERCENT_MAX) return value;
  return problems.add("bad_value", at, `a share lies between 0 and ${PERCENT_MAX} and has at most two decimals`);
}

function parseSalt(salt: unknown, at: string, { problems }: Parse): string | undefined {
  const { saltCharactersMax: max } = CRITERIA_LIMITS;
  if (typeof salt !== "string") return problems.add("type_mismatch", at, "a salt is a text");
  if (salt.length > max) return problems.add("limit_exceeded", at, `a salt has at most ${max} characters`);
  return salt;
}

/** The hash's last digits say the hundredth of a percent, those before them its ten-thousandth part. */
const HASH_PARTS = 10_000;

/** Contacts whose hash of salt and cID lies in the range: the same ones at every count. */
function selectSample(leaf: SampleLeaf, scope: Scope): LeafSet {
  const where = `account = ${scope.account} AND deleted = 0 AND ${sampleCondition(leaf, scope)}`;
  const set = scope.addSet(
    `SELECT groupBitmapState(contact) FROM contacts_current FINAL WHERE ${where}${scope.within}`,
  );
  return { set, complement: false };
}

/** The condition on a row of `contacts_current`. */
function sampleCondition(leaf: SampleLeaf, scope: Scope): string {
  const { from, to, whole = HASH_PARTS } = leaf;
  const { bind } = scope;
  const position = samplePath(leaf, scope);
  const scale = HASH_PARTS ** 2 / whole;
  return `${position} >= ${bind.uint(from * scale)} AND ${position} < ${bind.uint(to * scale)}`;
}

/** The contact's share in the sample, in millionths of a percent. */
function samplePath({ salt }: Pick<SampleLeaf, "salt">, { bind }: Scope): string {
  const hash = `xxHash64(concat(${bind.string(`${salt}\n`)}, cid))`;
  return `(${hash} % ${HASH_PARTS}) * ${HASH_PARTS} + intDiv(${hash}, ${HASH_PARTS}) % ${HASH_PARTS}`;
}

function sampleTrend(leaf: SampleLeaf, scope: Scope, points: Points): LeafSet {
  const where = `account = ${scope.account} AND deleted = 0 AND ${sampleCondition(leaf, scope)}${scope.within}`;
  const codes = rowCodes(ALWAYS.points, points);
  const sql = `SELECT contact AS owner, ${codes} AS codes FROM contacts_current FINAL WHERE ${where}`;
  return { set: points.addRows(sql), complement: false };
}

/** Compiles the path of a contact in the sample, in percent. */
function sawOfSample(leaf: SampleLeaf, scope: Scope, contact: string): string {
  const place = samplePath(leaf, scope);
  return `(SELECT any(toString(${place} / 1000000)) FROM contacts_current FINAL WHERE account = ${scope.account} AND contact = ${contact})`;
}
