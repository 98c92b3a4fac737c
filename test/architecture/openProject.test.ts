import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { type ProjectFile, ROOT, read, textFiles, workspaces } from "./repository.ts";

/** More than these are no longer read at a release. */
const CHANGESETS_MAX = 30;

const manifest = z
  .object({
    license: z.string(),
    scripts: z.record(z.string(), z.string()),
    devDependencies: z.record(z.string(), z.string()),
  })
  .parse(JSON.parse(read("package.json")));

test("the license is the whole text of the one that package.json names", () => {
  const license = read("LICENSE");
  expect(manifest.license).toBe("Apache-2.0");
  for (const part of [
    "Version 2.0, January 2004",
    "9. Accepting Warranty",
    "END OF TERMS AND CONDITIONS",
    "APPENDIX",
  ]) {
    expect(license).toContain(part);
  }
});

test.each([
  "NOTICE",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "CODE_OF_CONDUCT.md",
  "CHANGELOG.md",
  ".changeset/config.json",
  ".editorconfig",
  ".github/ISSUE_TEMPLATE/bug.yml",
  ".github/pull_request_template.md",
])("%s is there and says something", (path) => {
  expect(existsSync(join(ROOT, path))).toBe(true);
  expect(read(path).length).toBeGreaterThan(100);
});

test("the guide explains how to add each kind of slice, a metric and a column, and names every script that it speaks of", () => {
  const guide = read("CONTRIBUTING.md");
  for (const kind of ["operation", "route", "partner", "command", "job"])
    expect(guide).toContain(`npm run new -- ${kind} `);
  for (const part of ["**A metric.**", "**A column.**"]) expect(guide).toContain(part);
  const named = [...guide.matchAll(/npm run ([\w:]+)/g)].map(([, script = ""]) => script);
  expect([...new Set(named)].filter((script) => manifest.scripts[script] === undefined)).toEqual([]);
});

test("people find the scripts that they expect", () => {
  const expected = ["build", "format", "generate", "lint", "new", "start", "test", "test:unit", "typecheck", "verify"];
  expect(Object.keys(manifest.scripts)).toEqual(expect.arrayContaining(expected));
});

test("the Node of version managers and of CI is the one that everything runs on", () => {
  expect(read(".node-version").trim()).toBe(manifest.devDependencies.node);
  expect(read(".github/workflows/ci.yml")).toContain("node-version-file: .node-version");
});

test("CI checks subjects and runs npm ci, npm run verify and npm test", () => {
  const workflow = read(".github/workflows/ci.yml");
  for (const command of ["node infra/commits/main.ts", "npm ci", "npm run verify", "npm test"]) {
    expect(workflow).toContain(`run: ${command}`);
  }
});

test("a release raises all packages together, and needs none to be published", () => {
  const config = z
    .object({
      fixed: z.array(z.array(z.string())),
      access: z.string(),
      privatePackages: z.object({ version: z.boolean() }),
    })
    .parse(JSON.parse(read(".changeset/config.json")));
  expect(config).toEqual({ fixed: [["@headwater/*"]], access: "restricted", privatePackages: { version: true } });
  const versions = workspaces().map(({ folder }) =>
    z.object({ version: z.string() }).parse(JSON.parse(read(`${folder}/package.json`))),
  );
  expect(new Set(versions.map(({ version }) => version)).size).toBe(1);
});

test("the changelog begins with the version of the packages, and says how to upgrade to it", () => {
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(read("package.json")));
  const [, newest = "", text = ""] = /^## (\S+)\n(.*?)(?=^## )/ms.exec(read("CHANGELOG.md")) ?? [];
  expect(newest).toBe(version);
  expect(text).toMatch(/^### Upgrading from /m);
});

test("a release is due after 30 changesets: one for each visible feature since the last one", () => {
  expect(changesets().length).toBeLessThanOrEqual(CHANGESETS_MAX);
});

test("each changeset names packages of the workspace between two lines of dashes, so that a release can read it", () => {
  const names = workspaces().map(({ manifest: { name } }) => name);
  expect(changesets().filter(({ text }) => !isChangeset(text, names))).toEqual([]);
  expect(isChangeset('---\n"@headwater/service": minor\n---\n\nA text.\n', names)).toBe(true);
  expect(isChangeset('---\n"@headwater/nobody": minor\n---\n\nA text.\n', names)).toBe(false);
  expect(isChangeset('---\n"@headwater/service": minor\n---\n', names)).toBe(false);
  expect(isChangeset("A text.\n", names)).toBe(false);
});

function changesets(): ProjectFile[] {
  return textFiles().filter(({ path }) => /^\.changeset\/(?!README)[^/]+\.md$/.test(path));
}

function isChangeset(text: string, packages: readonly string[]): boolean {
  const [, heads = ""] = /^---\n((?:"[^"\n]+": (?:major|minor|patch)\n)+)---\n\n\S/.exec(text) ?? [];
  const named = heads.split("\n").filter((line) => line !== "");
  return named.length > 0 && named.every((line) => packages.includes(line.split('"')[1] ?? ""));
}
