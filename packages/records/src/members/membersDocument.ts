import type { Json, Version, Written } from "@headwater/contracts";

/** Stored form of members with versions, which stand once in `v` and are named by their place. */
export function toMembersDocument(written: ReadonlyMap<string, Written>): string {
  const versions = new Map<Version, number>();
  const members = [...written].map(([name, { value, version }]) => {
    if (!versions.has(version)) versions.set(version, versions.size);
    return [name, value, versions.get(version)];
  });
  return JSON.stringify({ v: [...versions.keys()], members });
}

interface MembersDocument {
  readonly v: readonly Version[];
  readonly members: readonly (readonly [string, Json, number])[];
}

/** Reads what `toMembersDocument` wrote. */
export function fromMembersDocument(doc: string): Map<string, Written> {
  const document: MembersDocument = JSON.parse(doc);
  const members = new Map<string, Written>();
  for (const [name, value, index] of document.members) members.set(name, { value, version: document.v[index] ?? "" });
  return members;
}

/** The same for those who only show them: values in their order, without versions. */
export function visitMembers(doc: string, visit: (name: string, value: Json) => void): void {
  const { members }: MembersDocument = JSON.parse(doc);
  for (const [name, value] of members) visit(name, value);
}
