import type { JSONValue } from "@headwater/messaging/providerEvents/expressions";

/** One step of a path: the name of a member, or the index of an item. */
export type PathStep = string | number;

const STEPS_MAX = 32;
const INDEX_MAX = 999;
/** A plain name, a quoted one, or an index. */
const STEP = /\.?(?:([^.[\]"\\]{1,512})|("(?:[^"\\]|\\.){0,512}")|\[(\d{1,4})\])/y;

/**
 * Parses the path of a member: names with dots between, names with dots in quotes, indexes in brackets.
 * @returns what is wrong with it.
 */
export function parsePath(path: string): readonly PathStep[] | string {
  const steps: PathStep[] = [];
  for (let at = 0; at < path.length; ) {
    STEP.lastIndex = at;
    const found = STEP.exec(path);
    const [whole = "", plain, quoted, index] = found ?? [];
    const hasDot = whole.startsWith(".");
    const isIndex = index !== undefined;
    if (whole === "" || hasDot !== (at > 0 && !isIndex) || (isIndex && at === 0))
      return "is not one of names and indexes";
    const name = plain ?? (quoted === undefined ? undefined : nameIn(quoted));
    if (name === "__proto__") return "names __proto__, which is not allowed";
    const step = isIndex ? Number(index) : name;
    if (step === undefined || step === "") return "has a name that cannot be read";
    if (typeof step === "number" && step > INDEX_MAX) return `has an index over ${INDEX_MAX}`;
    steps.push(step);
    at += whole.length;
  }
  return steps.length > STEPS_MAX ? `has over ${STEPS_MAX} steps` : steps;
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
