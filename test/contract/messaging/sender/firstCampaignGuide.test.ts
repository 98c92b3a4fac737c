import { afterAll, beforeAll, expect, test } from "vitest";
import { readGuide } from "../../service/guide.ts";
import { storedTime } from "../../service/running.ts";
import { AT, versionAt } from "../../service/seed.ts";
import { loadCampaign } from "../messages/loadCampaign.ts";
import { type BatchWorld, batchWorld } from "./batchWorld.ts";
import { deliverOutbox, did } from "./deliverOutbox.ts";

const guide = readGuide("firstCampaign");

let world: BatchWorld;
beforeAll(async () => {
  world = await batchWorld();
});
afterAll(() => world.stop());

const numberOf = async () => {
  const text = "SELECT number, cid FROM contacts WHERE account = $1";
  const rows = await world.service.postgres.query<{ number: number; cid: string }>({ text }, [world.account.number]);
  return new Map(rows.map(({ number, cid }) => [cid, number]));
};

/** Plays the projector: the contacts are in ClickHouse as well. */
async function projectContacts(): Promise<void> {
  const { service, account, sql } = world;
  const written = { version: versionAt(AT), revision: 1 };
  const time = storedTime(AT);
  const numbers = [...(await numberOf())];
  await service.insert(
    "contacts_current",
    account,
    numbers.map(([cid, contact]) => ({
      ...{ contact, cid, merged_into: 0, deleted: 0, created_at: time, modified_at: time },
      ...written,
    })),
  );
  const field = { field: "attributes.member", kind: "string", number: null, text: "yes", ...written };
  await service.insert(
    "contact_fields_current",
    account,
    numbers.map(([, contact]) => ({ contact, ...field })),
  );
  await sql("DELETE FROM outbox");
}

/** Deeds of people and processes between the steps of the guide, by the step that follows. */
const between: Readonly<Record<string, () => Promise<void>>> = {
  "POST /v2/audiences": projectContacts,
  "GET /v2/batchmessages/$MESSAGE?fields=status,audienceTotal,delivery": async () => {
    const id = guide.known.get("$MESSAGE") ?? "";
    await world.work(id);
    await world.sendAll();
    await world.work(id);
  },
  "GET /v2/batchmessages/$MESSAGE?fields=stats,asOf": async () => {
    const numbers = await numberOf();
    await deliverOutbox(world, numbers);
    const ada = guide.known.get("$ADA") ?? "";
    const mcId = `${world.account.id}:${guide.known.get("$MESSAGE")}:b:${ada}:1`;
    const activities = ["open", "click"].map((action) => did(numbers.get(ada) ?? 0, action, mcId));
    const campaign = { aliases: new Map(), activities, orders: [] };
    await loadCampaign(world.service.clickHouse, world.account.number, campaign);
  },
};

test("the guide has all of its steps, and none between them is missing", () => {
  const calls = guide.steps.map(({ method, path }) => `${method} ${path}`);
  expect(calls).toEqual(expect.arrayContaining(Object.keys(between)));
  expect(calls).toHaveLength(13);
});

test("every step of the guide for a first campaign is answered as it says, and two mails have gone out", async () => {
  for (const step of guide.steps) {
    await between[`${step.method} ${step.path}`]?.();
    const { method, path, input } = guide.callOf(step);
    const { status, body, text } = await world.call(method, path, input);
    expect([path, status < 300 ? "ok" : text]).toEqual([path, "ok"]);
    guide.compare(step, body);
  }
  const addresses = world.mails.map(({ address }) => address);
  // The test went to Ada as well.
  expect(addresses.toSorted()).toEqual(["ada@example.com", "ada@example.com", "grace@example.com"]);
});
