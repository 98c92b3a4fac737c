import { expect, test } from "vitest";
import { type Evaluated, foldObservation, neverEvaluated, type Observation } from "./fold.ts";

const [MINUTE, HOUR] = [60_000, 3_600_000] as const;
const conditions = [
  { operator: "gt", value: 0.05 },
  { operator: "lte", value: 0.5 },
] as const;

/** Folds observations of one minute after the other. @returns what was published at which minute, and what is left. */
function run(...seen: readonly (number | "unjudged" | "away")[]) {
  let evaluated: Evaluated = neverEvaluated;
  const notices: string[] = [];
  seen.forEach((one, minute) => {
    const nowMs = minute * MINUTE + 500;
    const asOf = minute * MINUTE;
    const observation: Observation =
      typeof one === "number"
        ? { kind: "value", value: one, asOf }
        : { kind: "unjudged", asOf: one === "away" ? undefined : asOf };
    const { after, notice } = foldObservation(evaluated, observation, { conditions, nowMs });
    evaluated = after;
    if (notice !== undefined) notices.push(`${minute} ${notice.kind} ${notice.raisedAt}`);
  });
  return { notices, evaluated };
}

test("an alert is raised once a crossing, and cleared when a condition no longer holds", () => {
  const { notices, evaluated } = run(0.01, 0.1, 0.2, 0.05, 0.06, 0.6);
  expect(notices).toEqual(["1 raised 60500", "3 cleared 60500", "4 raised 240500", "5 cleared 240500"]);
  expect(evaluated).toMatchObject({ state: "ok", since: 300_500, value: 0.6, lastRaised: 240_500, raisedAt: null });
});

test("all conditions must hold, and bounds are what their operators say", () => {
  expect(run(0.05).notices).toEqual([]);
  expect(run(0.5).notices).toHaveLength(1);
  expect(run(0.51).notices).toEqual([]);
});

test("an alert that stays raised is reminded of each hour, as the same crossing", () => {
  const minutes = Array.from({ length: 122 }, () => 0.1);
  expect(run(...minutes).notices).toEqual(["0 raised 500", "60 reminded 500", "120 reminded 500"]);
  expect(run(...minutes).evaluated).toMatchObject({ state: "raised", since: 500, lastRaised: 500 });
});

test("a crossing stays open while nothing can be said of it, and is neither raised again nor cleared for that", () => {
  const { notices, evaluated } = run(0.1, "unjudged", "away", 0.1, "unjudged", 0.01);
  expect(notices).toEqual(["0 raised 500", "5 cleared 500"]);
  expect(evaluated.state).toBe("ok");
  expect(run(0.1, "unjudged").evaluated).toMatchObject({ state: "unjudged", since: 60_500, value: null, asOf: MINUTE });
  expect(run(0.1, "away").evaluated).toMatchObject({ state: "unjudged", asOf: 0 });
});

test("no reminder is due while nothing can be said, and one is once it can", () => {
  const silent = Array.from({ length: HOUR / MINUTE + 5 }, () => "unjudged" as const);
  expect(run(0.1, ...silent, 0.1).notices).toEqual(["0 raised 500", "66 reminded 500"]);
});
