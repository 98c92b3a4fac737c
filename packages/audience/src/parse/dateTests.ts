import type { Span, Test } from "../criteria.ts";
import { earliestOf } from "../moment.ts";
import type { Operator } from "../operators.ts";
import { parsePair } from "./numberTests.ts";
import type { Parse } from "./parserRun.ts";
import { parseMoment, parseSpan } from "./windows.ts";

/** Tests on dates that take a value: all but `today`. */
export function parseDateTest(operator: Operator, value: unknown, at: string, parse: Parse): Test | undefined {
  switch (operator) {
    case "on":
    case "before":
    case "after": {
      const moment = parseMoment(value, at, parse);
      return moment && { kind: operator === "on" ? "day" : operator, moment };
    }
    case "between": {
      const pair = parsePair(value, at, parse, parseMoment);
      if (pair === undefined) return undefined;
      const [low, high] = pair;
      if (earliestOf(low) <= earliestOf(high)) return { kind: "momentsBetween", low, high };
      return parse.problems.add("bad_value", at, "the lower bound must come first");
    }
    case "inLast":
    case "inNext": {
      const span = parseSpan(value, at, parse);
      return span && { kind: operator, span };
    }
    case "anniversaryInNext":
    case "anniversaryInLast": {
      const span = parseSpan(value, at, parse);
      return span && { kind: operator, span: wholeDays(span) };
    }
    default:
      throw new Error(`${operator} is no operator of date`);
  }
}

/** Anniversaries are days: a span of hours or minutes is rounded up to whole ones. */
function wholeDays({ n, unit }: Span): Span {
  if (unit === "minute") return { n: Math.ceil(n / MINUTES_PER_DAY), unit: "day" };
  return unit === "hour" ? { n: Math.ceil(n / HOURS_PER_DAY), unit: "day" } : { n, unit };
}

const HOURS_PER_DAY = 24;
const MINUTES_PER_DAY = 1_440;
