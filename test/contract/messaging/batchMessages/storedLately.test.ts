import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MEMBERS, type SendWorld, sendWorld } from "./sendWorld.ts";

let world: SendWorld;

beforeAll(async () => {
  world = await sendWorld();
  await world.join([1, 2, 3, 4, 5]);
});
afterAll(() => world.service.stop());

describe("contacts that were stored a moment ago", () => {
  /** Stores a change that ClickHouse does not have. @returns puts it there. */
  async function storeChange(): Promise<() => Promise<void>> {
    const text = `INSERT INTO outbox (position, topic, source_partition, payload)
      VALUES (nextval('outbox_positions'), 'changes.contacts', 0, '{}')`;
    await world.sql(text);
    return () => world.sql("DELETE FROM outbox");
  }

  test("are in the audience: it is taken when ClickHouse has everything that was stored before", async () => {
    const id = await world.make({ audience: MEMBERS });
    expect(await world.put(id, "send")).toBe("200 pending");
    const arrive = await storeChange();
    await world.work(id);
    expect(await world.see(id)).toMatchObject({ status: "processing" });
    expect((await world.see(id)).audienceTotal).toBeUndefined();
    await arrive();
    await world.work(id);
    expect(await world.see(id)).toMatchObject({ status: "processing", audienceTotal: 5 });
  });

  test("do not let an audience seem empty", async () => {
    const nobody = { field: "attributes.member", op: "eq", value: "lately" };
    const arrive = await storeChange();
    expect(await world.put(await world.make({ audience: nobody }), "send")).toBe("503 SERVICE_UNAVAILABLE");
    expect(await world.put(await world.make({ audience: nobody, allowEmpty: true }), "send")).toBe("200 pending");
    await arrive();
    expect(await world.put(await world.make({ audience: nobody }), "send")).toBe("422 VALIDATION_ERROR");
  });
});
