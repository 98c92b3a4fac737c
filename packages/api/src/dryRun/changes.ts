import { hash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { isObject, type Json, toJson } from "@headwater/contracts";
import { pointerOf } from "@headwater/kernel";

/** A member of a record that a write changes. */
export interface Change {
  /** Pointer into the record; empty for the record itself, which is created or deleted. */
  readonly path: string;
  /** Absent from the answer for callers who may not read the record; null: not there. */
  readonly from: Json;
  readonly to: Json;
}

/** A record before and after a write, as a GET answers it; undefined: it does not exist. */
export interface Compared {
  readonly before: unknown;
  readonly after: unknown;
}

/** Members that are measured as a record is read: they differ from one read to the next. */
const MEASURED: ReadonlySet<string> = new Set(["asOf", "problems", "stats"]);

/** Stands for a value that every run of a write makes again: an id, a time. */
const GENERATED = "(generated)";

/** Returns what differs, member by member; arrays are compared as a whole. */
export function changesOf({ before, after }: Compared): Change[] {
  const changes: Change[] = [];
  compare(plain(before), plain(after), [], changes);
  return changes;
}

/** A record without what is measured, as JSON has it. */
function plain(record: unknown): Json {
  if (record === undefined) return null;
  const json: Json = toJson(JSON.parse(JSON.stringify(record)));
  if (!isObject(json)) return json;
  return toJson(Object.fromEntries(Object.entries(json).filter(([name]) => !MEASURED.has(name))));
}

function compare(from: Json, to: Json, path: readonly string[], changes: Change[]): void {
  if (isDeepStrictEqual(from, to)) return;
  if (!isObject(from) || !isObject(to)) {
    changes.push({ path: pointerOf(path), from, to });
    return;
  }
  for (const name of new Set([...Object.keys(from), ...Object.keys(to)])) {
    compare(memberOf(from, name), memberOf(to, name), [...path, name], changes);
  }
}

function memberOf(value: object, name: string): Json {
  return Object.hasOwn(value, name) ? toJson(Reflect.get(value, name)) : null;
}

/**
 * Returns the record with a mark in the place of each value that two runs of the same write over the same snapshot made differently: ids,
 * times, versions.
 */
export function withoutGenerated(first: unknown, second: unknown): unknown {
  return first === undefined || second === undefined ? first : common(plain(first), plain(second));
}

function common(first: Json, second: Json): Json {
  if (isDeepStrictEqual(first, second)) return first;
  if (Array.isArray(first) && Array.isArray(second) && first.length === second.length) {
    return first.map((value, index) => common(value, toJson(second[index])));
  }
  if (!isObject(first) || !isObject(second) || Array.isArray(first) || Array.isArray(second)) return GENERATED;
  const names = Object.keys(first).filter((name) => Object.hasOwn(second, name));
  return toJson(Object.fromEntries(names.map((name) => [name, common(memberOf(first, name), memberOf(second, name))])));
}

/**
 * Returns the digest of what a write would change: 43 characters of base64url.
 * @param others counts and the answer, without what is generated.
 */
export function digestOf(changes: readonly Change[], others: readonly unknown[]): string {
  const sorted = changes.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  return hash("sha256", JSON.stringify([sorted.map(({ path, from, to }) => [path, from, to]), others]), "base64url");
}
