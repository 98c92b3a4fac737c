import { expect, test } from "vitest";
import { codeFiles, type ProjectFile } from "./repository.ts";

/** First words that lean on another title ("so is …", "and …", "ours: …"): whoever reads the title alone misses its subject. */
const LEANING =
  /^(so|and|but|or|nor|then|also|ours|theirs|with it|without it|it|its|they|them|their|this|that|these|those|one that|which|none)\b/i;
const TITLE = /\b(?:test|it)(?:\.each\((?:[^()]|\([^()]*\))*\))?\(\s*(["'`])((?:(?!\1).)+)\1,/g;

const files = codeFiles().filter(({ path }) => path.endsWith(".test.ts"));

test("each test's title has a subject of its own", () => {
  expect(files.flatMap(titlesOf).length).toBeGreaterThan(1_000);
  expect(
    files.flatMap((file) =>
      titlesOf(file)
        .filter(isLeaning)
        .map((title) => `${file.path}: ${title}`),
    ),
  ).toEqual([]);
});

test("the search finds a title that leans on another one, also of a table of cases", () => {
  const calls = [
    ["test", '("so is a second one", f);'],
    ["it", '.each([1, g(2)])("ours: %s", f);'],
    ["test", '("a key that ends is refused", f);'],
  ];
  const text = calls.map((parts) => parts.join("")).join("\n");
  expect(titlesOf({ path: "planted.ts", text }).map(isLeaning)).toEqual([true, true, false]);
});

function titlesOf({ text }: ProjectFile): string[] {
  return [...text.matchAll(TITLE)].map(([, , title = ""]) => title);
}

function isLeaning(title: string): boolean {
  return LEANING.test(title);
}
