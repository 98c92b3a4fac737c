import { globSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import config from "../../../vitest.config.ts";
import { rootFolder } from "../../bootstrap/places.mjs";
import { projectNames, suitesOf, zonedArgs } from "./suiteTable.ts";

test("every project of Vitest has a suite, and every folder of the contract project is in one", () => {
  const names = config.test?.projects?.map((project) =>
    typeof project === "object" && "test" in project ? project.test?.name : project,
  );
  expect(projectNames().toSorted()).toEqual(names?.toSorted());
  const paths = suitesOf(["contract"], []).flatMap((suite) => suite.paths ?? []);
  const folders = readdirSync(join(rootFolder, "test/contract"));
  expect(paths.toSorted()).toEqual(folders.map((name) => `test/contract/${name}/`).toSorted());
});

test("unit tests run whole where the host is, and those of dates in other zones, too", () => {
  const [whole, ...zoned] = suitesOf(["unit"], []);
  expect(whole).toEqual({ name: "unit", project: "unit", needsServices: false });
  expect(zoned.map(({ timezone }) => timezone)).toEqual(["America/New_York", "Asia/Kathmandu"]);
  for (const path of zoned.flatMap(({ paths = [] }) => paths))
    expect(globSync(path.endsWith("/") ? `${path}**/*.test.ts` : path, { cwd: rootFolder }), path).not.toEqual([]);
});

test("a project is one suite of the files that a caller names", () => {
  const suites = suitesOf(["contract", "infra"], ["one.test.ts"]);
  expect(suites.map(({ name, paths }) => [name, paths])).toEqual([
    ["contract", ["one.test.ts"]],
    ["infra", ["one.test.ts"]],
  ]);
  expect(suitesOf(["unit"], ["one.test.ts"])).toMatchObject([{ name: "unit", paths: ["one.test.ts"] }]);
});

test("test:zones runs contract and pipeline in each zone, or what its caller names", () => {
  const both = ["--project", "contract", "--project", "pipeline"];
  expect(zonedArgs([])).toEqual([
    { timezone: "America/New_York", args: both },
    { timezone: "Asia/Kathmandu", args: both },
  ]);
  expect(zonedArgs(["templates"]).map(({ args }) => args)).toEqual([
    [...both, "templates"],
    [...both, "templates"],
  ]);
  const named = ["--project", "contract", "exports"];
  expect(zonedArgs(named).map(({ args }) => args)).toEqual([named, named]);
});
