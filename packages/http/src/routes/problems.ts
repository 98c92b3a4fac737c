import { type ErrorDetail, type HeadwaterError, safeParse, toDetails } from "@headwater/kernel";
import type { z } from "zod";
import { atPath } from "../answers/atPath.ts";
import { refusal } from "../answers/refusal.ts";

/** @returns the value in its shape. @throws HeadwaterError: 400 `BAD_REQUEST` for parameters, 422 for a body. */
export function parseShape<Value>(shape: z.ZodType<Value>, value: unknown, position: "body" | "query" | "path"): Value {
  const parsed = safeParse(shape, value);
  if (parsed.success) return parsed.data;
  throw shapeRefusal(toDetails(parsed.error), position);
}

function shapeRefusal(details: readonly ErrorDetail[], place: "body" | "query" | "path"): HeadwaterError {
  if (place === "body") return bodyRefusal(details);
  if (place === "path") return refusal("RECORD_NOT_FOUND", "The record does not exist.", { details });
  return queryRefusal(details);
}

/** Makes the refusal of a query with all that is wrong with it. */
export function queryRefusal(details: readonly ErrorDetail[]): HeadwaterError {
  return refusal("BAD_REQUEST", `The query is invalid.${firstOf(details)}`, { details });
}

/** Makes the refusal of a body with all that is wrong with it. */
export function bodyRefusal(details: readonly ErrorDetail[]): HeadwaterError {
  return refusal("VALIDATION_ERROR", `The request body is invalid.${firstOf(details)}`, { details });
}

function firstOf([first]: readonly ErrorDetail[]): string {
  return first === undefined ? "" : ` ${atPath(first.path.slice(1), first.message)}`;
}
