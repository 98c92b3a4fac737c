import type { ClickHouse } from "@headwater/stores";
import { seedFrom } from "@headwater/testing";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createMemorySinks, type MemorySinks } from "./projection/memorySinks.ts";
import { type MemoryStream, startMemoryStream } from "./projection/memoryStream.ts";
import { createPlayer, type Player } from "./state/player.ts";
import { stepsOf } from "./state/randomSteps.ts";
import { shownByClickHouse, shownByPostgres } from "./state/shownRows.ts";
import { type Fresh, freshClickHouse } from "./storesFresh.ts";

/*
 * Change records tell ClickHouse of every change: after random steps it shows what Postgres shows.
 */

let stream: MemoryStream;
let clickhouse: Fresh<ClickHouse>;
let player: Player;
let sinks: MemorySinks;
beforeAll(async () => {
  clickhouse = await freshClickHouse();
  stream = await startMemoryStream();
  player = await createPlayer(stream);
  sinks = createMemorySinks(stream, clickhouse.store);
});
afterAll(async () => {
  await stream.drop();
  await clickhouse.drop();
});

/** TOLD_SEED replays a run, TOLD_WORLDS makes it longer. */
const SEED = seedFrom(process.env.TOLD_SEED);
const WORLDS = Number(process.env.TOLD_WORLDS || 40);
const WORLDS_TOGETHER = 10;
const LONG_MS = 3_600_000;

async function clearsOfLists(): Promise<ReadonlyMap<number, string>> {
  const text =
    "SELECT id, replace(cleared_version::text, '-', '') AS clear FROM lists WHERE cleared_version IS NOT NULL";
  const rows = await stream.postgres.query<{ id: number; clear: string }>({ text });
  return new Map(rows.map(({ id, clear }) => [id, clear]));
}

test(`random records, merges, splits and clears: ClickHouse shows what Postgres shows (TOLD_SEED=${SEED})`, {
  timeout: LONG_MS,
}, async () => {
  for (let world = 0; world < WORLDS; world++) {
    const [steps = []] = fc.sample(stepsOf(world), { seed: SEED * 1_000 + world, numRuns: 1 });
    for (const step of steps) await player.take(step);
    await player.apply();
    if (world % WORLDS_TOGETHER !== WORLDS_TOGETHER - 1 && world < WORLDS - 1) continue;
    await sinks.publish();
    await sinks.history();
    const stored = await shownByPostgres(stream.postgres, stream.account.number);
    const told = await shownByClickHouse(clickhouse.store, await clearsOfLists());
    expect(
      {
        "in ClickHouse alone": [...told.difference(stored)].sort(),
        "in Postgres alone": [...stored.difference(told)].sort(),
      },
      `up to world ${world}`,
    ).toEqual({ "in ClickHouse alone": [], "in Postgres alone": [] });
    expect(stored.size).toBeGreaterThan(world);
  }
});
