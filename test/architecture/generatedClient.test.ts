import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { ensureApiClient, sourcesOfApiClient } from "../../infra/bootstrap/apiClient.mjs";
import { plant, ROOT, read } from "./repository.ts";

const GENERATOR = `${ROOT}packages/api-client/generate/main.ts`;
const GENERATED = "packages/api-client/src/generated";
const FILES = ["members.ts", "operations.ts", "paths.ts"];

/** Appends the path of each module of ours to the file that MODULES names, in every process of Node. */
const RECORDER = `import { appendFileSync } from "node:fs";
import { registerHooks } from "node:module";
registerHooks({
  load(url, context, next) {
    if (!url.includes("/node_modules/") && url.startsWith("file:")) appendFileSync(process.env.MODULES, new URL(url).pathname + "\\n");
    return next(url, context);
  },
});
`;

test("the client of /v2 is generated the same from the same sources, and its digest covers every module of ours that the generator loads", () => {
  using planted = plant({ "recorder.mjs": RECORDER, modules: "" });
  const modules = join(planted.folder, "modules");
  const target = join(planted.folder, "generated");
  const env = { ...process.env, MODULES: modules, NODE_OPTIONS: `--import ${join(planted.folder, "recorder.mjs")}` };
  const ended = spawnSync(join(ROOT, "node_modules/.bin/node"), [GENERATOR, target], {
    cwd: ROOT,
    env,
    encoding: "utf8",
    timeout: 180_000,
  });
  expect({ status: ended.status, output: ended.stderr }).toEqual({ status: 0, output: "" });

  // Generates again only what is missing, stale or edited, as every command does.
  ensureApiClient(ROOT.replace(/\/$/, ""), { report: () => 0 });
  for (const name of FILES)
    expect(readFileSync(join(target, name), "utf8") === read(`${GENERATED}/${name}`)).toBe(true);

  const loaded = readFileSync(modules, "utf8")
    .split("\n")
    .filter((path) => path.startsWith(ROOT));
  const paths = new Set(loaded.map((path) => path.slice(ROOT.length)));
  const sources = new Set(sourcesOfApiClient(ROOT));
  expect(paths.size).toBeGreaterThan(300);
  expect([...paths].filter((path) => !sources.has(path))).toEqual([]);
});

test("a package of the client holds what was generated, though Git does not", () => {
  expect(read(".gitignore").split("\n")).toContain(`${GENERATED}/`);
  const pack = ["pack", "--dry-run", "--json", "--ignore-scripts", "--workspace=@headwater/api-client"];
  const { stdout } = spawnSync("npm", pack, { cwd: ROOT, encoding: "utf8", timeout: 60_000 });
  const [packed] = z.array(z.object({ files: z.array(z.object({ path: z.string() })) })).parse(JSON.parse(stdout));
  const paths = (packed?.files ?? []).map(({ path }) => path);
  const sources = readdirSync(join(ROOT, "packages/api-client/src")).filter((name) => /(?<!\.test)\.ts$/.test(name));
  expect(paths.filter((path) => path.startsWith("src/")).sort()).toEqual(
    [...FILES.map((name) => `generated/${name}`), ...sources].map((name) => `src/${name}`).sort(),
  );
});
