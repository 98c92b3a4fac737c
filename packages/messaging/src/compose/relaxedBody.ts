const CR = 13;
const LF = 10;
const SPACE = 32;
const TAB = 9;

/**
 * Returns a body in the relaxed canonical form of DKIM (RFC 6376, 3.4.4), in one pass: spaces and tabs become one space and go at the
 * end of a line, empty lines go at the end of the body.
 */
export function relaxedBody(body: Buffer): Buffer {
  // A last line without an end gets one.
  const relaxed = Buffer.allocUnsafe(body.length + 2);
  let length = 0;
  let emptyLines = 0;
  let hasSpace = false;
  for (let index = 0; index < body.length; index++) {
    const byte = body[index] ?? 0;
    if (byte === SPACE || byte === TAB) {
      hasSpace = true;
      continue;
    }
    if (byte === CR && body[index + 1] === LF) {
      emptyLines++;
      hasSpace = false;
      index++;
      continue;
    }
    for (; emptyLines > 0; emptyLines--) {
      relaxed[length++] = CR;
      relaxed[length++] = LF;
    }
    if (hasSpace) relaxed[length++] = SPACE;
    hasSpace = false;
    relaxed[length++] = byte;
  }
  if (length === 0) return Buffer.alloc(0);
  relaxed[length++] = CR;
  relaxed[length++] = LF;
  return relaxed.subarray(0, length);
}
