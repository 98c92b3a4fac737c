import { manualClock } from "@headwater/kernel";
import { retryOnConflict } from "@headwater/postgres/connection/writeConflict";
import type { LogFrame } from "@headwater/topics";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { AT, frameOf, stateOf, takeOver } from "../../intake/projector/memoryStream.ts";
import { ROOT, type SenderWorld, senderWorld } from "./senderWorld.ts";

let world: SenderWorld;
const log = new Map<number, LogFrame[]>([[0, []]]);
beforeAll(async () => {
  world = await senderWorld();
});
afterAll(() => world.close());
beforeEach(() => void world.mails.splice(0));

const clock = manualClock(AT);
let records = 0;

/** Appends a record to the log, in a frame of its own. */
function append(operation: string, members: object): void {
  const frames = log.get(0) ?? [];
  const record = { id: `entry${++records}:0:0`, receivedAt: AT, ...members };
  const value = frameOf(operation, world.account.id, [record]);
  frames.push({ offset: frames.length, timeMs: AT + frames.length, key: undefined, value, headers: {} });
}

function happen(address: string, name: string, properties: object = {}): void {
  const contact = { identifiers: { email: address }, canBeCreated: true };
  append("createContactactivities", { contact, event: { name, time: "2026-01-01T10:00:00Z", properties } });
}

/** A new projector applies what is there; then senders make what is wanted, and send nothing of it yet. */
async function want(): Promise<void> {
  await takeOver(stateOf(world.postgres, world.account, clock), 0, log);
  const sender = world.sender();
  while (await sender.wantOnce());
}

const make = (key: string, entry: object) => {
  const triggers = { event: { enabled: true, action: key } };
  const html = "<p>{{ event.properties.sku }}{{ sku }} {{ links.unsubscribe }}</p>";
  return world.make(key, { classification: "transactional", triggers, entry }, html);
};
const texts = () => world.mails.map(({ address, content }) => `${address} ${content["text/plain"]?.split(" ")[0]}`);

describe("the entry of a template", () => {
  test("sends once to a contact, and says of all later activities why nothing was sent", async () => {
    expect((await make("once", { reentry: "once" })).status).toBe(201);
    for (const [address, sku] of [
      ["ada@example.org", "A-1"],
      ["ada@example.org", "A-2"],
      ["bob@example.org", "B-1"],
    ] as const)
      happen(address, "once", { sku });
    await want();
    happen("ada@example.org", "once", { sku: "A-3" });
    await want();
    await world.sendAll();
    expect(texts().toSorted()).toEqual(["ada@example.org A-1", "bob@example.org B-1"]);
    expect((await world.states("once")).toSorted()).toEqual([
      ...["sent", "sent", "skipped reentry", "skipped reentry"],
    ]);
    const { body } = await world.call("GET", `${ROOT}/once`);
    expect(body.entry).toEqual({ reentry: "once", holdoutPercent: 0 });
  });

  test("counts each value of its key apart, and sends nothing without one", async () => {
    await make("keyed", { reentry: "once", key: "cart.id" });
    for (const [id, sku] of [
      [1, "K-1"],
      [2, "K-2"],
      [1, "K-3"],
      ["1", "K-4"],
      [{}, "K-5"],
    ] as const)
      happen("ada@example.org", "keyed", { cart: { id }, sku });
    happen("ada@example.org", "keyed", { sku: "K-6" });
    await want();
    await world.sendAll();
    expect(texts()).toEqual(["ada@example.org K-1", "ada@example.org K-2", "ada@example.org K-4"]);
    expect((await world.states("keyed")).filter((state) => state !== "sent").toSorted()).toEqual([
      ...["skipped key", "skipped key", "skipped reentry"],
    ]);
  });

  test("sends nothing while a send to the contact is under way, and again once it has ended", async () => {
    await make("exit", { reentry: "after-exit" });
    happen("ada@example.org", "exit", { sku: "E-1" });
    await want();
    happen("ada@example.org", "exit", { sku: "E-2" });
    await want();
    await world.sendAll();
    happen("ada@example.org", "exit", { sku: "E-3" });
    await want();
    await world.sendAll();
    expect(texts()).toEqual(["ada@example.org E-1", "ada@example.org E-3"]);
  });

  test("sends again after a time, which counts from the last send and not from what was refused", async () => {
    await make("after", { reentry: { after: { n: 1, unit: "day" } } });
    happen("ada@example.org", "after", { sku: "T-1" });
    happen("ada@example.org", "after", { sku: "T-2" });
    await want();
    await world.sendAll();
    await world.postgres.execute({ text: "UPDATE template_entries SET entered_at = entered_at - 86400000" });
    happen("ada@example.org", "after", { sku: "T-3" });
    happen("ada@example.org", "after", { sku: "T-4" });
    await want();
    await world.sendAll();
    expect(texts()).toEqual(["ada@example.org T-1", "ada@example.org T-3"]);
  });

  test("holds for calls as well: their answer says who was sent to before", async () => {
    await make("called", { reentry: "once", key: "order" });
    const send = (order: unknown) =>
      world.call("POST", `${ROOT}/called/send`, { to: [{ email: "cal@example.org" }], mergeData: { order } });
    const errors = [];
    for (const order of ["O-1", "O-1", "O-2", null]) {
      const { status, body } = await send(order);
      errors.push([status, body.messagecontacts[0].error]);
    }
    expect(errors).toEqual([
      [200, undefined],
      [200, "reentry"],
      [200, undefined],
      [200, "key"],
    ]);
    const twice = [{ email: "dot@example.org" }, { email: "dot@example.org" }];
    const { body } = await world.call("POST", `${ROOT}/called/send`, { to: twice, mergeData: { order: 1 } });
    expect(body.messagecontacts.map(({ accepted }: { accepted: boolean }) => accepted)).toEqual([true, false]);
    const { body: tested } = await world.call("POST", `${ROOT}/called/senddraft`, {
      to: twice,
      mergeData: { order: 1 },
    });
    expect(tested.messagecontacts.map(({ accepted }: { accepted: boolean }) => accepted)).toEqual([true, true]);
  });

  test("joins what was sent to contacts that were merged", async () => {
    await make("merged", { reentry: "once" });
    happen("one@example.org", "merged", { sku: "M-1" });
    happen("two@example.org", "other");
    await want();
    append("mergeContacts", {
      contact: { identifiers: { email: "two@example.org" } },
      previous: { identifiers: { email: "one@example.org" } },
    });
    happen("two@example.org", "merged", { sku: "M-2" });
    await want();
    await world.sendAll();
    expect((await world.states("merged")).toSorted()).toEqual(["sent", "skipped reentry"]);
    expect(texts().filter((text) => text.includes(" M-"))).toHaveLength(1);
  });

  test("holds out a share of the contacts, always the same ones, and nobody of a test", async () => {
    await make("held", { holdoutPercent: 100 });
    happen("ada@example.org", "held", { sku: "H-1" });
    await want();
    await world.sendAll();
    expect([world.mails, await world.states("held")]).toEqual([[], ["skipped holdout"]]);
    await world.call("POST", `${ROOT}/held/senddraft`, { to: { email: "ada@example.org" }, mergeData: { sku: "H-2" } });
    await world.sendAll();
    expect(texts()).toEqual(["ada@example.org H-2"]);
  });

  test("lets in once whatever senders begin at the same time, and whatever is rolled back", async () => {
    await make("raced", { reentry: "once" });
    for (let index = 0; index < 20; index++) happen("ada@example.org", "raced", { sku: `R-${index}` });
    await takeOver(stateOf(world.postgres, world.account, clock), 0, log);
    const senders = [world.sender(), world.sender(), world.sender()];
    await Promise.all(senders.map((sender) => retryOnConflict(() => sender.wantOnce())));
    await want();
    await world.sendAll();
    expect(world.mails).toHaveLength(1);
    expect((await world.states("raced")).filter((state) => state === "sent")).toHaveLength(1);
  });

  test("is forgotten with an erased contact, and with the template", async () => {
    await make("left", { reentry: "once" });
    for (const address of ["gone@example.org", "stays@example.org"]) happen(address, "left");
    await want();
    const count = async () => {
      const text = `SELECT count(*) AS count FROM template_entries e JOIN automation_templates t USING (account, mdt_id) WHERE t.key = 'left'`;
      const [row] = await world.postgres.query<{ count: number }>({ text });
      return row?.count;
    };
    expect(await count()).toBe(2);
    expect((await world.call("DELETE", "/v2/contacts/gone@example.org")).status).toBeLessThan(300);
    expect(await count()).toBe(1);
    const text = "SELECT count(*) AS count FROM template_entries WHERE mdt_id = $1";
    const { body } = await world.call("GET", `${ROOT}/left`);
    await world.call("DELETE", `${ROOT}/left`);
    expect(await world.postgres.query({ text }, [body.mdtID])).toEqual([{ count: 0 }]);
  });

  test("is refused with its path where it is wrong, and null brings the default back", async () => {
    const refused = await make("wrong", { reentry: { after: { n: 0, unit: "day" } }, holdoutPercent: 101 });
    expect(refused.status).toBe(422);
    const paths = refused.body.details.map(({ path }: { path: string }) => path);
    expect(paths).toContain("/entry/holdoutPercent");
    await make("right", { reentry: "once" });
    const { body: stored } = await world.call("GET", `${ROOT}/right`);
    const { status } = await world.call("PUT", `${ROOT}/right`, { message: stored.message, entry: null });
    const { body } = await world.call("GET", `${ROOT}/right`);
    expect([status, body.entry]).toEqual([200, { reentry: "always", holdoutPercent: 0 }]);
  });
});
