import { createSealer } from "@headwater/kernel";
import { serveService } from "@headwater/service/testService";
import { describe, expect, test } from "vitest";

const service = serveService(["alerts"], { sealer: createSealer([Buffer.alloc(32, 7)]) });
const { send } = service;
const UNKNOWN = "65f0c0ffee65f0c0ffee0bad";
const OF_ACCOUNT = { type: "jobs-failed", conditions: [{ operator: "gt", value: 0 }] };
const create = (body: object, headers = {}) =>
  send("createAlert", {
    body: { enabled: true, notify: ["ops@example.com"], period: null, ...OF_ACCOUNT, ...body },
    headers,
  });
const ofMessage = (members: object) => ({ type: "bounce-rate", ...members });

async function createMessage(id: string): Promise<string> {
  const text = `INSERT INTO batch_messages (account, id, channel, status, settings, created_at, updated_at)
    VALUES ($1, $2, 'email', 'sent', '{"name": "Sale"}', 0, 0)`;
  await service.postgres.execute({ text }, [service.account.number, id]);
  return id;
}

async function createTemplate(id: string): Promise<string> {
  const text = `INSERT INTO automation_templates (account, key, mdt_id, channel, settings, created_at, updated_at)
    VALUES ($1, $2, $2, 'email', '{"name": "Welcome"}', 0, 0)`;
  await service.postgres.execute({ text }, [service.account.number, id]);
  return id;
}

test("an alert is created, read, listed, changed and deleted", async () => {
  const created = await create({}, { "idempotency-key": "one" });
  expect(created).toMatchObject({ status: 201, body: { success: true } });
  const params = { id: String(created.body.id) };
  expect((await create({}, { "idempotency-key": "one" })).body).toEqual(created.body);
  const { body: view } = await send("getAlert", { params });
  expect(view).toMatchObject({ ...OF_ACCOUNT, enabled: true, period: 60, state: "unjudged" });
  expect(view.since).toBe(view.ct);
  expect((await send("listAlerts")).body.data).toContainEqual(view);
  const changed = await send("updateAlert", { params, body: { period: 1_440, notify: [] } });
  expect(changed).toMatchObject({ status: 200, body: { success: true, id: params.id } });
  expect((await send("getAlert", { params })).body).toMatchObject({ period: 1_440, notify: [] });
  expect(await send("deleteAlert", { params })).toMatchObject({ status: 200, body: { success: true } });
  for (const operation of ["getAlert", "updateAlert", "deleteAlert"])
    expect((await send(operation, { params })).status).toBe(404);
});

test("lists show the alerts of a message, of a template, or of all of one of both", async () => {
  const [msID, mdtID] = [
    await createMessage("65f0c0ffee65f0c0ffee00e1"),
    await createTemplate("65f0c0ffee65f0c0ffee00d1"),
  ];
  const [first, second] = [await create(ofMessage({ msID })), await create(ofMessage({ mdtID }))];
  const listed = async (query: string) => {
    const { body } = await send("listAlerts", { query });
    return body.data.map(({ id }: { id: string }) => id);
  };
  expect(await listed(`?msID=${msID}`)).toEqual([first.body.id]);
  expect(await listed(`?mdtID=${mdtID}`)).toEqual([second.body.id]);
  expect(await listed("?entity=batch-message")).toEqual([first.body.id]);
  expect(await listed("?entity=message-automation")).toEqual([second.body.id]);
  for (const query of ["?entity=account", "?mdtID=%00", "?msID="])
    expect((await send("listAlerts", { query })).status).toBe(400);
});

test.each([
  [{ type: "bounces" }, "/type", "bad_value"],
  [{ enabled: "yes" }, "/enabled", "type_mismatch"],
  [{ notify: ["ops"] }, "/notify/0", "bad_value"],
  [{ notify: ["ops@example.com\r\nBcc: x@example.com"] }, "/notify/0", "bad_value"],
  [{ notify: Array.from({ length: 21 }, (_, n) => `a${n}@example.com`) }, "/notify", "too_many"],
  [{ conditions: [] }, "/conditions", "out_of_range"],
  [{ conditions: Array.from({ length: 11 }, () => ({ operator: "gt", value: 1 })) }, "/conditions", "too_many"],
  [{ conditions: [{ operator: "eq", value: 1 }] }, "/conditions/0/operator", "bad_value"],
  [{ conditions: [{ operator: "gt", value: "1" }] }, "/conditions/0/value", "type_mismatch"],
  [{ conditions: [{ operator: "gt", value: 1e300 }] }, "/conditions/0/value", "out_of_range"],
  [{ period: 15 }, "/period", "out_of_range"],
  [{ period: 1_441 }, "/period", "out_of_range"],
  [{ period: 16.5 }, "/period", "type_mismatch"],
  [{ msID: UNKNOWN }, "/msID", "not_allowed"],
  [ofMessage({}), "/msID", "required"],
  [ofMessage({ msID: UNKNOWN, mdtID: UNKNOWN }), "/msID", "not_allowed"],
  [ofMessage({ msID: UNKNOWN }), "/msID", "unknown_reference"],
  [ofMessage({ mdtID: UNKNOWN }), "/mdtID", "unknown_reference"],
])("%j is refused with 422", async (body, path, code) => {
  const { status, body: answer } = await create(body);
  expect([status, answer.details]).toMatchObject([422, [{ path, code, message: expect.any(String) }]]);
  const tried = await send("simulateAlert", { body: { enabled: true, notify: [], ...OF_ACCOUNT, ...body } });
  if (path !== "/enabled" && path !== "/notify/0") expect(tried.status).toBe(422);
});

describe("a change", () => {
  test("of what an alert watches is checked as a whole, and begins without a state", async () => {
    const msID = await createMessage("65f0c0ffee65f0c0ffee00e2");
    const { body } = await create({});
    const params = { id: String(body.id) };
    const change = (members: object) => send("updateAlert", { params, body: members });
    expect((await change({ type: "open-rate" })).status).toBe(422);
    expect((await change({ type: "open-rate", msID })).status).toBe(200);
    const raised = `UPDATE alerts SET state = 'raised', value = '0.5', raised_at = 1, since = 1 WHERE id = $1`;
    await service.postgres.execute({ text: raised }, [params.id]);
    await change({ notify: ["else@example.com"] });
    expect((await send("getAlert", { params })).body).toMatchObject({ state: "raised", value: 0.5 });
    await change({ period: 30 });
    expect((await send("getAlert", { params })).body).toMatchObject({ state: "unjudged" });
    await change({ type: "runs-failed", msID: null });
    expect((await send("getAlert", { params })).body).not.toHaveProperty("msID");
  });

  test("of an alert whose message was deleted may disable it, and gives it no such message again", async () => {
    const msID = await createMessage("65f0c0ffee65f0c0ffee00e3");
    const { body } = await create(ofMessage({ msID }));
    const params = { id: String(body.id) };
    await service.postgres.execute({ text: "DELETE FROM batch_messages WHERE id = $1" }, [msID]);
    expect((await send("updateAlert", { params, body: { enabled: false } })).status).toBe(200);
    expect((await send("updateAlert", { params, body: { type: "open-rate" } })).status).toBe(422);
  });

  test("by an ETag that is past is a conflict, and an evaluation is no change", async () => {
    const { body, headers } = await create({});
    const params = { id: String(body.id) };
    await service.postgres.execute({ text: "UPDATE alerts SET state = 'ok', value = '1' WHERE id = $1" }, [params.id]);
    const change = (period: number) =>
      send("updateAlert", { params, body: { period }, headers: { "if-match": String(headers.etag) } });
    expect([(await change(30)).status, (await change(40)).status]).toEqual([200, 409]);
  });
});

test("what watches the account is tried on the past of the account", async () => {
  const nowMs = Date.now();
  const text = `INSERT INTO jobs (id, account, name, status, input, total_items, made_by, created_at, ended_at)
    VALUES ($1, $2, 'ClearList', 'Failed', '{}', 0, 'k1', $3, $3)`;
  for (const hours of [2, 30]) {
    await service.postgres.execute({ text }, [`failed${hours}`, service.account.number, nowMs - hours * 3_600_000]);
  }
  const { status, body } = await send("simulateAlert", { body: { ...OF_ACCOUNT, enabled: true, notify: [] } });
  expect([status, body.data.length]).toEqual([200, 2]);
  for (const { from, to, value } of body.data) {
    expect([Date.parse(to) - Date.parse(from), value]).toEqual([3_600_000, 1]);
  }
  expect(Date.parse(body.asOf) - Date.parse(body.from)).toBe(7 * 86_400_000);
});

test("an account can have at most 100 alerts", async () => {
  const text = `INSERT INTO alerts (account, id, type, entity, enabled, notify, conditions, period, revision, created_at, updated_at)
    SELECT $1, 'x' || n, 'jobs-failed', 'account', false, '{}', '[{"operator":"gt","value":1}]', 60, 1, 0, 0 FROM generate_series(1, 100) AS n`;
  await service.postgres.execute({ text }, [service.account.number]);
  const { status, body } = await create({});
  expect([status, body.details]).toMatchObject([422, [{ path: "", code: "too_many" }]]);
});
