/** Processor time of a record in microseconds: of our processes, of the stores they use, and of the load. */
export interface Costs {
  readonly ours: number;
  readonly stores: number;
  readonly load: number;
}

/** Cores that share the work, and processes of ours on them. */
export interface Arrangement {
  readonly cores: number;
  readonly processes: number;
  /** The load has cores of its own. */
  readonly isLoadApart: boolean;
}

const MICROS = 1e6;

/**
 * Predicts records a second. Two things bound them: the cores, which all processes share, and our processes, each of which works in
 * one thread. A record costs the same on every number of cores: what they wait for each other is not in it.
 */
export function predict(costs: Costs, { cores, processes, isLoadApart }: Arrangement): number {
  return MICROS * Math.min(cores / sharedCosts(costs, isLoadApart), processes / costs.ours);
}

/** The fewest processes of ours that keep the cores busy. */
export function processesFor(costs: Costs, { cores, isLoadApart }: Omit<Arrangement, "processes">): number {
  return Math.ceil((cores * costs.ours) / sharedCosts(costs, isLoadApart));
}

function sharedCosts({ ours, stores, load }: Costs, isLoadApart: boolean): number {
  return ours + stores + (isLoadApart ? 0 : load);
}
