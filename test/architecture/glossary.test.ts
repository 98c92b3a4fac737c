import ts from "typescript";
import { expect, test } from "vitest";
import { codeFiles, type ProjectFile } from "./repository.ts";

/** Names made of a form of "tell", which the glossary replaces by "change event", "emit" or the plain noun or verb. */
const REPLACED =
  /^#?(is|re)?(told|tells?|telling)(?![a-z])|(Told|Tells?|Telling)(?![a-z])|(^|_)(RE)?(TOLD|TELLING)(_|$)/;

test("no identifier is a word that the glossary replaces", () => {
  const files = codeFiles();
  expect(files.length).toBeGreaterThan(1_000);
  expect(files.flatMap(replacedNamesIn)).toEqual([]);
});

test("the search finds replaced names of every form, and leaves other words and prose alone", () => {
  const text = "const told = isTold(retold, TOLD_MAX);\n// told\nconst teller = tellAll(this.#tells, 'told');\n";
  const names = ["told", "isTold", "retold", "TOLD_MAX", "tellAll", "#tells"];
  expect(replacedNamesIn({ path: "planted.ts", text })).toEqual(names.map((name) => `planted.ts ${name}`));
});

function replacedNamesIn({ path, text }: ProjectFile): string[] {
  if (!/told|tell/i.test(text)) return [];
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if ((ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) && REPLACED.test(node.text))
      found.push(`${path} ${node.text}`);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest));
  return found;
}
