interface OpenContainer {
  readonly values: readonly unknown[];
  next: number;
}

/** A member's quotes and colon, or nothing; then a comma or a bracket. */
const BYTES_OF_NAME = 3;

/**
 * Returns whether a value's compact JSON has more bytes than `max`, for certain: true is never wrong, and comes after checking no more than
 * that many bytes. A false leaves open how long escapes and numbers are.
 */
export function isLargerThan(value: unknown, max: number): boolean {
  const open: OpenContainer[] = [];
  let bytes = enter(open, value);
  for (let container = open.at(-1); container !== undefined && bytes <= max; container = open.at(-1)) {
    if (container.next === container.values.length) open.pop();
    else bytes += 1 + enter(open, container.values[container.next++]);
  }
  return bytes > max;
}

/** @returns the least number of bytes of a value, but for what stands in it. */
function enter(open: OpenContainer[], value: unknown): number {
  if (typeof value === "string") return value.length + 2;
  if (typeof value !== "object" || value === null) return 1;
  if (Array.isArray(value)) {
    open.push({ values: value, next: 0 });
    return 1;
  }
  const names = Object.keys(value);
  open.push({ values: Object.values(value), next: 0 });
  return 1 + names.reduce((bytes, name) => bytes + name.length + BYTES_OF_NAME, 0);
}

/**
 * The first characters of a value's compact JSON, without writing the rest of it. `undefined` is written as null.
 * @param value nests in bounded levels.
 */
export function beginningOf(value: unknown, characters: number): string {
  if (!isLargerThan(value, characters)) return (JSON.stringify(value) ?? "null").slice(0, characters);
  if (typeof value === "string") return JSON.stringify(value.slice(0, characters)).slice(0, characters);
  if (Array.isArray(value)) return beginningOfAll("[", { values: value, names: undefined }, characters);
  return typeof value === "object" && value !== null
    ? beginningOfAll("{", { values: Object.values(value), names: Object.keys(value) }, characters)
    : "null";
}

interface Inside {
  readonly values: readonly unknown[];
  /** Undefined for arrays. */
  readonly names: readonly string[] | undefined;
}

function beginningOfAll(bracket: string, { values, names }: Inside, characters: number): string {
  let text = bracket;
  for (let at = 0; at < values.length && text.length < characters; at++) {
    const name = names?.[at];
    text += at === 0 ? "" : ",";
    if (name !== undefined) text += `${JSON.stringify(name.slice(0, characters))}:`;
    text += beginningOf(values[at], Math.max(1, characters - text.length));
  }
  return text.slice(0, characters);
}
