import { expect, test } from "vitest";
import { codeFiles, type ProjectFile } from "./repository.ts";

/** First words of a fragment. A doc comment begins with a verb or a noun phrase ("Returns the survivor.", "Limit of a body."). */
const FRAGMENT =
  /^(What|Whatever|Who|Whom|Whose|Whoever|As|Of|For|Where|Wherever|Which|Whether|How|When|Why|With|Without|Up|From|In|On|At|By|To|If|So|And|But|Only|After|Before|Behind|Until|Beyond|Between|Above|Below|Under|Among|Like|Than|Since|While|There|Here|Those|These|Them)\b/;
const GENERATED = /\/generated\//;

const files = codeFiles().filter(({ path }) => !GENERATED.test(path));

test("doc comments begin with a verb or a noun phrase", () => {
  expect(files.length).toBeGreaterThan(50);
  expect(files.flatMap(fragmentsIn)).toEqual([]);
});

test("the search finds a fragment on one line and on several, and leaves whole sentences and code alone", () => {
  const text = [
    "/** What it is. */",
    "  /**\n   * Of the record, in\n   * its words.\n   */",
    "/** Returns what it is. */",
    'const whole = "/** Who */";',
    "/* Who is who. */",
    "/** Those that are left. */",
  ].join("\n");
  expect(fragmentsIn({ path: "planted.ts", text })).toEqual(["planted.ts:1", "planted.ts:2", "planted.ts:9"]);
});

/** Returns the positions of doc comments that open with a fragment. */
function fragmentsIn({ path, text }: ProjectFile): string[] {
  return [...text.matchAll(/^[ \t]*\/\*\*[\s*]*(.*)/gm)]
    .filter(([, opening = ""]) => FRAGMENT.test(opening))
    .map(({ index }) => `${path}:${text.slice(0, index).split("\n").length}`);
}
