import { listedWord } from "@headwater/kernel";
import type { Moment, Span, Unit, Window } from "../criteria.ts";
import { CRITERIA_LIMITS } from "../limits.ts";
import { canBeLongerSpan, earliestOf, readMoment, spanYears } from "../moment.ts";
import type { Parse } from "./parserRun.ts";
import { checkMembers, isJsonObject, type JsonObject, pointer } from "./problems.ts";

export const UNITS = ["minute", "hour", "day", "week", "month", "year"] as const satisfies readonly Unit[];

const WINDOWS = ["last", "next", "from", "to", "between"] as const;

/** A Window of events, orders, carts or join dates; `next` finds those whose own time lies ahead. */
export function parseWindow(input: unknown, path: string, parse: Parse): Window | undefined {
  const { problems } = parse;
  if (!isJsonObject(input)) return problems.add("type_mismatch", path, "a window must be an object", WINDOWS);
  const relative = (["last", "next"] as const).find((kind) => Object.hasOwn(input, kind));
  if (relative !== undefined) return parseRelative(relative, input, path, parse);
  if (Object.hasOwn(input, "between")) return parseBetween(input, path, parse);
  checkMembers(problems, input, path, WINDOWS);
  return parseRange(input, path, parse);
}

function parseRelative(kind: "last" | "next", input: JsonObject, path: string, parse: Parse): Window | undefined {
  checkMembers(parse.problems, input, path, [kind]);
  const span = parseSpan(input[kind], pointer(path, kind), parse);
  return span && { kind, span };
}

function parseRange(input: JsonObject, path: string, parse: Parse): Window | undefined {
  const { problems } = parse;
  if (input.from === undefined && input.to === undefined) {
    return problems.add("bad_value", path, "a window needs a bound", WINDOWS);
  }
  const from = input.from === undefined ? undefined : parseInstant(input.from, pointer(path, "from"), parse);
  const to = input.to === undefined ? undefined : parseInstant(input.to, pointer(path, "to"), parse);
  if (from && to && earliestOf(from) >= earliestOf(to)) {
    return problems.add("bad_value", path, `"from" must be before "to"`);
  }
  return { kind: "range", ...(from && { from }), ...(to && { to }) };
}

function parseBetween(input: JsonObject, path: string, parse: Parse): Window | undefined {
  const { problems } = parse;
  checkMembers(problems, input, path, ["between"]);
  const at = pointer(path, "between");
  const ends: unknown = input.between;
  if (!Array.isArray(ends) || ends.length !== 2) {
    return problems.add("type_mismatch", at, "the value must be [{n, unit}, {n, unit}]");
  }
  const older = parseSpan(ends[0], pointer(at, 0), parse);
  const newer = parseSpan(ends[1], pointer(at, 1), parse, { leastN: 0 });
  if (older === undefined || newer === undefined) return undefined;
  if (!canBeLongerSpan(older, newer)) return problems.add("bad_value", at, "the older point must come first");
  return { kind: "between", older, newer };
}

/** `{n, unit}`: `n` is a whole number from 1. */
export function parseSpan(
  input: unknown,
  path: string,
  parse: Parse,
  options: { readonly leastN?: number } = {},
): Span | undefined {
  const { problems } = parse;
  const { leastN = 1 } = options;
  if (!isJsonObject(input)) return problems.add("type_mismatch", path, "the value must be {n, unit}");
  checkMembers(problems, input, path, ["n", "unit"]);
  const n = input.n;
  const unit = listedWord(UNITS, input.unit);
  const whole = typeof n === "number" && Number.isInteger(n) && n >= leastN ? n : undefined;
  if (whole === undefined) {
    const code = n === undefined || typeof n === "number" ? "bad_value" : "type_mismatch";
    problems.add(code, pointer(path, "n"), `n must be an integer of at least ${leastN}`);
  }
  if (unit === undefined) {
    const code = input.unit === undefined || typeof input.unit === "string" ? "bad_value" : "type_mismatch";
    problems.add(code, pointer(path, "unit"), "this unit is not allowed here", [...UNITS]);
  }
  if (whole === undefined || unit === undefined) return undefined;
  if (spanYears({ n: whole, unit }) <= CRITERIA_LIMITS.spanYearsMax) return { n: whole, unit };
  return problems.add("limit_exceeded", pointer(path, "n"), `at most ${CRITERIA_LIMITS.spanYearsMax} years`);
}

/** An ISO 8601 date or timestamp. */
export function parseInstant(input: unknown, path: string, { problems }: Parse): Moment | undefined {
  if (typeof input !== "string") return problems.add("type_mismatch", path, "the value must be a date or a timestamp");
  return (
    readMoment(input) ?? problems.add("bad_value", path, "must be an ISO 8601 date or timestamp of the years 1 to 9999")
  );
}
