import { expect, test } from "vitest";
import { plant, read, run } from "./repository.ts";

test("knip reports a file, an export and a dependency that nothing uses, and an import that is not declared", () => {
  using planted = plant({
    "package.json": JSON.stringify({ name: "planted", workspaces: ["packages/*"] }),
    "knip.json": read("knip.json"),
    "tsconfig.json": "{}",
    "packages/one/package.json": JSON.stringify({
      name: "@headwater/one",
      type: "module",
      exports: { ".": "./src/index.ts" },
      dependencies: { unused: "1.0.0" },
    }),
    "packages/one/src/index.ts": 'import { used } from "./used.ts";\nimport "undeclared";\nexport const x = used;\n',
    "packages/one/src/used.ts": "export const used = 1;\nexport const idle = 2;\n",
    "packages/one/src/orphan.ts": "export const y = 1;\n",
  });
  const { status, output } = run("knip", ["--no-progress", "--reporter", "compact"], planted.folder);
  expect(status).toBe(1);
  for (const name of ["orphan.ts", "idle", "unused", "undeclared"]) {
    expect(output).toContain(name);
  }
  expect(output).not.toMatch(/\bused\b(?!\.ts)/);
});
