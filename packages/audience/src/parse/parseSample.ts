import type { SampleLeaf } from "../leaves/sample/sample.ts";
import { CRITERIA_LIMITS } from "../limits.ts";
import type { Parse } from "./parserRun.ts";
import { checkMembers, isJsonObject, type JsonObject, pointer } from "./problems.ts";

const PERCENT_MAX = 100;
/** Shares have two decimals at most. */
const HUNDREDTHS = 100;
/** Ends are stored in millionths of a percent, as those of samples that were stored with more decimals. */
const PARTS = 1_000_000;

/** `{"sample": {"percent", "from"?, "salt"?}}`: ranges side by side of one salt have no contact in common. */
export function parseSample(input: JsonObject, path: string, parse: Parse): SampleLeaf | undefined {
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
  return Math.round(percent * PARTS);
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
