declare global {
  interface JSON {
    /** A value that `JSON.stringify` writes as the text given: ECMAScript's JSON.parse source text access. */
    rawJSON(text: string): { readonly rawJSON: string };
  }
}

const DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/**
 * A decimal's own digits as a JSON number: never a binary float that would read otherwise. What is no decimal text stays as it is.
 * One raw member makes `JSON.stringify` take twice as long for all of a page, so numbers that are written just so are numbers.
 */
export function decimalNumber<Value>(value: Value): Value | number | { readonly rawJSON: string } {
  if (typeof value !== "string" || !DECIMAL.test(value)) return value;
  const number = Number(value);
  return String(number) === value ? number : JSON.rawJSON(value);
}
