import { openReceipt } from "@headwater/contracts";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Running, SECRET, startService } from "../service/running.ts";

let service: Running;
let accountId: string;
let key: string;

beforeAll(async () => {
  service = await startService();
  const { account } = await service.account();
  accountId = account.id;
  key = await service.key(account, { scopes: ["contactactivities:write", "receipts:read"] });
});
afterAll(() => service.stop());
beforeEach(() => {
  service.log.isAway = false;
  service.log.appended.length = 0;
});

const post = (body: unknown, headers: Record<string, string> = {}, as = key) =>
  service.call(as, "/v2/contactactivities", { method: "POST", body, headers });
const visit = { email: "Ada@Example.com", action: "visit", properties: { shop: 7 } };
const recordsWritten = () => service.log.appended.flatMap(({ entries }) => entries.map(({ text }) => JSON.parse(text)));

describe("POST /v2/contactactivities", () => {
  test("answers 201 when the log has it, where and as intake writes it, with a receipt that reads take", async () => {
    const { status, body, headers } = await post({ ...visit, UID: "u1", colour: "ignored" });
    expect(status).toBe(201);
    const [append] = service.log.appended;
    expect(append).toMatchObject({
      topic: "intake.records",
      subject: "intake.createContactactivities",
      account: accountId,
    });
    expect(append?.entries[0]?.key).toBe(`${accountId}\nemail\nada@example.com`);
    const [record] = recordsWritten();
    expect(record).toEqual({
      id: body.id,
      receivedAt: record.receivedAt,
      contact: { identifiers: { email: "Ada@Example.com" } },
      event: { name: "visit", time: record.event.time, UID: "u1", properties: { shop: 7 } },
    });
    expect(Math.abs(Date.parse(record.event.time) - record.receivedAt)).toBeLessThan(60_000);
    const receipt = String(headers["headwater-receipt"]);
    expect(openReceipt(receipt, SECRET)).toMatchObject({ accountId, parts: [{ count: 1, firstOffset: 0 }] });
    const followed = await service.call(key, `/v2/receipts/${receipt}`);
    expect([followed.status, followed.body.state, followed.body.records.pending]).toEqual([200, "pending", 1]);
  });

  test.each([
    ["cID", { cID: "65f0c0ffee65f0c0ffee0001" }],
    ["identifiers", { identifiers: { customer_id: 17 } }],
  ])("names the contact by %s", async (_, whose) => {
    expect((await post({ action: "visit", time: "2026-01-09T22:47:12Z", ...whose })).status).toBe(201);
    const [{ contact, event }] = recordsWritten();
    expect(contact.identifiers).toEqual("identifiers" in whose ? whose.identifiers : whose);
    expect(event.time).toBe("2026-01-09T22:47:12Z");
  });

  test.each([
    [{ action: "open" }, "RESERVED_ACTION", "/action"],
    [{ action: "a".repeat(41) }, "VALIDATION_ERROR", "/action"],
    [{ action: undefined }, "VALIDATION_ERROR", "/action"],
    [{ email: undefined }, "VALIDATION_ERROR", "/email"],
    [{ email: " " }, "VALIDATION_ERROR", "/email"],
    [{ properties: { "12": 1 } }, "VALIDATION_ERROR", "/properties/12"],
    [{ properties: { a: [{ "b.c": 1 }] } }, "VALIDATION_ERROR", "/properties/a/0/b.c"],
    [{ properties: { a: { b: { c: { d: { e: {} } } } } } }, "VALIDATION_ERROR", "/properties"],
    [{ properties: { [`0${".0".repeat(4_499)}`]: 1 } }, "VALIDATION_ERROR", `/properties/0${".0".repeat(4_499)}`],
    [{ properties: { ["n".repeat(1_025)]: 1 } }, "VALIDATION_ERROR", `/properties/${"n".repeat(1_025)}`],
    [{ time: "soon" }, "VALIDATION_ERROR", "/time"],
    [{ time: "1969-01-01" }, "VALIDATION_ERROR", "/time"],
  ])("refuses %j", async (members, code, path) => {
    const { status, body } = await post({ ...visit, ...members });
    expect([status, body.code, body.details[0].path]).toEqual([422, code, path]);
    expect(service.log.appended).toEqual([]);
  });

  test("lets a sending system report what is reserved", async () => {
    const { account } = await service.account();
    const sender = await service.key(account, { scopes: ["write", "message-events"] });
    expect((await post({ ...visit, action: "open" }, {}, sender)).status).toBe(201);
  });

  test("writes once for its Idempotency-Key, and a repeat gets the answer with its receipt", async () => {
    const headers = { "idempotency-key": "once" };
    const first = await post(visit, headers);
    const again = await post(visit, headers);
    expect([again.status, again.body, again.headers["idempotency-replayed"]]).toEqual([201, first.body, "true"]);
    expect(again.headers["headwater-receipt"]).toBe(first.headers["headwater-receipt"]);
    expect(recordsWritten()).toMatchObject([{ id: first.body.id, keyed: true }]);
    const other = await post({ ...visit, action: "other" }, headers);
    expect([other.status, other.body.code]).toEqual([422, "IDEMPOTENCY_KEY_REUSED"]);
  });

  test("with the log away is 503 with Retry-After; its retry writes under the same record id", async () => {
    service.log.isAway = true;
    const headers = { "idempotency-key": "away" };
    const away = await post(visit, headers);
    expect([away.status, away.body.code]).toEqual([503, "SERVICE_UNAVAILABLE"]);
    expect(Number(away.headers["retry-after"])).toBeGreaterThan(0);
    expect((await post(visit)).status).toBe(503);
    service.log.isAway = false;
    const later = await post(visit, headers);
    expect([later.status, later.body.id]).toEqual([201, `${away.body.requestId}:0:0`]);
  });

  test("needs a key, the scope, and a body of at most 256 KiB", async () => {
    expect((await service.call(undefined, "/v2/contactactivities", { method: "POST", body: visit })).status).toBe(401);
    const { account } = await service.account();
    const reader = await service.key(account, { scopes: ["read"] });
    expect((await post(visit, {}, reader)).status).toBe(403);
    expect((await post({ ...visit, properties: { a: "x".repeat(256 * 1_024) } })).status).toBe(413);
  });
});
