import type { z } from "zod";

/** The predicate of a value that is not there. */
export const REQUIRED = "is required";

/**
 * Says what is wrong with a value, as the predicate of a sentence whose subject is its member: "must be a string".
 * It never repeats the value, which may be a secret. Messages that a shape brings along come before it.
 */
export function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? REQUIRED : `must be ${nounOf(issue.expected)}`;
    case "invalid_value":
      return issue.input === undefined ? REQUIRED : `must be ${oneOf(issue.values)}`;
    case "invalid_union":
      return issue.input === undefined ? REQUIRED : describeUnion(issue.errors);
    case "too_big":
      return describeBound("at most", issue.origin, issue.maximum, issue.inclusive);
    case "too_small":
      return describeBound("at least", issue.origin, issue.minimum, issue.inclusive);
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    case "invalid_format":
      return formats[issue.format];
    case "invalid_key":
      return "has a name that is not allowed";
    default:
      return undefined;
  }
}

const nouns: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "an integer",
  bigint: "an integer",
  boolean: "true or false",
  array: "an array",
  object: "an object",
  record: "an object",
  null: "null",
  date: "a date",
};

const formats: Readonly<Record<string, string>> = {
  regex: "has characters or a form that are not allowed",
  email: "is not an email address",
  url: "is not a URL",
  uuid: "is not a UUID",
  datetime: "is not an ISO 8601 timestamp",
  date: "is not an ISO 8601 date",
  base64: "is not Base64",
  ipv4: "is not an IPv4 address",
  ipv6: "is not an IPv6 address",
};

function nounOf(expected: string): string {
  return nouns[expected] ?? expected;
}

function oneOf(values: readonly unknown[]): string {
  const view = values.map((value) => (typeof value === "string" ? `\`${value}\`` : String(value)));
  return view.length === 1 ? String(view[0]) : `one of ${view.join(", ")}`;
}

/** A value that has none of the types of a union; what is wrong within a branch is said by the details of that branch. */
function describeUnion(errors: readonly (readonly z.core.$ZodIssue[])[]): string {
  const expected = errors.flatMap((issues) => issues.filter((issue) => issue.path.length === 0).map(typeOf));
  const known = [...new Set(expected)].filter((noun) => noun !== undefined);
  return known.length === 0 ? "has none of the forms that are allowed here" : `must be ${known.join(" or ")}`;
}

function typeOf(issue: z.core.$ZodIssue): string | undefined {
  if (issue.code === "invalid_value") return oneOf(issue.values);
  return issue.code === "invalid_type" ? nounOf(issue.expected) : undefined;
}

const units: Readonly<Record<string, string>> = {
  string: "characters",
  array: "elements",
  set: "elements",
  map: "members",
  object: "members",
};

type Edge = "at least" | "at most";

function describeBound(edge: Edge, origin: string, bound: number | bigint, isInclusive: boolean | undefined): string {
  const unit = units[origin];
  if (unit === undefined) return `must be ${isInclusive === false ? beyond(edge) : edge} ${bound}`;
  if (edge === "at least" && Number(bound) === 1) return "must not be empty";
  return `must have ${edge} ${bound} ${Number(bound) === 1 ? unit.replace(/s$/, "") : unit}`;
}

function beyond(edge: Edge): string {
  return edge === "at least" ? "greater than" : "less than";
}
