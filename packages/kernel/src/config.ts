import type { z } from "zod";
import { HeadwaterError } from "./errors.ts";

/** The environment as Node gives it. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads a typed configuration out of the environment. A variable set to nothing counts as absent.
 * @throws HeadwaterError `CONFIG_INVALID` with one line and one detail for every wrong variable; values are never
 * repeated, because any of them may be a secret.
 */
export function loadConfig<Schema extends z.ZodType>(schema: Schema, env: Environment): z.output<Schema> {
  const input = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ""));
  const parsed = schema.safeParse(input);
  if (parsed.success) {
    return parsed.data;
  }
  const details = parsed.error.issues.map((issue) => toDetail(issue, input));
  const lines = details.map((detail) => `  ${detail.path} ${detail.message}`);
  throw new HeadwaterError({
    code: "CONFIG_INVALID",
    status: 500,
    publicMessage: `The configuration is invalid:\n${lines.join("\n")}`,
    details,
  });
}

function toDetail(issue: z.core.$ZodIssue, provided: Readonly<Record<string, string | undefined>>) {
  const name = String(issue.path[0] ?? "environment");
  if (issue.path.length > 0 && provided[name] === undefined) {
    return { path: name, code: "required", message: "is not set" };
  }
  return { path: name, code: "bad_value", message: `is wrong: ${describe(issue)}` };
}

/** Describes an issue by its schema alone: zod's own message, or one written in the schema, could hold the value. */
function describe(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_value":
      return `must be one of ${issue.values.map(String).join(", ")}`;
    case "invalid_type":
      return `must be of type ${issue.expected}`;
    case "too_small":
      return `must be at least ${issue.minimum}${unitOf(issue.origin)}`;
    case "too_big":
      return `must be at most ${issue.maximum}${unitOf(issue.origin)}`;
    case "invalid_format":
      return `must be a valid ${issue.format}`;
    default:
      return "does not have the expected shape";
  }
}

function unitOf(origin: string): string {
  return origin === "string" ? " characters long" : "";
}
