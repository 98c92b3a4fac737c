import { MemoryState, seedFrom } from "@headwater/testing";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type MemoryStream, startMemoryStream } from "../../intake/projector/memoryStream.ts";
import { createPlayer, type Player } from "./state/player.ts";
import { stepsOf } from "./state/randomSteps.ts";
import { difference, memoryRows, postgresRows, type StoredRows } from "./state/storedRows.ts";

/*
 * The state in memory, on which the laws of the folds are proven, stores what Postgres stores: the same random steps on both.
 */

let stream: MemoryStream;
let player: Player;
const memory = new MemoryState();
beforeAll(async () => {
  stream = await startMemoryStream();
  player = await createPlayer(stream, memory);
});
afterAll(() => stream.drop());

/** STATE_SEED replays a run, STATE_WORLDS makes it longer. */
const SEED = seedFrom(process.env.STATE_SEED);
const WORLDS = Number(process.env.STATE_WORLDS || 12);
const WORLDS_TOGETHER = 10;
const LONG_MS = 3_600_000;

async function expectSame(worlds: string): Promise<StoredRows> {
  const broken = { text: "SELECT record_id, message FROM rejects WHERE code = 'INTERNAL_ERROR'" };
  expect(await stream.postgres.query(broken), worlds).toEqual([]);
  const stored = await postgresRows(stream.postgres, stream.account.number);
  expect(difference(memoryRows(memory), stored), worlds).toEqual([]);
  return stored;
}

test(`random records, merges and splits leave both with the same rows, and no record breaks (STATE_SEED=${SEED})`, {
  timeout: LONG_MS,
}, async () => {
  for (let world = 0; world < WORLDS; world++) {
    const [steps = []] = fc.sample(stepsOf(world), { seed: SEED * 1_000 + world, numRuns: 1 });
    for (const step of steps) await player.take(step);
    await player.apply();
    if (world % WORLDS_TOGETHER === 0) await expectSame(`up to world ${world}`);
  }
  const { merges, formers } = await expectSame("all worlds");
  // Of each some in every world, or nearly.
  expect(Math.min(merges.length, formers.length)).toBeGreaterThan(WORLDS / 2);
});
