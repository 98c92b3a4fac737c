import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ensureApiClient, ensureApiClientExists } from "./apiClient.mjs";

const GENERATED = "packages/api-client/src/generated";
const SOURCE = "packages/http/src/route.ts";
const LINE = "generating the client of /v2 from the service's OpenAPI document";

let root = "";
let lines: string[] = [];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "api-client-"));
  lines = [];
  write(SOURCE, "one");
  write("apps/service/src/main.ts", "one");
  write("package-lock.json", "{}");
});

afterEach(() => rmSync(root, { recursive: true }));

test("a missing client is generated, and one that is current is left alone without a word", () => {
  ensure();
  expect([textOf("paths.ts"), lines]).toEqual(["paths.ts of one", [LINE]]);
  ensure();
  ensureApiClientExists(root);
  expect(lines).toEqual([LINE]);
});

test.each([
  ["a route that changed", () => write(SOURCE, "two")],
  ["a route that is new", () => write("apps/service/src/routes/getStock.ts", "")],
  ["a route that is gone", () => rmSync(join(root, "apps/service/src/main.ts"))],
  ["another version of a library", () => write("package-lock.json", "{ }")],
  ["a generator that changed", () => write("packages/api-client/generate/main.ts", "")],
  ["an edit by hand", () => write(`${GENERATED}/operations.ts`, "mine")],
  ["a file that was removed", () => rmSync(join(root, GENERATED, "members.ts"))],
  ["files without a digest, as Git had them once", () => rmSync(join(root, GENERATED, "digest.txt"))],
])("after %s the client is generated again", (_, change) => {
  ensure();
  change();
  ensure();
  expect(lines).toEqual([LINE, LINE]);
  expect(textOf("operations.ts")).toBe(`operations.ts of ${readFileSync(join(root, SOURCE), "utf8")}`);
  ensure();
  expect(lines).toHaveLength(2);
});

test("tests, texts and installed packages are no sources", () => {
  ensure();
  write("packages/http/src/route.test.ts", "");
  write("packages/http/README.md", "");
  write("packages/http/node_modules/a/index.ts", "");
  symlinkSync(join(root, "packages/http/node_modules"), join(root, "apps/service/node_modules"));
  ensure();
  expect(lines).toEqual([LINE]);
});

test("npm run generate generates a client that is current as well", () => {
  ensure();
  ensure({ isForced: true });
  expect(lines).toEqual([LINE, LINE]);
});

test("a source that changes while the client is generated is noticed by the next command", () => {
  ensure({
    generate: (from: string, folder: string) => {
      const done = generate(from, folder);
      write(SOURCE, "two");
      return done;
    },
  });
  ensure();
  expect([lines.length, textOf("paths.ts")]).toEqual([2, "paths.ts of two"]);
});

test("two processes that generate at once both leave whole files", () => {
  ensure({
    generate: (from: string, folder: string) => {
      ensure();
      return generate(from, folder);
    },
  });
  expect(readdirSync(join(root, GENERATED)).sort()).toEqual(["digest.txt", "members.ts", "operations.ts", "paths.ts"]);
  ensure();
  expect(lines).toHaveLength(2);
});

test("a generator that fails leaves the files as they were, and its reason is told", () => {
  ensure();
  write(SOURCE, "two");
  const fail = (_: string, folder: string) => {
    writeFileSync(join(folder, "paths.ts"), "half");
    return { code: 1, output: "SyntaxError: a route is broken\n" };
  };
  expect(() => ensure({ generate: fail })).toThrow(
    "the client of /v2 could not be generated: SyntaxError: a route is broken",
  );
  expect([readdirSync(join(root, GENERATED)).length, textOf("paths.ts")]).toEqual([4, "paths.ts of one"]);
});

test("a checkout that cannot be written needs a current client, and says so without one", () => {
  ensure();
  rmSync(join(root, GENERATED), { recursive: true });
  write(GENERATED, "not a folder");
  expect(() => ensure()).toThrow(/generated cannot be written \(EEXIST\): make it writable\.$/);
});

test("without the packages of development the sentence names the command that installs them", () => {
  expect(() => ensureApiClient(root, { report: () => 0 })).toThrow(
    "its packages are not installed; npm ci brings them.",
  );
});

test("packages that were installed without scripts bring no Node: the generator runs in the one that is there", () => {
  write("packages/api-client/node_modules/openapi-typescript/package.json", "{}");
  const names = '["members.ts", "operations.ts", "paths.ts"]';
  const body = `for (const name of ${names}) writeFileSync(process.argv[2] + "/" + name, process.execPath);`;
  write("packages/api-client/generate/main.ts", `import { writeFileSync } from "node:fs";\n${body}\n`);
  ensureApiClient(root, { report: () => 0 });
  expect(textOf("operations.ts")).toBe(process.execPath);
});

function ensure(how: { isForced?: boolean; generate?: typeof generate } = {}) {
  ensureApiClient(root, { generate, report: (line) => lines.push(line), ...how });
}

function generate(from: string, folder: string) {
  const source = readFileSync(join(from, SOURCE), "utf8");
  for (const name of ["members.ts", "operations.ts", "paths.ts"])
    writeFileSync(join(folder, name), `${name} of ${source}`);
  return { code: 0, output: "" };
}

function write(path: string, text: string) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function textOf(name: string) {
  return readFileSync(join(root, GENERATED, name), "utf8");
}
