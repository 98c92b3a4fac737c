import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "./messageWorld.ts";
import { MEMBERS, type SendWorld, sendWorld } from "./sendWorld.ts";

let world: SendWorld;
const inZones = async () => (await world.call("GET", `${ROOT}?status=tz-processing&fields=id`)).body.data;
const make = (more: object = {}) => world.make({ audience: MEMBERS, ...more });

beforeAll(async () => {
  world = await sendWorld();
  await world.join([1, 2, 3, 4, 5]);
});
afterAll(() => world.service.stop());

describe("a message with a schedule", () => {
  test("waits for its time, and can be made a draft again until then", async () => {
    const id = await make({ schedule: "2040-01-01T09:00:00Z" });
    const { body } = await world.call("PUT", `${ROOT}/${id}/send`);
    expect(body.status).toBe("scheduled");
    expect((await world.call("GET", `/v2/jobs/${body.jobId}`)).body.status).toBe("Scheduled");
    expect((await world.see(id)).sendTime).toBe("2040-01-01T09:00:00.000Z");
    expect([await world.put(id, "pause"), await world.put(id, "send")]).toEqual([
      "409 INVALID_STATE_TRANSITION",
      "200 scheduled",
    ]);
    expect([await world.put(id, "unschedule"), await world.put(id, "unschedule")]).toEqual(["200 draft", "200 draft"]);
    expect((await world.call("GET", `/v2/jobs/${body.jobId}`)).body.status).toBe("Canceled");
    await world.put(id, "send");
    await world.upkeep();
    expect((await world.see(id)).status).toBe("scheduled");
    await world.sql("UPDATE batch_messages SET send_at = 1 WHERE id = $1", [id]);
    await world.sql("UPDATE batch_messages SET send_at = $2 WHERE id = $1", [id, Date.now()]);
    await world.upkeep();
    expect((await world.see(id)).status).toBe("pending");
    await world.work(id);
    expect(await world.see(id)).toMatchObject({ status: "processing", audienceTotal: 5 });
    const other = await make({ schedule: "2040-01-01T09:00:00Z" });
    await world.put(other, "send");
    expect((await world.call("DELETE", `${ROOT}/${other}`)).body).toEqual({ success: true });
    expect(await world.put(id, "cancel")).toBe("200 canceled");
  });

  test("is scheduled and made a draft by calls at once, and all of them find it so", async () => {
    const id = await make({ schedule: "2040-01-01T09:00:00Z" });
    const atOnce = (name: string) => Promise.all(Array.from({ length: 4 }, () => world.put(id, name)));
    expect(await atOnce("send")).toEqual(Array(4).fill("200 scheduled"));
    expect(await atOnce("unschedule")).toEqual(Array(4).fill("200 draft"));
  });

  test("in the contacts' zones goes out by the clocks of each, and at once where they are past it", async () => {
    await world.join([21], { home: { tz: "Pacific/Kiritimati" } });
    await world.join([22], { home: { tz: "Pacific/Honolulu" } });
    await world.join([23], { home: { tz: "Nowhere/Land" } });
    const schedule = new Date(Date.now() + 3_600_000).toISOString();
    const id = await make({ schedule, scheduleType: "contact" });
    expect(await world.put(id, "send")).toBe("200 pending");
    expect((await world.see(id)).warnings).toEqual(["zones_passed"]);
    await world.work(id);
    expect(await world.rows(id)).toEqual({ pending: [21] });
    expect(await world.see(id)).toMatchObject({ audienceTotal: 8, zones: { done: 1, total: 3 } });
    expect(await inZones()).toEqual([{ id }]);
    const text = "SELECT zone, due_at AS due FROM send_chunks WHERE message = $1 ORDER BY due_at";
    const chunks = await world.service.postgres.query<{ zone: string; due: number }>({ text }, [id]);
    expect(chunks.map(({ zone }) => zone)).toEqual(["Europe/Berlin", "Pacific/Honolulu"]);
    expect(chunks[0]?.due).toBe(Date.parse(schedule));
    await world.sendAll(id);
    await world.put(id, "pause");
    await world.join([24], { home: { tz: "Pacific/Kiritimati" } });
    await world.put(id, "resume");
    await world.work(id);
    expect(await world.rows(id)).toEqual({ sent: [21], pending: [24] });
    expect(await world.see(id)).toMatchObject({ audienceTotal: 9, zones: { done: 1, total: 3 } });
    await world.put(id, "cancel");
    await world.upkeep();
    expect((await world.rows(id)).canceled).toHaveLength(8);
    await world.leave([21, 22, 23, 24]);
  });

  test("in the contacts' zones waits for the first zone of its audience, and can be made a draft again until then", async () => {
    const schedule = new Date(Date.now() + 5 * 3_600_000).toISOString();
    const id = await make({ schedule, scheduleType: "contact" });
    expect(await world.put(id, "send")).toBe("200 scheduled");
    expect(await world.see(id)).toMatchObject({ sendTime: schedule });
    expect(await world.see(id)).not.toHaveProperty("warnings");
    expect(await world.put(id, "unschedule")).toBe("200 draft");
    // Two hours ahead of the account's clocks, whatever else is said there.
    await world.join([41], { home: { tz: "Europe/Kyiv" } });
    await world.join([42], { home: { tz: "Nowhere/Land" } });
    expect(await world.put(id, "send")).toBe("200 scheduled");
    const early = Date.parse(String((await world.see(id)).sendTime)) - Date.parse(schedule);
    expect([-3_600_000, -2 * 3_600_000]).toContain(early);
    await world.put(id, "cancel");
    await world.leave([41, 42]);
  });

  test("in the contacts' zones is listed as such from its snapshot until its last send has ended", async () => {
    const other = await make({ schedule: "2020-01-01T09:00:00Z" });
    await world.put(other, "send");
    const id = await make({ schedule: new Date().toISOString(), scheduleType: "contact" });
    await world.put(id, "send");
    await world.sql("UPDATE batch_messages SET status = 'processing', send_at = 1 WHERE id IN ($1, $2)", [id, other]);
    expect(await inZones()).toEqual([{ id }]);
    await world.work(id);
    expect(await world.see(id)).toMatchObject({ status: "processing", zones: { done: 1, total: 1 } });
    expect(await world.rows(id)).toEqual({ pending: [1, 2, 3, 4, 5] });
    expect(await inZones()).toEqual([{ id }]);
    await world.sendAll(id);
    await world.work(id);
    expect(await world.see(id)).toMatchObject({ status: "sent" });
    expect(await inZones()).toEqual([]);
    await world.put(other, "cancel");
  });

  test("takes the zone of the attribute that the account names before that of a place", async () => {
    await world.call("PUT", "/v2/account", { messaging: { timezoneAttribute: "zone" } });
    await world.join([31], { zone: "Pacific/Kiritimati", home: { tz: "Pacific/Honolulu" } });
    const schedule = new Date(Date.now() + 3_600_000).toISOString();
    const id = await make({ schedule, scheduleType: "contact" });
    // Settings of an account may be five seconds old.
    const send = async () => {
      const status = await world.put(id, "send");
      if (status === "200 scheduled") await world.put(id, "unschedule");
      return status;
    };
    await expect.poll(send, { interval: 500 }).toBe("200 pending");
    await world.work(id);
    expect(await world.rows(id)).toEqual({ pending: [31] });
    await world.put(id, "cancel");
    await world.call("PUT", "/v2/account", { messaging: { timezoneAttribute: null } });
    await world.leave([31]);
  });
});
