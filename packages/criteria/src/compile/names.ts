import type { Test } from "../criteria.ts";

/** A name or value of criteria that the data of the account may never have had. */
export interface NameInCriteria {
  /** JSON pointer into the criteria. */
  readonly path: string;
  readonly kind: "event" | "property" | "value";
  readonly name: string;
  /** Distinguishes it from all others of the account. */
  readonly key: string;
  /** Pointer of the events that a property or value is searched for in: where these were never seen, it was not either. */
  readonly within?: string;
  /** A SELECT of a row that has it; it ends at the first one. */
  readonly seenSql: string;
  /** A SELECT of texts, the column `name`, that it may have meant. Absent where nothing may be suggested. */
  readonly othersSql?: string;
}

/** A member with more values than these is not a category: its values may be personal, and none is suggested. */
export const CATEGORIES_MAX = 200;

type TextTest = Extract<Test, { kind: "textIn" }>;

export function* textsOf(test: Test, path: string): Generator<{ at: string; text: string; test: TextTest }> {
  if (test.kind !== "textIn") return;
  const isOne = test.values.length === 1;
  for (const [index, text] of test.values.entries())
    yield { at: isOne ? path : `${path}/${index}`, text, test: { ...test, values: [text] } };
}
