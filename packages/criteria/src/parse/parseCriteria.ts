import { hasLongerJson } from "@headwater/kernel";
import type { CriteriaNode, LogicNode } from "../criteria.ts";
import { definitionOf, isReference, type LeafTable } from "../leaves/leaf.ts";
import { leaves } from "../leaves/leaves.ts";
import { CRITERIA_LIMITS } from "../limits.ts";
import type { CriteriaContext } from "./context.ts";
import { type Parse, type ParseNode, tooLarge } from "./parserRun.ts";
import {
  type CriteriaError,
  checkMembers,
  createProblems,
  isJsonObject,
  type JsonObject,
  type Problems,
  pointer,
} from "./problems.ts";

export type ParsedCriteria = { readonly kind: "ok"; readonly criteria: CriteriaNode } | InvalidCriteria;

export interface InvalidCriteria {
  readonly kind: "invalid";
  /** Fields that the context does not know: where only the data know them, they may be asked for and the criteria parsed again. */
  readonly unknownFields: readonly string[];
  /** Lists, saved audiences and tables that the context does not know: the names of all are needed for suggestions. */
  readonly unknownReferences: readonly string[];
  /** Channels of messages that the context does not know: where only the data know them, they may be asked for. */
  readonly unknownChannels: readonly string[];
  /** All errors. Suggestions are searched for when they are read, not while parsing. */
  readonly errors: readonly CriteriaError[];
  /** The same errors with suggestions out of a context that knows more names. */
  errorsIn(context: CriteriaContext): readonly CriteriaError[];
}

/**
 * Checks a criteria object against the grammar, the limits and what the account knows.
 *
 * Answers the checked criteria, or all errors of the object with JSON pointers into it. Never throws on bad input.
 */
export function parseCriteria(input: unknown, context: CriteriaContext, table: LeafTable = leaves): ParsedCriteria {
  const problems = createProblems();
  if (hasLongerJson(input, CRITERIA_LIMITS.bytesMax)) {
    problems.add("limit_exceeded", "", `criteria may have at most ${CRITERIA_LIMITS.bytesMax} bytes`);
    return invalid(problems, context);
  }
  const seen = { nodes: 0, referred: 0, deep: 0 };
  const parseNode = createParseNode(table);
  const criteria = parseNode(input, "", 1, { context, problems, seen, audiences: new Map(), parseNode });
  const refused = problems.count === 0 ? tooLarge({ context, seen }) : undefined;
  if (refused !== undefined) problems.add("limit_exceeded", "", refused);
  return criteria === undefined || problems.count > 0 ? invalid(problems, context) : { kind: "ok", criteria };
}

function invalid(problems: Problems, own: CriteriaContext): InvalidCriteria {
  const { unknownFields, unknownReferences, unknownChannels, errorsIn } = problems;
  return {
    kind: "invalid",
    unknownFields,
    unknownReferences,
    unknownChannels,
    get errors() {
      return errorsIn(own);
    },
    errorsIn,
  };
}

const LOGIC_KINDS = ["and", "or", "not"] as const;

/** Returns the members that say what a rule is. The first that a rule has decides. */
function kindsOf(table: LeafTable): readonly string[] {
  const references = table.filter(isReference);
  const others = table.filter((definition) => !isReference(definition));
  return [...LOGIC_KINDS, ...[...references, ...others].map(({ kind }) => kind)];
}

/** The members that say what a rule is. */
export const CRITERIA_KINDS = kindsOf(leaves);

function createParseNode(table: LeafTable): ParseNode {
  const kinds = kindsOf(table);
  return (input, path, depth, parse) => {
    const { problems, seen } = parse;
    seen.nodes += 1;
    if (seen.nodes > CRITERIA_LIMITS.nodesMax) return reportNodes(path, parse);
    if (depth > CRITERIA_LIMITS.depthMax) {
      return problems.add("limit_exceeded", path, `criteria may nest at most ${CRITERIA_LIMITS.depthMax} levels`);
    }
    if (!isJsonObject(input)) return problems.add("type_mismatch", path, "a rule must be an object");
    const kind = kinds.find((name) => Object.hasOwn(input, name));
    switch (kind) {
      case "and":
      case "or":
        return parseAndOr(kind, input, path, depth, parse);
      case "not":
        return parseNot(input, path, depth, parse);
      case undefined:
        return reportNoKind(input, path, kinds, parse);
      default:
        return definitionOf({ kind, path }, table).parse(input, path, parse);
    }
  };
}

function reportNodes(path: string, { problems, seen }: Parse): undefined {
  if (seen.nodes > CRITERIA_LIMITS.nodesMax + 1) return undefined;
  return problems.add("limit_exceeded", path, `criteria may have at most ${CRITERIA_LIMITS.nodesMax} nodes`);
}

function reportNoKind(input: JsonObject, path: string, kinds: readonly string[], { problems }: Parse): undefined {
  if (Object.keys(input).length === 0) return problems.add("bad_value", path, "a rule must not be empty", kinds);
  checkMembers(problems, input, path, kinds);
  return undefined;
}

function parseAndOr(kind: "and" | "or", input: JsonObject, path: string, depth: number, parse: Parse) {
  checkMembers(parse.problems, input, path, [kind, "exclude"]);
  const members = input[kind];
  const at = pointer(path, kind);
  if (!Array.isArray(members)) return parse.problems.add("type_mismatch", at, `"${kind}" must be an array of rules`);
  const nodes = members.map((member: unknown, index) => parse.parseNode(member, pointer(at, index), depth + 1, parse));
  const exclude =
    input.exclude === undefined
      ? undefined
      : parse.parseNode(input.exclude, pointer(path, "exclude"), depth + 1, parse);
  const node: LogicNode = { kind, path, nodes: nodes.filter((entry) => entry !== undefined) };
  return exclude === undefined ? node : { ...node, exclude };
}

function parseNot(input: JsonObject, path: string, depth: number, parse: Parse): LogicNode | undefined {
  checkMembers(parse.problems, input, path, ["not"]);
  const node = parse.parseNode(input.not, pointer(path, "not"), depth + 1, parse);
  return node && { kind: "not", path, nodes: [node] };
}
