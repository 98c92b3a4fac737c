import type { Figures } from "../measure/tally.ts";
import type { Row } from "./row.ts";

export interface BesideBare {
  readonly path: string;
  readonly what: string;
  readonly ours: Figures;
  /** The bare query first. */
  readonly beside: readonly { readonly name: string; readonly figures: Figures }[];
}

/** Compares ours with its limits per core-second; a note gives the ratio of the processes alone, without the database's time. */
export function besideBare({ path, what, ours, beside }: BesideBare): Row {
  const limits = beside.map(({ name, figures }) => ({
    name,
    figures,
    ratio: (ours.eventsPerCoreSecond ?? Number.NaN) / (figures.eventsPerCoreSecond ?? Number.NaN),
  }));
  const [mine, bare] = [ours.eventsPerOwnCoreSecond, beside[0]?.figures.eventsPerOwnCoreSecond];
  if (mine === undefined || bare === undefined) return { path, what, ours, limits };
  const [oursText, bareText] = [mine, bare].map((figure) => Math.round(figure).toLocaleString("en"));
  const note = `without the database's time ${oursText} per core-s, the bare query ${bareText} (${(mine / bare).toFixed(2)})`;
  return { path, what, ours, limits, notes: [note] };
}
