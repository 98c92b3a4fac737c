import { runAtOnce, safeParse } from "@headwater/kernel";
import { expect, test } from "vitest";
import { z } from "zod";
import { checkDraft } from "./checks.ts";
import { type Draft, draftSchema, orchestrationExample, orchestrationMembers } from "./orchestration.ts";
import { context } from "./testJourney.ts";

function mistakes(draft: object): string[] {
  const checked = runAtOnce(checkDraft(draftSchema.parse(draft), { context }));
  return checked.kind === "ok"
    ? []
    : checked.details.map(({ path, code }) => `${path.replace(/^\/composition\/draft/, "")} ${code}`);
}
const mistakesOf = (...actions: object[]) => mistakes({ actions });
const day = { n: 1, unit: "day" };
const exit = (id: string) => ({ id, type: "exit" });
const goal = (id: string, ...next: string[]) => ({
  id,
  type: "goal",
  config: { name: id },
  next: next.map((one) => ({ id: one })),
});
const delay = (config: object, ...next: object[]) => ({ id: "d", type: "delay", config, next });
const wait = (any: object[], ...next: object[]) => ({ id: "w", type: "wait", config: { any, timeout: day }, next });

test("the example is a body that can be published", () => {
  const body = z.object(orchestrationMembers).parse(orchestrationExample);
  expect(mistakes({ ...body, actions: body.composition?.draft.actions })).toEqual([]);
});

test("a node shows its template and its label, wherever they were written", () => {
  const draft = draftSchema.parse({ actions: [{ id: "m", type: "message", templateKey: "t" }] });
  const checked = runAtOnce(checkDraft(draft, { context }));
  expect(checked.kind === "ok" && checked.composition.actions).toEqual([
    { id: "m", label: "m", type: "message", config: { templateKey: "t", onSkip: "next" }, next: [] },
  ]);
});

test("each type of node has its own configuration", () => {
  const node = (type: string, config?: object) => mistakesOf({ id: "n", type, ...(config && { config }) });
  expect(node("message")).toEqual(["/actions/0/config/templateKey required"]);
  expect(mistakesOf({ id: "n", type: "goal", templateKey: "t", config: { name: "g" } })).toEqual([
    "/actions/0/templateKey not_allowed",
  ]);
  expect(mistakesOf({ id: "n", type: "message", templateKey: "t", config: { templateKey: "u" } })).toEqual([
    "/actions/0/templateKey not_allowed",
  ]);
  expect(node("delay", {})).toEqual(["/actions/0/config/for required"]);
  expect(node("delay", { for: day, field: "event.at" })).toEqual(["/actions/0/config/field not_allowed"]);
  expect(node("delay", { until: { time: "25:00", zone: "+02:00" } })).toEqual([
    "/actions/0/config/until/time bad_value",
    "/actions/0/config/until/zone bad_value",
  ]);
  for (const duration of [
    { n: -1, unit: "day" },
    { n: 0, unit: "day" },
    { n: 10_000 * 366, unit: "day" },
    { n: 3_651, unit: "day" },
    { n: 121, unit: "month" },
  ]) {
    expect(node("delay", { for: duration })).toEqual(["/actions/0/config/for/n out_of_range"]);
  }
  expect(node("wait", { any: [{}], timeout: day })).toEqual(["/actions/0/config/any/0/event required"]);
  expect(node("wait", { any: [{ criteria: { list: "VIP", op: "in" }, match: ["a"] }], timeout: day })).toEqual([
    "/actions/0/config/any/0/match not_allowed",
  ]);
  expect(node("webhook", { url: "ftp://example.com" })).toEqual(["/actions/0/config/url bad_value"]);
  expect(node("transformation", { set: {}, key: "job" })).toEqual(["/actions/0/config/key not_allowed"]);
  expect(node("filter", { criteria: {}, other: 1 })).toEqual(["/actions/0/config/other unknown_field"]);
});

test("a split needs labels of its own and a weight above 0", () => {
  const paths = [
    { label: "a", weight: 0 },
    { label: "a", weight: 0 },
  ];
  expect(mistakesOf({ id: "s", type: "split", config: { paths } })).toEqual([
    "/actions/0/config/paths/1/label bad_value",
    "/actions/0/config/paths bad_value",
  ]);
});

test("edges lead to actions, under results that their action has", () => {
  expect(mistakesOf(goal("g", "nowhere"))).toEqual(["/actions/0/next/0/id unknown_reference"]);
  expect(mistakesOf(goal("g", "e", "e"), exit("e"))).toEqual(["/actions/0/next/1 not_allowed"]);
  expect(mistakesOf({ ...exit("e"), next: [{ id: "e2" }] }, exit("e2"))).toEqual(["/actions/0/next not_allowed"]);
  expect(mistakesOf({ ...goal("g"), next: [{ id: "e", label: "ok" }] }, exit("e"))).toEqual([
    "/actions/0/next/0/label not_allowed",
  ]);
  const labels = [{ id: "e" }, { id: "e", label: "0" }, { id: "e", label: "0" }, { id: "e", label: "1" }];
  expect(mistakesOf(wait([{ event: "buy" }], ...labels), exit("e"))).toEqual([
    "/actions/0/next/0/label required",
    "/actions/0/next/2/label bad_value",
    "/actions/0/next/3/label bad_value",
  ]);
});

test("every action is reached, and ids and goals are unique", () => {
  expect(mistakesOf(exit("a"), exit("b"))).toEqual(["/actions/1 bad_value"]);
  expect(mistakesOf(goal("a", "a2"), exit("a2"), exit("a2"))).toEqual([
    "/actions/2/id bad_value",
    "/actions/2 bad_value",
  ]);
  const bought = { name: "bought", event: "buy" };
  expect(mistakes({ actions: [exit("e")], goals: [bought, bought] })).toEqual(["/goals/1/name bad_value"]);
});

test("a circle has a wait of at least a minute in it", () => {
  const back = { id: "d" };
  expect(mistakesOf(delay({ for: day }, back))).toEqual([]);
  expect(mistakesOf(delay({ until: { time: "09:00" } }, back))).toEqual([]);
  expect(mistakesOf(delay({ field: "attributes.renewal" }, back))).toEqual(["/actions/0/next/0 cycle"]);
  expect(mistakesOf(goal("a", "b"), goal("b", "a"))).toEqual(["/actions/1/next/0 cycle"]);
  const circle = (label: string) =>
    wait([{ event: "buy" }, { criteria: { list: "VIP", op: "in" } }], { id: "w", label });
  expect([mistakesOf(circle("0")), mistakesOf(circle("timeout"))]).toEqual([[], []]);
  expect(mistakesOf(circle("1"))).toEqual(["/actions/0/next/0 cycle"]);
});

test("a hundred steps may follow one another without a wait, where every way has more of them that is a mistake", () => {
  const chain = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      index === count - 1 ? goal(`g${index}`) : goal(`g${index}`, `g${index + 1}`),
    );
  expect(mistakesOf(...chain(100))).toEqual([]);
  expect(mistakesOf(...chain(101))).toEqual(["/actions/0 limit_exceeded"]);
  const filter = {
    id: "f",
    type: "filter",
    config: { criteria: { list: "VIP", op: "in" } },
    next: [{ id: "g0", label: "yes" }],
  };
  expect(mistakesOf(filter, ...chain(100))).toEqual([]);
});

test("a version has between one and two hundred actions", () => {
  expect(mistakesOf()).toEqual(["/actions required"]);
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ ...delay({ for: day }, { id: `${index + 1}` }), id: `${index}` }));
  expect(mistakesOf(...many(199), exit("199"))).toEqual([]);
  expect(mistakesOf(...many(200), exit("200"))).toEqual(["/actions too_many"]);
});

test("criteria and names are those of the account, wherever a draft has them", () => {
  const wrong = { field: "attributes.plam", op: "eq", value: "x" };
  const draft = {
    trigger: { audience: "none" },
    entry: { audience: "none" },
    exit: [{ event: "buy" }, { criteria: { and: [wrong] } }],
    actions: [
      { id: "f", type: "filter", config: { criteria: wrong }, next: [{ id: "w", label: "yes" }] },
      wait([{ criteria: wrong }], { id: "d", label: "0" }),
      delay({ field: "attributes.renewel" }),
    ],
  };
  expect(mistakes(draft)).toEqual([
    "/trigger/audience unknown_reference",
    "/entry/audience unknown_reference",
    "/exit/1/criteria/and/0/field unknown_field",
    "/actions/0/config/criteria/field unknown_field",
    "/actions/1/config/any/0/criteria/field unknown_field",
    "/actions/2/config/field unknown_field",
  ]);
});

test("all mistakes are found at once", () => {
  const found = mistakesOf({ id: "m", type: "message", next: [{ id: "x" }] }, exit("e"), delay({}));
  expect(found).toEqual([
    "/actions/0/config/templateKey required",
    "/actions/2/config/for required",
    "/actions/0/next/0/id unknown_reference",
    "/actions/1 bad_value",
    "/actions/2 bad_value",
  ]);
});

test("the largest draft with thousands of edges is checked without a walk over all ways", () => {
  const labels = Array.from({ length: 20 }, (_, index) => `${index}`);
  const paths = labels.map((label) => ({ label, weight: 1 }));
  const actions = Array.from({ length: 200 }, (_, index) => ({
    ...{ id: `n${index}`, type: "split", config: { paths } },
    next: labels
      .map((label, offset) => ({ id: `n${Math.min(199, index + 1 + offset)}`, label }))
      .filter(() => index < 199),
  }));
  const draft: Draft = draftSchema.parse({ actions });
  const began = performance.now();
  expect(runAtOnce(checkDraft(draft, { context })).kind).toBe("ok");
  expect(performance.now() - began).toBeLessThan(5_000);
});

test("a body that is not an orchestration is refused with pointers, and words are read in any case", () => {
  const shape = z.object(orchestrationMembers);
  const wrong = safeParse(shape, { name: "", trigger: { cart: {} }, entry: { reentry: "twice" } });
  expect(wrong.success).toBe(false);
  const read = safeParse(shape, {
    name: "a",
    entry: { reentry: "ALWAYS" },
    trigger: { list: { name: "VIP", on: "Joined" } },
  });
  expect(read.data?.entry?.reentry).toBe("always");
});

test("the schema of the body is one that OpenAPI takes, with an example for what is hard to guess", () => {
  const published = z.toJSONSchema(z.object(orchestrationMembers), { io: "input" });
  const named = Object.entries(published.$defs ?? {});
  expect(named.map(([id]) => id).sort()).toEqual([
    ...["OrchestrationAction", "OrchestrationCondition", "OrchestrationDuration", "OrchestrationEntry"],
    ...["OrchestrationGoal", "OrchestrationTrigger"],
  ]);
  const withoutExample = named.filter(([, { examples }]) => examples === undefined).map(([id]) => id);
  expect(withoutExample.sort()).toEqual(["OrchestrationEntry", "OrchestrationTrigger"]);
});
