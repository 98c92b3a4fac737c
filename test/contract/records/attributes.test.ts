import { type Account, timeOfVersion } from "@headwater/contracts";
import { readAttributeClears } from "@headwater/records/attributes/attributeClears";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type MemoryStream, startMemoryStream, stateOf } from "../intake/projector/memoryStream.ts";
import { projectChanges } from "../intake/projector/projectChanges.ts";
import { workOff } from "../jobs/workOff.ts";
import { nowMs, type Running, startService } from "../service/running.ts";
import { movesOn } from "../service/streams.ts";

const SCOPES = ["contacts", "accountcontactattributes", "accountlists", "jobs"].flatMap((of) => [
  `${of}:read`,
  `${of}:write`,
]);
let service: Running;
/** The log, of an account of its own in the service's stores. */
let stream: MemoryStream;
let account: Account;
let key: string;

beforeAll(async () => {
  service = await startService();
  stream = await startMemoryStream({ store: service.postgres, drop: async () => undefined });
  account = stream.account;
  key = await service.key(account, { scopes: [...SCOPES, "audiences:read"] });
});
afterAll(() => service.stop());

const send = (method: "POST" | "PUT" | "DELETE", path: string, body?: unknown) =>
  service.call(key, `/v2/${path}`, { method, ...(body !== undefined && { body }) });
const get = (path: string) => service.call(key, `/v2/${path}`);
const contact = (address: string, attributes: object) => ({ channels: { email: { address } }, attributes });
const attributesOf = async (address: string) => (await get(`contacts/${address}`)).body.attributes;
const keys = async (): Promise<string[]> =>
  (await get("accountcontactattributes?per_page=500")).body.data.map((one: { key: string }) => one.key);

let records = 0;
/** A record of the log, for `apply`; `ageMs` before now. */
function append(address: string, attributes: object, { ageMs = 0, partition = 0, canBeCreated = true } = {}): void {
  const identifiers = { email: address };
  const write = { identifiers, attributes, canBeCreated, canBeUpdated: true };
  stream.clock.setNowMs(nowMs() - ageMs);
  stream.append("upsertContact", [{ id: `log${++records}:0:0`, receivedAt: 0, contact: write }], partition);
  stream.clock.setNowMs(nowMs());
}

/** Counts in ClickHouse who matches, after all that was written. */
async function count(rule: object): Promise<number> {
  await projectChanges(service, "changes.contacts");
  const { status, body } = await send("POST", "audiencecount", rule);
  expect([status, body.details]).toEqual([200, undefined]);
  return body.count;
}

/** A write that comes after this one is in a later millisecond. */
async function afterwards(): Promise<number> {
  const now = nowMs();
  await expect.poll(nowMs).toBeGreaterThan(now + 1);
  return now;
}

describe("a definition that comes up with a write", () => {
  test("is made with the value, and by nothing that is refused", async () => {
    await send("POST", "accountcontactattributes", { key: "age", name: "Age", type: "number" });
    const before = await keys();
    const refused = [
      await send("POST", "contacts", contact("first@x.org", { age: "old", never1: 1 })),
      await send("PUT", "contacts/nobody@x.org", { attributes: { never2: 1 }, lists: { never3: true } }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([422, 404]);
    append("nobody@x.org", { never4: 1 }, { canBeCreated: false });
    append("second@x.org", { age: "old", never5: 1 });
    append("third@x.org", { never6: null, plan: "gold" });
    const rules = new Map([["age", { type: "number" } as const]]);
    await stream.apply(stateOf(service.postgres, { ...account, attributes: rules }, stream.clock));
    expect((await keys()).filter((name) => !before.includes(name))).toEqual(["plan"]);
    expect((await get("accountlists")).body.data).toEqual([]);
  });

  test("is made once, whoever brings it up at the same time by either API", async () => {
    const names = Array.from({ length: 12 }, (_, n) => `many${n}`);
    const some = (n: number) =>
      Object.fromEntries([...names.slice(n % 12), ...names.slice(0, n % 12)].map((name) => [name, n]));
    const writes = Array.from({ length: 48 }, (_, n) => send("POST", "contacts", contact(`m${n % 4}@x.org`, some(n))));
    for (let n = 0; n < 8; n++) append(`m${n}@x.org`, some(n), { partition: n });
    const statuses = (await Promise.all([...writes, stream.apply()])).map((answer) => answer?.status);
    expect([...new Set(statuses)].sort()).toEqual([200, 201, undefined]);
    expect((await keys()).filter((name) => name.startsWith("many"))).toEqual(names.toSorted());
  });
});

describe("an attribute that is deleted", () => {
  test("is gone for every read at once, and starts anew by either API", async () => {
    await send("POST", "contacts", contact("v2@x.org", { color: ["red"], kept: 1 }));
    append("log@x.org", { color: ["blue"] });
    await stream.apply();
    expect(await count({ field: "attributes.color", op: "exists" })).toBe(2);
    const before = await afterwards();
    const deleted = await send("DELETE", "accountcontactattributes/color");
    expect(deleted.body).toEqual({ success: true, jobId: expect.any(String) });
    expect([await attributesOf("v2@x.org"), await attributesOf("log@x.org")]).toEqual([{ kept: 1 }, {}]);
    const unknown = await send("POST", "audiencecount", { field: "attributes.color", op: "exists" });
    expect(unknown.body.details[0].code).toBe("unknown_field");
    expect((await get("accountcontactattributes/color/values")).status).toBe(404);
    await afterwards();
    append("late@x.org", { color: ["of before"], kept: 1 }, { ageMs: 60_000 });
    append("log@x.org", { color: { add: ["green"] } });
    await stream.apply();
    await send("PUT", "contacts/v2@x.org", { attributes: { color: ["red"] } });
    expect([await attributesOf("v2@x.org"), await attributesOf("log@x.org"), await attributesOf("late@x.org")]).toEqual(
      [{ color: ["red"], kept: 1 }, { color: ["green"] }, { kept: 1 }],
    );
    expect(await count({ field: "attributes.color", op: "contains", value: "blue" })).toBe(0);
    expect(await count({ field: "attributes.color", op: "exists" })).toBe(2);
    const asOf = new Date(before).toISOString();
    expect(await count({ criteria: { field: "attributes.color", op: "contains", value: "blue" }, asOf })).toBe(1);
    const { body } = await get("accountcontactattributes/color/values");
    expect(body.data.map(({ value }: { value: unknown }) => value)).toEqual([["green"], ["red"]]);
  });

  test("is asked for as of before by the type it had then", async () => {
    await send("POST", "accountcontactattributes", { key: "size", name: "Size", type: "number" });
    await send("POST", "contacts", contact("size@x.org", { size: 5 }));
    const before = await afterwards();
    await send("DELETE", "accountcontactattributes/size");
    const rule = { field: "attributes.size", op: "gt", value: 4 };
    expect(await count({ criteria: rule, asOf: new Date(before).toISOString() })).toBe(1);
    const wrong = { criteria: { ...rule, op: "startsWith", value: "5" }, asOf: new Date(before).toISOString() };
    expect((await send("POST", "audiencecount", wrong)).body.details[0].code).toBe("unknown_operator");
    const today = await send("POST", "audiencecount", {
      criteria: rule,
      asOf: new Date(before).toISOString(),
      basis: "event",
    });
    expect(today.body.details[0].code).toBe("unknown_field");
  });

  test("does not come back with the end of a merge", async () => {
    await send("POST", "contacts", contact("one@x.org", { note: "one" }));
    await send("POST", "contacts", {
      channels: { sms: { address: "+491" } },
      attributes: { note: "two", customer_id: "c7" },
    });
    const merged = { ...contact("one@x.org", { customer_id: "c7" }), mergeOptions: { mergeAllowed: true } };
    expect((await send("POST", "contacts", merged)).body.attributes.note).toBe("two");
    await send("DELETE", "accountcontactattributes/note");
    const split = await send("POST", "contacts/split", { primaryKey: "one@x.org", channelNames: ["sms"] });
    expect(split.status).toBe(202);
    expect(await attributesOf("one@x.org")).not.toHaveProperty("note");
    expect(await attributesOf("phone:+491")).not.toHaveProperty("note");
  });

  test("has its values removed by the job, those that were written since stay", async () => {
    for (const name of ["a", "b", "c"])
      await send("POST", "contacts", contact(`${name}@job.org`, { secret: `of ${name}` }));
    await projectChanges(service, "changes.contacts");
    const { jobId } = (await send("DELETE", "accountcontactattributes/secret")).body;
    await send("PUT", "contacts/c@job.org", { attributes: { secret: "new" } });
    await projectChanges(service, "changes.contacts");
    await service.postgres.execute({ text: "DELETE FROM outbox" });
    const moves = movesOn(() => service.postgres);
    for (let partition = 0; partition < 8; partition++) await moves("activities", partition, 1_000);
    // It waits for the transactions of others, those of other databases too.
    const status = async () => {
      await workOff(service, jobId);
      return (await get(`jobs/${jobId}`)).body.status;
    };
    await expect.poll(status, { timeout: 30_000 }).toBe("Done");
    const job = (await get(`jobs/${jobId}`)).body;
    expect(job).toMatchObject({ status: "Done", jobName: "DeleteAttribute", result: { updated: 2 } });
    expect(job.completedItems).toBe(job.totalItems);
    const text = "SELECT doc FROM contacts WHERE account = $1 AND doc LIKE '%of _\"%'";
    expect(await service.postgres.query({ text }, [account.number])).toEqual([]);
    const stored = `SELECT text FROM contact_fields_current FINAL WHERE account = ${account.number} AND field = 'attributes.secret'`;
    expect(await service.clickHouse.query(stored)).toEqual([{ text: "new" }]);
    expect(await attributesOf("c@job.org")).toEqual({ secret: "new" });
  });

  test("while intake and /v2 write it: what contacts show is defined, and is what audiences count", async () => {
    const people = Array.from({ length: 6 }, (_, n) => `busy${n}@x.org`);
    for (const address of people) append(address, { busy: "start" });
    await stream.apply();
    const handler = stateOf(service.postgres, account, stream.clock);
    const log = async (round: number) => {
      for (const [n, address] of people.entries()) append(address, { busy: `log${(round + n) % 2}` }, { partition: n });
      await stream.apply(handler);
    };
    const v2 = (n: number) => send("PUT", `contacts/${people[n % 6]}`, { attributes: { busy: `v${n % 3}` } });
    const rounds = Array.from({ length: 4 }, async (_, round) => {
      const writes = Array.from({ length: 12 }, (_each, n) => v2(n + round));
      const deleted = send("DELETE", "accountcontactattributes/busy");
      const done = await Promise.all([...writes, deleted]);
      expect(new Set(done.slice(0, -1).map(({ status }) => status))).toEqual(new Set([200]));
    });
    await Promise.all([...rounds, log(0).then(() => log(1))]);
    const view = await Promise.all(people.map(attributesOf));
    const having = view.filter(({ busy }) => busy !== undefined);
    expect((await keys()).includes("busy")).toBe(having.length > 0);
    if (having.length > 0) {
      expect(await count({ field: "attributes.busy", op: "exists" })).toBe(having.length);
      for (const value of ["v0", "v1", "v2", "log0", "log1"]) {
        const wanted = having.filter(({ busy }) => busy === value).length;
        expect([value, await count({ field: "attributes.busy", op: "eq", value })]).toEqual([value, wanted]);
      }
    }
    const clears = (await readAttributeClears(service.postgres, account.number)).filter((one) => one.key === "busy");
    expect(new Set(clears.map(({ version }) => timeOfVersion(version))).size).toBe(clears.length);
  });
});

describe("a contact that is erased", () => {
  test("leaves one more in the counts of attributes that retain, and nothing of the others", async () => {
    const declare = (name: string, members: object) =>
      send("POST", "accountcontactattributes", { key: name, name, ...members });
    await declare("tier", { type: "string", retainOnDestroy: "unchanged" });
    await declare("spent", { type: "number", retainOnDestroy: "anonymized" });
    await declare("hobby", { type: "string" });
    for (const [n, spent] of [120, 180, 7].entries()) {
      await send("POST", "contacts", contact(`gone${n}@x.org`, { tier: "gold", spent, hobby: "chess" }));
      expect((await send("DELETE", `contacts/gone${n}@x.org`)).status).toBe(200);
    }
    const retained = async (of: string) => (await get(`accountcontactattributes/${of}/values`)).body.retained;
    expect(await retained("tier")).toEqual([{ value: "gold", count: 3 }]);
    expect(await retained("spent")).toEqual([
      { value: 100, count: 2 },
      { value: 1, count: 1 },
    ]);
    expect(await retained("hobby")).toBeUndefined();
    await send("DELETE", "accountcontactattributes/tier");
    const text = "SELECT key FROM retained_values WHERE account = $1 AND key = 'tier'";
    expect(await service.postgres.query({ text }, [account.number])).toEqual([]);
  });

  test("leaves no identifier, and no long text", async () => {
    const put = (name: string) => send("PUT", `accountcontactattributes/${name}`, { retainOnDestroy: "unchanged" });
    await send("POST", "contacts", contact("text@x.org", { customer_id: "c99", essay: "word ".repeat(500) }));
    const refused = await put("customer_id");
    expect([refused.status, refused.body.details[0].path]).toEqual([422, "/retainOnDestroy"]);
    expect((await put("essay")).status).toBe(200);
    await send("DELETE", "contacts/text@x.org");
    const { body } = await get("accountcontactattributes/essay/values");
    expect(body.retained).toEqual([{ value: "*", count: 1 }]);
  });
});

test("updateUnauthenticated is kept as it was sent", async () => {
  await send("POST", "accountcontactattributes", {
    key: "open",
    name: "Open",
    type: "string",
    updateUnauthenticated: true,
  });
  expect((await get("accountcontactattributes/open")).body).toMatchObject({ updateUnauthenticated: true });
});
