import { expect, test } from "vitest";
import { codeFiles, plant, read, run } from "./repository.ts";

test("Biome finds nothing in any file, and looked at every one", () => {
  const { status, output } = run("biome", ["check", "--error-on-warnings", "--max-diagnostics=20", "."]);
  const [, checked] = /Checked (\d+) files/.exec(output) ?? [];
  expect({ status, output: status === 0 ? "" : output }).toEqual({ status: 0, output: "" });
  expect(Number(checked)).toBeGreaterThanOrEqual(codeFiles().length);
});

const MISTAKES = [
  ["noFloatingPromises", "async function f() {}\nexport function g() {\n  f();\n}\n"],
  ["noExplicitAny", "export const x: any = 1;\n"],
  ["noNonNullAssertion", "export const f = (a?: string) => a!.length;\n"],
  ["useImportExtensions", 'import { y } from "./other";\n\nexport const x = y;\n'],
  ["noImportCycles", 'import { y } from "./other.ts";\n\nexport const x = y;\n'],
  ["noEmptyBlockStatements", "try {\n  globalThis.close();\n} catch {}\n"],
  [
    "noFocusedTests",
    `import { test } from "vitest";

test${".only"}("a", () => undefined);
`,
  ],
  ["format", "export const x = 'single'\n"],
] as const;

test.each(MISTAKES)("Biome reports %s", (rule, text) => {
  using planted = plant({
    "biome.json": read("biome.json"),
    "package.json": JSON.stringify({ name: "planted", devDependencies: { vitest: "1.0.0" } }),
    "other.ts": 'import { x } from "./mistake.ts";\n\nexport const y = x;\n',
    "mistake.ts": text,
  });
  const { status, output } = run("biome", ["check", "--error-on-warnings", "."], planted.folder);
  expect(status).not.toBe(0);
  expect(output).toContain(rule);
});

test("no check is switched off in a file", () => {
  const switches = [["biome", "ignore"].join("-"), ...["ignore", "nocheck"].map((word) => `@ts-${word}`)];
  const files = codeFiles();
  expect(files.length).toBeGreaterThan(50);
  for (const word of switches) {
    expect(files.filter((file) => file.text.includes(word)).map((file) => `${file.path}: ${word}`)).toEqual([]);
  }
});
