/** A value in one line: texts bare, lists of texts with commas, nothing for nothing, all else as JSON. */
export function toText(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "string")) {
    return value.join(", ");
  }
  return typeof value === "string" ? value : JSON.stringify(value);
}
