import type { Row } from "../report/row.ts";
import { alignTable } from "../report/table.ts";

/** Rows of one path by the rounds they were taken in, of both sides. */
export interface Compared {
  readonly path: string;
  readonly what: string;
  readonly lines: readonly ComparedFigure[];
}

export interface ComparedFigure {
  readonly figure: string;
  readonly other: number;
  readonly ours: number;
  /** Ours divided by the other's: of medians over the rounds. */
  readonly ratio: number;
}

/** Compares two sides figure by figure, each by its median over the rounds. */
export function compareRows(ours: readonly Row[], others: readonly Row[]): Compared[] {
  const titles = new Map(ours.map((row) => [titleOf(row), row]));
  return [...titles].map(([title, { path, what }]) => ({
    path,
    what,
    lines: compareFigures(
      ours.filter((row) => titleOf(row) === title).map(figuresOf),
      others.filter((row) => titleOf(row) === title).map(figuresOf),
    ),
  }));
}

function titleOf({ path, what }: Row): string {
  return `${path} ${what}`;
}

type FigureByName = ReadonlyMap<string, number>;

/** Names the figures of a row that another run can have as well. */
export function figuresOf({ ours, micros = {} }: Row): FigureByName {
  const named: [string, number | undefined][] = [
    ["events/s", ours.eventsPerSecond],
    ["per core-s", ours.eventsPerCoreSecond],
    ["p50 ms", ours.p50Ms],
    ["p99 ms", ours.p99Ms],
    ["MiB", ours.peakMemoryMib],
    ...Object.entries(micros).map(([name, value]): [string, number] => [`µs a record: ${name}`, value]),
  ];
  return new Map(named.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

function compareFigures(ours: readonly FigureByName[], others: readonly FigureByName[]): ComparedFigure[] {
  const names = new Set(ours.flatMap((one) => [...one.keys()]));
  return [...names].flatMap((figure) => {
    const [mine, theirs] = [ours, others].map((side) => median(side.map((one) => one.get(figure))));
    return mine === undefined || theirs === undefined
      ? []
      : [{ figure, other: theirs, ours: mine, ratio: mine / theirs }];
  });
}

function median(values: readonly (number | undefined)[]): number | undefined {
  const sorted = values.filter((value) => value !== undefined).sort((a, b) => a - b);
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
  return low === undefined || high === undefined ? undefined : (low + high) / 2;
}

/** The comparison as a table of text. */
export function toComparedTable(rows: readonly Compared[], otherName: string): string {
  const head = ["path", "figure", otherName, "this", "this/other"];
  const lines = rows.flatMap(({ path, what, lines: figures }) => [
    [path, what],
    ...figures.map(({ figure, other, ours, ratio }) => ["", `  ${figure}`, view(other), view(ours), ratio.toFixed(2)]),
  ]);
  return alignTable(head, lines);
}

const WHOLE_FROM = 1_000;

function view(value: number): string {
  return value >= WHOLE_FROM ? Math.round(value).toLocaleString("en") : value.toFixed(1);
}
