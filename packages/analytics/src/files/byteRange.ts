export interface ByteRange {
  /** Both included. */
  readonly start: number;
  readonly end: number;
}

const ONE_RANGE = /^bytes=(\d*)-(\d*)$/;

/**
 * The one range that a `Range` header asks for (RFC 9110, 14). Several ranges and what cannot be read are ignored: the whole file.
 * @returns `unsatisfiable` for one that begins behind the end.
 */
export function readRange(header: string | undefined, bytes: number): ByteRange | "whole" | "unsatisfiable" {
  const match = ONE_RANGE.exec(header?.trim() ?? "");
  if (match === null) return "whole";
  const [, first = "", last = ""] = match;
  if (first === "" && last === "") return "whole";
  if (first === "") {
    const length = Math.min(Number(last), bytes);
    return length === 0 ? "unsatisfiable" : { start: bytes - length, end: bytes - 1 };
  }
  const start = Number(first);
  if (last !== "" && Number(last) < start) return "whole";
  if (start >= bytes) return "unsatisfiable";
  return { start, end: last === "" ? bytes - 1 : Math.min(Number(last), bytes - 1) };
}
