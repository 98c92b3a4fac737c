import { compile, type JSONValue, TreeInterpreter } from "@jmespath-community/jmespath";

/** A JMESPath expression whose time and memory are bounded by those of its input. */
export interface Expression {
  /** Returns undefined where the expression does not fit the value: a function gets another type than it takes. */
  search(value: JSONValue): JSONValue | undefined;
}

export type { JSONValue };

const NODES_MAX = 50;
/** Nodes that walk over a value: projections, comparisons, functions. */
const WALKS_MAX = 5;
const PROJECTIONS_MAX = 2;
const projections = new Set(["Projection", "ValueProjection", "FilterProjection", "Flatten"]);
const others = new Set([
  ...["Field", "Literal", "Index", "IndexExpression", "Slice", "Subexpression", "Identity", "Current", "Pipe"],
  ...["OrExpression", "AndExpression", "NotExpression", "Ternary"],
]);
/** Functions whose result is no larger than what they are given. */
const functions = new Set([
  ...["contains", "starts_with", "ends_with", "length", "lower", "upper", "not_null", "to_number", "type"],
]);
const FORBIDDEN_NAMES = new Set(["__proto__", "constructor", "prototype"]);

/** Compiles an expression; returns what is wrong with it. */
export function parseExpression(text: string): Expression | { readonly problem: string } {
  const tree = compiled(text);
  if (typeof tree === "string") return { problem: tree };
  const problem = problemOf(tree);
  if (problem !== undefined) return { problem };
  return { search: (value) => searched(tree, value) };
}

type Tree = ReturnType<typeof compile>;

function compiled(text: string): Tree | string {
  try {
    return compile(text);
  } catch (error) {
    if (error instanceof Error) return `is not JMESPath: ${error.message.slice(0, 200)}`;
    throw error;
  }
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
function problemOf(tree: Tree): string | undefined {
  const nodes = nodesOf(tree);
  const types = nodes.map(({ type }) => type);
  const projected = types.filter((type) => projections.has(type)).length;
  const walks = projected + types.filter((type) => type === "Comparator" || type === "Function").length;
  if (nodes.length > NODES_MAX || walks > WALKS_MAX) return "has too many parts";
  if (projected > PROJECTIONS_MAX) return `has over ${PROJECTIONS_MAX} projections`;
  return nodes.map(problemOfNode).find((problem) => problem !== undefined);
}

interface SomeNode {
  readonly type: string;
  readonly name: unknown;
}

function problemOfNode({ type, name }: SomeNode): string | undefined {
  if (type === "Function")
    return functions.has(String(name)) ? undefined : `calls ${String(name)}, which is not allowed`;
  if (type === "Field" && FORBIDDEN_NAMES.has(String(name))) return `names ${String(name)}, which is not allowed`;
  if (type === "Comparator" || projections.has(type) || others.has(type)) return undefined;
  return `has a ${type}, which is not allowed`;
}

function nodesOf(node: unknown): SomeNode[] {
  if (typeof node !== "object" || node === null) return [];
  const type: unknown = Reflect.get(node, "type");
  const children = type === "Literal" ? [] : Object.values(node).flatMap(nodesOf);
  return typeof type === "string" ? [{ type, name: Reflect.get(node, "name") }, ...children] : children;
}
