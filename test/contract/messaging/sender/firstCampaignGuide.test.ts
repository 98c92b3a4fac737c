import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { storedTime } from "../../service/running.ts";
import { AT, versionAt } from "../../service/seed.ts";
import { loadCampaign } from "../messages/loadCampaign.ts";
import { type BatchWorld, batchWorld } from "./batchWorld.ts";
import { deliverOutbox, did } from "./deliverOutbox.ts";

const guide = readFileSync(new URL("../../../../docs/firstCampaign.md", import.meta.url), "utf8");
const STEP = /```http\n(?<method>GET|POST|PUT) (?<path>\S+)\n(?<body>[^`]*)```\n\n```json\n(?<answer>[^`]*)```/g;
const steps = [...guide.matchAll(STEP)].map(({ groups }) => ({
  method: ["GET", "POST", "PUT"].find((name) => name === groups?.method) ?? "",
  path: groups?.path ?? "",
  body: groups?.body ?? "",
  answer: groups?.answer ?? "",
}));

let world: BatchWorld;
/** Ids that earlier steps were answered, by the name that the guide gives them. */
const known = new Map<string, string>();
beforeAll(async () => {
  world = await batchWorld();
});
afterAll(() => world.stop());

/** Puts ids in the place of their names. */
const named = (text: string) => text.replaceAll(/\$[A-Z]+/g, (name) => known.get(name) ?? name);

/** Compares an answer with that of the guide, and notes the ids that it names for the first time. */
function compare(view: unknown, expected: unknown, path = "$"): void {
  if (typeof expected === "string" && /^\$[A-Z]+$/.test(expected)) {
    expect([path, typeof view]).toEqual([path, "string"]);
    known.set(expected, String(view));
  } else if (expected === "…") {
    expect([path, view === undefined]).toEqual([path, false]);
  } else if (Array.isArray(expected)) {
    expect([path, Array.isArray(view) && view.length]).toEqual([path, expected.length]);
    for (const [index, one] of expected.entries()) compare(Object(view)[index], one, `${path}[${index}]`);
  } else if (typeof expected === "object" && expected !== null) {
    for (const [name, one] of Object.entries(expected)) compare(Object(view)[name], one, `${path}.${name}`);
  } else {
    expect([path, view]).toEqual([path, expected]);
  }
}

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
    const id = known.get("$MESSAGE") ?? "";
    await world.work(id);
    await world.sendAll();
    await world.work(id);
  },
  "GET /v2/batchmessages/$MESSAGE?fields=stats,asOf": async () => {
    const numbers = await numberOf();
    await deliverOutbox(world, numbers);
    const ada = known.get("$ADA") ?? "";
    const mcId = `${world.account.id}:${known.get("$MESSAGE")}:b:${ada}:1`;
    const activities = ["open", "click"].map((action) => did(numbers.get(ada) ?? 0, action, mcId));
    const campaign = { aliases: new Map(), activities, orders: [] };
    await loadCampaign(world.service.clickHouse, world.account.number, campaign);
  },
};

test("the guide has all of its steps, and none between them is missing", () => {
  expect(steps.length).toBe([...guide.matchAll(/```http/g)].length);
  const calls = steps.map(({ method, path }) => `${method} ${path}`);
  expect(calls).toEqual(expect.arrayContaining(Object.keys(between)));
  expect(calls).toHaveLength(13);
});

test("every step of the guide for a first campaign is answered as it says, and two mails have gone out", async () => {
  for (const { method, path, body, answer } of steps) {
    await between[`${method} ${path}`]?.();
    const input: unknown = body.trim() === "" ? undefined : JSON.parse(named(body));
    const called = method === "GET" || method === "PUT" ? method : "POST";
    const { status, body: displayed, text } = await world.call(called, named(path), input);
    expect([path, status < 300 ? "ok" : text]).toEqual([path, "ok"]);
    compare(displayed, JSON.parse(named(answer)));
  }
  const addresses = world.mails.map(({ address }) => address);
  // The test went to Ada as well.
  expect(addresses.toSorted()).toEqual(["ada@example.com", "ada@example.com", "grace@example.com"]);
});
