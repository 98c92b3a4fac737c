import type { Figures } from "../measure/tally.ts";

/** One line of the report: what ours came to, next to its limits. */
export interface Row {
  readonly path: string;
  readonly what: string;
  readonly ours: Figures;
  readonly limits: readonly Limit[];
  readonly aim?: Aim;
  /** Processor time of a record in microseconds, by process. */
  readonly micros?: Readonly<Record<string, number>>;
  readonly notes?: readonly string[];
}

export interface Limit {
  readonly name: string;
  readonly figures: Figures;
  /** Our figure divided by the limit's, in the limit's unit. */
  readonly ratio: number;
}

export interface Aim {
  readonly text: string;
  readonly isMet: boolean;
}

/** An aim for a figure: at least, or at most. */
export function atLeast(figure: number, aim: number, unit: string): Aim {
  return { text: `≥ ${aim.toLocaleString("en")} ${unit}`, isMet: figure >= aim };
}

export function atMost(figure: number, aim: number, unit: string): Aim {
  return { text: `≤ ${aim.toLocaleString("en")} ${unit}`, isMet: figure <= aim };
}
