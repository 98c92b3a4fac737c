import { z } from "zod";
import type { ContactSimulation, SimulatedRun } from "./simulateContact.ts";

const counts = z.record(z.string(), z.int());

/** Numbers of a simulation so far, as a job stores them between two steps. Keys of edges and sends are JSON texts. */
export const totalsShape = z.object({
  states: counts,
  refused: counts,
  /** Visits of nodes, and runs that wait there at the end. */
  visits: counts,
  waiting: counts,
  edges: counts,
  goals: counts,
  holdoutGoals: counts,
  sends: counts,
  skipped: counts,
  assumed: z.object({ opens: z.int(), clicks: z.int(), calls: z.int() }),
  /** Contacts with more facts than one of them may have: their last ones were left out. */
  cutContacts: z.int(),
});
export type Totals = z.output<typeof totalsShape>;

export function noTotals(): Totals {
  return {
    ...{
      states: {},
      refused: {},
      visits: {},
      waiting: {},
      edges: {},
      goals: {},
      holdoutGoals: {},
      sends: {},
      skipped: {},
    },
    assumed: { opens: 0, clicks: 0, calls: 0 },
    cutContacts: 0,
  };
}

/** Adds a contact that was followed to its end. @param dayOf the day of an instant, in the account's zone. */
export function addContact(totals: Totals, contact: ContactSimulation, dayOf: (atMs: number) => string): void {
  for (const one of contact.runs()) addRun(totals, one);
  for (const reason of contact.refusals) add(totals.refused, reason);
  for (const { name, isHoldout } of contact.goals) add(isHoldout ? totals.holdoutGoals : totals.goals, name);
  for (const { template, at, skipped } of contact.sends) {
    if (skipped === undefined) add(totals.sends, JSON.stringify([dayOf(at), template]));
    else add(totals.skipped, skipped);
  }
  const { opens, clicks, calls } = contact.assumed;
  totals.assumed.opens += opens;
  totals.assumed.clicks += clicks;
  totals.assumed.calls += calls;
}

function addRun({ states, visits, waiting, edges }: Totals, { run, path }: SimulatedRun): void {
  if (run.state === "entering") return;
  add(states, run.state);
  for (const { node, edge = null, to = null } of path) {
    add(visits, node);
    add(edges, JSON.stringify([node, edge, to]));
  }
  if (run.state !== "waiting") return;
  add(visits, run.node);
  add(waiting, run.node);
}

function add(of: Record<string, number>, name: string): void {
  of[name] = (Object.hasOwn(of, name) ? (of[name] ?? 0) : 0) + 1;
}

const edgeKey = z.tuple([z.string(), z.string().nullable(), z.string().nullable()]);
const sendKey = z.tuple([z.string(), z.string()]);

/** Returns the numbers as answers and files show them, in the order of the version's nodes. */
export function viewOfTotals(totals: Totals, nodes: readonly string[]) {
  const { states, refused, visits, waiting, edges, goals, holdoutGoals, sends, skipped, assumed, cutContacts } = totals;
  const of = (state: string) => states[state] ?? 0;
  const ended = { completed: of("completed"), exited: of("exited"), failed: of("failed") };
  const live = of("waiting");
  const names = [...new Set([...Object.keys(goals), ...Object.keys(holdoutGoals)])].toSorted();
  return {
    entered: live + ended.completed + ended.exited + ended.failed,
    ...{ live, ...ended, holdout: of("holdout"), refused: sorted(refused) },
    nodes: nodes.map((id) => ({ id, in: visits[id] ?? 0, waiting: waiting[id] ?? 0 })),
    edges: rowsOf(edges).map(([key, count]) => {
      const [from, label, to] = edgeKey.parse(JSON.parse(key));
      return { from, label, to, count };
    }),
    goals: names.map((name) => ({ name, runs: goals[name] ?? 0, holdout: holdoutGoals[name] ?? 0 })),
    skipped: sorted(skipped),
    sends: rowsOf(sends).map(([key, count]) => {
      const [day, template] = sendKey.parse(JSON.parse(key));
      return { day, template, count };
    }),
    assumed: { ...assumed },
    ...(cutContacts > 0 && { cutContacts }),
  };
}
export type SimulationView = ReturnType<typeof viewOfTotals>;

function rowsOf(of: Readonly<Record<string, number>>): [string, number][] {
  return Object.entries(of).toSorted(([one], [other]) => (one < other ? -1 : 1));
}

function sorted(of: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(rowsOf(of));
}

/** Returns the numbers as lines of CSV: what is counted, of which node, result or template, on which day, and how often. */
export function toCsv(view: SimulationView): string {
  const { entered, live, completed, exited, failed, holdout } = view;
  const runs = Object.entries({ entered, live, completed, exited, failed, holdout });
  const rows: (readonly (string | number)[])[] = [
    ["kind", "name", "label", "to", "day", "count"],
    ...runs.map(([name, count]) => ["runs", name, "", "", "", count]),
    ...Object.entries(view.refused).map(([reason, count]) => ["refused", reason, "", "", "", count]),
    ...view.nodes.flatMap(({ id, in: visits, waiting }) => [
      ["node", id, "in", "", "", visits],
      ["node", id, "waiting", "", "", waiting],
    ]),
    ...view.edges.map(({ from, label, to, count }) => ["edge", from, label ?? "", to ?? "", "", count]),
    ...view.goals.flatMap(({ name, runs: reached, holdout: held }) => [
      ["goal", name, "runs", "", "", reached],
      ["goal", name, "holdout", "", "", held],
    ]),
    ...view.sends.map(({ day, template, count }) => ["send", template, "", "", day, count]),
    ...Object.entries(view.skipped).map(([reason, count]) => ["skipped", reason, "", "", "", count]),
    ...Object.entries(view.assumed).map(([what, count]) => ["assumed", what, "", "", "", count]),
  ];
  return rows.map((row) => `${row.map(cell).join(",")}\n`).join("");
}

/** A text that a spreadsheet would take for a formula begins with a quote. */
function cell(value: string | number): string {
  if (typeof value === "number") return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
