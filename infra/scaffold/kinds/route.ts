import { addImport, type Edit, type Tree } from "../edits.ts";
import { importsOf } from "../importsOf.ts";
import { CAMEL_CASE, checkName, toCamelCase, toWords } from "../names.ts";
import { places } from "../places.ts";
import { roleEdits, scopeEdits } from "../scopeEdits.ts";

/** A route of `/v2` that reads: its file, its line among the routes, and the scope of its resource when that is new. */
export function routeEdits(name: string, tree: Tree): Edit[] {
  checkName(name, CAMEL_CASE);
  const resource = toWords(name).slice(1).join("");
  const folder = toCamelCase(nounOf(name));
  const context = contextOf(folder, tree);
  const path = `packages/${context}/src/${folder}/routes/${name}`;
  return [
    { path: `${path}.ts`, create: routeOf(name, resource, tree) },
    { path: `${path}.test.ts`, create: testOf(name) },
    ...registryEdits(name, { context, folder }, tree),
    ...scopeEdits(resource, tree),
    ...roleEdits([name], []),
  ];
}

/** `getStocks` -> `Stocks` */
function nounOf(name: string): string {
  return name.replace(/^[a-z]+/, "");
}

/** The context that has a folder of the resource. */
function contextOf(folder: string, tree: Tree): string {
  const [fallback] = places.contexts;
  return places.contexts.find((context) => tree.has(`packages/${context}/src/${folder}/routes.ts`)) ?? fallback;
}

/** A resource with routes of its own lists them; the others stand in the list of all. */
function registryEdits(
  name: string,
  { context, folder }: { readonly context: string; readonly folder: string },
  tree: Tree,
): Edit[] {
  const own = `packages/${context}/src/${folder}/routes.ts`;
  const [registry, from] = tree.has(own)
    ? [own, `./routes/${name}.ts`]
    : [places.routeRegistry, `@headwater/${context}/${folder}/routes/${name}`];
  return [
    addImport(tree, registry, `import { ${name} } from "${from}";`),
    { path: registry, insert: `${name}(ports), `, after: "return [" },
  ];
}

function routeOf(name: string, resource: string, tree: Tree): string {
  const shared = ["type Answer", "defineRoute", "type Route", "z", "waitForAfter", "afterQuery", "type AfterPorts"];
  const noun = nounOf(name);
  const [answer, example] = [`${toCamelCase(noun)}Answer`, `${toCamelCase(noun)}Example`];
  return `import type { Account } from "@headwater/contracts";
${importsOf(tree, places.routeModel, shared)}

export const query = z.strictObject(afterQuery);
export const ${answer} = z.strictObject({ account: z.string() });
export const ${example} = { account: "65f0c0ffee65f0c0ffee0001" };

/** Answers whose data the caller's key opens. */
export function show${noun}({ id }: Pick<Account, "id">): Answer {
  return { status: 200, body: { account: id } };
}

export function ${name}(ports: AfterPorts): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/${resource}",
    operationId: "${name}",
    summary: "The account that the key opens.",
    tags: ["operations"],
    answers: { 200: { description: "The account.", schema: ${answer}, example: ${example} } },
    auth: "basic",
    scope: "${resource}:read",
    rateClass: "read",
    query,
    handler: async ({ query: { after }, caller, signal }) => {
      await waitForAfter({ token: after, caller, store: "state", signal }, ports);
      return show${noun}(caller.account);
    },
  });
}
`;
}

function testOf(name: string): string {
  return `import { expect, test } from "vitest";
import { ${toCamelCase(nounOf(name))}Answer, ${toCamelCase(nounOf(name))}Example, query, show${nounOf(name)} } from "./${name}.ts";

test("${name} answers 200 with the account, as its schema says", () => {
  const { status, body } = show${nounOf(name)}({ id: ${toCamelCase(nounOf(name))}Example.account });
  expect(status).toBe(200);
  expect(${toCamelCase(nounOf(name))}Answer.parse(body)).toEqual(${toCamelCase(nounOf(name))}Example);
});

test("${name} takes no parameter but after", () => {
  expect(query.safeParse({ colour: "red" }).success).toBe(false);
});
`;
}
