import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import config from "../../../vitest.config.ts";
import { rootFolder } from "../../bootstrap/places.mjs";
import { DATE_PATHS, dateTests, projectNames, suitesOf, zoneRuns } from "./suiteTable.ts";

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
  expect(whole).toEqual({ name: "unit", project: "unit", runs: "alone" });
  expect(zoned.map(({ timezone }) => timezone)).toEqual(["America/New_York", "Asia/Kathmandu"]);
  for (const { paths, runs } of zoned) expect([paths, runs]).toEqual([dateTests(), "in gaps"]);
});

test("tests of dates are those that name one, and each of their paths has some", () => {
  const files = dateTests();
  expect(files).toEqual(
    expect.arrayContaining(["packages/contracts/src/time.test.ts", "packages/criteria/src/moment.test.ts"]),
  );
  expect(files.filter((path) => path.includes("node_modules"))).toEqual([]);
  expect(files).not.toContain("packages/contracts/src/decimal.test.ts");
  expect(files).not.toContain("packages/automation/src/runs/applyChanges.test.ts");
  for (const pattern of DATE_PATHS) expect(dateTests([pattern]), pattern).not.toEqual([]);
});

test("a project is one suite of the files that a caller names", () => {
  const suites = suitesOf(["contract", "infra"], ["one.test.ts"]);
  expect(suites.map(({ name, paths }) => [name, paths])).toEqual([
    ["contract", ["one.test.ts"]],
    ["infra", ["one.test.ts"]],
  ]);
  expect(suitesOf(["unit"], ["one.test.ts"])).toMatchObject([{ name: "unit", paths: ["one.test.ts"] }]);
});

test("test:zones runs every suite in each zone, or what its caller names, or in one zone alone", () => {
  const both = (args: string[]) => ["America/New_York", "Asia/Kathmandu"].map((timezone) => ({ timezone, args }));
  expect(zoneRuns([])).toEqual(both([]));
  expect(zoneRuns(["--project", "contract", "exports"])).toEqual(both(["--project", "contract", "exports"]));
  expect(zoneRuns(["--zone", "Asia/Kathmandu", "exports"])).toEqual([
    { timezone: "Asia/Kathmandu", args: ["exports"] },
  ]);
  expect([zoneRuns(["--zone", "Europe/Berlin"]), zoneRuns(["--zone"])]).toEqual([undefined, undefined]);
});

test("in one of the zones the unit suite runs once, and whole", () => {
  const inZone = suitesOf(projectNames(), [], "Asia/Kathmandu");
  expect(inZone.filter(({ project }) => project === "unit")).toEqual([
    { name: "unit", project: "unit", runs: "alone" },
  ]);
  expect(new Set(inZone.map(({ project }) => project))).toEqual(new Set(projectNames()));
  expect(suitesOf(projectNames(), [], "Europe/Vienna")).toEqual(suitesOf(projectNames(), []));
});
