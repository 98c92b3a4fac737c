import { expect, test } from "vitest";
import { toFigures } from "../measure/tally.ts";
import { besideBare } from "./besideBare.ts";

/** 1,000 events, of whose processor time a part was the database's. */
const figures = (cpuSeconds: number, storeCpuSeconds?: number) =>
  toFigures([{ events: 1_000, seconds: 1, cpuSeconds, ...(storeCpuSeconds !== undefined && { storeCpuSeconds }) }]);

test("the ratio is of events per core-second, the database's time included; the note leaves it out", () => {
  const row = besideBare({
    path: "reads",
    what: "GET one contact",
    ours: figures(1, 0.5),
    beside: [
      { name: "bare SQL", figures: figures(0.8, 0.5) },
      { name: "Fastify alone", figures: figures(0.1) },
    ],
  });
  expect(row.limits.map(({ ratio }) => ratio.toFixed(2))).toEqual(["0.80", "0.10"]);
  expect(row.notes).toEqual(["without the database's time 2,000 per core-s, the bare query 3,333 (0.60)"]);
});

test("nothing is left out where there is no database", () => {
  const beside = [{ name: "Fastify alone", figures: figures(0.5) }];
  expect(besideBare({ path: "p", what: "w", ours: figures(1), beside }).notes).toBeUndefined();
});
