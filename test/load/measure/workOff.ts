import { type App, startApp } from "../processes/app.ts";
import { type Filling, fillTopic } from "../records/fillTopic.ts";
import type { Bench } from "../world/services.ts";
import type { World } from "../world/world.ts";
import { followProjector, intakeEnds, type Range } from "./progress.ts";
import type { Stretch } from "./tally.ts";

/** The part of a projector that folds into Postgres. */
export const STATE_ALONE = "state";

export interface Work {
  readonly filling: Filling;
  /** Parts that the projector runs; all of it when undefined. */
  readonly parts: string | undefined;
  /** Waited for before the projector is stopped. */
  readonly afterwards?: () => Promise<void>;
  /** Starts the projector; one that is as shipped when left out. */
  readonly start?: (env: World["env"]) => Promise<App>;
}

/** Fills the topic while no projector runs, then lets one work it off: from the first steps of the state group to its last. */
export async function workOff(bench: Bench, world: World, { filling, parts, afterwards, start }: Work) {
  const before = await intakeEnds(bench);
  await fillTopic(bench, world, filling);
  const range: Range = { before, after: await intakeEnds(bench), records: filling.records };
  const env = parts === undefined ? world.env : { ...world.env, HEADWATER_PROJECTOR_PARTS: parts };
  const app = await (start === undefined ? startApp(bench, "projector", env) : start(env));
  const begins = { group: STATE_ALONE, warmSeconds: bench.warmSeconds };
  const stretch: Stretch = await followProjector(bench, { world, app }, { range, begins, endsWith: STATE_ALONE });
  const peakMib = app.peakMemoryMib();
  await afterwards?.();
  await app.stop();
  return { stretch, peakMib };
}
