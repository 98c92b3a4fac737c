import { z } from "zod";
import type { Answer } from "../answers/answer.ts";
import type { AnswerDescription } from "./route.ts";

/** Something in an accepted body that its sender should know. */
export interface BodyWarning {
  /** Pointer into the body. */
  readonly path: string;
  /** `unknown_member`, `read_only`: ignored. `not_an_address`: stored, and never sent to. */
  readonly code: "unknown_member" | "read_only" | "not_an_address";
  readonly message: string;
  readonly suggestion?: string;
}

const bodyWarning = z.strictObject({
  path: z.string(),
  code: z.enum(["unknown_member", "read_only", "not_an_address"]),
  message: z.string(),
  suggestion: z.string().optional(),
});
const warnings = z
  .array(bodyWarning)
  .describe("Members of the body that were ignored, and addresses that cannot be one of their channel.")
  .optional();

/** Returns the answer with what its sender should know of the body among its `warnings`. */
export function withWarnings(answer: Answer, found: readonly BodyWarning[]): Answer {
  const { body } = answer;
  if (found.length === 0 || typeof body !== "object" || body === null || Array.isArray(body)) return answer;
  const others: unknown = Reflect.get(body, "warnings");
  return { ...answer, body: { ...body, warnings: [...(Array.isArray(others) ? others : []), ...found] } };
}

/** Adds `warnings` to the description of an answer that is an object without them. */
export function describeWarnings(answer: AnswerDescription): AnswerDescription {
  const { schema } = answer;
  if (!(schema instanceof z.ZodObject) || "warnings" in schema.shape) return answer;
  return { ...answer, schema: schema.extend({ warnings }) };
}
