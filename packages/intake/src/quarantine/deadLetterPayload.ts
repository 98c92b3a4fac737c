/** Deeper than this nobody reads a dead letter, and a few thousand levels overflow `JSON.stringify`. */
const DEPTH_MAX = 64;
/** Levels that can be serialised again from wherever that is called. */
const NESTING_SAFE = 500;
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];
const TOO_DEEP = "(nested too deeply to show)";

/** JSON text of what is quarantined, whatever it holds: never throws for what came out of JSON. */
export function deadLetterPayload(value: unknown): string {
  try {
    const text = JSON.stringify(value) ?? "null";
    if (nestingOf(text) <= NESTING_SAFE) return text;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return JSON.stringify(cutDepth(value, DEPTH_MAX)) ?? "null";
}

/** Levels of JSON text at most: brackets within strings count too, which only makes it greater. */
function nestingOf(text: string): number {
  let deepest = 0;
  let level = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      level += 1;
      if (level > deepest) deepest = level;
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) level -= 1;
  }
  return deepest;
}

function cutDepth(value: unknown, left: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (left === 0) return TOO_DEEP;
  if (Array.isArray(value)) return value.map((member) => cutDepth(member, left - 1));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cutDepth(member, left - 1)]));
}
