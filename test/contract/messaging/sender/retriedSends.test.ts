import type { Delivered } from "@headwater/messaging/frozen/handover";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ROOT } from "../batchMessages/messageWorld.ts";
import { cidOf } from "../batchMessages/sendWorld.ts";
import { ACCEPTED, type BatchWorld, batchWorld, content, reachedBy, receipt } from "./batchWorld.ts";

const PEOPLE = [1, 2, 3, 4];
const LATER: Delivered = { outcome: { kind: "deferred", slowsDown: false }, code: 450, text: "later" };
const LOST: Delivered = { outcome: { kind: "unknown" } };
const FAILED = ["failed"];
let world: BatchWorld;

beforeAll(async () => {
  world = await batchWorld();
  await world.join(PEOPLE);
});
afterAll(() => world.stop());
beforeEach(() => {
  world.mails.splice(0);
  world.answer = () => ACCEPTED;
});

const retry = (id: string, states: readonly string[], headers = {}) =>
  world.call("POST", `${ROOT}/${id}/sends/retry`, { states }, undefined, headers);
const cidIn = (mcId: string) => mcId.split(":").at(-2) ?? "";

/** A message that is over: 1 has got it, 2 failed, of 3 nobody knows, 4 failed as well. */
async function sentMessage(): Promise<string> {
  const id = await world.make({ ...receipt, onUnknown: "skip", message: content("Hello") });
  await world.put(id, "send");
  await world.work(id);
  world.answer = ({ mcId }) => {
    if (cidIn(mcId) === cidOf(1)) return ACCEPTED;
    return cidIn(mcId) === cidOf(3) ? LOST : LATER;
  };
  await world.sendAll();
  const old = "UPDATE sends SET due_at = 0, first_at = 1 WHERE message = $1 AND state = 'deferred'";
  await world.sql(old, [id]);
  await world.sendAll();
  await world.work(id);
  expect(await world.rows(id)).toEqual({ sent: [1], failed: [2, 4], unknown: [3] });
  world.mails.splice(0);
  world.answer = () => ACCEPTED;
  return id;
}

async function check(id: string) {
  const { status, delivery, audienceTotal } = await world.see(id);
  const { skipped, ...counts } = delivery;
  const sum = [...Object.values(counts), ...Object.values(skipped)].reduce((all: number, one) => all + Number(one), 0);
  expect(sum).toBe(audienceTotal);
  return { status, ...counts, skipped };
}

test("sends that failed go out again once, whatever worker is dropped, and the message stays sent", async () => {
  const id = await sentMessage();
  const started = await retry(id, FAILED, { "Idempotency-Key": `retry ${id}` });
  expect(started.status).toBe(202);
  const { jobId } = started.body;
  expect((await retry(id, FAILED, { "Idempotency-Key": `retry ${id}` })).body).toEqual({ jobId });
  for (let kill = 0; kill < 4; kill += 1) await world.workJob(jobId, kill % 2);
  await Promise.all([world.workJob(jobId), world.workJob(jobId)]);
  expect(await check(id)).toMatchObject({ status: "sent", sent: 1, unknown: 1, pending: 2 });
  await world.sendAll();
  await world.workJob(jobId);
  expect(reachedBy(world.mails)).toEqual([2, 4]);
  expect(await check(id)).toMatchObject({ status: "sent", sent: 3, unknown: 1, failed: 0 });
  const job = (await world.call("GET", `/v2/jobs/${jobId}`)).body;
  expect(job).toMatchObject({ status: "Done", totalItems: 2, completedItems: 2, result: { updated: 2 } });
  const { body } = await world.call("GET", `${ROOT}/${id}/sends?state=sent&cID=${cidOf(2)}`);
  expect(body.data).toMatchObject([{ state: "sent", attempts: 3, code: 250 }]);
});

test("a send that fails again is not tried once more by the same retry, and begins its pauses anew", async () => {
  const id = await sentMessage();
  const { jobId } = (await retry(id, ["failed", "unknown"])).body;
  await world.workJob(jobId);
  world.answer = ({ mcId }) => (cidIn(mcId) === cidOf(3) ? LOST : LATER);
  const from = Date.now();
  await world.sendAll();
  expect(await world.rows(id)).toEqual({ sent: [1], deferred: [2, 4], unknown: [3] });
  const text = "SELECT max(due_at) AS due FROM sends WHERE message = $1 AND state = 'deferred'";
  const [row] = await world.service.postgres.query<{ due: number }>({ text }, [id]);
  expect(Number(row?.due) - from).toBeLessThan(5 * 60_000);
  await world.sql("UPDATE sends SET due_at = 0, first_at = 1 WHERE message = $1 AND state = 'deferred'", [id]);
  await world.sendAll();
  await world.workJob(jobId);
  await world.workJob(jobId);
  expect(await world.rows(id)).toEqual({ sent: [1], failed: [2, 4], unknown: [3] });
  expect((await world.call("GET", `/v2/jobs/${jobId}`)).body).toMatchObject({ status: "Done", result: { updated: 0 } });
});

test("deferred sends are due at once, also while the message is being sent", async () => {
  const id = await world.make({ ...receipt, message: content("Hello") });
  await world.put(id, "send");
  await world.work(id);
  world.answer = () => LATER;
  await world.sendAll();
  world.answer = () => ACCEPTED;
  world.mails.splice(0);
  const { jobId } = (await retry(id, ["deferred"])).body;
  await world.workJob(jobId);
  await world.sendAll();
  expect(reachedBy(world.mails)).toEqual(PEOPLE);
  await world.workJob(jobId);
  await world.work(id);
  expect(await check(id)).toMatchObject({ status: "sent", sent: 4, deferred: 0 });
});

test("who may get it is decided anew: suppressed, merged and erased contacts are skipped with their reason", async () => {
  const id = await sentMessage();
  const suppressed = { channel: "email", address: "c2@example.com", reason: "manual" };
  const created = await world.call("POST", "/v2/suppressions", suppressed);
  expect(created.status).toBe(201);
  await world.sql("UPDATE contacts SET merged_into = 1 WHERE number = 4");
  const { jobId } = (await retry(id, FAILED)).body;
  await world.workJob(jobId);
  await world.sendAll();
  await world.workJob(jobId);
  await world.sql("UPDATE contacts SET merged_into = NULL WHERE number = 4");
  await world.call("DELETE", `/v2/suppressions/${created.body.id}`);
  expect(world.mails).toEqual([]);
  expect(await check(id)).toMatchObject({ status: "sent", skipped: { suppressed: 1, duplicate: 1 }, unknown: 1 });
});

test("a retry that is canceled gives sends that were not begun their former state back", async () => {
  const id = await sentMessage();
  const { jobId } = (await retry(id, ["failed", "unknown"])).body;
  await world.workJob(jobId);
  expect(await check(id)).toMatchObject({ pending: 3 });
  expect((await world.call("PUT", `/v2/jobs/${jobId}/cancel`)).body).toMatchObject({ status: "Canceled" });
  await world.sendAll();
  expect(world.mails).toEqual([]);
  expect(await world.rows(id)).toEqual({ sent: [1], failed: [2, 4], unknown: [3] });
});

test("is refused for messages that are not sent, unknown states, and without a transport", async () => {
  const draft = await world.make({ ...receipt, message: content("Hello") });
  expect(await retry(draft, FAILED)).toMatchObject({
    status: 409,
    body: { code: "INVALID_STATE_TRANSITION", from: "draft", allowed: ["send", "delete"] },
  });
  expect(await retry("65f0c0ffee65f0c0ffee9999", FAILED)).toMatchObject({ status: 404 });
  for (const states of [[], ["sent"], ["failed", "skipped"]]) {
    expect(await retry(draft, states)).toMatchObject({ status: 422, body: { code: "VALIDATION_ERROR" } });
  }
  const unknown = await world.call("POST", `${ROOT}/${draft}/sends/retry`, { states: FAILED, note: "ignored" });
  expect(unknown.body.code).toBe("INVALID_STATE_TRANSITION");
  const id = await sentMessage();
  await world.sql("UPDATE transports SET enabled = false WHERE account = $1", [world.account.number]);
  expect(await retry(id, FAILED)).toMatchObject({ status: 422, body: { code: "TRANSPORT_REQUIRED" } });
  await world.sql("UPDATE transports SET enabled = true WHERE account = $1", [world.account.number]);
  const { body } = await world.call("GET", "/v2/transports");
  const { jobId } = (await retry(id, FAILED)).body;
  await world.workJob(jobId);
  const dropped = await world.call("DELETE", `/v2/transports/${body.data[0].id}`);
  expect(dropped).toMatchObject({ status: 422, body: { code: "TRANSPORT_IN_USE" } });
});
