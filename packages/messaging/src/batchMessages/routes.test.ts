import { refusal } from "@headwater/http";
import { serveService } from "@headwater/service/testService";
import { beforeAll, describe, expect, test } from "vitest";

const service = serveService(["batchmessages"]);
const { send } = service;
const NOBODY = { id: "65f0c0ffee65f0c0ffee0099", contactID: "email:ada@example.com" };
const audience = { field: "channels.email.address", op: "exists" };
const CALLS = [
  ["sendBatchmessage", "draft"],
  ["sendBatchmessage", "pending"],
  ["pauseBatchmessage", "pending"],
  ["resumeBatchmessage", "paused"],
  ["cancelBatchmessage", "pending"],
  ["unscheduleBatchmessage", "scheduled"],
] as const;

/** Creates a message over a transport that sends nothing. */
async function draft() {
  const { body } = await send("createBatchmessage", {
    body: {
      channel: "email",
      classification: "promotional",
      name: "Summer sale",
      audience,
      allowEmpty: true,
      message: {
        headers: {
          ...{ subject: "Summer sale", fromEmail: "news@example.com" },
          ...{ fromDesc: "Shop", replyEmail: "help@example.com" },
        },
        content: { "text/html": '<p>Hello</p><p><a href="{{ links.unsubscribe }}">Unsubscribe</a></p>' },
      },
    },
  });
  return { id: String(body.id), contactID: NOBODY.contactID };
}

test("a message is created, read, listed, changed, rendered and deleted", async () => {
  await send("createContact", { body: { channels: { email: { address: "ada@example.com" } } } });
  await send("createTransport", { body: { name: "Out", channel: "email", type: "log", default: true, settings: {} } });
  expect((await send("createBatchmessage")).status).toBe(201);
  const params = await draft();
  expect(await send("getBatchmessage", { params })).toMatchObject({ status: 200, body: { status: "draft" } });
  expect((await send("listBatchmessages")).body.data).toHaveLength(2);
  expect((await send("updateBatchmessage", { params, body: { name: "Another" } })).status).toBe(200);
  expect((await send("renderBatchmessage", { params })).status).toBe(200);
  expect((await send("sendTestBatchmessage", { params, body: { email: ["ada@example.com"] } })).status).toBe(200);
  expect((await send("listBatchmessagesends", { params })).status).toBe(200);
  expect((await send("deleteBatchmessage", { params })).status).toBe(200);
  expect((await send("getBatchmessage", { params })).status).toBe(404);
});

test("a message that was never sent has stats, too, and nobody has to count them", async () => {
  const params = await draft();
  service.rows = () => {
    throw refusal("SERVICE_UNAVAILABLE", "ClickHouse is away.");
  };
  const stats = { sent: 0, delivered: 0, opens: 0, clicks: 0, bounces: 0, optouts: 0, complaints: 0, revenue: 0 };
  const view = await send("getBatchmessage", { params });
  expect(view.body).toMatchObject({ status: "draft", stats, asOf: expect.stringMatching(/^\d{4}-.*Z$/) });
  expect((await send("getBatchmessage", { params, query: "?fields=stats" })).body).toEqual({ stats });
  expect((await send("getBatchmessage", { params, query: "?fields=id" })).body).toEqual({ id: params.id });
  service.rows = () => [];
  const listed = await send("listBatchmessages", { query: "?fields=id,stats" });
  expect(listed.body.data).toContainEqual({ id: params.id, stats });
});

test("a message that has begun is shown without its numbers while ClickHouse is away, unless they are asked for", async () => {
  const params = await draft();
  const text = "UPDATE batch_messages SET status = 'sent', audience_total = 0 WHERE account = $1 AND id = $2";
  await service.postgres.execute({ text }, [service.account.number, params.id]);
  service.rows = () => {
    throw refusal("SERVICE_UNAVAILABLE", "ClickHouse is away.");
  };
  const displayed = await send("getBatchmessage", { params });
  expect(displayed).toMatchObject({ status: 200, body: { status: "sent", delivery: { sent: 0 } } });
  expect(displayed.body).not.toHaveProperty("stats");
  expect((await send("getBatchmessage", { params, query: "?fields=stats" })).status).toBe(503);
  service.rows = () => [];
});

test("a list shows the delivery of messages that have begun where it is asked for", async () => {
  const begun = await draft();
  const waiting = await draft();
  const text = "UPDATE batch_messages SET status = 'processing', audience_total = 7 WHERE account = $1 AND id = $2";
  await service.postgres.execute({ text }, [service.account.number, begun.id]);
  await service.postgres.execute(
    {
      text: `INSERT INTO sends (account, message, contact, n, kind, cid, channel, classification, priority, state, reason, resends_left,
          created_at, due_at, at)
        SELECT $1::int, m, contact, 1, kind, 'c', 'email', 'promotional', 2, state, reason, 0, 0, 0, 0 FROM (VALUES
          ($2::text, 1, 'b', 'sent', NULL), ($2, 2, 'b', 'sent', NULL), ($2, 3, 'b', 'skipped', 'suppressed'),
          ($2, 4, 'b', 'sending', NULL), ($2, 5, 't', 'sent', NULL), ($3, 6, 'b', 'sent', NULL)) AS v (m, contact, kind, state, reason)`,
    },
    [service.account.number, begun.id, "65f0c0ffee65f0c0ffee0fff"],
  );
  const listed = async (query: string) => {
    const { body } = await send("listBatchmessages", { query });
    return Object.fromEntries(Array.from(body.data, (row: { id: string }) => [row.id, row]));
  };
  const outcomes = { sent: 2, failed: 0, unknown: 0, deferred: 0, pending: 4, skipped: { suppressed: 1 } };
  const asked = await listed("?fields=id,delivery");
  expect(asked[begun.id]).toEqual({ id: begun.id, delivery: outcomes });
  expect(asked[waiting.id]).toEqual({ id: waiting.id });
  expect((await send("getBatchmessage", { params: begun })).body.delivery).toEqual(outcomes);
  expect((await listed("?fields=id,audienceTotal"))[begun.id]).toEqual({ id: begun.id, audienceTotal: 7 });
  expect((await listed(""))[begun.id]).not.toHaveProperty("delivery");
});

test("an experiment's numbers are shown by variant", async () => {
  const variants = [{ name: "short" }, { name: "long" }];
  const tests = [{ type: "split", enabled: true, name: "subject", variants }];
  const params = await draft();
  expect((await send("updateBatchmessage", { params, body: { tests } })).status).toBe(200);
  expect(await send("getExperimentperformance", { params })).toMatchObject({
    status: 200,
    body: { name: "subject", totalAudience: 0, variants: [{ stats: { sends: 0 } }, { name: "long" }] },
  });
});

test("a variant is rendered by the names of its enabled experiment; others are a mistake of the query", async () => {
  const variants = [{ name: "short" }, { name: "long" }];
  const tests = [{ type: "split", enabled: true, name: "subject", variants }];
  const params = await draft();
  await send("updateBatchmessage", { params, body: { tests } });
  const rendered = async (query: string) => {
    const { status, body } = await send("renderBatchmessage", { params, query });
    return [status, body.code, body.details?.[0]?.path, body.details?.[0]?.code];
  };
  expect((await rendered("?experiment=subject&variant=long"))[0]).toBe(200);
  expect(await rendered("?experiment=zz&variant=long")).toEqual([
    400,
    "BAD_REQUEST",
    "/experiment",
    "unknown_reference",
  ]);
  expect(await rendered("?experiment=subject&variant=b")).toEqual([
    400,
    "BAD_REQUEST",
    "/variant",
    "unknown_reference",
  ]);
  expect(await rendered("?experiment=subject")).toEqual([400, "BAD_REQUEST", "/variant", "required"]);
  expect(await rendered("?variant=long")).toEqual([400, "BAD_REQUEST", "/experiment", "required"]);
  const { body } = await send("renderBatchmessage", { params, query: "?experiment=zz&variant=b" });
  expect(body.message).toBe("The query is invalid. experiment: No enabled experiment has this name.");
});

test.each(CALLS)("%s answers 200 to a message in state %s", async (operation, state) => {
  const params = await draft();
  service.rows = (sql) => (/count/i.test(sql) ? [{ count: 0, sample: [], aliasRevision: "0" }] : []);
  const text = "UPDATE batch_messages SET status = $3 WHERE account = $1 AND id = $2";
  await service.postgres.execute({ text }, [service.account.number, params.id, state]);
  expect(await send(operation, { params })).toMatchObject({ status: 200 });
});

test("a repeat under its Idempotency-Key gets the first answer, whatever has become of the message", async () => {
  const params = await draft();
  service.rows = (sql) => (/count/i.test(sql) ? [{ count: 0, sample: [], aliasRevision: "0" }] : []);
  const change = { params, body: { name: "Winter sale" }, headers: { "idempotency-key": "change-1" } };
  const start = { params, headers: { "idempotency-key": "send-1" } };
  const first = [await send("updateBatchmessage", change), await send("sendBatchmessage", start)];
  const text = "UPDATE batch_messages SET status = 'sent' WHERE account = $1 AND id = $2";
  await service.postgres.execute({ text }, [service.account.number, params.id]);
  const again = [await send("updateBatchmessage", change), await send("sendBatchmessage", start)];
  expect(first.map(({ status }) => status)).toEqual([200, 200]);
  for (const [index, { status, body, headers }] of again.entries()) {
    expect([status, body, headers["idempotency-replayed"]]).toEqual([200, first[index]?.body, "true"]);
  }
  const other = { ...change, body: { name: "Another" } };
  expect(await send("updateBatchmessage", other)).toMatchObject({
    status: 422,
    body: { code: "IDEMPOTENCY_KEY_REUSED" },
  });
  expect((await send("sendBatchmessage", { params, headers: { "idempotency-key": "send-2" } })).status).toBe(409);
});

test("a row of a send without an address of its own shows the one that its contact has now", async () => {
  const params = await draft();
  await send("createContact", { body: { channels: { email: { address: "row@example.com" } } } });
  await service.postgres.execute(
    {
      text: `INSERT INTO sends (account, message, contact, n, kind, cid, channel, classification, priority, state, reason, resends_left,
          created_at, due_at, at, address)
        SELECT c.account, $2, c.number, 1, 'b', c.cid, channel, 'promotional', 2, 'skipped', 'canceled', 0, 0, 0, 0, address
        FROM (SELECT account, max(number) AS number FROM contacts WHERE account = $1 GROUP BY 1) AS newest
        JOIN contacts c USING (account, number), (VALUES ('email', NULL)) AS v (channel, address)`,
    },
    [service.account.number, params.id],
  );
  const rows = async () => (await send("listBatchmessagesends", { params })).body.data;
  expect(await rows()).toMatchObject([{ state: "skipped", reason: "canceled", address: "row@example.com" }]);
  const change = (members: string) =>
    service.postgres.execute({ text: `UPDATE sends SET ${members} WHERE message = $1` }, [params.id]);
  await change("address = 'then@example.com'");
  expect(await rows()).toMatchObject([{ address: "then@example.com" }]);
  await change("address = NULL, channel = 'sms'");
  expect((await rows())[0]).not.toHaveProperty("address");
});

test("failed sends of a message that was sent are retried by a job", async () => {
  const params = await draft();
  const text = "UPDATE batch_messages SET status = 'sent' WHERE account = $1 AND id = $2";
  await service.postgres.execute({ text }, [service.account.number, params.id]);
  const body = { states: ["failed", "unknown"] };
  expect(await send("retryBatchmessagesends", { params, body })).toMatchObject({ status: 202 });
});

test.each([
  "getBatchmessage",
  "updateBatchmessage",
  "deleteBatchmessage",
  "renderBatchmessage",
  "listBatchmessagesends",
  "retryBatchmessagesends",
  "getExperimentperformance",
  "sendTestBatchmessage",
  ...CALLS.map(([operation]) => operation),
])("%s answers 404 for an unknown id", async (operation) => {
  expect((await send(operation, { params: NOBODY })).status).toBe(404);
});

describe("a day of a template", () => {
  const template = "65f0c0ffee65f0c0ffee00dd";
  const day = { id: `${template}:d260109`, contactID: NOBODY.contactID };
  beforeAll(async () => {
    const text = `INSERT INTO template_children (account, id, mdt_id, key, channel, tags, settings, created_at, ends_at)
      VALUES ($1, $2, $3, 'daily', 'email', NULL, $4, 0, $5)`;
    const settings = JSON.stringify({ classification: "promotional", baseAggregation: "daily" });
    const values = [service.account.number, day.id, template, settings, Date.now() + 86_400_000];
    await service.postgres.execute({ text }, values);
  });

  test.each([
    ...["sendBatchmessage", "pauseBatchmessage", "resumeBatchmessage", "cancelBatchmessage", "unscheduleBatchmessage"],
    ...["deleteBatchmessage", "sendTestBatchmessage", "retryBatchmessagesends"],
  ])("does not take %s", async (operation) => {
    expect(await send(operation, { params: day })).toMatchObject({
      status: 409,
      body: {
        code: "INVALID_STATE_TRANSITION",
        message: expect.stringContaining("A day or an hour of a template"),
        from: "processing",
        allowed: [],
      },
    });
  });

  test("is no draft that could be updated", async () => {
    const { status, body } = await send("updateBatchmessage", { params: day, body: { name: "Another" } });
    expect([status, body.code]).toEqual([422, "MESSAGE_NOT_DRAFT"]);
  });

  test("of another template is unknown", async () => {
    const params = { ...day, id: day.id.replace(template, NOBODY.id) };
    for (const operation of ["cancelBatchmessage", "updateBatchmessage"]) {
      expect((await send(operation, { params })).status).toBe(404);
    }
  });
});
