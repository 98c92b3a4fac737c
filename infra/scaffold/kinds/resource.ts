import { Failure } from "../../bootstrap/failure.mjs";
import { addImport, type Edit, type Tree } from "../edits.ts";
import { importsOf } from "../importsOf.ts";
import { checkName, PLURAL, toPascalCase } from "../names.ts";
import { places } from "../places.ts";
import { roleEdits, scopeEdits } from "../scopeEdits.ts";

/** Names of a resource: `warehouses`, `warehouse`, `Warehouse`. */
interface Names {
  readonly resource: string;
  readonly noun: string;
  readonly type: string;
}

/**
 * A plain resource of `/v2`: its migration, its folder with table, definition and test, its scope, and its rows where tests go through all
 * resources.
 */
export function resourceEdits(name: string, tree: Tree): Edit[] {
  checkName(name, PLURAL);
  const taken = places.contexts.find((one) => tree.has(`packages/${one}/src/${name}/routes.ts`));
  if (taken !== undefined) throw new Failure(`packages/${taken}/src/${name} is there already: choose another name.`);
  const noun = name.slice(0, -1);
  const names = { resource: name, noun, type: toPascalCase(noun) };
  const [context] = places.contexts;
  const folder = `packages/${context}/src/${name}`;
  return [
    { path: `${places.migrations}/${nextNumber(tree)}_${name}.sql`, create: migrationOf(names) },
    { path: `${folder}/postgres.ts`, create: tableOf(names, tree) },
    { path: `${folder}/routes.ts`, create: definitionOf(names, tree) },
    { path: `${folder}/routes.test.ts`, create: testOf(names, tree) },
    { path: `${folder}/README.md`, create: readmeOf(names) },
    addImport(tree, places.routeRegistry, `import { ${noun}Routes } from "@headwater/${context}/${name}/routes";`),
    { path: places.routeRegistry, insert: `    ...${noun}Routes(ports),\n`, before: "    ...jobRoutes(ports),\n" },
    ...scopeEdits(name, tree),
    ...roleEdits(
      [`get${names.type}`, `list${names.type}s`],
      [`create${names.type}`, `update${names.type}`, `delete${names.type}`],
    ),
    ...rowsInTests(names),
    {
      path: places.readsGuide,
      insert: `${name}, `,
      before: "supplements and their records, jobs, receipts",
    },
  ];
}

/** Returns the number of the next migration, in three digits. */
function nextNumber(tree: Tree): string {
  const numbers = tree.list(places.migrations).map((file) => Number.parseInt(file, 10));
  return String(Math.max(...numbers) + 1).padStart(3, "0");
}

/** Rows in tests that fail for a resource, a write or a table that they do not know. */
function rowsInTests({ resource, noun, type }: Names): Edit[] {
  const path = `/v2/${resource}`;
  return [
    {
      path: places.erasureTest,
      insert: `  ${resource}: "definitions of the account",\n`,
      before: "  withdrawn_changes: ",
    },
    {
      path: places.sentBackTest,
      insert: `  {
    ...{ get: "get${type}", put: "update${type}", changed: { "/lm": OLD } },
    create: () => createdWithKey("create${type}"),
  },
`,
      before: `  { get: "getAccount", put: "updateAccount"`,
    },
    {
      path: places.everyWrite,
      insert: `    create${type}: () => post("${path}", { key: "noted", name: NAME }),
    update${type}: () => put("${path}/noted", { name: \`\${NAME} 2\` }),
    delete${type}: () => remove("${path}/noted"),
`,
      before: "    createActivityimport: ",
    },
    { path: places.pathValues, insert: `  "update${type}.key": "my-${noun}",\n`, before: `  contactID: "ada@` },
    {
      path: places.conformanceRows,
      insert: `  ["/${resource}/", ["create${type}"], { key: "my-${noun}" }],\n`,
      before: `  ["/supplements/", ["createSupplement"], {}],\n`,
    },
  ];
}

function migrationOf({ resource, type }: Names): string {
  return `-- ${type}s of an account. Times are milliseconds since 1970, as the processes' clocks see them.
CREATE TABLE ${resource} (
  account int NOT NULL,
  key text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  description text,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (account, key)
);
CREATE INDEX ${resource}_created ON ${resource} (account, created_at, key);
`;
}

function tableOf({ resource, type }: Names, tree: Tree): string {
  return `${importsOf(tree, places.tableModel, ["createResourceTable", "type RowOf"])}

export const ${resource} = createResourceTable({
  name: "${resource}",
  key: "key",
  members: { name: "text", description: "text | null" },
});

export type Stored${type} = RowOf<typeof ${resource}>;
`;
}

function definitionOf({ resource, noun, type }: Names, tree: Tree): string {
  return `${importsOf(tree, places.resourceModel, ["toTimestamp", "z", "defineResource"])}
${importsOf(tree, places.membersModel, ["storableText"])}
import { type Stored${type}, ${resource} } from "./postgres.ts";

/** Members next to the key, as bodies give them: \`null\` removes one that may be absent. */
const members = {
  name: storableText(256).min(1),
  description: storableText(1_024).nullish(),
};

const shape = z.strictObject({
  key: z.string(),
  name: z.string(),
  description: z.string().optional(),
  ct: z.string(),
  lm: z.string(),
});

function toRecord({ key, name, description, createdAt, updatedAt }: Stored${type}): z.input<typeof shape> {
  const times = { ct: toTimestamp(createdAt), lm: toTimestamp(updatedAt) };
  return { key, name, ...(description !== null && { description }), ...times };
}

const example = {
  key: "my-${noun}",
  name: "My ${noun}",
  ct: "2026-01-09T22:47:12.000Z",
  lm: "2026-01-09T22:47:12.000Z",
};

${routesOf({ resource, noun, type })}`;
}

function routesOf({ resource, noun, type }: Names): string {
  return `export const ${noun}Routes = defineResource({
  resource: "${resource}",
  noun: "${noun}",
  table: ${resource},
  shape,
  example,
  toRecord,
  versioned: ({ name, description }) => [name, description],
  list: {
    operationId: "list${type}s",
    summary: "Lists ${resource} in order of creation.",
    sorts: { ct: "createdAt", key: "key" },
  },
  get: { operationId: "get${type}", summary: "Returns a ${noun} by its key." },
  create: {
    operationId: "create${type}",
    summary: "Creates a ${noun}. Its key is unique within the account and cannot be changed.",
    body: z.object({ key: storableText(128).min(1), ...members }),
    requestExample: { key: example.key, name: example.name },
    keyOf: ({ key }) => key,
    toMembers: ({ name, description = null }) => ({ name, description }),
  },
  update: {
    operationId: "update${type}",
    summary: "Updates a ${noun}. Absent members stay unchanged, null removes a member.",
    body: z.object(members).partial(),
    requestExample: { name: "Our ${noun}" },
    toMembers({ name, description }, stored) {
      return { name: name ?? stored.name, description: description === undefined ? stored.description : description };
    },
  },
  delete: { operationId: "delete${type}", summary: "Deletes a ${noun}." },
});
`;
}

function testOf({ resource, noun, type }: Names, tree: Tree): string {
  return `import { expect, test } from "vitest";
${importsOf(tree, places.resourceTestModel, ["serveService"])}

const { send } = serveService(["${resource}"]);
const params = { key: "my-${noun}" };

test("a ${noun} is created, read, listed, changed and deleted", async () => {
  expect(await send("create${type}")).toMatchObject({ status: 201, body: { success: true, ...params } });
  expect(await send("get${type}", { params })).toMatchObject({ status: 200, body: { name: "My ${noun}" } });
  expect(await send("list${type}s")).toMatchObject({ status: 200, body: { data: [params] } });
  const changes = { description: "d" };
  expect((await send("update${type}", { params, body: changes })).status).toBe(200);
  expect((await send("get${type}", { params })).body).toMatchObject({ name: "My ${noun}", description: "d" });
  expect((await send("update${type}", { params, body: { description: null } })).status).toBe(200);
  expect((await send("get${type}", { params })).body).not.toHaveProperty("description");
  expect((await send("delete${type}", { params })).status).toBe(200);
});

test.each(["get${type}", "update${type}", "delete${type}"])("%s answers 404 for an unknown key", async (operation) => {
  expect((await send(operation, { params: { key: "nobody" } })).status).toBe(404);
});
`;
}

function readmeOf({ resource, noun }: Names): string {
  return `# ${toPascalCase(resource)}

A ${noun} is a name and a description that an account stores under a key of its own.

- \`postgres.ts\`: its table.
- \`routes.ts\`: its list, get, create, update and delete, by \`defineResource\`.

\`\`\`
curl -u "$KEY:" http://127.0.0.1:8421/v2/${resource}
\`\`\`
`;
}
