import type { Json } from "./written.ts";

/** A value that came out of `JSON.parse` and so is JSON; undefined becomes null. */
export function toJson(value: unknown): Json {
  return isJson(value) ? value : null;
}

function isJson(value: unknown): value is Json {
  return value !== undefined && typeof value !== "function" && typeof value !== "symbol" && typeof value !== "bigint";
}
