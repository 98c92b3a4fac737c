import { expect, test } from "vitest";
import { codeFiles, type ProjectFile } from "./repository.ts";

/** First words of a fragment. A doc comment begins with a verb or a noun phrase ("Returns the survivor.", "Limit of a body."). */
const FRAGMENT =
  /^(What|Whatever|Who|Whom|Whose|Whoever|As|Of|For|Where|Wherever|Which|Whether|How|When|Why|With|Without|Up|From|In|On|At|By|To|If|So|And|But|Only|After|Before|Behind|Until|Beyond|Between|Above|Below|Under|Among|Like|Than|Since|While|There|Here)\b/;
/** Fragments that are left, by folder: a number may fall and never rise, and a folder that is not named has none. */
const LEFT: Readonly<Record<string, number>> = {
  "apps/service": 113,
  "packages/stores": 177,
};
const GENERATED = /\/generated\//;

const files = codeFiles().filter(({ path }) => !GENERATED.test(path));

test("doc comments begin with a verb or a noun phrase", () => {
  const found = new Map<string, string[]>();
  for (const file of files) {
    const folder = folderOf(file.path);
    found.set(folder, [...(found.get(folder) ?? []), ...fragmentsIn(file)]);
  }
  expect(found.size).toBeGreaterThan(15);
  const tooMany = [...found].filter(([folder, places]) => places.length > (LEFT[folder] ?? 0));
  expect(tooMany.map(([folder, places]) => ({ folder, fragments: places.length, places }))).toEqual([]);
});

test("the search finds a fragment on one line and on several, and leaves whole sentences and code alone", () => {
  const text = [
    "/** What it is. */",
    "  /**\n   * Of the record, in\n   * its words.\n   */",
    "/** Returns what it is. */",
    'const whole = "/** Who */";',
    "/* Who is who. */",
  ].join("\n");
  expect(fragmentsIn({ path: "planted.ts", text })).toEqual(["planted.ts:1", "planted.ts:2"]);
});

/** Returns the places of doc comments that open with a fragment. */
function fragmentsIn({ path, text }: ProjectFile): string[] {
  return [...text.matchAll(/^[ \t]*\/\*\*[\s*]*(.*)/gm)]
    .filter(([, opening = ""]) => FRAGMENT.test(opening))
    .map(({ index }) => `${path}:${text.slice(0, index).split("\n").length}`);
}

/** Returns the workspace of a file, or its folder at the root. */
function folderOf(path: string): string {
  const [first = "", second = ""] = path.split("/");
  return ["apps", "packages"].includes(first) ? `${first}/${second}` : first;
}
