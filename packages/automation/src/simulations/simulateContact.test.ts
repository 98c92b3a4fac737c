import fc from "fast-check";
import { expect, test } from "vitest";
import type { Fact } from "../orchestrations/run.ts";
import { activity, DAY, HOUR, journeyOf, MINUTE, T0, World } from "../orchestrations/testJourney.ts";
import { ContactSimulation, type KnownAnswer, type Question, type SimulationRules } from "./simulateContact.ts";
import { addContact, noTotals, toCsv, viewOfTotals } from "./totals.ts";

const day = { n: 1, unit: "day" };
const journey = journeyOf({
  goals: [{ name: "bought", event: "buy" }],
  actions: [
    { id: "hi", type: "message", templateKey: "hi", next: [{ id: "wait" }] },
    {
      ...{ id: "wait", type: "wait", config: { any: [{ event: "click" }, { event: "buy" }], timeout: day } },
      next: [
        { id: "who", label: "0" },
        { id: "end", label: "timeout" },
      ],
    },
    {
      ...{ id: "who", type: "filter", config: { criteria: { list: "VIP", op: "in" } } },
      next: [{ id: "end", label: "yes" }],
    },
    { id: "end", type: "exit" },
  ],
});

const rulesWith = (more: Partial<SimulationRules> = {}, rates = { open: 0, click: 0 }): SimulationRules => ({
  ...{ journey, toMs: T0 + 90 * DAY, seed: 1, templates: new Set(["hi"]) },
  assume: { rates: new Map([["hi", rates]]), webhook: 1 },
  ...more,
});

type Answering = (question: Question) => KnownAnswer;
const yes: Answering = (question) => {
  if (question.kind === "ask") return { fits: question.criteria };
  return { fits: question.kind === "eligible" ? [question.template] : [] };
};

function simulate(facts: readonly Fact[], rules = rulesWith(), answer = yes): ContactSimulation {
  const simulation = new ContactSimulation(rules, facts);
  for (let question = simulation.advance(); question !== undefined; question = simulation.advance())
    simulation.answer(answer(question));
  return simulation;
}

const paths = (simulation: ContactSimulation) =>
  simulation
    .runs()
    .map(({ run, path }) => [
      ...path.map(({ node, edge }) => (edge === undefined ? node : `${node} ${edge}`)),
      run.state,
    ]);

test("a contact goes its way over facts of the past, with clicks that are assumed", () => {
  const start = [activity(0, "start")];
  expect(paths(simulate(start))).toEqual([["hi", "wait timeout", "end", "exited"]]);
  const clicked = simulate(start, rulesWith({}, { open: 1, click: 1 }));
  expect(paths(clicked)).toEqual([["hi", "wait 0", "who yes", "end", "exited"]]);
  expect(clicked.runs()).toMatchObject([{ isAssumed: true }]);
  expect(clicked.assumed).toEqual({ opens: 1, clicks: 1, calls: 0 });
  const bought = simulate([...start, activity(30, "buy")]);
  expect([paths(bought), bought.goals]).toEqual([
    [["hi", "wait 1", "completed"]],
    [{ name: "bought", isHoldout: false }],
  ]);
});

test("what a contact did with a message that was really sent is taken as it was, and nothing of it is assumed", () => {
  const start = [activity(0, "start")];
  const [live] = simulate(start).runs();
  const run = live?.run.id ?? "";
  const sent = new Set([`${run}:1:send`]);
  const rules = rulesWith({}, { open: 1, click: 1 });
  const follow = (facts: readonly Fact[]) => {
    const simulation = new ContactSimulation(rules, facts, sent);
    for (let question = simulation.advance(); question !== undefined; question = simulation.advance())
      simulation.answer(yes(question));
    return simulation;
  };
  expect(paths(follow(start))).toEqual([["hi", "wait timeout", "end", "exited"]]);
  const clicked = follow([...start, { ...activity(30, "click"), message: { run, key: "hi" } }]);
  expect(paths(clicked)).toEqual([["hi", "wait 0", "who yes", "end", "exited"]]);
  expect([clicked.runs(), clicked.assumed]).toMatchObject([[{ isAssumed: false }], { opens: 0, clicks: 0, calls: 0 }]);
});

test("the clock stops at the end of the stretch: whoever waits then is shown as waiting", () => {
  const simulation = simulate([activity(0, "start")], rulesWith({ toMs: T0 + HOUR }));
  expect(simulation.runs()).toMatchObject([{ run: { state: "waiting", node: "wait" }, path: [{ node: "hi" }] }]);
});

test("a message that a contact may not get, or whose template is gone, is skipped and counted", () => {
  const never: Answering = (question) => (question.kind === "eligible" ? { fits: [] } : yes(question));
  expect(simulate([activity(0, "start")], rulesWith(), never).sends).toMatchObject([{ skipped: "not-subscribed" }]);
  const gone = simulate([activity(0, "start")], rulesWith({ templates: new Set() }));
  expect(gone.sends).toMatchObject([{ skipped: "template-deleted" }]);
});

test("the same seed gives the same numbers and lines, another one gives others", () => {
  const contacts = Array.from({ length: 200 }, (_, contact) => [
    activity(contact, "start", { contact, id: `s${contact}` }),
  ]);
  const run = (seed: number) => {
    const totals = noTotals();
    const lines = contacts.map((facts) => {
      const simulation = simulate(facts, rulesWith({ seed }, { open: 0.5, click: 0.25 }));
      addContact(totals, simulation, (at) => new Date(at).toISOString().slice(0, 10));
      return JSON.stringify(simulation.runs());
    });
    return { lines, view: viewOfTotals(totals, ["hi", "wait", "who", "end"]) };
  };
  const [one, again, other] = [run(1), run(1), run(2)];
  expect(again).toEqual(one);
  expect(other.lines).not.toEqual(one.lines);
  const { entered, live, completed, exited, failed, assumed } = one.view;
  expect(entered).toBe(live + completed + exited + failed);
  expect(assumed.opens).toBeGreaterThan(70);
  expect(assumed.opens).toBeLessThan(130);
  expect(toCsv(one.view)).toContain("send,hi,,,2026-01-05,200\n");
});

test("a wait on criteria goes on at the first minute at which they hold, and asks for nothing in between", () => {
  const waiting = journeyOf({
    actions: [
      {
        ...{ id: "w", type: "wait", config: { any: [{ criteria: { list: "VIP", op: "in" } }], timeout: day } },
        next: [{ id: "end", label: "0" }],
      },
      { id: "end", type: "exit" },
    ],
  });
  const joinedAt = T0 + 7 * HOUR;
  let asked = 0;
  const answer: Answering = (question) => {
    asked += 1;
    if (question.kind === "next") return { fits: [], nextAt: joinedAt <= question.until ? joinedAt : undefined };
    return question.kind === "ask" && question.at >= joinedAt ? { fits: question.criteria } : { fits: [] };
  };
  const simulation = simulate([activity(0, "start")], rulesWith({ journey: waiting }), answer);
  expect([paths(simulation), asked]).toEqual([[["w 0", "end", "exited"]], 3]);
  expect(simulation.runs()[0]?.path[1]?.at).toBe(joinedAt);
});

/** Facts a minute or more apart, some of which start runs. */
const stretch = fc
  .array(
    fc.record({
      gap: fc.integer({ min: 1, max: 400 }),
      action: fc.constantFrom("start", "buy", "click", "open", "start"),
      k: fc.constantFrom("x", "y"),
    }),
    { minLength: 1, maxLength: 14 },
  )
  .map((steps) => {
    let at = 0;
    return steps.map(({ gap, action, k }) => {
      at += gap;
      return activity(at, action, { properties: { k } });
    });
  });

test("a simulation of a stretch gives every contact the path that it took live", () => {
  const entries = [{ reentry: "once" }, { reentry: "always" }, { reentry: "after-exit", key: "k" }];
  fc.assert(
    fc.property(stretch, fc.constantFrom(...entries), fc.boolean(), (facts, entry, isVip) => {
      const lived = journeyOf({ ...journey.composition, entry });
      const live = new World(lived, { fits: () => isVip });
      for (const fact of facts) live.give(fact);
      live.time(T0 + 90 * DAY);
      const answer: Answering = (question) => (question.kind === "ask" && !isVip ? { fits: [] } : yes(question));
      const simulated = simulate(facts, rulesWith({ journey: lived }), answer).runs();
      const pathOf = (id: string) =>
        live
          .wanted("passed")
          .flatMap((step) => (step.id.startsWith(`${id}:`) ? [[step.node, step.at, step.edge]] : []));
      expect(simulated.map(({ run }) => run.id).toSorted()).toEqual([...live.runs.keys()].toSorted());
      for (const { run, path } of simulated) {
        expect(path.map(({ node, at, edge }) => [node, at, edge])).toEqual(pathOf(run.id));
        expect(run.state).toBe(live.runs.get(run.id)?.state);
      }
    }),
    { numRuns: 300 },
  );
});

test("minutes of waiting in a circle end with the stretch", () => {
  const circle = journeyOf({
    actions: [{ id: "d", type: "delay", config: { for: { n: 1, unit: "minute" } }, next: [{ id: "d" }] }],
  });
  const simulation = simulate([activity(0, "start")], rulesWith({ journey: circle, toMs: T0 + 90 * MINUTE }));
  expect(simulation.runs()).toMatchObject([{ run: { state: "waiting" } }]);
  expect(simulation.runs()[0]?.path).toHaveLength(90);
});
