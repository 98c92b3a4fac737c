import { insertLogEntry, type NewLogEntry } from "@headwater/api/accountLog/accountLog";
import { serveService } from "@headwater/service/testService";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";

const service = serveService(["auditlog"]);
const AT = Date.UTC(2026, 0, 9);
const page = z.object({
  data: z.array(z.looseObject({ target: z.string().optional(), at: z.string().optional() })),
  pagination: z.object({ next_cursor: z.string().nullable(), total: z.number().optional() }),
});

beforeAll(async () => {
  const { number } = service.account;
  const write = (target: string, more: Partial<NewLogEntry> = {}) =>
    insertLogEntry(service.postgres, {
      ...{ account: number, at: AT, category: "API", level: "Info", action: "updateProgram", message: "m" },
      ...{ actor: "k1", target, ...more },
    });
  await write("a", { members: ["name", "tags"], actorKind: "key", details: { calls: 1 } });
  await write("b", { at: AT + 1, category: "System", level: "Warning", action: "createApikey", actor: "k2" });
  await write("c", { at: AT + 2, level: "Error" });
  await write("others", { account: number + 1 });
});

const list = async (query: string) => {
  const { status, body } = await service.send("listAuditlog", { query: `?from=2026-01-01&to=2026-02-01&${query}` });
  expect([status, body]).toEqual([200, expect.anything()]);
  return page.parse(body);
};
const targets = async (query: string) => (await list(query)).data.map(({ target }) => target);

test("the entries of the account are listed, the latest first, with the names of what was sent", async () => {
  const { data } = await list("");
  expect(data.map(({ target }) => target)).toEqual(["c", "b", "a"]);
  expect(data.at(-1)).toMatchObject({
    ...{ at: "2026-01-09T00:00:00.000Z", category: "API", level: "Info", action: "updateProgram", actor: "k1" },
    ...{ actorKind: "key", members: ["name", "tags"], details: { calls: 1 } },
  });
});

test.each([
  ["actor=k2", ["b"]],
  ["action=updateProgram", ["c", "a"]],
  ["category=System", ["b"]],
  ["level=Warning", ["c", "b"]],
  ["target=a", ["a"]],
  ["sort_dir=asc", ["a", "b", "c"]],
  ["actor=k2&level=Error", []],
])("%s filters them", async (query, expected) => {
  expect(await targets(query)).toEqual(expected);
});

test("times bound the list: from is in it, to is not, and without them it begins 90 days ago", async () => {
  const { body } = await service.send("listAuditlog", {
    query: "?from=2026-01-09T00:00:00.001Z&to=2026-01-09T00:00:00.002Z",
  });
  expect(page.parse(body).data.map(({ target }) => target)).toEqual(["b"]);
});

test("pages go on by cursor, and a page says how many entries there are in all", async () => {
  const first = await list("per_page=2&return_count=true");
  expect([first.data.length, first.pagination.total]).toEqual([2, 3]);
  expect(await targets(`per_page=2&cursor=${first.pagination.next_cursor}`)).toEqual(["a"]);
});

test.each(["level=Loud", "category=Nothing", "from=yesterday", "colour=red"])(
  "%s is refused with 400",
  async (query) => {
    expect((await service.send("listAuditlog", { query: `?${query}` })).status).toBe(400);
  },
);
