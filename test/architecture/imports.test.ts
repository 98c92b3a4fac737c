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
  [
    "contracts-import-kernel",
    "packages/contracts/src/a.ts",
    "@headwater/operations",
    "packages/operations/src/index.ts",
  ],
  [
    "slices-import-kernel-contracts-and-domain",
    "packages/operations/src/a.ts",
    "@headwater/audience",
    "packages/audience/src/index.ts",
  ],
  [
    "slices-import-kernel-contracts-and-domain",
    "packages/audience/src/b.ts",
    "@headwater/stores",
    "packages/stores/src/index.ts",
  ],
  ["slices-do-no-input-or-output", "packages/operations/src/c.ts", "node:fs", "fs"],
  ["slices-do-no-input-or-output", "packages/audience/src/d.ts", "pg", "node_modules/pg/index.js"],
  [
    "slices-keep-to-their-folder",
    "packages/operations/src/one/e.ts",
    "../other/index.ts",
    "packages/operations/src/other/index.ts",
  ],
  [
    "adapters-import-kernel-contracts-and-domain",
    "packages/topics/src/f.ts",
    "@headwater/stores",
    "packages/stores/src/index.ts",
  ],
  [
    "adapters-import-kernel-contracts-and-domain",
    "packages/http/src/g.ts",
    "@headwater/operations",
    "packages/operations/src/index.ts",
  ],
  [
    "projection-joins-domain-and-stores",
    "packages/projection/src/u.ts",
    "@headwater/operations",
    "packages/operations/src/index.ts",
  ],
  [
    "domain-imports-kernel-and-contracts",
    "packages/domain/src/x.ts",
    "@headwater/stores",
    "packages/stores/src/index.ts",
  ],
  ["slices-do-no-input-or-output", "packages/domain/src/z.ts", "node:fs", "fs"],
  [
    "api-client-imports-client",
    "packages/api-client/src/w.ts",
    "@headwater/contracts",
    "packages/contracts/src/index.ts",
  ],
  [
    "packages-import-no-app",
    "packages/stores/src/h.ts",
    "../../../apps/ingress/src/index.ts",
    "apps/ingress/src/index.ts",
  ],
  ["packages-import-no-infra", "packages/stores/src/i.ts", "../../../infra/start.ts", "infra/start.ts"],
  ["apps-import-no-app", "apps/service/src/j.ts", "../../ingress/src/index.ts", "apps/ingress/src/index.ts"],
  ["apps-import-no-infra", "apps/service/src/k.ts", "../../../infra/start.ts", "infra/start.ts"],
  ["infra-imports-no-app", "infra/l.ts", "../apps/ingress/src/index.ts", "apps/ingress/src/index.ts"],
  ["testing-is-for-tests", "apps/service/src/m.ts", "@headwater/testing", "packages/testing/src/index.ts"],
  ["kafka-client-in-topics", "apps/service/src/n.ts", "kafkajs", "node_modules/kafkajs/index.js"],
  ["store-clients-in-stores", "apps/service/src/o.ts", "pg", "node_modules/pg/index.js"],
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
  const packages = [
    "kernel",
    "contracts",
    "operations",
    "audience",
    "topics",
    "stores",
    "http",
    "domain",
    "projection",
    "testing",
  ];
  const names = ["pg", "kafkajs"];
  const manifests = packages.map((name) => [`packages/${name}/package.json`, manifestOf(`@headwater/${name}`)]);
  const indexes = packages.map((name) => [`packages/${name}/src/index.ts`, "export const x = 1;\n"]);
  const drivers = names.flatMap((name) => [
    [`node_modules/${name}/package.json`, JSON.stringify({ name, main: "index.js" })],
    [`node_modules/${name}/index.js`, "module.exports = {};\n"],
  ]);
  using planted = plant({
    ...Object.fromEntries([...manifests, ...indexes, ...drivers]),
    "package.json": manifestOf("planted"),
    "tsconfig.json": read("tsconfig.json"),
    "apps/ingress/src/index.ts": 'import { x } from "@headwater/operations";\nexport const y = x;\n',
    "infra/start.ts": "export const y = 1;\n",
    "test/a.test.ts": 'import "@headwater/testing";\n',
    "packages/operations/src/other/index.ts": 'import { x } from "@headwater/contracts";\nexport const y = x;\n',
    "packages/projection/src/v.ts":
      'import { x } from "@headwater/domain";\nimport { x as z } from "@headwater/stores";\nexport const y = [x, z];\n',
    "packages/kernel/src/inner.ts": "export const y = 1;\n",
    "packages/kernel/src/inner.test.ts": 'import "./inner.ts";\n',
    ...Object.fromEntries(WRONG_IMPORTS.map(([, file, imported]) => [file, `import "${imported}";\n`])),
  });
  linkWorkspaces(planted.folder, packages);
  const { found } = cruise(planted.folder);
  for (const [rule, from, , to] of WRONG_IMPORTS) {
    expect(found).toContain(`${rule}: ${from} -> ${to}`);
  }
  const wrong = new Set<string>(WRONG_IMPORTS.map(([, file]) => file));
  expect(found.filter((line) => !wrong.has(line.split(": ")[1]?.split(" -> ")[0] ?? ""))).toEqual([]);
});

function manifestOf(name: string): string {
  return JSON.stringify({ name, version: "1.0.0", type: "module", exports: { ".": "./src/index.ts" } });
}

function linkWorkspaces(folder: string, packages: readonly string[]): void {
  mkdirSync(join(folder, "node_modules/@headwater"), { recursive: true });
  for (const name of packages) {
    symlinkSync(join(folder, "packages", name), join(folder, "node_modules/@headwater", name));
  }
}
