import { createHash } from "node:crypto";

export type JsonSchemaDocument = Readonly<Record<string, unknown>>;

const DEPTH_MAX = 64;
const FINGERPRINT_CHARACTERS = 12;
const BRANCHES = ["anyOf", "oneOf", "allOf", "prefixItems"] as const;

/** Names a schema by its content: 12 hex characters of SHA-256 over its canonical JSON. */
export function fingerprintOf(schema: JsonSchemaDocument): string {
  return createHash("sha256").update(canonical(schema)).digest("hex").slice(0, FINGERPRINT_CHARACTERS);
}

/** The members that a schema of ours knows. What it leaves open is kept whole, whatever is in it. */
export interface KnownMembers {
  /** Returns whether another schema names members that ours does not: a newer version made it, and a reader by ours would drop them. */
  isBehind(foreign: JsonSchemaDocument): boolean;
  /**
   * Returns whether a value has members that ours does not name. An object without the members that ours requires there is of another kind, and
   * not newer: its reader finds it to be poison.
   */
  wouldDrop(value: unknown): boolean;
}

export function knownMembersOf(ours: JsonSchemaDocument): KnownMembers {
  const { found: known, required } = membersOf(ours);
  /** Paths below which the schema names members. */
  const shaped = new Set([...known].flatMap(ancestorsOf));
  const isUnknown = (path: string) => {
    const parent = parentOf(path);
    return shaped.has(parent) && !known.has(path) && !known.has(anyMemberOf(parent));
  };
  const dropsAt = (value: unknown, path: string): boolean => {
    if (!shaped.has(path)) return false;
    if (Array.isArray(value)) return value.some((item) => dropsAt(item, `${path}/[]`));
    if (!isObject(value) || required.get(path)?.some((name) => !Object.hasOwn(value, name))) return false;
    return Object.entries(value).some(([name, member]) => {
      const at = `${path}/${name}`;
      return isUnknown(at) || dropsAt(member, known.has(at) ? at : anyMemberOf(path));
    });
  };
  return {
    isBehind: (foreign) => [...membersOf(foreign).found].some(isUnknown),
    wouldDrop: (value) => dropsAt(value, ""),
  };
}

interface SchemaMembers {
  /** Paths of all members. */
  readonly found: ReadonlySet<string>;
  /** Names that an object must have, by its path; none where a schema has branches to choose from. */
  readonly required: ReadonlyMap<string, readonly string[]>;
}

function membersOf(schema: JsonSchemaDocument): SchemaMembers {
  const at: Walk = { root: schema, found: new Set(), required: new Map(), open: new Set() };
  walk(at, schema, "", 0);
  return at;
}

function ancestorsOf(path: string): string[] {
  const ancestors: string[] = [];
  for (let at = parentOf(path); at !== ""; at = parentOf(at)) ancestors.push(at);
  return [...ancestors, ""];
}

interface Walk {
  readonly root: unknown;
  readonly found: Set<string>;
  readonly required: Map<string, readonly string[]>;
  /** References being followed, so that a schema that names itself ends. */
  readonly open: Set<string>;
}

function walk(at: Walk, node: unknown, path: string, depth: number): void {
  if (!isObject(node) || depth > DEPTH_MAX) return;
  const down = (child: unknown, childPath: string) => walk(at, child, childPath, depth + 1);
  follow(at, node, path, depth);
  if (Array.isArray(node.required)) at.required.set(path, node.required);
  if (isObject(node.properties)) {
    for (const [name, child] of Object.entries(node.properties)) {
      at.found.add(`${path}/${name}`);
      down(child, `${path}/${name}`);
    }
  }
  if (isObject(node.additionalProperties) || node.additionalProperties === true) {
    at.found.add(anyMemberOf(path));
    down(node.additionalProperties, anyMemberOf(path));
  }
  down(node.items, `${path}/[]`);
  for (const name of BRANCHES) {
    const branches: unknown = node[name];
    const branchPath = name === "prefixItems" ? `${path}/[]` : path;
    if (!Array.isArray(branches)) continue;
    for (const branch of branches) walk({ ...at, required: new Map() }, branch, branchPath, depth + 1);
  }
}

function follow(at: Walk, node: Readonly<Record<string, unknown>>, path: string, depth: number): void {
  const { $ref: reference } = node;
  if (typeof reference !== "string" || at.open.has(reference)) return;
  at.open.add(reference);
  walk(at, resolve(at.root, reference), path, depth + 1);
  at.open.delete(reference);
}

/** Finds `#/$defs/name`, as zod writes references. */
function resolve(root: unknown, reference: string): unknown {
  let at = root;
  for (const name of reference.split("/").slice(1)) at = isObject(at) ? at[name] : undefined;
  return at;
}

function anyMemberOf(path: string): string {
  return `${path}/{}`;
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? "null";
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(",")}}`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
