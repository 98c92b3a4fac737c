import type { UnknownMember } from "@headwater/kernel";
import { z } from "zod";
import type { Answer } from "../answers/answer.ts";
import type { AnswerDescription } from "./route.ts";

const unknownMember = z.strictObject({
  path: z.string(),
  code: z.literal("unknown_member"),
  message: z.string(),
  suggestion: z.string().optional(),
});
const warnings = z.array(unknownMember).describe("Members of the body that were ignored.").optional();

/** Returns the answer with what was ignored among its `warnings`. */
export function withWarnings(answer: Answer, ignored: readonly UnknownMember[]): Answer {
  const { body } = answer;
  if (ignored.length === 0 || typeof body !== "object" || body === null || Array.isArray(body)) return answer;
  const others: unknown = Reflect.get(body, "warnings");
  return { ...answer, body: { ...body, warnings: [...(Array.isArray(others) ? others : []), ...ignored] } };
}

/** Adds `warnings` to the description of an answer that is an object without them. */
export function describeWarnings(answer: AnswerDescription): AnswerDescription {
  const { schema } = answer;
  if (!(schema instanceof z.ZodObject) || "warnings" in schema.shape) return answer;
  return { ...answer, schema: schema.extend({ warnings }) };
}
