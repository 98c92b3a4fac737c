declare global {
  interface JSON {
    /** A value that `JSON.stringify` writes as the text given: ECMAScript's JSON.parse source text access. */
    rawJSON(text: string): object;
  }
}

const DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** A decimal's own digits as a JSON number: never a binary float. What is no decimal text stays as it is. */
export function decimalNumber(value: unknown): unknown {
  return typeof value === "string" && DECIMAL.test(value) ? JSON.rawJSON(value) : value;
}
