import { addImport, type Edit, type Tree } from "../edits.ts";
import { CAMEL_CASE, checkName, toPascalCase, toWords } from "../names.ts";
import { places } from "../places.ts";

/** A route of `/v2` that reads: its folder, its line among the routes, and the scope of its resource when that is new. */
export function routeEdits(name: string, tree: Tree): Edit[] {
  checkName(name, CAMEL_CASE);
  const folder = `${places.routes}/${name}`;
  const resource = toWords(name).slice(1).join("");
  return [
    { path: `${folder}/schema.ts`, create: schemaOf(name) },
    { path: `${folder}/handler.ts`, create: handlerOf(name) },
    { path: `${folder}/index.ts`, create: indexOf(name, resource) },
    { path: `${folder}/${name}.test.ts`, create: testOf(name) },
    addImport(tree, places.routeRegistry, `import { ${name} } from "../routes/${name}/index.ts";`),
    { path: places.routeRegistry, insert: `${name}(ports), `, after: "return [" },
    ...scopeEdits(resource, tree),
  ];
}

/** The resources stand in their alphabet. */
function scopeEdits(resource: string, tree: Tree): Edit[] {
  const [, listed = ""] = /scopeResources = \[([^\]]*)\]/.exec(tree.read(places.scopes)) ?? [];
  const resources = [...listed.matchAll(/"(\w+)"/g)].map(([, known = ""]) => known);
  if (resources.includes(resource)) return [];
  const next = resources.find((known) => known > resource);
  const end = "] as const;\n\n/** `read` and `write` hold";
  return [{ path: places.scopes, insert: `  "${resource}",\n`, before: next === undefined ? end : `  "${next}",\n` }];
}

function schemaOf(name: string): string {
  return `import { z } from "zod";
import { afterQuery } from "../../paging/query.ts";

export const query = z.strictObject(afterQuery);
export const ${name}Answer = z.strictObject({ account: z.string() });
export const ${name}Example = { account: "65f0c0ffee65f0c0ffee0001" };
`;
}

function handlerOf(name: string): string {
  return `import type { Account } from "@headwater/contracts";
import type { Answer } from "@headwater/http";

/** Answers whose data the caller's key opens. */
export function show${toPascalCase(name)}({ id }: Pick<Account, "id">): Answer {
  return { status: 200, body: { account: id } };
}
`;
}

function indexOf(name: string, resource: string): string {
  return `import { defineRoute, type Route } from "@headwater/http";
import type { ServicePorts } from "../../ports.ts";
import { waitForAfter } from "../../settled/after.ts";
import { show${toPascalCase(name)} } from "./handler.ts";
import { ${name}Answer, ${name}Example, query } from "./schema.ts";

export function ${name}(ports: ServicePorts): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/${resource}",
    operationId: "${name}",
    summary: "The account that the key opens.",
    tags: ["operations"],
    answers: { 200: { description: "The account.", schema: ${name}Answer, example: ${name}Example } },
    auth: "basic",
    scope: "${resource}:read",
    rateClass: "read",
    query,
    handler: async ({ query: { after }, caller, signal }) => {
      await waitForAfter({ token: after, caller, store: "state", signal }, ports);
      return show${toPascalCase(name)}(caller.account);
    },
  });
}
`;
}

function testOf(name: string): string {
  return `import { expect, test } from "vitest";
import { show${toPascalCase(name)} } from "./handler.ts";
import { ${name}Answer, ${name}Example, query } from "./schema.ts";

test("${name} answers 200 with the account, as its schema says", () => {
  const { status, body } = show${toPascalCase(name)}({ id: ${name}Example.account });
  expect(status).toBe(200);
  expect(${name}Answer.parse(body)).toEqual(${name}Example);
});

test("${name} takes no parameter but after", () => {
  expect(query.safeParse({ colour: "red" }).success).toBe(false);
});
`;
}
