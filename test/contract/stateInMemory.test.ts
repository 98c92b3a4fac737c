import { lanes, type Origin, versionOf } from "@headwater/contracts";
import { type FoldState, loggedOperations, splitContact } from "@headwater/operations";
import { retryRaces, writeState } from "@headwater/state";
import { ensureLists } from "@headwater/stores";
import { seedFrom } from "@headwater/testing";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MemoryState, type PlacedRecord } from "../../packages/operations/src/state/memory.ts";
import { AT, type MemoryStream, startMemoryStream } from "./projection/memoryStream.ts";
import { type Append, listNames, type Step, stepsOf } from "./state/randomSteps.ts";
import { difference, memoryRows, postgresRows } from "./state/storedRows.ts";

/*
 * The state in memory, on which the laws of the folds are proven, stores what Postgres stores: the same random steps on both.
 */

let stream: MemoryStream;
let memory: MemoryState;
beforeAll(async () => {
  stream = await startMemoryStream();
  memory = new MemoryState();
  const lists = await ensureLists(
    stream.postgres,
    listNames.map((name) => ({ account: stream.account.number, name })),
    AT,
  );
  for (const { id, name } of lists) {
    memory.defineList(stream.account.number, { id, name, clearedVersion: undefined });
  }
});
afterAll(() => stream.drop());

/** STATE_SEED replays a run, STATE_WORLDS makes it longer. */
const SEED = seedFrom(process.env.STATE_SEED);
const WORLDS = Number(process.env.STATE_WORLDS || 60);

/** By partition: what the log holds and memory has not folded yet. */
const pending = new Map<number, PlacedRecord[]>();
let sent = 0;

function append({ operation: name, members, partition }: Append): void {
  const operation = loggedOperations.find((candidate) => candidate.name === name);
  if (operation === undefined) throw new Error(`no operation ${name}`);
  sent += 1;
  stream.clock.advance(1_000);
  const record = { id: `request${sent}:0:0`, receivedAt: AT, ...members };
  const { offset, timeMs } = stream.append(name, [record], partition);
  const version = versionOf(timeMs, { lane: lanes["intake.records"], partition, offset, place: 0 });
  pending.set(partition, [...(pending.get(partition) ?? []), { operation, record, version }]);
}

async function apply(): Promise<void> {
  await stream.apply();
  for (const partition of [...pending.keys()].sort()) memory.apply(stream.account, pending.get(partition) ?? []);
  pending.clear();
}

async function split({ name, value, channels }: Extract<Step, { kind: "split" }>): Promise<void> {
  await apply();
  stream.clock.advance(1_000);
  sent += 1;
  const recordId = `split${sent}:0:0`;
  const fold = (state: FoldState, origin: Origin) => {
    const contact = state.find({ name, value });
    if (contact !== undefined) splitContact(state, contact, channels, origin);
    return origin;
  };
  const { account, clock, postgres } = stream;
  const { result } = await retryRaces(() =>
    postgres.transaction((transaction) =>
      writeState({ transaction, nowMs: clock.nowMs() }, account, { kind: "split", recordId, fold }),
    ),
  );
  memory.write(account, (state) => fold(state, { ...result, account }));
}

async function take(step: Step): Promise<void> {
  if (step.kind === "append") append(step);
  else if (step.kind === "apply") await apply();
  else await split(step);
}

test(`random records, merges and splits leave both with the same rows, and no record breaks (STATE_SEED=${SEED})`, async () => {
  let [merges, formers] = [0, 0];
  for (let world = 0; world < WORLDS; world++) {
    const [steps = []] = fc.sample(stepsOf(world), { seed: SEED * 1_000 + world, numRuns: 1 });
    for (const step of steps) await take(step);
    await apply();
    const broken = { text: "SELECT record_id, message FROM rejects WHERE code = 'INTERNAL_ERROR'" };
    expect(await stream.postgres.query(broken), `world ${world}`).toEqual([]);
    const stored = await postgresRows(stream.postgres, stream.account.number);
    expect(difference(memoryRows(memory), stored), `world ${world}`).toEqual([]);
    [merges, formers] = [stored.merges.length, stored.formers.length];
  }
  // Of each some in every world, or nearly.
  expect(Math.min(merges, formers)).toBeGreaterThan(WORLDS / 2);
});
