import { figuresOf } from "../against/compareRows.ts";
import type { PathName } from "../paths/names.ts";
import type { Row } from "../report/row.ts";
import { alignTable } from "../report/table.ts";
import type { Scale } from "../world/options.ts";
import type { Baseline, BaselineFigure } from "./baseline.ts";

/** Names a ratio to a limit: both sides ran in turns on one machine. */
const LIMIT_RATIO = "ratio: ";

/**
 * Tolerance of a figure compared with its baseline, 1 being as good. Compared with a limit of the same run a path differs from itself by up to
 * a quarter from run to run; a figure alone has differed by half, since machines of one class do.
 */
export const LEAST_RATIO = { withLimit: 0.75, alone: 0.5 } as const;

export interface HeldFigure extends BaselineFigure {
  /** This run's figure; undefined where its row or figure is missing. */
  readonly now: number | undefined;
  /** Ratio to the baseline: 1 and more where this run is as good, whichever direction is better. */
  readonly ratio: number | undefined;
  readonly least: number;
  readonly isHeld: boolean;
}

/**
 * Compares a report with the figures of a baseline that its paths and scale have. A figure that the report lacks is not held: a renamed row
 * would leave the baseline otherwise.
 */
export function compareWithBaseline(
  rows: readonly Row[],
  { runs }: Baseline,
  ran: { readonly paths: readonly PathName[]; readonly scale: Scale },
): HeldFigure[] {
  const figures = runs.filter(({ scale }) => scale === ran.scale).flatMap((run) => run.figures);
  return figures.filter(({ path }) => ran.paths.includes(path)).map((figure) => holdFigure(figure, rows));
}

function holdFigure(figure: BaselineFigure, rows: readonly Row[]): HeldFigure {
  const now = figureNow(figure, rows);
  const least = figure.figure.startsWith(LIMIT_RATIO) ? LEAST_RATIO.withLimit : LEAST_RATIO.alone;
  const ratio = now === undefined ? undefined : figure.better === "higher" ? now / figure.value : figure.value / now;
  return { ...figure, now, ratio, least, isHeld: ratio !== undefined && ratio >= least };
}

function figureNow({ path, what, figure }: BaselineFigure, rows: readonly Row[]): number | undefined {
  const row = rows.find((one) => one.path === path && one.what === what);
  if (row === undefined) return undefined;
  if (!figure.startsWith(LIMIT_RATIO)) return figuresOf(row).get(figure);
  return row.limits.find(({ name }) => name === figure.slice(LIMIT_RATIO.length))?.ratio;
}

/** The comparison as a table of text, with a sentence that says how many figures fell behind. */
export function toBaselineTable(held: readonly HeldFigure[]): string {
  const head = ["path", "figure", "baseline", "now", "now/baseline", "at least", ""];
  const lines = held.map((one) => [
    one.path,
    `${one.what}: ${one.figure}`,
    toText(one.value),
    toText(one.now),
    one.ratio?.toFixed(2) ?? "",
    one.least.toFixed(2),
    one.now === undefined ? "missing" : one.isHeld ? "held" : "behind",
  ]);
  const behind = held.filter(({ isHeld }) => !isHeld).length;
  return `${alignTable(head, lines)}\n${behind} of ${held.length} figures are behind the baseline.\n`;
}

const WHOLE_FROM = 1_000;

function toText(value: number | undefined): string {
  if (value === undefined) return "";
  return value >= WHOLE_FROM ? Math.round(value).toLocaleString("en") : value.toFixed(2);
}
