/**
 * Returns whether a parsed JSON value holds text that Postgres cannot store: NUL or a lone surrogate, in a string or a member's
 * name, at any depth. It walks without recursion, so that depth cannot exhaust the stack. In a body of valid UTF-8 such
 * text can only come from an escape: a body without `\u` need not be walked.
 */
export function hasForbiddenText(value: unknown): boolean {
  if (typeof value === "string") {
    return isForbidden(value);
  }
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next === "object" && next !== null && holdsForbidden(next, pending)) {
      return true;
    }
  }
  return false;
}

/** Checks one object's or array's own texts and puts what is nested on `pending`. */
function holdsForbidden(container: object, pending: unknown[]): boolean {
  const members: unknown[] = Array.isArray(container) ? container : Object.values(container);
  if (members !== container && Object.keys(container).some(isForbidden)) {
    return true;
  }
  for (const member of members) {
    if (typeof member === "string" && isForbidden(member)) {
      return true;
    }
    if (typeof member === "object" && member !== null) {
      pending.push(member);
    }
  }
  return false;
}

function isForbidden(text: string): boolean {
  return text.includes("\u0000") || !text.isWellFormed();
}

/** Returns the text as Postgres can store it: NUL and lone surrogates are replaced. */
export function storableText(text: string): string {
  return isForbidden(text) ? text.toWellFormed().replaceAll("\u0000", "\ufffd") : text;
}

/** A member's name as one step of a JSON pointer (RFC 6901). */
export function pointerStep(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** The member's name that one step of a JSON pointer stands for. */
export function nameOfPointerStep(step: string): string {
  return step.replaceAll("~1", "/").replaceAll("~0", "~");
}

/** A mark of the byte order, and the NULs of UTF-16 read as UTF-8, may stand around the first brackets. */
const JSON_BEGINNING = /^[\uFFFD\uFEFF\0\s]*(?:(\{)|\[[\0\s]*[{\]])/;

/** Returns whether bytes begin as an object of JSON, or as an array of objects; undefined for anything else. */
export function jsonBeginning(head: Buffer): "object" | "array" | undefined {
  const match = JSON_BEGINNING.exec(head.toString("utf8"));
  if (match === null) return undefined;
  return match[1] === undefined ? "array" : "object";
}

/** Returns a text without the character that its end repeats. A pattern such as `0+$` begins again at each of them, and takes the square of their number. */
export function withoutTrailing(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end--;
  return text.slice(0, end);
}
