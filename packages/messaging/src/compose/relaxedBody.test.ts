import fc from "fast-check";
import { expect, test } from "vitest";
import { relaxedBody } from "./composeMail.ts";

/** The canonical form as RFC 6376 describes it, step by step. */
function stepByStep(body: string): string {
  const lines = body.split("\r\n").map((line) => line.replaceAll(/[ \t]+/g, " ").replace(/ $/, ""));
  while (lines.at(-1) === "") lines.pop();
  return lines.map((line) => `${line}\r\n`).join("");
}

test("a body is relaxed in one pass as step by step", () => {
  const piece = fc.constantFrom("\r\n", "\r\n\r\n", " ", "\t", "\r", "\n", "a", "word", ".", "é");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const body = Buffer.from(pieces.join(""), "latin1");
      expect(relaxedBody(body).toString("latin1")).toBe(stepByStep(body.toString("latin1")));
    }),
    { numRuns: 500 },
  );
});
