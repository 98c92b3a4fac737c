import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

/**
 * Makes a slice of each kind in a copy of the tree, as somebody would by `npm run new`, and checks whether the whole is right. It needs no
 * services.
 */
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const LEFT_OUT = new Set(["node_modules", ".git", ".headwater", ".headwater-test", ".turbo"]);
const SLICES = [
  ["operation", "attachIdentifiers"],
  ["route", "getStocks"],
  ["resource", "warehouses"],
  ["partner", "shopsync"],
  ["command", "showAccount"],
  ["job", "CountStock"],
  ["leaf", "consent"],
] as const;

let copy = "";
const changed = new Set<string>();

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), "scaffold-"));
  cpSync(ROOT, copy, { recursive: true, filter: (path) => !LEFT_OUT.has(path.slice(dirname(path).length + 1)) });
  linkPackages();
});

afterAll(() => rmSync(copy, { recursive: true }));

/** The packages of others by links to those that are installed, our own by links into the copy. */
function linkPackages(): void {
  const own = "@headwater";
  mkdirSync(join(copy, "node_modules", own), { recursive: true });
  for (const name of readdirSync(join(ROOT, "node_modules")).filter((entry) => entry !== own)) {
    symlinkSync(join(ROOT, "node_modules", name), join(copy, "node_modules", name));
  }
  for (const folder of workspaces()) {
    const { name }: { name: string } = JSON.parse(readFileSync(join(copy, folder, "package.json"), "utf8"));
    symlinkSync(join(copy, folder), join(copy, "node_modules", name));
    const nested = join(ROOT, folder, "node_modules");
    if (readdirSync(join(ROOT, folder)).includes("node_modules"))
      symlinkSync(nested, join(copy, folder, "node_modules"));
  }
}

function workspaces(): string[] {
  const below = ["packages", "apps"].flatMap((parent) =>
    readdirSync(join(copy, parent)).map((name) => `${parent}/${name}`),
  );
  return ["infra", ...below].filter((folder) => readdirSync(join(copy, folder)).includes("package.json"));
}

function run(tool: string, args: readonly string[]) {
  const env = { ...process.env, NO_COLOR: "1", FORCE_COLOR: undefined };
  const path = join(copy, "node_modules", ".bin", tool);
  const { status, stdout, stderr } = spawnSync(path, args, { cwd: copy, env, encoding: "utf8" });
  return { status, output: `${stdout}${stderr}` };
}

describe("npm run new", () => {
  test.each(SLICES)("makes a slice of the kind %s", (kind, name) => {
    const startedAtMs = performance.now();
    const { status, output } = run("node", ["infra/scaffold/main.ts", kind, name]);
    expect({ status, output }).toEqual({ status: 0, output: expect.stringMatching(new RegExp(name, "i")) });
    for (const path of output.split("\n").filter((line) => /^[\w./-]+\.(ts|md)$/.test(line))) changed.add(path);
    process.stdout.write(
      `npm run new -- ${kind} ${name}: ${((performance.now() - startedAtMs) / 1000).toFixed(1)} s\n`,
    );
  });

  test("refuses a name that is taken, a name of another shape, and a kind that there is not", () => {
    for (const args of [
      ["route", "getStocks"],
      ["resource", "programs"],
    ]) {
      const taken = run("node", ["infra/scaffold/main.ts", ...args]);
      expect(taken).toMatchObject({ status: 1, output: expect.stringContaining("is there already") });
    }
    for (const args of [
      ["job", "countStock"],
      ["partner", "Shop"],
      ["resource", "Depot"],
      ["leaf", "order"],
      ["table", "stock"],
      ["job"],
    ]) {
      expect(run("node", ["infra/scaffold/main.ts", ...args])).toMatchObject({ status: 1 });
    }
  });

  // The whole project is checked from nothing, next to other suites.
  test("leaves types right", { timeout: 300_000 }, () => {
    const tsc = join("node_modules", "typescript-native", "bin", "tsc");
    expect(run("node", [tsc, "--noEmit", "-p", "."])).toEqual({ status: 0, output: "" });
  });

  test("leaves format and lint right, and no dead code", () => {
    const { status, output } = run("biome", ["check", "--error-on-warnings", ...changed]);
    expect({ status, output: status === 0 ? "" : output }).toEqual({ status: 0, output: "" });
    expect(run("knip", ["--no-progress"])).toMatchObject({ status: 0 });
  });

  test("leaves its own tests right, and those of every registry that it changed", () => {
    const registries = [
      "intake/src/operations/registry",
      "intake/src/partners/registry",
      "contracts/src/scopes",
      "service/src/scopes",
      "postgres/src/migrate/migrations",
      "commands.test",
      "audience/src/leaves",
      "audience/src/grammar",
    ];
    const unit = run("vitest", ["run", "--project", "unit", ...SLICES.map(([, name]) => name), ...registries]);
    expect(unit).toMatchObject({ status: 0 });
    for (const [, name] of SLICES) expect(unit.output.toLowerCase()).toContain(name.toLowerCase());
    // The other resources are tested where they are.
    const names = "[Ww]arehouse|[Ss]tocks|tested here|by these tests";
    const writing = run("vitest", [
      "run",
      "--project",
      "unit",
      "api/src/writing/sentBack",
      "createdReadOnly",
      "-t",
      names,
    ]);
    expect(writing).toMatchObject({ status: 0, output: expect.stringContaining("passed") });
    const laws = run("vitest", ["run", "--project", "unit", "test/laws/operations", "-t", "attachIdentifiers"]);
    expect(laws).toMatchObject({ status: 0, output: expect.stringContaining("1 passed") });
  });

  test("leaves the rules of the whole right", () => {
    const rules = [
      ...["imports", "style", "packages", "errorCodes", "clientItems", "generatedClient"],
      ...["routeTests", "erasure", "docs", "docComments", "servicePorts"],
    ];
    const { status, output } = run("vitest", ["run", "--project", "architecture", ...rules]);
    expect({ status, output: status === 0 ? "" : output }).toEqual({ status: 0, output: "" });
  });
});
