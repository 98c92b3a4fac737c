import { Failure } from "../../../infra/src/index.ts";
import { usableCores } from "./affinity.ts";
import type { Arrangement } from "./model.ts";

/** An arrangement on cores of this machine. */
export interface Located extends Arrangement {
  /** Cores of our processes and the stores, by number. */
  readonly own: readonly number[];
  /** Cores of the load. */
  readonly ofLoad: readonly number[];
}

/** Arrangements of every machine: everything on the same cores. */
const SHARED = [
  { cores: 1, processes: 1 },
  { cores: 2, processes: 1 },
  { cores: 2, processes: 2 },
];
/** Cores of the arrangements where there are more: the load apart, on a quarter as many. */
const APART = [4, 8];
const LOAD_SHARE = 0.25;
/** Our processes take about three quarters of the cores that they share with the stores. */
const OUR_SHARE = 0.75;

/** The arrangements that this machine has cores for. @throws Failure on one core. */
export function arrangements(usable: readonly number[] = usableCores()): Located[] {
  if (usable.length < 2) throw new Failure("the path cores needs a machine with two cores or more.");
  const shared = SHARED.map(({ cores, processes }) => {
    const own = usable.slice(0, cores);
    return { cores, processes, isLoadApart: false, own, ofLoad: own };
  });
  const apart = APART.filter((cores) => usable.length >= cores * (1 + LOAD_SHARE)).map((cores) => {
    const own = usable.slice(0, cores);
    return { cores, processes: cores * OUR_SHARE, isLoadApart: true, own, ofLoad: usable.slice(cores) };
  });
  return [...shared, ...apart];
}

/** Names an arrangement, such as "2 ingresses on 2 cores". */
export function nameOf(ours: string, { cores, processes, isLoadApart }: Arrangement): string {
  const counted = processes === 1 ? `one ${ours}` : `${processes} ${plural(ours)}`;
  const on = cores === 1 ? "one core" : `${cores} cores`;
  return `${counted} on ${on}${isLoadApart ? ", the load apart" : ""}`;
}

export function plural(ours: string): string {
  return ours.endsWith("s") ? `${ours}es` : `${ours}s`;
}
