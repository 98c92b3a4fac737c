import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { codeFiles, plant, ROOT, read, run } from "./repository.ts";

const reportSchema = z.object({
  modules: z.array(z.object({ source: z.string() })),
  summary: z.object({
    violations: z.array(z.object({ from: z.string(), to: z.string(), rule: z.object({ name: z.string() }) })),
  }),
});

function cruise(cwd: string) {
  const config = join(ROOT, ".dependency-cruiser.mjs");
  const folders = ["packages", "apps", "infra", "test"];
  const { stdout } = run("depcruise", ["--config", config, "--output-type", "json", ...folders], cwd);
  const report = reportSchema.parse(JSON.parse(stdout));
  const found = report.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`);
  return { sources: new Set(report.modules.map((module) => module.source)), found };
}

test("every import of every file follows the direction of the layers", () => {
  const { sources, found } = cruise(ROOT);
  const files = codeFiles().filter((file) => /^(packages|apps|infra|test)\//.test(file.path));
  expect(files.length).toBeGreaterThan(50);
  expect(files.map((file) => file.path).filter((path) => !sources.has(path))).toEqual([]);
  expect(found).toEqual([]);
});

/** Each: the rule, the file with the wrong import, what it imports, and how the report names that. */
const WRONG_IMPORTS = [
  ["kernel-imports-nothing", "packages/kernel/src/a.ts", "@headwater/contracts", "packages/contracts/src/index.ts"],
  ["contracts-import-kernel", "packages/contracts/src/a.ts", "@headwater/topics", "packages/topics/src/index.ts"],
  ["topics-knows-one-technology", "packages/topics/src/f.ts", "@headwater/http", "packages/http/src/index.ts"],
  ["postgres-knows-one-technology", "packages/postgres/src/g.ts", "@headwater/records/x", "packages/records/src/x.ts"],
  ["accounts-imports-floors-below", "packages/accounts/src/a.ts", "@headwater/records/x", "packages/records/src/x.ts"],
  ["records-imports-floors-below", "packages/records/src/b.ts", "@headwater/intake/x", "packages/intake/src/x.ts"],
  ["pure-roles-do-no-input-or-output", "packages/intake/src/operations/c.ts", "node:fs", "fs"],
  ["pure-roles-do-no-input-or-output", "packages/criteria/src/d.ts", "pg", "node_modules/pg/index.js"],
  [
    "pure-roles-do-no-input-or-output",
    "packages/records/src/orders/writeOrder.ts",
    "@headwater/postgres/x",
    "packages/postgres/src/x.ts",
  ],
  [
    "operations-keep-to-their-folder",
    "packages/intake/src/operations/one/e.ts",
    "../other/other.ts",
    "packages/intake/src/operations/other/other.ts",
  ],
  [
    "api-client-imports-client",
    "packages/api-client/src/w.ts",
    "@headwater/contracts",
    "packages/contracts/src/index.ts",
  ],
  [
    "packages-import-no-app",
    "packages/records/src/h.ts",
    "../../../apps/ingress/src/index.ts",
    "apps/ingress/src/index.ts",
  ],
  ["packages-import-no-infra", "packages/records/src/i.ts", "../../../infra/start.ts", "infra/start.ts"],
  ["apps-import-no-app", "apps/service/src/j.ts", "../../ingress/src/index.ts", "apps/ingress/src/index.ts"],
  ["apps-import-no-infra", "apps/service/src/k.ts", "../../../infra/start.ts", "infra/start.ts"],
  ["infra-imports-no-app", "infra/l.ts", "../apps/ingress/src/index.ts", "apps/ingress/src/index.ts"],
  ["testing-is-for-tests", "apps/service/src/m.ts", "@headwater/testing", "packages/testing/src/index.ts"],
  ["kafka-client-in-topics", "apps/service/src/n.ts", "kafkajs", "node_modules/kafkajs/index.js"],
  ["store-clients-in-their-package", "apps/service/src/o.ts", "pg", "node_modules/pg/index.js"],
  [
    "through-the-index",
    "apps/service/src/p.ts",
    "../../../packages/kernel/src/inner.ts",
    "packages/kernel/src/inner.ts",
  ],
  ["no-cycles", "packages/kernel/src/q.ts", "./q.ts", "packages/kernel/src/q.ts"],
  ["no-unresolvable", "packages/kernel/src/r.ts", "./missing.ts", "./missing.ts"],
  ["no-undeclared-package", "packages/kernel/src/s.ts", "pg", "node_modules/pg/index.js"],
  ["no-test-from-source", "packages/kernel/src/t.ts", "./inner.test.ts", "packages/kernel/src/inner.test.ts"],
] as const;

test("each kind of wrong import is found, and a right one is not", () => {
  const packages = ["kernel", "contracts", "criteria", "topics", "http", "testing"];
  /** Packages without an index: each file is imported by its name. */
  const byFile = ["postgres", "accounts", "records", "intake"];
  const names = ["pg", "kafkajs"];
  const manifests = packages.map((name) => [`packages/${name}/package.json`, manifestOf(`@headwater/${name}`)]);
  const indexes = packages.map((name) => [`packages/${name}/src/index.ts`, "export const x = 1;\n"]);
  const others = byFile.flatMap((name) => [
    [`packages/${name}/package.json`, manifestOf(`@headwater/${name}`, { "./*": "./src/*.ts" })],
    [`packages/${name}/src/x.ts`, "export const x = 1;\n"],
  ]);
  const drivers = names.flatMap((name) => [
    [`node_modules/${name}/package.json`, JSON.stringify({ name, main: "index.js" })],
    [`node_modules/${name}/index.js`, "module.exports = {};\n"],
  ]);
  using planted = plant({
    ...Object.fromEntries([...manifests, ...indexes, ...others, ...drivers]),
    "package.json": manifestOf("planted"),
    "tsconfig.json": read("tsconfig.json"),
    "apps/ingress/src/index.ts": 'import { x } from "@headwater/intake/x";\nexport const y = x;\n',
    "infra/start.ts": "export const y = 1;\n",
    "test/a.test.ts": 'import "@headwater/testing";\n',
    "packages/intake/src/operations/other/other.ts": 'import { x } from "@headwater/contracts";\nexport const y = x;\n',
    "packages/intake/src/v.ts":
      'import { x } from "@headwater/records/x";\nimport { x as z } from "@headwater/postgres/x";\nexport const y = [x, z];\n',
    "packages/kernel/src/inner.ts": "export const y = 1;\n",
    "packages/kernel/src/inner.test.ts": 'import "./inner.ts";\n',
    ...Object.fromEntries(WRONG_IMPORTS.map(([, file, imported]) => [file, `import "${imported}";\n`])),
  });
  linkWorkspaces(planted.folder, [...packages, ...byFile]);
  const { found } = cruise(planted.folder);
  for (const [rule, from, , to] of WRONG_IMPORTS) {
    expect(found).toContain(`${rule}: ${from} -> ${to}`);
  }
  const wrong = new Set<string>(WRONG_IMPORTS.map(([, file]) => file));
  expect(found.filter((line) => !wrong.has(line.split(": ")[1]?.split(" -> ")[0] ?? ""))).toEqual([]);
});

function manifestOf(name: string, exports: object = { ".": "./src/index.ts" }): string {
  return JSON.stringify({ name, version: "1.0.0", type: "module", exports });
}

function linkWorkspaces(folder: string, packages: readonly string[]): void {
  mkdirSync(join(folder, "node_modules/@headwater"), { recursive: true });
  for (const name of packages) {
    symlinkSync(join(folder, "packages", name), join(folder, "node_modules/@headwater", name));
  }
}
