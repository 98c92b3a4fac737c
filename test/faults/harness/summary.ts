import type { Report } from "./scenario.ts";

/** The run as a table for people; the whole report is JSON. */
export function summaryOf(report: Report): string {
  const { requests, records, outcomes } = report;
  const counts = (numbers: Readonly<Record<string, number>>) =>
    Object.entries(numbers)
      .map(([name, count]) => `${name} ${count}`)
      .join(", ");
  const rows: readonly (readonly [string, string])[] = [
    ["seed", String(report.seed)],
    ["faults", counts(countFaults(report))],
    ["requests", counts(requests)],
    ["records", counts(records)],
    ["outcomes in the log", counts(outcomes)],
    ["contacts", `${report.contacts}, ${report.merged} of them merged into others`],
    ["activities", `${report.activities}, each once in ClickHouse`],
    ["orders, memberships", `${report.orders}, ${report.memberships}`],
    ["carts, supplement records", `${report.carts}, ${report.supplementRecords}`],
    ["restarts", counts(report.restarts)],
    ["answers swallowed", `${report.swallowedBytes} bytes`],
    ["settled after", `${(report.settledAfterMs / 1000).toFixed(1)} s`],
    ["event loops", delaysOf(report)],
    ["values compared", String(report.compared)],
    ["differences", report.differences.length === 0 ? "none" : `\n  ${report.differences.join("\n  ")}`],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, text]) => `${name.padEnd(width)}  ${text}`).join("\n");
}

function countFaults({ faults }: Report): Record<string, number> {
  const counts: Record<string, number> = { all: faults.length };
  for (const { name } of faults) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

/** The longest delay of each process's event loop, and what was usual. */
function delaysOf({ processes }: Report): string {
  const delays = Object.entries(processes).map(
    ([name, { maxMs, turnMs, usualP99Ms: defaultP99Ms, memoryMib }]) =>
      `${name} ${maxMs} ms at most, ${turnMs} ms of a core in one turn, p99 usually ${defaultP99Ms} ms, ${memoryMib} MiB`,
  );
  return `\n  ${delays.join("\n  ")}`;
}
