import { type BodyParser, type ReadMembers, readMembers } from "@headwater/http";
import type { z } from "zod";

/** Members that callers of other systems send, and that say nothing here: the account is the key's. */
export const PASSED_OVER: readonly string[] = ["accountId", "accountID"];

/** A body that may have no member that its schema does not name: a misspelled option would do something else in silence. */
export interface ClosedBody<Members> extends ReadMembers<Members> {
  /** Names of all members that the body may have. */
  readonly names: readonly string[];
}

type Shape = Readonly<Record<string, z.ZodType>>;

/**
 * Reads a closed body, whose validation errors its handler reports with all others.
 * @param own names of members that the handler reads itself, to refuse them with a reason.
 */
export function readClosedBody<Members extends Shape>(
  schema: z.ZodObject<Members, z.core.$strict>,
  own: readonly string[] = [],
) {
  const { parse } = readMembers(schema);
  const names = Object.keys(schema.shape);
  return {
    schema,
    parse(value: unknown) {
      if (typeof value !== "object" || value === null || Array.isArray(value)) return { ...parse(value), names };
      const members = Object.entries(value).filter(([name]) => !PASSED_OVER.includes(name) && !own.includes(name));
      return { ...parse(Object.fromEntries(members)), given: { ...value }, names };
    },
  } satisfies BodyParser<ClosedBody<object>>;
}
