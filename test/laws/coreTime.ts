/** No stage of one permitted input takes longer than this of one core, so that no loop of events stands still for others. */
export const CORE_MS_MAX = 250;
/** A machine that is busy with something else makes a run slower, never faster: the best of a few counts. */
const RUNS_MAX = 4;

/** Inputs that a law draws: LAW_RUNS, or a few, which differ in every run of the suite. */
export function lawRuns(few: number): number {
  return Number(process.env.LAW_RUNS || few);
}

/** Milliseconds of this thread's core that a stage takes: the best of a few runs, of one where that is short enough. */
export function coreMs(stage: () => unknown): number {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS_MAX && best > CORE_MS_MAX; run++) {
    best = Math.min(best, coreMsOnce(stage));
  }
  return best;
}

/** The same of a stage that changes what it works on. */
export function coreMsOnce(stage: () => unknown): number {
  const before = process.threadCpuUsage();
  stage();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
