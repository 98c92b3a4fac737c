import { type MemoryPostgres, startMemoryPostgres } from "@headwater/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compositionSchema, draftSchema } from "./orchestration.ts";
import * as stored from "./postgres.ts";

const account = 7;
const composition = compositionSchema.parse({
  ...draftSchema.parse({}),
  actions: [{ id: "end", type: "exit", label: "end", next: [], config: {} }],
});

let memory: MemoryPostgres;
beforeAll(async () => {
  memory = await startMemoryPostgres();
});
afterAll(() => memory.stop());

const create = (key: string, members: Partial<stored.StoredOrchestration> = {}) =>
  memory.postgres.transaction((transaction) =>
    stored.orchestrations.insert(
      transaction,
      { account, key },
      {
        ...{ name: key, tags: null, isEnabled: false, enabledAt: null, version: null, compositionId: null },
        ...{ publishedAt: null, content: JSON.stringify({ draft: draftSchema.parse({}) }), ...members },
      },
      1_000,
    ),
  );
const remove = (key: string) =>
  memory.postgres.transaction((transaction) => stored.orchestrations.delete(transaction, { account, key }, 2_000));
const published = { isEnabled: true, enabledAt: 1_500, version: 1, compositionId: "c1", publishedAt: 1_200 };

test("a version is read as it was published, with its lists and its migration", async () => {
  const version = {
    ...{ account, orchestration: "a", version: 1, compositionId: "c1", composition, lists: { VIP: 3 } },
    ...{ migration: { start: "end" }, publishedAt: 1_200 },
  };
  await memory.postgres.transaction((transaction) => stored.insertVersion(transaction, version));
  expect(await stored.readVersion(memory.postgres, version)).toEqual(version);
  expect(await stored.readVersion(memory.postgres, { ...version, version: 2 })).toBeUndefined();
  expect(await stored.readVersion(memory.postgres, { ...version, account: 8 })).toBeUndefined();
  expect(await stored.knownNodes(memory.postgres, version, ["end", "start"])).toEqual(new Set(["end"]));
});

test("an orchestration that is enabled and published starts runs", async () => {
  await create("drafted", { isEnabled: true, enabledAt: 1_500 });
  await create("disabled", { ...published, isEnabled: false });
  await create("enabled", published);
  expect(await stored.readEnabled(memory.postgres, [account, 8])).toEqual([
    { account, orchestration: "enabled", version: 1, enabledAt: 1_500 },
  ]);
  const others = (orchestration: string) =>
    memory.postgres.transaction((transaction) => stored.countEnabled(transaction, { account, orchestration }));
  expect([await others("enabled"), await others("disabled")]).toEqual([1, 2]);
});

test("a deleted orchestration that was published stays until it is purged, and a draft does not", async () => {
  await create("a", published);
  await create("b");
  await remove("a");
  await remove("b");
  expect(await stored.orchestrations.read(memory.postgres, { account, key: "a" })).toBeUndefined();
  expect((await stored.readEnabled(memory.postgres, [account])).map(({ orchestration }) => orchestration)).toEqual([
    "enabled",
  ]);
  const deleted = () => stored.readDeleted(memory.postgres, 10);
  expect(await deleted()).toEqual([{ account, orchestration: "a", deletedAt: 2_000 }]);
  for (const orchestration of ["a", "enabled"])
    await memory.postgres.transaction((transaction) => stored.purge(transaction, { account, orchestration }));
  expect([
    await deleted(),
    await stored.readVersion(memory.postgres, { account, orchestration: "a", version: 1 }),
  ]).toEqual([[], undefined]);
  expect(await stored.orchestrations.read(memory.postgres, { account, key: "enabled" })).toMatchObject(published);
});
