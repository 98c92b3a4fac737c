import { setTimeout as wait } from "node:timers/promises";
import type { Account } from "@headwater/contracts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cid } from "../analytics/analyticsWorld.ts";
import { nowMs, type Running, startService, storedTime } from "../service/running.ts";
import { versionAt } from "../service/seed.ts";

const SCOPES = { scopes: ["audiencecount:read", "accountlists:read", "accountlists:write"] };
const CONTACTS = 2_000;
const FIRST = 5_000;

let service: Running;
let account: Account;
let key: string;

beforeAll(async () => {
  service = await startService();
  ({ account } = await service.account());
  key = await service.key(account, SCOPES);
  const time = storedTime(nowMs());
  const rest = { created_at: time, modified_at: time, version: "", merged_into: 0, deleted: 0, revision: 1 };
  const numbers = Array.from({ length: CONTACTS }, (_, index) => FIRST + index);
  await service.insert(
    "contacts_current",
    account,
    numbers.map((contact) => ({ contact, cid: cid(contact), ...rest })),
  );
});

afterAll(() => service.stop());

const count = (body: unknown) => service.call(key, "/v2/audiencecount", { method: "POST", body });
const errorsOf = ({ status, body }: Awaited<ReturnType<typeof count>>) => [
  status,
  body.code,
  body.details?.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`),
];

describe("whom a count is of", () => {
  test.each([
    [{ criteria: { and: [] }, key: "vip" }, "/key"],
    [{ criteria: { and: [] }, id: "65f0c0ffee65f0c0ffee0001" }, "/id"],
    [{ id: "65f0c0ffee65f0c0ffee0001", key: "vip" }, "/key"],
    [{ and: [], key: "vip" }, "/key"],
  ])("is said once: %j is refused", async (body, path) => {
    const answer = await count(body);
    expect(errorsOf(answer)).toEqual([422, "VALIDATION_ERROR", [`${path} not_allowed`]]);
    expect(answer.body.details[0].message).toContain("one of them");
  });
});

describe("errors of options and of rules", () => {
  const wrong = { field: "attributes.colour", op: "is", value: 1 };

  test("are told at once, for criteria bare or wrapped", async () => {
    const eligibleFor = { channel: "emial", classification: "promotional" };
    const options = ["/sampleSize out_of_range", "/eligibleFor/channel unknown_reference"];
    const bare = await count({ and: [wrong], sampleSize: 50, eligibleFor });
    const rules = ["/and/0/field unknown_field", "/and/0/op unknown_operator"];
    expect(errorsOf(bare)).toEqual([422, "VALIDATION_ERROR", [...options, ...rules]]);
    const wrapped = await count({ criteria: wrong, sampleSize: 50, key: "vip", explan: true });
    expect(errorsOf(wrapped)[2]).toEqual([
      "/sampleSize out_of_range",
      "/key not_allowed",
      "/explan unknown_field",
      "/criteria/field unknown_field",
      "/criteria/op unknown_operator",
    ]);
    expect(wrapped.body.details[2].allowed[0]).toBe("explain");
    expect(errorsOf(await count({ criteria: wrong }))[1]).toBe("INVALID_AUDIENCE_RULES");
  });

  test("leave out what may have been there at a past moment that cannot be read", async () => {
    for (const asOf of ["yesterday", "2020-01-01", "2999-01-01"]) {
      const [, , errors] = errorsOf(await count({ criteria: wrong, asOf }));
      expect(errors.map((error: string) => error.split(" ")[0])).toEqual(["/asOf", "/criteria/op"]);
    }
  });
});

describe("a moment nothing is known of", () => {
  test("before the account was made is refused with the earliest there is, which is taken", async () => {
    const early = await count({ and: [], asOf: "2020-01-01T00:00:00Z" });
    expect(errorsOf(early)).toEqual([422, "VALIDATION_ERROR", ["/asOf out_of_range"]]);
    const farther = await count({ and: [], asOf: "1066-10-14" });
    expect(farther.body.details).toEqual(early.body.details);
    const { earliest, message } = early.body.details[0];
    expect(message).toContain(earliest);
    expect(Math.abs(Date.parse(earliest) - nowMs())).toBeLessThan(600_000);
    expect((await count({ and: [], asOf: earliest })).status).toBe(200);
    const before = new Date(Date.parse(earliest) - 1).toISOString();
    expect(errorsOf(await count({ criteria: { and: [] }, asOf: before }))[2]).toEqual(["/asOf out_of_range"]);
  });

  test("by event time may lie before: only what was loaded later shows it", async () => {
    const { status, body } = await count({ and: [], asOf: "2020-01-01T00:00:00Z", basis: "event" });
    expect([status, body.count]).toEqual([200, CONTACTS]);
  });

  test.each(["recorded", "event"])("in the future is refused by %s", async (basis) => {
    const asOf = new Date(nowMs() + 60_000).toISOString();
    expect(errorsOf(await count({ and: [], asOf, basis }))).toEqual([422, "VALIDATION_ERROR", ["/asOf out_of_range"]]);
  });

  test("is not one that another clock calls now", async () => {
    expect((await count({ and: [], asOf: new Date(nowMs() + 2_000).toISOString() })).body.count).toBe(CONTACTS);
  });
});

describe("a sample", () => {
  test("is spread over the set, the same for the same set, and not its oldest contacts", async () => {
    const sampleOf = async (body: object) => (await count({ ...body, sampleSize: 20 })).body.sample;
    const sample = await sampleOf({ and: [] });
    expect(new Set(sample).size).toBe(20);
    expect(await sampleOf({ criteria: { or: [{ and: [] }] } })).toEqual(sample);
    const numbers = sample.map((id: string) => Number.parseInt(id, 16) - FIRST);
    const quarters = new Set(numbers.map((number: number) => Math.floor((number * 4) / CONTACTS)));
    expect(quarters).toEqual(new Set([0, 1, 2, 3]));
    expect(numbers.every((number: number) => number >= 0 && number < CONTACTS)).toBe(true);
  });

  test("of fewer is the beginning of one of more", async () => {
    const { sample } = (await count({ and: [], sampleSize: 20 })).body;
    expect((await count({ and: [], sampleSize: 5 })).body.sample).toEqual(sample.slice(0, 5));
  });
});

describe("a list", () => {
  const make = async (name: string) => {
    const answer = await service.call(key, "/v2/accountlists", { method: "POST", body: { name } });
    return answer.body.id;
  };
  const join = (list: number, contact: number) => {
    const at = nowMs();
    const joined = { list, contact, present: 1, joined_at: storedTime(at), version: versionAt(at), revision: 1 };
    return service.insert("memberships_current", account, [joined]);
  };
  const onList = async (list: string | number) => (await count({ list, op: "in" })).body.count;

  test("is named by its id as a number or a text, and a text is first of all a name", async () => {
    const id = await make("Texts");
    await join(id, FIRST);
    expect([await onList("texts"), await onList(id), await onList(String(id))]).toEqual([1, 1, 1]);
    const other = await make(String(id));
    await join(other, FIRST + 1);
    await join(other, FIRST + 2);
    expect([await onList(String(id)), await onList(id), await onList(String(other))]).toEqual([2, 1, 2]);
  });
});

describe("the channel of a message", () => {
  const ofChannel = (channel: string) => count({ criteria: { and: [{ event: "open", message: { channel } }] } });

  test("when nobody has it is refused with the nearest names, and not counted as 0", async () => {
    const answer = await ofChannel("emial");
    const refused = [422, "INVALID_AUDIENCE_RULES", ["/criteria/and/0/message/channel unknown_reference"]];
    expect(errorsOf(answer)).toEqual(refused);
    expect(answer.body.details[0].message).toContain('"emial"');
    expect(answer.body.details[0].allowed).toEqual(["email", "sms", "push"]);
    expect(errorsOf(await ofChannel("fax"))).toEqual(refused);
  });

  test("is one of the product, of a contact, or of a message that was reported as sent", async () => {
    expect((await ofChannel("sms")).body.count).toBe(0);
    const time = storedTime(nowMs());
    const pager = { contact: FIRST, field: "channels.pager.address", kind: "string", text: "7", number: null };
    await service.insert("contact_fields_current", account, [{ ...pager, version: versionAt(nowMs()), revision: 1 }]);
    const sent = { contact: FIRST, ingested: time, time, mc_id: "acc:m1:b:1:1" };
    await service.insert("activities", account, [
      { ...sent, action: "message-sent", uid: "s", record: "s", properties: '{"channel":"telex"}' },
      { ...sent, action: "open", uid: "o", record: "o", properties: "{}" },
    ]);
    expect((await ofChannel("pager")).body.count).toBe(0);
    expect((await ofChannel("telex")).body.count).toBe(1);
    expect(errorsOf(await ofChannel("telefax"))[2]).toEqual(["/criteria/and/0/message/channel unknown_reference"]);
  });
});

describe("a list that was deleted", () => {
  const send = (method: "POST" | "DELETE", url: string, body?: object) =>
    service.call(key, `/v2/accountlists${url}`, { method, ...(body && { body }) });
  const onList = (list: string | number, asOf?: number) =>
    count({ criteria: { list, op: "in" }, ...(asOf !== undefined && { asOf: new Date(asOf).toISOString() }) });
  const createMember = async (list: number, contact: number) => {
    const at = nowMs();
    const joined = { list, contact, present: 1, joined_at: storedTime(at), version: versionAt(at) };
    await service.insert("memberships_history", account, [{ ...joined, at: storedTime(at) }]);
    await service.insert("memberships_current", account, [{ ...joined, revision: 1 }]);
  };

  test("can be named as of a moment when it was there, by name and by id, and not after", async () => {
    const { id } = (await send("POST", "", { name: "Spring-Sale" })).body;
    await createMember(id, FIRST);
    await wait(5);
    const there = nowMs();
    await wait(5);
    expect((await send("DELETE", `/${id}`)).status).toBe(200);
    await wait(5);
    expect((await onList("spring-sale", there)).body.count).toBe(1);
    expect((await onList(id, there)).body.count).toBe(1);
    for (const answer of [await onList("Spring-Sale"), await onList(id), await onList("Spring-Sale", nowMs())])
      expect(errorsOf(answer)).toEqual([422, "INVALID_AUDIENCE_RULES", ["/criteria/list unknown_reference"]]);

    const again = (await send("POST", "", { name: "spring-sale" })).body.id;
    await createMember(again, FIRST + 1);
    await createMember(again, FIRST + 2);
    expect((await onList("Spring-Sale", there)).body.count).toBe(1);
    expect((await onList("Spring-Sale")).body.count).toBe(2);
    expect((await onList(again, there)).body.count).toBe(0);
  });

  test("leaves the names that a misspelled one may have meant", async () => {
    await send("POST", "", { name: "Autumn-Sale" });
    const answer = await onList("Autum-Sale");
    expect(errorsOf(answer)).toEqual([422, "INVALID_AUDIENCE_RULES", ["/criteria/list unknown_reference"]]);
    expect(answer.body.details[0].allowed[0]).toBe("Autumn-Sale");
  });
});

test("the later of two writes of an order under one version is counted, before a merge of parts and after", async () => {
  const at = nowMs();
  const order = (total: number, revision: number) => ({
    order_id: "late",
    contact: FIRST,
    purchased_at: storedTime(at),
    status: "paid",
    counts: 1,
    currency: "USD",
    total: String(total),
    document: JSON.stringify({ orderID: "late", totalAmount: total }),
    deleted: 0,
    version: versionAt(at),
    at: storedTime(at),
    revision,
  });
  await service.insert("orders_history", account, [order(200, 5)]);
  await service.insert("orders_history", account, [order(100, 3)]);
  const asOf = new Date(at + 1).toISOString();
  const spent = async (value: number) =>
    (await count({ criteria: { order: true, sum: { of: "totalAmount", op: "gte", value } }, asOf })).body.count;
  expect([await spent(200), await spent(201)]).toEqual([1, 0]);
  await service.clickHouse.command("OPTIMIZE TABLE orders_history FINAL");
  expect([await spent(200), await spent(201)]).toEqual([1, 0]);
});
