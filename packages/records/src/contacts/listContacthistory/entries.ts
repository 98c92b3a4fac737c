import { type Json, sameJson } from "@headwater/contracts";
import type { MergeEntry } from "./merges.ts";
import type { Write } from "./writes.ts";

/** All that one version changed. */
export interface Entry {
  readonly version: string;
  /** Known of merges and splits; others have it in their version. */
  readonly by?: { readonly kind: "merge" | "split"; readonly id: string };
  readonly changes: readonly { readonly path: string; readonly from: Json; readonly to: Json }[];
}

/**
 * Entries by version, the newest first. What a merge brought stands in the merge's entry and not under the version by which
 * the other contact had it; what its record wrote itself comes after.
 */
export function toEntries(writes: readonly Write[], merges: readonly MergeEntry[]): Entry[] {
  const carried = new Set(merges.flatMap((merge) => merge.carried.map(keyOf)));
  const own = writes.filter((write) => !carried.has(keyOf(write)));
  const byVersion = new Map<string, Map<string, Write>>();
  for (const write of [...merges.flatMap(({ changes }) => changes), ...own]) {
    const changes = byVersion.get(write.version) ?? new Map<string, Write>();
    const before = changes.get(write.path);
    byVersion.set(write.version, changes.set(write.path, { ...write, from: (before ?? write).from }));
  }
  const sources = new Map(merges.map(({ version, kind, id }) => [version, { kind, id }]));
  return [...byVersion]
    .map(([version, changes]) => toEntry(version, [...changes.values()], sources.get(version)))
    .filter(({ changes }) => changes.length > 0)
    .sort((a, b) => (a.version < b.version ? 1 : -1));
}

function keyOf({ version, path }: Write): string {
  return `${version} ${path}`;
}

function toEntry(version: string, writes: readonly Write[], by: Entry["by"]): Entry {
  const changes = writes
    .filter(({ from, to }) => !sameJson(from, to))
    .map(({ path, from, to }) => ({ path, from, to }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  return { version, changes, ...(by && { by }) };
}
