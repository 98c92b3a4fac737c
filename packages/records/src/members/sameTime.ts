import { type Json, parseTime } from "@headwater/contracts";

/** Returns whether two values are the same or timestamps of the same instant, in whatever spelling; a time without a zone is read in `timezone`. */
export function isSameTime(left: Json, right: Json, timezone: string): boolean {
  if (left === right) return true;
  if (typeof left !== "string" || typeof right !== "string") return false;
  const time = parseTime(left, timezone);
  return time !== undefined && time === parseTime(right, timezone);
}
