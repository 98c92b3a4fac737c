import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { email, problems } from "../templates/templateWorld.ts";
import { checkIn } from "./checkIn.ts";
import { message, ROOT, UNSUBSCRIBE } from "./messageWorld.ts";
import { MEMBERS, type SendWorld, sendWorld } from "./sendWorld.ts";

let world: SendWorld;
const make = (more: object = {}) => world.make({ audience: MEMBERS, ...more });
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

beforeAll(async () => {
  world = await sendWorld();
  await world.join(range(1, 5));
});
afterAll(() => world.service.stop());

/** Checks a message, whose outcomes add up at any time. */
const check = (id: string) => checkIn(world, id);

describe("a message is not sent", () => {
  const send = async (more: object) => {
    const id = String((await world.call("POST", ROOT, message({ audience: MEMBERS, ...more }))).body.id);
    const refused = problems(await world.call("PUT", `${ROOT}/${id}/send`));
    expect((await world.see(id)).status).toBe("draft");
    return refused.slice(1);
  };

  test("without a transport, content or audience, and stays a draft", async () => {
    const sms = { channel: "sms", message: { content: { "text/plain": "Hi" } } };
    const id = await make(sms);
    expect(await world.put(id, "send")).toBe("422 TRANSPORT_REQUIRED");
    expect(await send({ message: undefined })).toEqual(["VALIDATION_ERROR", "/message required"]);
    expect(await send({ audience: null })).toEqual(["VALIDATION_ERROR", "/audience required"]);
    expect(await send({ audience: { or: [] } })).toEqual(["VALIDATION_ERROR", "/audience bad_value"]);
  });

  test("when a contact of the audience cannot get it as it should be", async () => {
    const reply = { replyEmail: "a@example.com" };
    expect(await send({ message: email("<p>No way out</p>", reply) })).toEqual([
      "VALIDATION_ERROR",
      "/message/content/text~1html required",
    ]);
    expect(await send({ message: email("{{ contact.nothing }}", reply) })).toEqual([
      "VALIDATION_ERROR",
      "/message/content/text~1html render_failed",
    ]);
    expect(await send({ message: email(UNSUBSCRIBE, { ...reply, fromEmail: "a@other.org" }) })).toEqual([
      "VALIDATION_ERROR",
      "/message/headers/fromEmail not_allowed",
    ]);
    const variants = [{ name: "a" }, { name: "b", content: { "text/html": "<p>No way out</p>" } }];
    expect(await send({ tests: [{ type: "split", enabled: true, variants }] })).toEqual([
      "VALIDATION_ERROR",
      "/message/content/text~1html required",
    ]);
    const plain = await make({ classification: "transactional", message: email("<p>Receipt</p>", reply) });
    expect(await world.put(plain, "send")).toBe("200 pending");
  });
});

describe("a message that is sent at once", () => {
  test("reaches each contact of its audience once, and ends with the last outcome", async () => {
    const id = await make();
    const answer = await world.call("PUT", `${ROOT}/${id}/send`);
    expect(answer.body).toEqual({
      success: true,
      id,
      status: "pending",
      jobId: expect.stringMatching(/^[0-9a-f]{24}$/),
    });
    expect(await world.put(id, "send")).toBe("200 pending");
    expect((await world.call("PUT", `${ROOT}/${id}`, {})).body.code).toBe("MESSAGE_NOT_DRAFT");
    await world.work(id);
    expect(await check(id)).toMatchObject({ status: "processing", audienceTotal: 5, delivery: { pending: 5 } });
    expect(await world.rows(id)).toEqual({ pending: range(1, 5) });
    await world.sendAll(id);
    await world.work(id);
    expect(await check(id)).toMatchObject({ status: "sent", delivery: { sent: 5, pending: 0, skipped: {} } });
    const job = (await world.call("GET", `/v2/jobs/${answer.body.jobId}`)).body;
    expect(job).toMatchObject({ status: "Done", jobName: "SendBatchMessage" });
    expect(await world.put(id, "send")).toBe("409 INVALID_STATE_TRANSITION");
  });

  test("is the same whatever worker is dropped between two steps, and when two take it", async () => {
    await world.join(range(2_001, 4_500), { group: "many" });
    const criteria = { field: "cID", op: "startsWith", value: "75f0c0ffee65f0c0ffee" };
    const id = await make({ audience: { and: [MEMBERS, criteria] } });
    await world.put(id, "send");
    for (let kill = 0; kill < 8; kill += 1) {
      await world.work(id, 1);
      await check(id);
    }
    await Promise.all([world.work(id), world.work(id)]);
    await world.work(id);
    expect(await check(id)).toMatchObject({ status: "processing", audienceTotal: 2_505 });
    expect((await world.rows(id)).pending).toEqual([...range(1, 5), ...range(2_001, 4_500)]);
    await world.leave(range(2_001, 4_500));
    expect(await world.put(id, "cancel")).toBe("200 canceled");
  });

  test("is the same when ClickHouse loses its snapshot between two steps, as when it is put back", async () => {
    const id = await make();
    const { jobId } = (await world.call("PUT", `${ROOT}/${id}/send`)).body;
    expect(await world.workThroughLosses(jobId)).toBe(2);
    expect(await check(id)).toMatchObject({ status: "processing", audienceTotal: 5 });
    expect(await world.rows(id)).toEqual({ pending: range(1, 5) });
    expect(await world.put(id, "cancel")).toBe("200 canceled");
  });

  test("ends at once when its audience is empty by then", async () => {
    const id = await make({ audience: { or: [] }, allowEmpty: true });
    await world.put(id, "send");
    await world.work(id);
    expect(await check(id)).toMatchObject({ status: "sent", audienceTotal: 0 });
  });

  test("waits for somebody to look when its start comes six hours late", async () => {
    const id = await make();
    await world.put(id, "send");
    await world.sql("UPDATE batch_messages SET send_at = send_at - 6 * 3600000 - 1 WHERE id = $1", [id]);
    await world.work(id);
    expect(await check(id)).toMatchObject({ status: "paused", reason: "late" });
    expect(await world.put(id, "resume")).toBe("200 processing");
    await world.work(id);
    expect(await check(id)).toMatchObject({ status: "processing", audienceTotal: 5 });
  });
  test("is late and needs the unsubscribe link as the account's settings say", async () => {
    const rules = (messaging: object) => world.call("PUT", "/v2/account", { messaging });
    expect((await rules({ lateAfterHours: 2, requireUnsubscribeLink: false })).status).toBe(200);
    const id = await make({
      classification: "promotional",
      message: email("<p>No link</p>", { replyEmail: "a@example.com" }),
    });
    await expect.poll(() => world.put(id, "send")).toBe("200 pending");
    await world.sql("UPDATE batch_messages SET send_at = send_at - 2 * 3600000 - 1 WHERE id = $1", [id]);
    await world.work(id);
    expect(await check(id)).toMatchObject({ status: "paused", reason: "late" });
    await rules({ lateAfterHours: 6, requireUnsubscribeLink: true });
  });
});

test("a message is called only as it was seen", async () => {
  const id = await make();
  const called = async (name: string, match: string) => {
    const answer = await world.call("PUT", `${ROOT}/${id}/${name}`, undefined, undefined, { "if-match": match });
    return [`${answer.status} ${answer.body.status ?? answer.body.code}`, String(answer.headers.etag)] as const;
  };
  const view = async () => String((await world.call("GET", `${ROOT}/${id}`)).headers.etag);
  const first = await view();
  await world.call("PUT", `${ROOT}/${id}`, { name: "Other" });
  expect((await called("send", first))[0]).toBe("409 VERSION_CONFLICT");
  expect((await world.see(id)).status).toBe("draft");
  const [sent, pending] = await called("send", await view());
  expect([sent, pending]).toEqual(["200 pending", await view()]);
  const [paused, held] = await called("pause", pending);
  expect([paused, held]).toEqual(["200 paused", await view()]);
  for (const name of ["pause", "resume", "cancel", "unschedule"]) {
    expect((await called(name, pending))[0]).toBe("409 VERSION_CONFLICT");
  }
  expect((await called("cancel", "*"))[0]).toBe("200 canceled");
});

describe("a message that is canceled", () => {
  test("stops at once, with its job, and every contact is accounted for", async () => {
    for (const steps of [1, 2, 3, 4, 1_000]) {
      const id = await make();
      const { jobId } = (await world.call("PUT", `${ROOT}/${id}/send`)).body;
      await world.work(id, steps);
      if (steps === 1_000) await world.sql("UPDATE sends SET state = 'sent' WHERE message = $1 AND contact = 1", [id]);
      expect([await world.put(id, "cancel"), await world.put(id, "cancel")]).toEqual(["200 canceled", "200 canceled"]);
      await check(id);
      await world.upkeep();
      await world.work(id);
      const { status, delivery } = await check(id);
      expect(status).toBe("canceled");
      if (steps === 1_000) expect(delivery).toMatchObject({ sent: 1, pending: 0, skipped: { canceled: 4 } });
      expect((await world.call("GET", `/v2/jobs/${jobId}`)).body.status).toBe("Canceled");
      expect(await world.put(id, "resume")).toBe("409 INVALID_STATE_TRANSITION");
    }
  });

  test("is canceled by its job as well", async () => {
    const id = await make();
    const { jobId } = (await world.call("PUT", `${ROOT}/${id}/send`)).body;
    await world.work(id);
    expect((await world.call("PUT", `/v2/jobs/${jobId}/cancel`)).body).toMatchObject({ status: "Canceled" });
    expect(await check(id)).toMatchObject({ status: "canceled", delivery: { skipped: { canceled: 5 } } });
  });

  test("has failed when its job has", async () => {
    const id = await make();
    await world.put(id, "send");
    await world.work(id);
    await world.sql("UPDATE jobs SET status = 'Failed' WHERE id = (SELECT job FROM batch_messages WHERE id = $1)", [
      id,
    ]);
    await world.upkeep();
    expect(await check(id)).toMatchObject({ status: "failed", delivery: { skipped: { canceled: 5 } } });
    const refused = await world.call("PUT", `${ROOT}/${id}/pause`);
    expect([refused.status, refused.body.from, refused.body.allowed]).toEqual([409, "failed", []]);
  });
});
