import { expect, test } from "vitest";
import { codeFiles } from "./repository.ts";

const files = codeFiles().filter(({ path }) =>
  /^(packages\/(?!intake\/src\/(entry|pushes)\/)|apps\/service\/)/.test(path),
);
const definitions = files.filter(({ path, text }) => !path.endsWith(".test.ts") && text.includes("operationId:"));
/** Tags of routes, as each definition names them: its own, or the name of its resource. */
const tags = new Set(definitions.flatMap(({ text }) => [...resourcesIn(text), ...tagsIn(text)]));
const served = new Set(
  files
    .filter(({ path }) => path.endsWith("/routes.test.ts"))
    .flatMap(({ text }) => [...text.matchAll(/serveService\(\[([^\]]+)\]/g)].flatMap(([, list = ""]) => namesIn(list))),
);
/** Keys are tested route by route, on keys in memory: a process is killed between two steps there. */
const APART = ["apikeys"];

test("the routes of each tag of /v2 are tested in their folder", () => {
  expect(tags.size).toBeGreaterThan(20);
  expect([...tags].filter((tag) => !served.has(tag) && !APART.includes(tag))).toEqual([]);
});

test("the search finds the tag of a route and the name of a resource, whose examples have tags of their own", () => {
  const route = 'defineRoute({ operationId: "getStock", tags: ["stocks"] })';
  const resource = 'defineResource({\n  resource: "depots", operationId: "getDepot", example: { tags: ["big"] } })';
  expect([...tagsIn(route), ...resourcesIn(route)]).toEqual(["stocks"]);
  expect([...tagsIn(resource), ...resourcesIn(resource)]).toEqual(["depots"]);
});

function resourcesIn(text: string): string[] {
  return [...text.matchAll(/\bdefineResource\(\{\s+resource: "(\w+)"/g)].map(([, name = ""]) => name);
}

function tagsIn(text: string): string[] {
  if (text.includes("defineResource({")) return [];
  const own = text.split("operationId:").slice(1);
  return own.flatMap((definition) => namesIn(/\btags: \[([^\]]+)\]/.exec(definition)?.[1] ?? ""));
}

function namesIn(list: string): string[] {
  return [...list.matchAll(/"(\w+)"/g)].map(([, name = ""]) => name);
}
