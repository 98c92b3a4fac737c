import { expect, test } from "vitest";
import { codeFiles } from "./repository.ts";

const SERVICE = "apps/service/src/";
const files = codeFiles().filter(({ path }) => path.startsWith(SERVICE));
/** Tags of routes, as each definition names them. */
const tags = new Set(
  files
    .filter(({ path, text }) => !path.endsWith(".test.ts") && text.includes("operationId:"))
    .flatMap(({ text }) => text.split("operationId:").slice(1))
    .flatMap((definition) => namesIn(/\btags: \[([^\]]+)\]/.exec(definition)?.[1] ?? "")),
);
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

function namesIn(list: string): string[] {
  return [...list.matchAll(/"(\w+)"/g)].map(([, name = ""]) => name);
}
