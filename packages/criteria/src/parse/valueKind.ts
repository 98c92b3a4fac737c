import type { FieldType } from "../criteria.ts";

/** Reading of a value, and the values that make sense for it. */
export interface ValueKind {
  readonly type: FieldType;
  /** Texts are compared without case whatever the rule says (addresses). */
  readonly ignoreCase?: boolean;
  /** Values are kept in lower case: parts of them are searched for without case. */
  readonly isLowerCase?: boolean;
  /** The only values there are. */
  readonly allowed?: readonly string[];
  /** Integers may stand for their decimal digits (identifiers). */
  readonly integers?: boolean;
  /** The stored form of a value that is compared as a whole; undefined when the value has none. */
  readonly canonical?: (value: string) => string | undefined;
}
