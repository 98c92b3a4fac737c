import { type ErrorDetail, type HeadwaterError, pointerStep, safeParse } from "@headwater/kernel";
import type { z } from "zod";
import { atPath } from "../answers/atPath.ts";
import { refusal } from "../answers/refusal.ts";

const DETAILS_MAX = 100;

const detailCodes: Readonly<Record<string, string>> = {
  invalid_type: "type_mismatch",
  invalid_union: "type_mismatch",
  too_big: "out_of_range",
  too_small: "out_of_range",
};

/** Makes details of the error body of what zod found: paths are JSON pointers. */
export function toDetails(error: z.core.$ZodError): ErrorDetail[] {
  return error.issues.slice(0, DETAILS_MAX).flatMap(detailsOf);
}

/** @returns the value in its shape. @throws HeadwaterError: 400 `BAD_REQUEST` for parameters, 422 for a body. */
export function parseShape<Value>(shape: z.ZodType<Value>, value: unknown, place: "body" | "query" | "path"): Value {
  const parsed = safeParse(shape, value);
  if (parsed.success) return parsed.data;
  throw shapeRefusal(toDetails(parsed.error), place);
}

function shapeRefusal(details: ErrorDetail[], place: "body" | "query" | "path"): HeadwaterError {
  const first = details[0];
  const what = first === undefined ? "" : ` ${atPath(first.path.slice(1), first.message)}`;
  if (place === "body") return refusal("VALIDATION_ERROR", `The request body is invalid.${what}`, { details });
  if (place === "path") return refusal("RECORD_NOT_FOUND", "The record does not exist.", { details });
  return refusal("BAD_REQUEST", `The query is invalid.${what}`, { details });
}

function detailsOf(issue: z.core.$ZodIssue): ErrorDetail[] {
  if (issue.code === "invalid_union") {
    const meant = branchMeant(issue);
    if (meant !== undefined) return meant.flatMap((one) => detailsOf({ ...one, path: [...issue.path, ...one.path] }));
  }
  const path = pointerOf(issue.path);
  const { message } = issue;
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((name) => ({
      path: path + pointerOf([name]),
      code: "unknown_field",
      message: `${JSON.stringify(name)} is not a known member.`,
    }));
  }
  if (issue.code === "invalid_type" && issue.input === undefined && message.endsWith("received undefined")) {
    return [{ path, code: "required", message: missing(issue.path) }];
  }
  if (issue.code === "too_big" && issue.origin === "string") return [{ path, code: "too_long", message }];
  if (issue.code === "too_big" && issue.origin === "array") return [{ path, code: "too_many", message }];
  if (issue.code === "invalid_value") return [{ path, code: "bad_value", message, allowed: issue.values.map(String) }];
  if (issue.code === "custom" && typeof issue.params?.code === "string") {
    return [{ path, code: issue.params.code, message }];
  }
  return [{ path, code: detailCodes[issue.code] ?? "bad_value", message }];
}

/** Returns what is wrong with the only one of a union's shapes that the value has the type of; undefined when there is no such one. */
function branchMeant({ errors }: z.core.$ZodIssueInvalidUnion): z.core.$ZodIssue[] | undefined {
  const [meant, ...others] = errors.filter((issues) =>
    issues.every(({ code, path }) => code !== "invalid_type" || path.length > 0),
  );
  return others.length === 0 ? meant : undefined;
}

function missing(path: readonly PropertyKey[]): string {
  return path.length === 0 ? "The value is required." : `\`${path.map(String).join(".")}\` is required.`;
}

function pointerOf(path: readonly PropertyKey[]): string {
  return path.map((step) => `/${pointerStep(String(step))}`).join("");
}
