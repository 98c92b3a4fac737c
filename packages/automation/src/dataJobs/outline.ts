import type { JSONValue } from "@headwater/messaging/providerEvents/expressions";

/** One step of a path: the name of a member, or the index of an item. */
export type PathStep = string | number;

const STEPS_MAX = 32;
const INDEX_MAX = 999;
const UNREADABLE = "is not one of names and indexes";

/**
 * Parses the path of a member: names with dots between, names with dots in quotes, indexes in brackets.
 * @returns what is wrong with it.
 */
export function parsePath(path: string): readonly PathStep[] | string {
  const steps: PathStep[] = [];
  for (let at = 0; at < path.length; ) {
    const isIndex = path[at] === "[";
    const hasDot = path[at] === ".";
    // The first step has no dot and is a name; any other name follows a dot.
    if (at === 0 ? isIndex || hasDot : isIndex === hasDot) return UNREADABLE;
    const from = hasDot ? at + 1 : at;
    const end = isIndex ? path.indexOf("]", from) + 1 : endOfName(path, from);
    const step = end <= from ? undefined : stepIn(path.slice(from, end), isIndex);
    if (step === undefined || step === "") return UNREADABLE;
    if (step === "__proto__") return "names __proto__, which is not allowed";
    if (typeof step === "number" && step > INDEX_MAX) return `has an index over ${INDEX_MAX}`;
    steps.push(step);
    at = end;
  }
  return steps.length > STEPS_MAX ? `has over ${STEPS_MAX} steps` : steps;
}

/** Returns where a name ends: behind its closing quote, or before the sign that begins another step. */
function endOfName(path: string, from: number): number {
  const isQuoted = path[from] === '"';
  for (let at = isQuoted ? from + 1 : from; at < path.length; at++) {
    const sign = path[at];
    if (isQuoted && sign === "\\") at += 1;
    else if (isQuoted && sign === '"') return at + 1;
    else if (!isQuoted && (sign === "." || sign === "[")) return at;
  }
  return isQuoted ? from : path.length;
}

function stepIn(text: string, isIndex: boolean): PathStep | undefined {
  if (isIndex) return /^\[\d{1,4}\]$/.test(text) ? Number(text.slice(1, -1)) : undefined;
  if (text.startsWith('"')) return nameIn(text);
  return /[\]"\\]/.test(text) ? undefined : text;
}

function nameIn(quoted: string): string | undefined {
  try {
    const name: unknown = JSON.parse(quoted);
    return typeof name === "string" ? name : undefined;
  } catch {
    return undefined;
  }
}

type Node<Leaf> =
  | { readonly kind: "leaf"; readonly leaf: Leaf }
  | { readonly kind: "members"; readonly children: Map<PathStep, Node<Leaf>> }
  | { readonly kind: "items"; readonly children: Map<PathStep, Node<Leaf>>; readonly path: string };

/** Members of a record by their paths. */
export interface Outline<Leaf> {
  /** @returns false where the path is in the way of another one, or another in its. */
  add(path: readonly PathStep[], leaf: Leaf): boolean;
  /** Returns a list whose indexes do not go up from 0 one by one. */
  gap(): string | undefined;
  /** Builds a record. A member whose leaf gives undefined is absent, and so is an object or a list without any. */
  fill(read: (leaf: Leaf) => JSONValue | undefined): JSONValue;
}

export function createOutline<Leaf>(): Outline<Leaf> {
  const root: Node<Leaf> = { kind: "members", children: new Map() };
  const lists: Extract<Node<Leaf>, { kind: "items" }>[] = [];

  function opened(parent: Node<Leaf>, path: readonly PathStep[], depth: number): Node<Leaf> | undefined {
    const [step, next] = [path[depth], path[depth + 1]];
    if (step === undefined || parent.kind === "leaf" || (typeof step === "number") !== (parent.kind === "items"))
      return undefined;
    const known = parent.children.get(step);
    if (known !== undefined) return known;
    const node: Node<Leaf> =
      typeof next === "number"
        ? { kind: "items", children: new Map(), path: path.slice(0, depth + 1).join(".") }
        : { kind: "members", children: new Map() };
    if (node.kind === "items") lists.push(node);
    parent.children.set(step, node);
    return node;
  }

  return {
    add(path, leaf) {
      let parent: Node<Leaf> | undefined = root;
      for (let depth = 0; depth < path.length - 1; depth++) {
        parent = opened(parent, path, depth);
        if (parent === undefined) return false;
      }
      const step = path.at(-1);
      if (step === undefined || parent.kind === "leaf" || parent.children.has(step)) return false;
      if ((typeof step === "number") !== (parent.kind === "items")) return false;
      parent.children.set(step, { kind: "leaf", leaf });
      return true;
    },
    gap: () => lists.find(({ children }) => children.keys().some((index) => Number(index) >= children.size))?.path,
    fill: (read) => filled(root, read) ?? {},
  };
}

function filled<Leaf>(node: Node<Leaf>, read: (leaf: Leaf) => JSONValue | undefined): JSONValue | undefined {
  if (node.kind === "leaf") return read(node.leaf);
  if (node.kind === "items") {
    const items = Array.from({ length: node.children.size }, (_, index) => node.children.get(index));
    const present = items.flatMap((item) => {
      const value = item === undefined ? undefined : filled(item, read);
      return value === undefined ? [] : [value];
    });
    return present.length === 0 ? undefined : present;
  }
  const members: Record<string, JSONValue> = {};
  for (const [name, child] of node.children) {
    const value = filled(child, read);
    if (value !== undefined) members[name] = value;
  }
  return Object.keys(members).length === 0 ? undefined : members;
}
