import type { Test } from "../criteria.ts";
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
      const span = parseSpan(value, at, parse, { units: ["day", "week", "month", "year"] });
      return span && { kind: operator, span };
    }
    default:
      throw new Error(`${operator} is no operator of date`);
  }
}
