import { boundedDetails, pointerOf, type ReadOnlyMember } from "@headwater/kernel";
import { z } from "zod";
import type { Answer } from "../answers/answer.ts";
import type { AnswerDescription } from "./route.ts";

/** Something in an accepted body that its sender should know. */
export interface BodyWarning {
  /** Pointer into the body. */
  readonly path: string;
  /** `unknown_member`, `read_only`: ignored. `not_an_address`: stored, and never sent to. `similar_name`: stored under that very name. `missing_value`: finds no contact. */
  readonly code: "unknown_member" | "read_only" | "not_an_address" | "similar_name" | "missing_value";
  readonly message: string;
  readonly suggestion?: string;
}

const bodyWarning = z.strictObject({
  path: z.string(),
  code: z.enum(["unknown_member", "read_only", "not_an_address", "similar_name", "missing_value"]),
  message: z.string(),
  suggestion: z.string().optional(),
});
const warnings = z
  .array(bodyWarning)
  .describe(
    "Members of the body that were ignored, addresses that cannot be one of their channel, names that are nearly known ones, and identifiers that say that there is no value.",
  )
  .optional();

/** Returns the answer with what its sender should know of the body among its `warnings`. */
export function withWarnings(answer: Answer, found: readonly BodyWarning[]): Answer {
  const { body } = answer;
  if (found.length === 0 || typeof body !== "object" || body === null || Array.isArray(body)) return answer;
  const others: unknown = Reflect.get(body, "warnings");
  return { ...answer, body: { ...body, warnings: [...(Array.isArray(others) ? others : []), ...found] } };
}

/** Read-only members of one body that are named; of the others only the count is. */
const NAMED_MAX = 100;

/**
 * Returns a warning for each read-only member that was ignored. Where there are too many, the last one counts the others.
 * @param why ends the sentence that begins with the member's name.
 */
export function readOnlyWarnings(members: readonly ReadOnlyMember[], why: string): BodyWarning[] {
  const named = members.slice(0, NAMED_MAX).map(({ path }): BodyWarning => {
    const message = `${JSON.stringify(path.at(-1))} is read-only${why}`;
    return { path: pointerOf(path), code: "read_only", message };
  });
  const view = boundedDetails(named);
  const more = members.length - view.length;
  const last = view.at(-1);
  if (more === 0 || last === undefined) return view;
  return [...view.slice(0, -1), { ...last, message: `${last.message} So were ${more} more read-only members.` }];
}

/** Adds `warnings` to the description of an answer that is an object without them, or one of several such objects. */
export function describeWarnings(answer: AnswerDescription): AnswerDescription {
  const { schema } = answer;
  if (schema instanceof z.ZodUnion) return { ...answer, schema: z.union(schema.options.map(withWarningsMember)) };
  return schema instanceof z.ZodType ? { ...answer, schema: withWarningsMember(schema) } : answer;
}

function withWarningsMember<Schema>(schema: Schema) {
  return schema instanceof z.ZodObject && !("warnings" in schema.shape) ? schema.extend({ warnings }) : schema;
}
