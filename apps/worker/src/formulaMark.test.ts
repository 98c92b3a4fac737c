import { marked, unmarked } from "@headwater/jobs/files/formulaMark";
import fc from "fast-check";
import { expect, test } from "vitest";

test.each(["=1+1", "@a", "\tx", "-a", "+1*2", "'=1", "''@a", "+49 x"])("%j is marked", (text) => {
  expect(marked(text)).toBe(`'${text}`);
});

test.each(["'", "''", "'a", "+49 228 12345", "-1.5", "+1e3", "-.5", "a=b", "", "'+49 228"])(
  "%j is not marked",
  (text) => {
    expect([marked(text), unmarked(text)]).toEqual([text, text]);
  },
);

test("what was marked comes back as it was, whatever it is", () => {
  const part = fc.constantFrom("'", "=", "+", "-", "@", "1", ".", "e", " ", "a", "\t", "\r", "(");
  const text = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.array(part, { maxLength: 8 }).map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(text, (value) => {
      expect(unmarked(marked(value))).toBe(value);
      expect(marked(value)).not.toMatch(/^[=@\t\r]/);
    }),
  );
});
