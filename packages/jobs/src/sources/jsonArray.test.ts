import fc from "fast-check";
import { expect, test } from "vitest";
import { linesOfArray } from "./jsonArray.ts";

async function linesOf(text: string, cut = text.length): Promise<string> {
  const chunks = async function* () {
    for (let at = 0; at < text.length; at += Math.max(1, cut)) yield text.slice(at, at + Math.max(1, cut));
  };
  let all = "";
  for await (const line of linesOfArray(chunks())) all += line;
  return all;
}

test("each object of an array is a line, however it is written and cut", async () => {
  const objects = fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(
      objects,
      fc.constantFrom(undefined, 2, "\t"),
      fc.integer({ min: 1, max: 9 }),
      async (all, space, cut) => {
        const lines = await linesOf(` ${JSON.stringify(all, null, space)}\r\n`, cut);
        expect(
          lines
            .split("\n")
            .filter((line) => line !== "")
            .map((line) => JSON.parse(line)),
        ).toEqual(JSON.parse(JSON.stringify(all)));
      },
    ),
  );
});

test.each(["[{}", "[{},]", "[,{}]", "[{}] x", "{}", "[}]", "", '[{"a":"', "[{}]]"])("%j is refused", async (text) => {
  await expect(linesOf(text)).rejects.toThrow(/JSON array/);
});

test("a line end within a string is a wrong line, and no other", async () => {
  expect((await linesOf('[{"a":"x\ny"},{"b":1}]')).split("\n")).toEqual(['{"a":"x\ty"}', '{"b":1}', ""]);
});
