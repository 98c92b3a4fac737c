import fc from "fast-check";
import { expect, test } from "vitest";
import { ENTRY_TYPES, type Entry } from "./entries.ts";
import { noEntries, type ProfileFormat, profileText } from "./exportContactProfileJob.ts";

async function textOf(entries: readonly Entry[], format: ProfileFormat) {
  const counts = noEntries();
  const parts: string[] = [];
  const source = async function* () {
    yield* entries;
  };
  for await (const part of profileText(source(), format, counts)) parts.push(part);
  return { text: parts.join(""), counts };
}

test("whatever is known of a contact, both forms are JSON and hold every entry once", async () => {
  const groups = fc.record(
    Object.fromEntries(ENTRY_TYPES.map((type) => [type, fc.array(fc.record({ n: fc.integer() }), { maxLength: 3 })])),
  );
  await fc.assert(
    fc.asyncProperty(groups, async (input) => {
      const entries: Entry[] = ENTRY_TYPES.flatMap((type) => (input[type] ?? []).map((data) => ({ type, data })));
      const { text, counts } = await textOf(entries, "json");
      expect(JSON.parse(text)).toEqual(input);
      expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(entries.length);
      const lines = (await textOf(entries, "jsonl")).text;
      expect(
        lines === ""
          ? []
          : lines
              .trimEnd()
              .split("\n")
              .map((line) => JSON.parse(line)),
      ).toEqual(entries);
    }),
  );
});

test("a profile without entries is an object of empty lists", async () => {
  const { text } = await textOf([], "json");
  expect(JSON.parse(text)).toEqual(Object.fromEntries(ENTRY_TYPES.map((type) => [type, []])));
});
