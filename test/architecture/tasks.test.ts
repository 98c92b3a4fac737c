import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { plant, read, run, workspaces } from "./repository.ts";

const TASKS = ["build", "lint", "test:unit", "typecheck"];
const manifestSchema = z.object({ scripts: z.record(z.string(), z.string()) });
const { scripts } = manifestSchema.parse(JSON.parse(read("package.json")));
const turboSchema = z.object({ tasks: z.record(z.string(), z.unknown()) });

test("turbo knows the tasks that have a script, and each runs it", () => {
  const { tasks } = turboSchema.parse(JSON.parse(read("turbo.json")));
  expect(Object.keys(tasks).sort()).toEqual(TASKS.map((task) => `//#${task}`));
  const { status, stdout, output } = run("turbo", ["run", ...TASKS, "--dry=json", "--no-update-notifier"]);
  expect({ status, output: status === 0 ? "" : output }).toEqual({ status: 0, output: "" });
  const plan = z
    .object({
      tasks: z.array(z.object({ task: z.string(), command: z.string(), inputs: z.record(z.string(), z.string()) })),
    })
    .parse(JSON.parse(stdout));
  expect(plan.tasks.map(({ task }) => task).sort()).toEqual(TASKS);
  for (const { task, command, inputs } of plan.tasks) {
    expect([task, command]).toEqual([task, scripts[task]]);
    const paths = Object.keys(inputs);
    expect(paths.filter((path) => path.startsWith("packages/kernel/src/")).length).toBeGreaterThan(10);
    expect(paths.filter((path) => /(^|\/)(node_modules|\.turbo|\.headwater(-test)?)\//.test(path))).toEqual([]);
  }
});

test("a task is skipped while nothing that it reads has changed, and run again when something has", () => {
  using planted = plant({
    "package.json": JSON.stringify({
      name: "planted",
      packageManager: "npm@11.19.1",
      workspaces: ["packages/*"],
      scripts: Object.fromEntries(TASKS.map((task) => [task, "echo done"])),
    }),
    "package-lock.json": JSON.stringify({ name: "planted", lockfileVersion: 3, packages: { "": { name: "planted" } } }),
    "turbo.json": read("turbo.json"),
    "packages/one/package.json": JSON.stringify({ name: "one", version: "1.0.0" }),
    "packages/one/src/index.ts": "export const x = 1;\n",
  });
  const cached = () => /Cached: +(\d+) cached, (\d+) total/.exec(turbo(planted.folder))?.slice(1);
  expect(cached()).toEqual(["0", "4"]);
  expect(cached()).toEqual(["4", "4"]);
  const file = join(planted.folder, "packages/one/src/index.ts");
  writeFileSync(file, readFileSync(file, "utf8").replace("1", "2"));
  expect(cached()).toEqual(["0", "4"]);
});

function turbo(folder: string): string {
  return run("turbo", ["run", ...TASKS, "--no-update-notifier", "--cache-dir=.turbo/cache"], folder).output;
}

test("every package stands in a rule of the direction of imports", () => {
  const rules = read(".dependency-cruiser.mjs");
  const names = workspaces().flatMap(({ folder }) => (folder.startsWith("packages/") ? [folder.slice(9)] : []));
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(rules))).toEqual([]);
});
