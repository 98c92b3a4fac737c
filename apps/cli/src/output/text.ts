/** A value in one line: texts bare, nothing for nothing, all else as JSON. */
export function toText(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
