import type { CriteriaNode } from "../criteria.ts";
import { name } from "../grammar/parts.ts";
import type { SavedAudience } from "../parse/context.ts";
import { type Parse, type ReadAudience, type Refusal, tooLarge } from "../parse/parserRun.ts";
import { checkMembers, createProblems, type JsonObject, pointer, type Suggestion, shown } from "../parse/problems.ts";
import type { ReferenceDefinition } from "./leaf.ts";

/** A saved audience; explains and errors know it as one line. */
interface AudienceLeaf {
  readonly kind: "audience";
  readonly path: string;
  readonly node: CriteriaNode;
}

/** Contacts of a saved audience. */
export const audienceLeaf: ReferenceDefinition<AudienceLeaf> = {
  kind: "audience",
  forms: [{ audience: name.describe("Key or id of a saved audience, as it is defined now.") }],
  examples: [{ audience: "buyers" }],
  parse: parseAudience,
  nodeOf: ({ node }) => node,
};

/** `{"audience": key or id}`: the saved audience as it is defined now. */
function parseAudience(input: JsonObject, path: string, parse: Parse): AudienceLeaf | undefined {
  const { context, problems, seen } = parse;
  checkMembers(problems, input, path, ["audience"]);
  const at = pointer(path, "audience");
  const named = input.audience;
  if (typeof named !== "string") return problems.add("type_mismatch", at, "a saved audience is named by its key or id");
  if (isSelf(named, parse)) return problems.add("cycle", at, `the audience "${shown(named)}" would hold itself`);
  const saved = context.audiences?.get(named);
  if (saved === undefined) return reportUnknown(named, at, parse);
  const read = readAudience(saved, parse);
  if (read.kind === "invalid") return problems.add(read.code, at, read.message);
  seen.referred += read.nodes;
  seen.deep = Math.max(seen.deep, read.deep + 1);
  const refused = tooLarge(parse);
  return refused ? problems.add("limit_exceeded", at, refused) : { kind: "audience", path, node: read.node };
}

function isSelf(named: string, { context: { self } }: Parse): boolean {
  return self !== undefined && (named === self.key || named === self.id);
}

function reportUnknown(name: string, path: string, { problems }: Parse): undefined {
  const message = `there is no saved audience "${shown(name)}"`;
  const suggest: Suggestion = ({ audiences }, among) =>
    among("audience", () => new Set([...(audiences?.values() ?? [])].map(({ key }) => key)))(name);
  return problems.addUnknown({ code: "unknown_reference", path, name, message, suggest });
}

/** Reads each saved audience once, whoever refers to it. */
function readAudience(saved: SavedAudience, parse: Parse): ReadAudience {
  const { audiences } = parse;
  const known = audiences.get(saved.id);
  if (known === "open") return refusal("cycle", `the audience "${saved.key}" holds itself`);
  if (known !== undefined) return known;
  audiences.set(saved.id, "open");
  const read = parseSaved(saved, parse);
  audiences.set(saved.id, read);
  return read;
}

/** Criteria of its own: they have their own depth and nodes, and their errors are reported where they are referred to. */
function parseSaved({ key, criteria }: SavedAudience, parse: Parse): ReadAudience {
  const seen = { nodes: 0, referred: 0, deep: 0 };
  const problems = createProblems();
  const node = parse.parseNode(criteria, "", 1, { ...parse, problems, seen });
  if (node !== undefined && problems.count === 0) {
    return { kind: "ok", node, nodes: seen.nodes + seen.referred, deep: seen.deep };
  }
  parse.problems.noteUnknown(problems);
  const [first] = problems.errorsIn({
    ...parse.context,
    audiences: new Map(),
    supplements: new Map(),
    lists: [],
    fields: new Map(),
  });
  const code = first?.code === "cycle" || first?.code === "limit_exceeded" ? first.code : "unknown_reference";
  return refusal(
    code,
    `the audience "${shown(key)}": ${first?.message ?? "it has no rule"}${first?.path ? ` (${first.path})` : ""}`,
  );
}

function refusal(code: Refusal, message: string): ReadAudience {
  return { kind: "invalid", code, message };
}
