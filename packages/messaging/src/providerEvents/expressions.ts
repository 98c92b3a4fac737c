import { compile, type JSONValue, registerFunction, TreeInterpreter } from "@jmespath-community/jmespath";

/** A JMESPath expression whose time and memory are bounded by those of its input. */
export interface Expression {
  /**
   * Returns undefined where the expression does not fit the value: a function gets another type than it takes.
   * @param body root of the document, which `$` names; default: the value.
   */
  search(value: JSONValue, body?: JSONValue): JSONValue | undefined;
}

export type { JSONValue };

/** Language that an expression may use. */
export interface ExpressionRules {
  readonly nodesMax: number;
  /** Levels of nodes. */
  readonly depthMax: number;
  /** Nodes that walk over a value: projections, comparisons, functions. */
  readonly walksMax: number;
  readonly projectionsMax: number;
  /** Types of further nodes. */
  readonly nodes: ReadonlySet<string>;
  readonly functions: ReadonlySet<string>;
}

const projections = new Set(["Projection", "ValueProjection", "FilterProjection", "Flatten"]);
const simpleNodes = [
  ...["Field", "Literal", "Index", "IndexExpression", "Slice", "Subexpression", "Identity", "Current", "Pipe"],
  ...["OrExpression", "AndExpression", "NotExpression", "Ternary"],
];
/** Functions whose result is no larger than what they are given. */
const smallFunctions = [
  ...["contains", "starts_with", "ends_with", "length", "lower", "upper", "not_null", "to_number", "type"],
];

/** Language of expressions over what strangers post: its results are no larger than their input. */
export const eventExpressions: ExpressionRules = {
  nodesMax: 50,
  depthMax: 64,
  walksMax: 5,
  projectionsMax: 2,
  nodes: new Set(simpleNodes),
  functions: new Set(smallFunctions),
};

/** Language of expressions that make records. What they make may grow: they run under a deadline and a limit of memory alone. */
export const recordExpressions: ExpressionRules = {
  nodesMax: 1_024,
  depthMax: 64,
  walksMax: 1_024,
  projectionsMax: 1_024,
  nodes: new Set([
    ...simpleNodes,
    ...["Root", "MultiSelectList", "MultiSelectHash", "KeyValuePair", "Arithmetic", "Unary", "ExpressionReference"],
  ]),
  functions: new Set([
    ...smallFunctions,
    ...["abs", "avg", "ceil", "find_first", "find_last", "floor", "from_items", "group_by", "items", "join", "keys"],
    ...["map", "max", "max_by", "merge", "min", "min_by", "replace", "reverse", "sort", "sort_by", "split", "sum"],
    ...["to_array", "to_string", "trim", "trim_left", "trim_right", "values", "zip"],
  ]),
};

const FORBIDDEN_NAMES = new Set(["__proto__", "constructor", "prototype"]);

/** Functions that search one text for another, which takes as long as both lengths together say in the worst case. */
const SEARCHING = ["contains", "find_first", "find_last", "replace", "split"];
/** Product of the lengths of two texts: some tens of milliseconds of a core. */
const SEARCH_MAX = 32 * 1024 * 1024;
for (const name of SEARCHING) boundSearch(name);

function boundSearch(name: string): void {
  const known = TreeInterpreter.runtime._functionTable[name];
  if (known === undefined) throw new Error(`JMESPath has no function ${name}`);
  const { _func: search, _signature: signature } = known;
  const bounded: typeof search = (input: readonly unknown[]) => {
    const [text, part] = input;
    if (typeof text === "string" && typeof part === "string" && text.length * part.length > SEARCH_MAX)
      throw new Error(`${name}() gets texts that are too long`);
    return search(input);
  };
  registerFunction(name, bounded, signature, { override: true });
}

/** Compiles an expression; returns what is wrong with it. */
export function parseExpression(
  text: string,
  rules: ExpressionRules = eventExpressions,
): Expression | { readonly problem: string } {
  const tree = compiled(text);
  if (typeof tree === "string") return { problem: tree };
  const problem = problemOf(tree, rules);
  if (problem !== undefined) return { problem };
  const path = pathIn(tree);
  if (path !== undefined) return path;
  if (!rules.nodes.has("Root")) return { search: (value) => searched(tree, value) };
  const rooted = withBody(tree);
  return { search: (value, body = value) => searched(rooted, { element: value, body }) };
}

type Tree = ReturnType<typeof compile>;

/** Returns an expression that only names members one below the other, as most do: it needs no interpreter. Undefined for any other. */
function pathIn(tree: Tree): Expression | undefined {
  const names: string[] = [];
  let at = tree;
  for (; at.type === "Subexpression" && at.right.type === "Field"; at = at.left) names.unshift(at.right.name);
  if (at.type === "Field") names.unshift(at.name);
  else if (at.type !== "Root") return undefined;
  const isOfBody = at.type === "Root";
  return {
    search(value, body = value) {
      let found: JSONValue = isOfBody ? body : value;
      for (const name of names) {
        if (typeof found !== "object" || found === null || Array.isArray(found) || !Object.hasOwn(found, name))
          return null;
        found = found[name] ?? null;
      }
      return found;
    },
  };
}

function compiled(text: string): Tree | string {
  try {
    return compile(text);
  } catch (error) {
    if (error instanceof Error) return `is not JMESPath: ${error.message.slice(0, 200)}`;
    throw error;
  }
}

/** Returns the expression over `{element, body}`: it begins at the element, and its roots are the body. The tree is changed. */
function withBody(tree: Tree): Tree {
  const whole: Tree = { type: "Pipe", left: { type: "Field", name: "element" }, right: tree };
  replaceRoots(whole);
  return whole;
}

function replaceRoots(node: object): void {
  if (Reflect.get(node, "type") === "Literal") return;
  for (const [name, child] of Object.entries(node)) {
    if (typeof child !== "object" || child === null) continue;
    if (Reflect.get(child, "type") === "Root") Reflect.set(node, name, bodyOfRoot());
    else replaceRoots(child);
  }
}

function bodyOfRoot(): Tree {
  return { type: "Subexpression", left: { type: "Root" }, right: { type: "Field", name: "body" } };
}

/** The interpreter throws for one reason: a function that is given another type than it takes. */
function searched(tree: Tree, value: JSONValue): JSONValue | undefined {
  try {
    return TreeInterpreter.search(tree, value);
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}

/** An expression is written by an account and run on what strangers post: both may be hostile. */
function problemOf(tree: Tree, rules: ExpressionRules): string | undefined {
  const nodes = nodesOf(tree, 1);
  const types = nodes.map(({ type }) => type);
  const projected = types.filter((type) => projections.has(type)).length;
  const walks = projected + types.filter((type) => type === "Comparator" || type === "Function").length;
  if (nodes.length > rules.nodesMax || walks > rules.walksMax) return "has too many parts";
  if (nodes.some(({ depth }) => depth > rules.depthMax)) return `has over ${rules.depthMax} levels`;
  if (projected > rules.projectionsMax) return `has over ${rules.projectionsMax} projections`;
  return nodes.map((node) => problemOfNode(node, rules)).find((problem) => problem !== undefined);
}

interface SomeNode {
  readonly type: string;
  readonly name: unknown;
  readonly depth: number;
}

function problemOfNode({ type, name }: SomeNode, { functions, nodes }: ExpressionRules): string | undefined {
  if (type === "Function")
    return functions.has(String(name)) ? undefined : `calls ${String(name)}, which is not allowed`;
  const isNamed = type === "Field" || type === "KeyValuePair";
  if (isNamed && FORBIDDEN_NAMES.has(String(name))) return `names ${String(name)}, which is not allowed`;
  if (type === "Comparator" || projections.has(type) || nodes.has(type)) return undefined;
  return `has a ${type}, which is not allowed`;
}

function nodesOf(node: unknown, depth: number): SomeNode[] {
  if (typeof node !== "object" || node === null) return [];
  const type: unknown = Reflect.get(node, "type");
  const isNode = typeof type === "string";
  const below = isNode ? depth + 1 : depth;
  const children = type === "Literal" ? [] : Object.values(node).flatMap((child) => nodesOf(child, below));
  return isNode ? [{ type, name: Reflect.get(node, "name"), depth }, ...children] : children;
}
