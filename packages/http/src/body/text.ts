import { isAscii, isUtf8 } from "node:buffer";

/** @returns the text of UTF-8 bytes, a byte order mark left out; undefined when they are not UTF-8. */
export function textOf(bytes: Buffer): string | undefined {
  if (isAscii(bytes)) return bytes.toString("latin1");
  if (!isUtf8(bytes)) return undefined;
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return bytes.toString("utf8", hasMark ? 3 : 0);
}
