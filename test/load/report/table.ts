import { sentenceOfMicros } from "../measure/storeUsage.ts";
import type { Figures } from "../measure/tally.ts";
import type { Limit, Row } from "./row.ts";

const HEAD = ["path", "what", "events/s", "per core-s", "p50 ms", "p99 ms", "MiB", "load gen.", "ours/limit", "aim"];

/** The rows as a table of text: ours, then each limit beneath it, then notes. */
export function toTable(rows: readonly Row[]): string {
  const lines = rows.flatMap((row) => [oursLine(row), ...row.limits.map(limitLine)]);
  const notes = rows.flatMap((row) => notesOf(row).map((note) => `${row.path}, ${row.what}: ${note}`));
  return `${alignTable(HEAD, lines)}${notes.map((note, index) => `${index === 0 ? "\n" : ""}${note}\n`).join("")}`;
}

function notesOf({ notes = [], micros }: Row): readonly string[] {
  return micros === undefined ? notes : [...notes, sentenceOfMicros(micros)];
}

/** Lines of cells as text, beneath their heads: the first two columns and the last to the left, figures to the right. */
export function alignTable(head: readonly string[], lines: readonly (readonly string[])[]): string {
  const widths = head.map((name, column) => Math.max(name.length, ...lines.map((cells) => cells[column]?.length ?? 0)));
  const rule = widths.map((width) => "-".repeat(width));
  return `${[head, rule, ...lines].map((cells) => alignLine(cells, widths)).join("\n")}\n`;
}

function oursLine({ path, what, ours, aim }: Row): string[] {
  return [path, what, ...cellsOf(ours), "", aim === undefined ? "" : `${aim.text}: ${aim.isMet ? "met" : "missed"}`];
}

function limitLine({ name, figures, ratio }: Limit): string[] {
  return ["", `  beside: ${name}`, ...cellsOf(figures), ratio.toFixed(2), ""];
}

function cellsOf(figures: Figures): string[] {
  const { eventsPerSecond, eventsPerCoreSecond, p50Ms, p99Ms, peakMemoryMib, generatorCores } = figures;
  return [
    whole(eventsPerSecond),
    whole(eventsPerCoreSecond),
    tenths(p50Ms),
    tenths(p99Ms),
    whole(peakMemoryMib),
    generatorCores === undefined ? "" : `${generatorCores.toFixed(2)} cores`,
  ];
}

function alignLine(cells: readonly string[], widths: readonly number[]): string {
  return widths
    .map((width, column) => {
      const cell = cells[column] ?? "";
      return column < 2 || column === widths.length - 1 ? cell.padEnd(width) : cell.padStart(width);
    })
    .join("  ")
    .trimEnd();
}

function whole(value: number | undefined): string {
  return value === undefined || !Number.isFinite(value) ? "" : Math.round(value).toLocaleString("en");
}

function tenths(value: number | undefined): string {
  return value === undefined || !Number.isFinite(value) ? "" : value.toFixed(1);
}
