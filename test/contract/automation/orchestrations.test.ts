import { watchLoopTurns } from "@headwater/kernel";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { email, template } from "../messaging/templates/templateWorld.ts";
import { type Called, type CallOptions, type Running, startService, storedTime } from "../service/running.ts";
import { seedContacts, seedLists, versionAt } from "../service/seed.ts";

let service: Running;
let mine: Awaited<ReturnType<Running["account"]>>;
let key: string;
let otherKey: string;

beforeAll(async () => {
  service = await startService();
  mine = await service.account({ timezone: "Europe/Berlin" });
  key = await service.key(mine.account, { scopes: ["read", "write", "admin"] });
  otherKey = await service.key((await service.account()).account, { scopes: ["read", "write", "admin"] });
  await seedLists(service.postgres, mine.account, { VIP: [] });
  for (const name of ["first", "second"]) {
    const created = await call("POST", "/v2/automationtemplates", template(name));
    expect([created.status, created.body.details]).toEqual([201, undefined]);
  }
});

afterAll(() => service.stop());

const call = (
  method: CallOptions["method"] & string,
  url: string,
  body?: unknown,
  { as = key, headers = {} }: { readonly as?: string; readonly headers?: Readonly<Record<string, string>> } = {},
) => service.call(as, url, { method, headers, ...(body !== undefined && { body }) });

const ORCHESTRATIONS = "/v2/orchestrations";
const exit = { id: "end", type: "exit" };
const draft = (...actions: object[]) => ({ composition: { draft: { actions } } });
const message = (id: string, templateKey: string, ...next: string[]) => ({
  ...{ id, type: "message", templateKey },
  next: next.map((one) => ({ id: one })),
});

async function create(body: object): Promise<string> {
  const { status, body: created } = await call("POST", ORCHESTRATIONS, { name: "Journey", ...body });
  expect([status, created.details]).toEqual([201, undefined]);
  return `${ORCHESTRATIONS}/${created.orchestrationID}`;
}

async function publish(url: string, body: object = {}): Promise<Called> {
  const answer = await call("PUT", url, { publish: true, ...body });
  expect([answer.status, answer.body.details]).toEqual([200, undefined]);
  return answer;
}

const publishedOf = async (url: string) => (await call("GET", url)).body.composition.published;
const errorsOf = ({ status, body }: Called) => [
  status,
  ...(body.details ?? []).map(
    ({ path, code }: { path: string; code: string }) => `${path.replace("/composition/draft", "")} ${code}`,
  ),
];

describe("a published orchestration", () => {
  test("uses its saved audiences until another version does not, and names its templates", async () => {
    for (const audience of ["buyers", "guests"])
      await call("POST", "/v2/audiences", { key: audience, name: audience, criteria: { order: true } });
    const remove = (audience: string) => call("DELETE", `/v2/audiences/${audience}`);
    const url = await create({ entry: { audience: "buyers" }, ...draft(message("m", "first", "end"), exit) });
    await publish(url);
    const refused = await remove("buyers");
    const id = url.split("/").at(-1) ?? "";
    expect([refused.status, refused.body.code, refused.body.details[0].message]).toEqual([
      ...[422, "AUDIENCE_IN_USE", `The orchestration ${id} uses it.`],
    ]);
    const templates = async (query: string) =>
      (await call("GET", `/v2/automationtemplates?${query}`)).body.data.map((one: { key: string }) => one.key);
    const { compositionID } = await publishedOf(url);
    expect(await templates(`orchestrationID=${id}`)).toEqual(["first"]);
    await publish(url, { entry: { audience: "guests" }, ...draft(message("m", "second")) });
    expect(await templates(`orchestrationID=${id}`)).toEqual(["second"]);
    expect(await templates(`compositionID=${compositionID}`)).toEqual(["first"]);
    expect((await remove("buyers")).status).toBe(200);
    expect((await call("DELETE", url)).status).toBe(200);
    expect(await templates(`orchestrationID=${id}`)).toEqual([]);
    expect((await remove("guests")).status).toBe(200);
  });

  test("shows the content that a send would use now, by a name that changes with it", async () => {
    const url = await create(draft(message("m", "first", "n"), message("n", "second")));
    const contents = async () => {
      const { data } = (await call("GET", `${url}/actions`)).body;
      return data.map((one: { currentContentKey: string }) => one.currentContentKey);
    };
    const [first, second] = await contents();
    expect(first).toMatch(/^[0-9a-f]{24}$/);
    const changed = { message: email("<p>Hello</p>") };
    expect((await call("PUT", "/v2/automationtemplates/first", changed)).status).toBe(200);
    const after = await contents();
    expect([after[0] === first, after[1]]).toEqual([false, second]);
  });

  test("means a list that was renamed since", async () => {
    const filter = { id: "f", type: "filter", config: { criteria: { list: "VIP", op: "in" } } };
    const url = await create(draft(filter));
    await publish(url);
    const [row] = await service.postgres.query<{ lists: string }>(
      { text: "SELECT lists FROM orchestration_versions WHERE account = $1 AND orchestration = $2" },
      [mine.account.number, url.split("/").at(-1) ?? ""],
    );
    expect(JSON.parse(row?.lists ?? "")).toEqual({ VIP: expect.any(Number) });
  });

  test("makes one version of each change, however many publish at the same time", async () => {
    const url = await create(draft(exit));
    const names = Array.from({ length: 8 }, (_, index) => `v${index}`);
    const answers = await Promise.all(
      names.map((name) => call("PUT", url, { publish: true, ...draft({ ...exit, config: { name } }) })),
    );
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200));
    expect((await publishedOf(url)).version).toBe(8);
    const seen = await Promise.all(names.map((_, index) => call("GET", `${url}/actions?version=${index + 1}`)));
    expect(seen.map(({ body }) => body.data[0].config.name).toSorted()).toEqual(names);
    await publish(url);
    expect((await publishedOf(url)).version).toBe(8);
  });

  test("gives a repeat the first answer, also when a template is gone since", async () => {
    await call("POST", "/v2/automationtemplates", template("passing"));
    const url = await create(draft(message("m", "passing")));
    const once = { headers: { "idempotency-key": "publish once" } };
    const first = await call("PUT", url, { publish: true }, once);
    await call("DELETE", "/v2/automationtemplates/passing");
    const again = await call("PUT", url, { publish: true }, once);
    expect([first.status, again.status, again.headers["idempotency-replayed"]]).toEqual([200, 200, "true"]);
    expect(errorsOf(await call("PUT", url, { publish: true }))).toEqual([
      422,
      "/actions/0/templateKey unknown_reference",
    ]);
  });

  test("is written into the account's log", async () => {
    const url = await create({});
    await call("PUT", url, { status: true });
    const log = await service.postgres.query<{ action: string }>(
      { text: "SELECT action FROM account_log WHERE account = $1 AND target = $2 ORDER BY at, id" },
      [mine.account.number, url.split("/").at(-1) ?? ""],
    );
    expect(log.map(({ action }) => action).toSorted()).toEqual(["createOrchestration", "updateOrchestration"]);
  });
});

describe("a call", () => {
  test("lets contacts enter that are in the audience, and tells of those that are not", async () => {
    const at = 500;
    const contacts = ["in", "out"].map((name, index) => ({
      ...{ number: at + index, cid: `65f0c0ffee65f0c0ffee0${at + index}`, identifiers: { email: `${name}@x.org` } },
    }));
    await seedContacts(service.postgres, mine.account, contacts);
    await service.insert(
      "contacts_current",
      mine.account,
      contacts.map(({ number, cid }) => ({
        ...{ contact: number, cid, version: versionAt(0), revision: 1, merged_into: 0, deleted: 0 },
        ...{ created_at: storedTime(0), modified_at: storedTime(0) },
      })),
    );
    await service.insert("memberships_history", mine.account, [
      { list: 77, contact: at, present: 1, joined_at: storedTime(0), version: versionAt(0), at: storedTime(0) },
    ]);
    await service.postgres.execute(
      {
        text: `INSERT INTO lists (account, id, name, name_key, display_name, enhanced, created_at)
          VALUES ($1, 77, 'callers', 'callers', 'callers', false, 0)`,
      },
      [mine.account.number],
    );
    await call("POST", "/v2/audiences", { key: "callers", name: "callers", criteria: { list: "callers", op: "in" } });
    const pause = { id: "p", type: "delay", config: { for: { n: 1, unit: "day" } } };
    const url = await create({ trigger: { api: true }, entry: { audience: "callers" }, ...draft(pause) });
    await publish(url, { status: true });
    const { body } = await call("POST", `${url}/trigger`, {
      for: ["in", "out"].map((name) => ({ contact: { email: `${name}@x.org` } })),
    });
    expect([body.triggered, body.failures.map(({ error }: { error: string }) => error)]).toEqual([
      [{ triggered: true, contact: contacts[0]?.cid }],
      ["audience"],
    ]);
  });
});

describe("accounts", () => {
  test("see, change and delete only their own", async () => {
    const url = await create({ name: "Secret" });
    const other = { as: otherKey };
    for (const one of [url, `${url}/actions`])
      expect((await call("GET", one, undefined, other)).body.code).toBe("ORCHESTRATIONS_ORCHESTRATION_NOT_FOUND");
    expect((await call("PUT", url, { name: "Mine" }, other)).status).toBe(404);
    expect((await call("DELETE", url, undefined, other)).status).toBe(404);
    expect((await call("GET", ORCHESTRATIONS, undefined, other)).body.data).toEqual([]);
    expect((await call("GET", url)).body.name).toBe("Secret");
  });

  test("need the scope of orchestrations", async () => {
    const reader = await service.key(mine.account, { scopes: ["orchestrations:read"] });
    expect((await call("GET", ORCHESTRATIONS, undefined, { as: reader })).status).toBe(200);
    expect((await call("POST", ORCHESTRATIONS, { name: "x" }, { as: reader })).status).toBe(403);
  });
});

describe("a draft that cannot be published", () => {
  const circle = (id: string, to: string) => ({ id, type: "goal", config: { name: id }, next: [{ id: to }] });
  const delay = (config: object) => ({ id: "d", type: "delay", config });
  const nested = (depth: number): object => (depth === 0 ? { order: true } : { not: nested(depth - 1) });

  test.each<[string, object, string[]]>([
    ["no action", draft(), ["/actions required"]],
    ["a circle without a wait", draft(circle("a", "b"), circle("b", "a")), ["/actions/1/next/0 cycle"]],
    ["an edge to nowhere", draft(circle("a", "x")), ["/actions/0/next/0/id unknown_reference"]],
    ["an action that is not reached", draft(exit, { id: "x", type: "exit" }), ["/actions/1 bad_value"]],
    [
      "weights of 0",
      draft({ id: "s", type: "split", config: { paths: [{ label: "a", weight: 0 }] } }),
      ["/actions/0/config/paths bad_value"],
    ],
    [
      "201 actions",
      draft(...Array.from({ length: 201 }, (_, index) => ({ id: `a${index}`, type: "exit" }))),
      ["/actions too_many"],
    ],
    ["a wait of -1", draft(delay({ for: { n: -1, unit: "day" } })), ["/actions/0/config/for/n out_of_range"]],
    [
      "a wait of 10,000 years",
      draft(delay({ for: { n: 120_000, unit: "month" } })),
      ["/actions/0/config/for/n out_of_range"],
    ],
    [
      "criteria that are too deep",
      draft({ id: "f", type: "filter", config: { criteria: nested(20) } }),
      [`/actions/0/config/criteria${"/not".repeat(10)} limit_exceeded`],
    ],
    [
      "a regular expression that RE2 refuses",
      draft({ id: "f", type: "filter", config: { criteria: { field: "identifiers.email", op: "regex", value: "(" } } }),
      ["/actions/0/config/criteria/value bad_value"],
    ],
    ["a template with a NUL in its key", draft(message("m", "a\u0000b")), ["/actions/0/templateKey bad_value"]],
    [
      "an audience with a NUL in its key",
      draft({ id: "f", type: "filter", config: { criteria: { audience: "a\u0000b" } } }),
      ["/actions/0/config/criteria/audience bad_value"],
    ],
  ])("%s", async (_, body, errors) => {
    const created = await call("POST", ORCHESTRATIONS, { name: "Wrong", ...body });
    const answer =
      created.status === 201
        ? await call("PUT", `${ORCHESTRATIONS}/${created.body.orchestrationID}`, { publish: true })
        : created;
    expect(errorsOf(answer)).toEqual([422, ...errors]);
  });

  test("keeps no call waiting for long, however much its criteria refer to", async () => {
    const many = {
      or: Array.from({ length: 150 }, (_, index) => ({
        field: "identifiers.email",
        op: "eq",
        value: `${index}@x.org`,
      })),
    };
    await call("POST", "/v2/audiences", { key: "many", name: "many", criteria: many });
    const any = Array.from({ length: 20 }, () => ({ criteria: { audience: "many" } }));
    const waits = Array.from({ length: 100 }, (_, index) => ({
      ...{ id: `w${index}`, type: "wait", config: { any, timeout: { n: 1, unit: "day" } } },
      next: [{ id: `w${index + 1}`, label: "timeout" }],
    }));
    const url = await create(draft(...waits));
    const heldSeconds = watchLoopTurns();
    const answer = await call("PUT", url, { publish: true });
    expect(heldSeconds()).toBeLessThan(0.25);
    expect(errorsOf(answer)).toEqual([422, "/actions/99/next/0/id unknown_reference"]);
  });
});
