import { afterAll, beforeAll, expect, test } from "vitest";
import type { CampaignActivity } from "../messages/campaign.ts";
import { loadCampaign } from "../messages/loadCampaign.ts";
import { ROOT as TEMPLATES, template } from "../templates/templateWorld.ts";
import { type MessageWorld, messageWorld, ROOT } from "./messageWorld.ts";

const DAY_MS = 86_400_000;
let world: MessageWorld;
let batch: string;
beforeAll(async () => {
  world = await messageWorld();
  const settings = { host: "mail.example.com", fromDomains: ["example.com"] };
  const out = { name: "Out", channel: "email", type: "smtp", default: true, settings };
  expect((await world.call("POST", "/v2/transports", out)).status).toBe(201);
  batch = await world.make();
});
afterAll(() => world.service.stop());

/** Sends a new template to one contact. @returns its id, and that of the day or hour that the send belongs to. */
async function send(key: string, more: object = {}) {
  await world.call("POST", TEMPLATES, template(key, undefined, { classification: "transactional", ...more }));
  const { mdtID } = (await world.call("GET", `${TEMPLATES}/${key}`)).body;
  const sent = await world.call("POST", `${TEMPLATES}/${key}/send`, { to: { email: "ada@example.com" } });
  const [, id, period, , cID] = String(sent.body.messagecontacts[0].mcID).split(":");
  return { mdtID: String(mdtID), child: `${id}:${period}`, mcID: String(sent.body.messagecontacts[0].mcID), cID };
}

const list = async (query: string) => {
  const { status, body } = await world.call("GET", `${ROOT}?${query}`);
  return status === 200 ? body.data.map(({ id }: { id: string }) => id) : body;
};

test("days and hours of templates that were sent stand in the list of batch messages, and filters find them", async () => {
  const daily = await send("daily", { tags: ["spring"] });
  const hourly = await send("hourly", { baseAggregation: "hourly" });
  await world.call("POST", TEMPLATES, template("never"));
  expect(daily.child).toMatch(/^[0-9a-f]{24}:d\d{6}$/);
  expect(hourly.child).toMatch(/^[0-9a-f]{24}:h\d{8}$/);
  expect(await list("")).toEqual([batch, daily.child, hourly.child]);
  expect(await list("sort_dir=desc&per_page=2")).toEqual([hourly.child, daily.child]);
  expect(await list("per_page=1&page=2")).toEqual([daily.child]);
  expect(await list(`mdtID=${daily.mdtID}`)).toEqual([daily.child]);
  expect(await list("mdtID=65f0c0ffee65f0c0ffee9999")).toEqual([]);
  expect(await list("triggers[api][enabled]=true")).toEqual([daily.child, hourly.child]);
  expect(await list("triggers[event][enabled]=true")).toEqual([]);
  expect(await list("triggers[event][enabled]=false")).toEqual([batch, daily.child, hourly.child]);
  expect(await list("tags=spring")).toEqual([daily.child]);
  expect(await list("status=processing")).toEqual([daily.child, hourly.child]);
  expect(await list("status=sent")).toEqual([]);
  expect((await world.call("GET", `${ROOT}?return_count=true&per_page=1`)).body.pagination).toMatchObject({ total: 3 });
  const first = (await world.call("GET", `${ROOT}?per_page=2`)).body.pagination.next_cursor;
  expect(await list(`per_page=2&cursor=${encodeURIComponent(first)}`)).toEqual([hourly.child]);
  const event = { triggers: { event: { enabled: true, action: "cart-left" } }, message: template("x").message };
  await world.call("PUT", `${TEMPLATES}/daily`, event);
  expect(await list("triggers[event][enabled]=true")).toEqual([daily.child]);
  await world.call("DELETE", `${TEMPLATES}/hourly`);
  expect(await list(`mdtID=${hourly.mdtID}`)).toEqual([hourly.child]);
  expect((await world.call("GET", `${ROOT}/${daily.child}`, undefined, world.otherKey)).status).toBe(404);
});

test("a day of a template shows what became of its sends, with the numbers that its program shows", async () => {
  const { mdtID, child, mcID, cID } = await send("numbers");
  await world.call("POST", `${TEMPLATES}/numbers/send`, { to: { email: "ada@example.com" } });
  const time = Date.now() - 1_000;
  const mcIdOf = (n: number) => mcID.replace(/\d+$/, `${n}`);
  const did = (n: number, action: string, uid: string): CampaignActivity => ({
    ...{ contact: 1_000, action, time, ingested: time, uid, mcId: mcIdOf(n), properties: {} },
  });
  const other = { ...did(1, "message-sent", "u9"), mcId: mcID.replace(child, `${mdtID}:d260101`) };
  await loadCampaign(world.service.clickHouse, world.account.number, {
    aliases: new Map(),
    activities: [
      did(1, "message-sent", "u1"),
      did(2, "message-sent", "u2"),
      did(1, "open", "u3"),
      did(1, "click", "u4"),
      other,
    ],
    orders: [],
  });
  const { body } = await world.call("GET", `${ROOT}/${child}`);
  expect(body).toMatchObject({
    id: child,
    mdtID,
    key: "numbers",
    status: "processing",
    channel: "email",
    audienceTotal: 2,
  });
  expect(body.delivery).toMatchObject({ sent: 0, pending: 2, skipped: {} });
  const listed = await world.call("GET", `${ROOT}?mdtID=${mdtID}&fields=id,audienceTotal,delivery&return_count=true`);
  expect(listed.body.data).toEqual([{ id: child, audienceTotal: 2, delivery: body.delivery }]);
  const whole = (await world.call("GET", `${ROOT}?mdtID=${mdtID}`)).body;
  expect(whole.data).toEqual([expect.objectContaining({ id: child, stats: body.stats, alerts: [] })]);
  expect(whole.asOf).toMatch(/^2\d{3}-.*Z$/);
  expect(body.stats).toMatchObject({ sent: 2, delivered: 2, opens: 1, clicks: 1, bounces: 0, revenue: 0 });
  const created = await world.call("POST", "/v2/programs", { name: "One", messages: { ids: [mdtID] } });
  const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  const range = `start_date=${dayOf(time - 2 * DAY_MS)}&end_date=${dayOf(time + DAY_MS)}`;
  const stats = (await world.call("GET", `/v2/programs/${created.body.id}/stats?${range}`)).body.data;
  const row = stats.find(({ message_id: id }: { message_id: string }) => id === child);
  const { sent, delivered, opens, clicks, bounces } = body.stats;
  expect(row.stats).toMatchObject({ sent, delivered, opens, clicks, bounce_total: bounces });
  const sends = (await world.call("GET", `${ROOT}/${child}/sends`)).body.data;
  expect(sends.map((one: { cID: string; state: string }) => [one.cID, one.state])).toEqual([
    [cID, "pending"],
    [cID, "pending"],
  ]);
  for (const id of [`${mdtID}:d250101`, `${mdtID}:x`])
    expect((await world.call("GET", `${ROOT}/${id}`)).status).toBe(404);
});
