import { versionOf } from "@headwater/contracts";
import { endJob, insertJob, readStoredJob } from "@headwater/jobs/queue/jobs";
import { setMessageStatus } from "@headwater/messaging/batchMessages/startMessages";
import { type MemoryPostgres, startMemoryPostgres } from "@headwater/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { AT, RunsWorld } from "../runs/testRuns.ts";
import { webhooks } from "./postgres.ts";

let memory: MemoryPostgres;
let world: RunsWorld;
beforeAll(async () => {
  memory = await startMemoryPostgres();
});
beforeEach(async () => {
  world = await RunsWorld.create(memory.postgres);
});
afterAll(() => memory.stop());

/** Creates a webhook as its route would. */
async function listen(events: readonly string[], actions: readonly string[] | null = null): Promise<void> {
  const state = { enabled: true, activation: 1, disabledReason: null, failingSince: null };
  const secrets = { secret: "sealed", formerSecret: null, formerUntil: null };
  const members = { url: "https://hooks.example.com/", events, actions, description: null, ...state, ...secrets };
  const name = { account: world.account.number, key: events.join().padEnd(24, "0").slice(0, 24) };
  await world.postgres.transaction((transaction) => webhooks.insert(transaction, name, members, AT));
}

/** Returns what is stored for webhooks. */
async function published(): Promise<{ type: string; data: unknown; contact: string | null }[]> {
  const text = "SELECT type, data, contact FROM webhook_events WHERE account = $1 ORDER BY type, data";
  const rows = await world.postgres.query<{ type: string; data: string; contact: string | null }>({ text }, [
    world.account.number,
  ]);
  return rows.map(({ data, ...row }) => ({ ...row, data: JSON.parse(data) }));
}

describe("events are published", () => {
  test("about activities that a webhook names, once however often they are read", async () => {
    await listen(["activity.created"], ["purchase"]);
    await world.happen("purchase", { properties: { total: 5 } });
    await world.happen("view");
    await world.settle();
    await world.postgres.execute({ text: "DELETE FROM stream_offsets" });
    await world.settle();
    const data = { cID: "c1", action: "purchase", properties: { total: 5 } };
    expect(await published()).toMatchObject([{ type: "activity.created", contact: "c1", data }]);
  });

  test("about opens and clicks of messages", async () => {
    await listen(["message.event"]);
    await world.happen("open", { properties: { mcID: "a:m:b:c1:1" } });
    await world.happen("purchase", { properties: { mcID: "a:m:b:c1:1" } });
    await world.settle();
    expect(await published()).toMatchObject([{ type: "message.event", data: { action: "open", mcID: "a:m:b:c1:1" } }]);
  });

  test("about channels that are subscribed and unsubscribed, and about no other change of a contact", async () => {
    await listen(["contact.subscribed", "contact.unsubscribed"]);
    const version = versionOf(AT, { lane: 255, partition: 0, offset: 9, place: 0 });
    const about = { account: world.account.number, contact: 1, cid: "c1", createdAt: AT, lastModified: AT, version };
    const change = (...fields: (readonly [string, string | null])[]) =>
      world.append("changes.contacts", { ...about, fields });
    await change(["channels.email.subscribeStatus", "subscribed"], ["attributes.city", "Graz"]);
    await change(["channels.sms.subscribeStatus", "unsubscribed"]);
    await change(["channels.push.subscribeStatus", null], ["channels.web.subscribeStatus", "none"]);
    await world.settle();
    expect(await published()).toMatchObject([
      { type: "contact.subscribed", data: { cID: "c1", channel: "email", by: { kind: "v2" } } },
      { type: "contact.unsubscribed", data: { cID: "c1", channel: "sms", at: "2026-01-05T09:00:00.000Z" } },
    ]);
  });

  test("about jobs that are done or have failed, and not about those that were canceled", async () => {
    await listen(["job.done", "job.failed"]);
    const account = world.account.number;
    for (const status of ["Done", "Failed", "Canceled"] as const) {
      const id = `job${status}${account}`;
      const about = { name: "ClearList", input: {}, totalItems: 0, metadata: {}, madeBy: "k1", createdAt: AT };
      await insertJob(world.postgres, { id, account, ...about });
      const job = await readStoredJob(world.postgres, account, id);
      if (job === undefined) throw new Error("the job was stored");
      await world.postgres.transaction((transaction) => endJob(transaction, job, { status, at: AT }));
    }
    expect(await published()).toMatchObject([
      { type: "job.done", data: { jobName: "ClearList", status: "Done", times: { end: "2026-01-05T09:00:00.000Z" } } },
      { type: "job.failed", data: { status: "Failed" } },
    ]);
  });

  test("about messages that get another state, with the reason", async () => {
    await listen(["message.status"]);
    const account = world.account.number;
    const text = `INSERT INTO batch_messages (account, id, channel, status, settings, created_at, updated_at)
      VALUES ($1, 'm1', 'email', 'processing', '{"name": "Sale"}', $2, $2)`;
    await world.postgres.execute({ text }, [account, AT]);
    const change = { account, id: "m1", status: "paused", reason: "blocked" } as const;
    await world.postgres.transaction((transaction) => setMessageStatus(transaction, change, AT));
    await world.postgres.transaction((transaction) => setMessageStatus(transaction, change, AT + 1));
    expect(await published()).toMatchObject([
      { data: { id: "m1", name: "Sale", from: "processing", to: "paused", reason: "blocked" } },
    ]);
  });

  test("for nobody where no webhook listens", async () => {
    await world.happen("purchase");
    await world.settle();
    expect(await published()).toEqual([]);
  });
});
