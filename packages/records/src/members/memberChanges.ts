import { type Json, sameJson, type Version } from "@headwater/contracts";
import type { Members } from "./members.ts";

/** A member that has another value than before; null = not there. */
export interface MemberChange {
  readonly path: string;
  readonly from: Json;
  readonly to: Json;
  /** Version of the write that set the new value; absent for a member that is gone. */
  readonly version?: Version;
}

/** Members whose shown value differs. */
export function memberChanges(before: Members, after: Members): MemberChange[] {
  const changes: MemberChange[] = [];
  for (const [path, { value, version }] of after) {
    const from = before.get(path)?.value ?? null;
    if (!sameJson(from, value)) changes.push({ path, from, to: value, version });
  }
  for (const [path, { value }] of before) {
    if (after.get(path) === undefined) changes.push({ path, from: value, to: null });
  }
  return changes;
}
