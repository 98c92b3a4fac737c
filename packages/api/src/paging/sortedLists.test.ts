import { requestExample } from "@headwater/messaging/templates/routes/createTemplate";
import { serveService } from "@headwater/service/testService";
import { expect, test } from "vitest";

const service = serveService([]);
const { send } = service;

const criteria = { and: [] };
const template = (key: string, name: string) => ({ ...requestExample, key, name });
const NAMES = ["beta", "alpha", "gamma", "beta"];

/** Records that share a name, and their order by name. */
const lists: readonly { list: string; create: string; bodyOf: (key: string, name: string) => object }[] = [
  { list: "listAudiences", create: "createAudience", bodyOf: (key, name) => ({ key, name, criteria }) },
  { list: "listTemplates", create: "createTemplate", bodyOf: template },
  { list: "listAttributes", create: "createAttribute", bodyOf: (key, name) => ({ key, name, type: "string" }) },
  { list: "listSupplements", create: "createSupplement", bodyOf: (key, name) => ({ key, name, indexes: [] }) },
];

test.each(lists)(
  "$list by name pages in order of (name, key), in both directions",
  async ({ list, create, bodyOf }) => {
    for (const [index, name] of NAMES.entries()) {
      expect(await send(create, { body: bodyOf(`sorted${index}`, name) })).toMatchObject({ status: 201 });
    }
    const sorted = ["sorted1", "sorted0", "sorted3", "sorted2"];
    const ours = (keys: readonly unknown[]) => keys.filter((key) => sorted.includes(String(key)));
    expect(ours(await walk(list, "sort_by=name", "key"))).toEqual(sorted);
    expect(ours(await walk(list, "sort_by=name&sort_dir=desc", "key"))).toEqual(sorted.toReversed());
  },
);

test("a table without a name comes first, and is passed once", async () => {
  for (const key of ["nameless1", "nameless2"]) {
    expect((await send("createSupplement", { body: { key, indexes: [] } })).status).toBe(201);
  }
  expect((await walk("listSupplements", "sort_by=name", "key")).slice(0, 2)).toEqual(["nameless1", "nameless2"]);
});

test("templates by the last change put a changed one last", async () => {
  for (const key of ["lm1", "lm2", "lm3"]) await send("createTemplate", { body: template(key, key) });
  expect(await send("updateTemplate", { params: { key: "lm1" } })).toMatchObject({
    status: 200,
  });
  const keys = await walk("listTemplates", "sort_by=lm", "key");
  expect(keys.filter((key) => String(key).startsWith("lm"))).toEqual(["lm2", "lm3", "lm1"]);
});

test("contact lists by name mind no case", async () => {
  for (const name of ["mail", "Last", "next", "latest"]) await send("createAccountlist", { body: { name } });
  expect(await walk("listAccountlists", "sort_by=name", "name")).toEqual(["Last", "latest", "mail", "next"]);
  expect(await walk("listAccountlists", "sort_by=name&sort_dir=desc", "name")).toEqual([
    "next",
    "mail",
    "latest",
    "Last",
  ]);
});

test("a cursor belongs to the order it was given out for", async () => {
  const { body } = await send("listAccountlists", { query: "?sort_by=name&per_page=1" });
  const cursor = body.pagination.next_cursor;
  expect((await send("listAccountlists", { query: `?per_page=1&cursor=${cursor}` })).body.code).toBe("INVALID_CURSOR");
});

const PAGES_MAX = 50;

/** Follows the cursors of pages of two. @returns one member of all records. */
async function walk(operation: string, query: string, member: string): Promise<unknown[]> {
  const found: unknown[] = [];
  let cursor = "";
  for (let page = 0; page < PAGES_MAX; page++) {
    const { status, body } = await send(operation, { query: `?per_page=2&${query}${cursor}` });
    expect(status).toBe(200);
    found.push(...body.data.map((record: Record<string, unknown>) => record[member]));
    if (body.pagination.next_cursor === null) return found;
    cursor = `&cursor=${body.pagination.next_cursor}`;
  }
  throw new Error(`${operation} has more than ${PAGES_MAX} pages`);
}
