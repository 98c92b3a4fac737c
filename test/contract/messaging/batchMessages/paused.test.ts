import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkIn } from "./checkIn.ts";
import { ROOT } from "./messageWorld.ts";
import { cidOf, MEMBERS, type SendWorld, sendWorld } from "./sendWorld.ts";

let world: SendWorld;
const make = (more: object = {}) => world.make({ audience: MEMBERS, ...more });
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
const check = (id: string) => checkIn(world, id);

beforeAll(async () => {
  world = await sendWorld();
  await world.join(range(1, 5));
});
afterAll(() => world.service.stop());

describe("a message that is paused", () => {
  test("goes on with its audience as it is then: new ones join, who left is skipped, nobody gets it twice", async () => {
    await world.join(range(11, 14), {});
    const ids = {
      or: range(11, 16).map((one) => ({ field: "identifiers.email", op: "eq", value: `c${one}@example.com` })),
    };
    const id = await make({ audience: { and: [MEMBERS, ids] } });
    await world.service.insert(
      "contact_fields_current",
      world.account,
      range(11, 16).map((contact) => ({
        ...{ contact, field: "identifiers.email", kind: "string", number: null, text: `c${contact}@example.com` },
        ...{ version: "0".repeat(32), revision: 1 },
      })),
    );
    await world.put(id, "send");
    await world.work(id);
    expect((await world.rows(id)).pending).toEqual(range(11, 14));
    await world.sql("UPDATE sends SET state = 'sent' WHERE message = $1 AND contact = 11", [id]);
    expect([await world.put(id, "pause"), await world.put(id, "pause")]).toEqual(["200 paused", "200 paused"]);
    await world.sendAll(id);
    await world.work(id);
    expect(await check(id)).toMatchObject({ status: "paused", delivery: { sent: 1, pending: 3 } });
    await world.leave([11]);
    await world.join([15]);
    expect(await world.put(id, "resume")).toBe("200 processing");
    await world.work(id);
    expect(await check(id)).toMatchObject({ audienceTotal: 5, delivery: { sent: 1, pending: 4 } });
    await world.sendAll(id);
    await world.work(id);
    expect(await world.rows(id)).toEqual({ sent: range(11, 15) });
    expect(await check(id)).toMatchObject({ status: "sent", delivery: { sent: 5 } });
    await world.leave(range(11, 15));
  });

  test("skips those of its chunks that left before it was their turn", async () => {
    const id = await make();
    await world.put(id, "send");
    await world.work(id, 4);
    await world.put(id, "pause");
    expect(await world.rows(id)).toEqual({});
    await world.leave([5]);
    await world.put(id, "resume");
    await world.work(id);
    expect(await world.rows(id)).toEqual({ "left-audience": [5], pending: range(1, 4) });
    const list = async (query: string) =>
      (await world.call("GET", `${ROOT}/${id}/sends?return_count=true&${query}`)).body;
    expect(await list("state=skipped")).toMatchObject({
      data: [{ cID: cidOf(5), state: "skipped", reason: "left-audience", attempts: 0 }],
      pagination: { total: 1 },
    });
    expect(await list("per_page=2")).toMatchObject({
      data: [{ cID: cidOf(1), state: "pending", mcID: `${world.account.id}:${id}:b:${cidOf(1)}:1` }, { cID: cidOf(2) }],
      pagination: { total: 5 },
    });
    expect((await list(`cID=${cidOf(3)}`)).data).toMatchObject([{ cID: cidOf(3) }]);
    expect((await list("cID=nobody&reason=capped")).data).toEqual([]);
    expect((await world.call("GET", `${ROOT}/${id}/sends`, undefined, world.otherKey)).status).toBe(404);
    expect(await check(id)).toMatchObject({
      audienceTotal: 5,
      delivery: { pending: 4, skipped: { "left-audience": 1 } },
    });
    await world.join([5]);
    await world.put(id, "cancel");
  });

  test("skips those that left although they had their turn, unless somebody had begun with them", async () => {
    const id = await make();
    await world.put(id, "send");
    await world.work(id);
    const set = (change: string, contact: number) =>
      world.sql(`UPDATE sends SET ${change} WHERE message = $1 AND contact = $2`, [id, contact]);
    const later = Date.now() + 3_600_000;
    await set("state = 'deferred', attempts = 1, first_at = 1", 2);
    await set(`reason = 'rate', due_at = ${later}`, 3);
    await set(`reason = 'quiet-hours', due_at = ${later}`, 4);
    await set(`owner = 'one', claim_until = ${later}`, 5);
    await world.put(id, "pause");
    await world.leave([2, 4, 5]);
    expect(await world.put(id, "resume")).toBe("200 processing");
    await world.sendAll(id);
    expect(await world.rows(id)).toEqual({ pending: [1, 3, 4, 5], deferred: [2] });
    await world.work(id);
    expect(await world.rows(id)).toEqual({ "left-audience": [4, 5], deferred: [2], pending: [1, 3] });
    expect(await check(id)).toMatchObject({ audienceTotal: 5, delivery: { skipped: { "left-audience": 2 } } });
    await world.sendAll(id);
    expect(await world.rows(id)).toEqual({ "left-audience": [4, 5], deferred: [2], sent: [1, 3] });
    await world.join([2, 4, 5]);
    await world.put(id, "cancel");
  });

  test("once more before its audience was compared, and goes on, leaves nobody out", async () => {
    const id = await make();
    await world.put(id, "send");
    await world.work(id);
    for (const steps of [1, 2, 3]) {
      for (const call of ["pause", "resume"]) await world.put(id, call);
      await world.work(id, steps);
      await check(id);
    }
    await world.work(id);
    await world.sendAll(id);
    await world.work(id);
    expect(await world.rows(id)).toEqual({ sent: range(1, 5) });
    expect(await check(id)).toMatchObject({ status: "sent", audienceTotal: 5 });
  });
});
