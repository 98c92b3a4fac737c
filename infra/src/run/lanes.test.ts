import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import config from "../../../vitest.config.ts";
import { rootFolder } from "../../bootstrap/places.mjs";
import { lanesOf, projectNames } from "./lanes.ts";

test("every project of Vitest is in a lane, and every folder of the contract suite in one suite", () => {
  const inConfig = config.test?.projects?.map((project) =>
    typeof project === "object" && "test" in project ? project.test?.name : project,
  );
  expect(projectNames().toSorted()).toEqual(inConfig?.toSorted());
  const paths = lanesOf(["contract"], [])
    .flat()
    .flatMap((suite) => suite.paths);
  expect(paths.toSorted()).toEqual(
    readdirSync(join(rootFolder, "test/contract"))
      .map((name) => `test/contract/${name}/`)
      .toSorted(),
  );
});

test("a project is one suite of the files that a caller names", () => {
  const lanes = lanesOf(["contract", "infra"], ["one.test.ts"]);
  expect(lanes.flat().map(({ name, paths }) => [name, paths])).toEqual([
    ["contract", ["one.test.ts"]],
    ["infra", ["one.test.ts"]],
  ]);
  expect(lanesOf(["unit"], [])).toEqual([[{ name: "unit", project: "unit", needsServices: false }]]);
});
