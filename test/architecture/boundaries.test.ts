import { expect, test } from "vitest";
import { plant, read, run, shippedFiles, workspaces } from "./repository.ts";

test("turbo finds every package inside its boundaries, and looked at every one", () => {
  const { status, output } = run("turbo", ["boundaries", "--no-update-notifier"]);
  expect({ status, output }).toMatchObject({ status: 0, output: expect.stringContaining("no issues found") });
  const [, files, packages] = /Checked (\d+) files in (\d+) packages/.exec(output) ?? [];
  const inPackages = shippedFiles().length;
  const members = workspaces().filter(({ folder }) => folder !== ".");
  expect(inPackages).toBeGreaterThan(0);
  expect(Number(files)).toBeGreaterThanOrEqual(inPackages);
  expect(Number(packages)).toBe(members.length);
});

test("every workspace has a layer", () => {
  const members = workspaces().filter(({ folder }) => folder !== ".");
  expect(members.length).toBeGreaterThan(10);
  for (const { folder } of members) {
    const { tags } = JSON.parse(read(`${folder}/turbo.json`));
    expect(tags, folder).toEqual([layerOf(folder)]);
  }
});

test("turbo reports a package that reaches up a layer", () => {
  const member = (name: string, layer: string, dependency?: string) => ({
    [`packages/${name}/package.json`]: JSON.stringify({
      name: `@headwater/${name}`,
      version: "1.0.0",
      exports: { ".": "./src/index.ts" },
      dependencies: dependency === undefined ? {} : { [`@headwater/${dependency}`]: "1.0.0" },
    }),
    [`packages/${name}/turbo.json`]: JSON.stringify({ extends: ["//"], tags: [layer] }),
    [`packages/${name}/src/index.ts`]: dependency === undefined ? "" : `import "@headwater/${dependency}";\n`,
  });
  using planted = plant({
    "package.json": JSON.stringify({ name: "planted", workspaces: ["packages/*"], packageManager: "npm@11.19.1" }),
    "turbo.json": read("turbo.json"),
    ...member("contracts", "contracts"),
    ...member("kernel", "kernel", "contracts"),
  });
  const { status, output } = run("turbo", ["boundaries", "--no-update-notifier"], planted.folder);
  expect(status).not.toBe(0);
  expect(output).toMatch(/kernel[\s\S]*contracts/);
});

function layerOf(folder: string): string {
  const [parent, name = ""] = folder.split("/");
  if (parent === "apps") {
    return "app";
  }
  if (["operations", "partners", "audience"].includes(name)) {
    return "slice";
  }
  return ["kernel", "contracts", "domain", "projection", "testing", "api-client"].includes(name)
    ? name
    : name === ""
      ? "infra"
      : "adapter";
}
