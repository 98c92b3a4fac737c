import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import rootManifest from "../../../package.json" with { type: "json" };
import manifest from "../package.json" with { type: "json" };

const launcher = fileURLToPath(new URL("headwater.mjs", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "headwater-launcher-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Makes Node report another version to the program that it runs, and not to that program's children. */
const oldNode = join(folder, "oldNode.cjs");
writeFileSync(oldNode, 'Object.defineProperty(process.versions, "node", { value: "20.11.0" });\n');

function run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const options = { cwd: folder, encoding: "utf8", env: { PATH: process.env.PATH, HOME: folder, ...env } } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, args, options);
  return { status, stdout, stderr };
}

test.each([
  ["the pinned Node", []],
  ["an older Node", ["--require", oldNode]],
] as const)("the command runs from any folder with %s", (_, flags) => {
  const link = join(folder, `headwater-${flags.length}`);
  symlinkSync(launcher, link);
  const version = { status: 0, stdout: `headwater ${manifest.version}\n`, stderr: "" };
  expect(run([...flags, link, "--version"])).toEqual(version);
  writeFileSync(join(folder, "order.json"), JSON.stringify({ status: "paid" }));
  const { status, stdout } = run([...flags, link, "orders", "update", "7", "-f", "order.json", "--dry-run", "--json"]);
  expect([status, JSON.parse(stdout).body]).toEqual([0, { status: "paid" }]);
  expect(run([...flags, link, "orders", "get", "7"], { HEADWATER_HOME: "/nowhere" }).status).toBe(2);
});

test("without the pinned Node an older one is told which Node is needed", () => {
  const copy = join(folder, "clone", "apps", "cli", "bin", "headwater.mjs");
  cpSync(launcher, copy);
  const { status, stdout, stderr } = run(["--require", oldNode, copy, "--version"]);
  expect([status, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(/^headwater: Node 26 or later is needed, and this is Node 20\.11\.0\. Run npm ci in .*clone/);
});

test.each([
  [
    "is generated first, and the output is the command's alone",
    'mkdirSync(folder, { recursive: true }); writeFileSync(folder + "/digest.txt", ""); console.log("generating");',
    { status: 0, stdout: "ran\n", stderr: "generating\n" },
  ],
  [
    "and cannot be generated ends the command with the reason",
    'console.error("headwater: it cannot be written."); process.exitCode = 1;',
    { status: 2, stdout: "", stderr: "headwater: it cannot be written.\n" },
  ],
])("a client of /v2 that is missing %s", (_, generator, ended) => {
  const clone = mkdtempSync(join(folder, "without-client-"));
  const files = {
    "node_modules/node/bin/node": "",
    "apps/cli/src/main.ts": 'console.log("ran");\n',
    "infra/bootstrap/generate.mjs": `import { mkdirSync, writeFileSync } from "node:fs";
const folder = new URL("../../packages/api-client/src/generated", import.meta.url).pathname;
${generator}
`,
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(clone, path)), { recursive: true });
    writeFileSync(join(clone, path), text);
  }
  const copy = join(clone, "apps", "cli", "bin", "headwater.mjs");
  cpSync(launcher, copy);
  expect(run([copy, "--version"])).toEqual(ended);
});

test("the Node that the command needs is the pinned one", () => {
  const [major] = rootManifest.devDependencies.node.split(".");
  const copy = join(folder, "copy", "apps", "cli", "bin", "headwater.mjs");
  cpSync(launcher, copy);
  expect(run(["--require", oldNode, copy]).stderr).toContain(`Node ${major} or later`);
});
