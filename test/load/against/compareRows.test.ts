import { expect, test } from "vitest";
import type { Row } from "../report/row.ts";
import { compareRows, toComparedTable } from "./compareRows.ts";

function row(eventsPerSecond: number, projector?: number): Row {
  const micros = projector === undefined ? {} : { micros: { projector } };
  return { path: "state-new", what: "new contacts", ours: { eventsPerSecond }, limits: [], ...micros };
}

test("both sides are compared by the median of their rounds", () => {
  const compared = compareRows([row(900), row(3_000), row(1_000)], [row(500), row(400)]);
  expect(compared).toEqual([
    {
      path: "state-new",
      what: "new contacts",
      lines: [{ figure: "events/s", other: 450, ours: 1_000, ratio: 1_000 / 450 }],
    },
  ]);
});

test("a figure that one side lacks is left out", () => {
  const [compared] = compareRows([row(1_000, 20)], [row(1_000)]);
  expect(compared?.lines.map(({ figure }) => figure)).toEqual(["events/s"]);
});

test("the table shows the other commit, this one and the ratio", () => {
  const table = toComparedTable(compareRows([row(2_000, 20)], [row(1_000, 40)]), "a94581bf");
  expect(table.split("\n").map((line) => line.trim().split(/ {2,}/))).toEqual([
    ["path", "figure", "a94581bf", "this", "this/other"],
    expect.anything(),
    ["state-new", "new contacts"],
    ["events/s", "1,000", "2,000", "2.00"],
    ["µs a record: projector", "40.0", "20.0", "0.50"],
    [""],
  ]);
});
