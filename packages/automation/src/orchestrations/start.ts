import { wantIdOf } from "@headwater/kernel";
import { mayEnterAgain } from "@headwater/messaging/entries/reentry";
import { addDuration } from "@headwater/messaging/schedule/durations";
import { fitsWhere, newBudget, scalarAt } from "./facts.ts";
import { step } from "./fold.ts";
import type { Composition } from "./orchestration.ts";
import {
  effectId,
  endRun,
  type Fact,
  isLive,
  isTaken,
  type Journey,
  joinPositions,
  type KeyValue,
  type Positions,
  type Run,
  type Start,
  type Stepped,
} from "./run.ts";

export type Started =
  | { readonly kind: "none" }
  | { readonly kind: "refused"; readonly reason: "key" }
  | { readonly kind: "start"; readonly start: Start };

/** Returns the start that a fact makes, if a trigger fits it. */
export function startOf(journey: Journey, fact: Fact): Started {
  const { orchestration, composition, isEnabled } = journey;
  if (!isEnabled || fact.suppressTriggers === true || !fitsTrigger(composition.trigger, fact)) return { kind: "none" };
  const { id, contact, at, stream, position } = fact;
  const event = eventOf(fact);
  const { key: path } = composition.entry;
  const key = path === undefined ? undefined : keyOf(event.properties, path);
  if (path !== undefined && key === undefined) return { kind: "refused", reason: "key" };
  // An order starts one run, whatever is written to it later.
  const run = wantIdOf("run", orchestration, fact.kind, fact.kind === "order" ? fact.orderId : id);
  const extVars = fact.kind === "call" ? { ...fact.extVars } : {};
  const from = { run, contact, at, stream, position };
  return { kind: "start", start: { ...from, event, extVars, ...(key !== undefined && { key }) } };
}

const KEY_CHARACTERS_MAX = 1_024;
/** Bytes of a key as JSON: what an index of Postgres holds of a row is not much more. */
const KEY_BYTES_MAX = 2_048;

function keyOf(properties: Readonly<Record<string, unknown>>, path: string): KeyValue | undefined {
  const value = scalarAt(properties, path);
  if (typeof value !== "string") return value;
  const isLong = value.length > KEY_CHARACTERS_MAX || Buffer.byteLength(JSON.stringify(value)) > KEY_BYTES_MAX;
  return isLong ? undefined : value;
}

function fitsTrigger(trigger: Composition["trigger"], fact: Fact): boolean {
  switch (fact.kind) {
    case "activity":
      return trigger.event?.action === fact.action && fitsWhere(fact.properties, trigger.event.where, newBudget());
    case "list":
      return trigger.list?.name.toLowerCase() === fact.list.toLowerCase() && trigger.list.on === fact.on;
    case "order":
      return trigger.order !== undefined && fitsOrder(trigger.order, fact.order);
    case "cart":
      return trigger.cart !== undefined;
    case "audience":
      return trigger.audience === fact.audience;
    case "call":
      return trigger.api;
  }
}

/** Conditions on items must hold for one and the same item. */
function fitsOrder(
  { where, items }: NonNullable<Composition["trigger"]["order"]>,
  order: Readonly<Record<string, unknown>>,
): boolean {
  const budget = newBudget();
  if (!fitsWhere(order, where, budget)) return false;
  if (items === undefined) return true;
  const lines: readonly unknown[] = Array.isArray(order.items) ? order.items : [];
  return lines.some((line) => typeof line === "object" && line !== null && fitsWhere(line, items, budget));
}

/** Returns the fact as templates read it under `event`. */
function eventOf(fact: Fact): Start["event"] {
  const { id } = fact;
  switch (fact.kind) {
    case "activity": {
      const { action, time, properties } = fact;
      return { id, action, properties: { ...properties }, ...(time !== undefined && { time }) };
    }
    case "list":
      return { id, action: fact.kind, properties: { list: fact.list, on: fact.on } };
    case "order":
      return { id: fact.orderId, action: fact.kind, properties: { ...fact.order } };
    case "cart":
      return { id, action: fact.kind, properties: { ...fact.cart } };
    case "audience":
      return { id, action: fact.kind, properties: { audience: fact.audience } };
    case "call":
      return { id, action: fact.kind, properties: { ...fact.extVars } };
  }
}

/** Returns when a cart starts a run unless it changes again or is emptied until then; undefined without such a trigger. */
export function cartDueAt({ composition, timezone }: Journey, changedAtMs: number): number | undefined {
  const { cart } = composition.trigger;
  return cart && addDuration(changedAtMs, cart.idle, timezone);
}

/** Entries of a contact under one key, as they are stored. */
export interface Entries {
  /** The last one, milliseconds since 1970. */
  readonly enteredAt?: number | undefined;
  /** Positions of the last starts that were decided: one that comes again lets nobody in that was refused. */
  readonly positions: Positions;
}

export interface Past {
  readonly entries: Entries;
  /** A run with the id of the start exists. */
  readonly hasRun: boolean;
  /** The run on its way, of whichever version. */
  readonly live?: Run | undefined;
}

/** Outcome of a start, with the entries to be stored. When the contact enters, an effect says so. */
export type Entered =
  | { readonly kind: "known" }
  | { readonly kind: "refused"; readonly reason: "reentry"; readonly entries: Entries }
  /** A run is entering. It has to be stored: it gives the start back once it knows whether it enters itself. */
  | { readonly kind: "waiting"; readonly run: Run }
  | { readonly kind: "begun"; readonly stepped: Stepped; readonly entries: Entries };

/** Begins a run for a start, as far as it gets, where the contact may enter again. */
export function enter(journey: Journey, start: Start, { entries: before, hasRun, live }: Past): Entered {
  if (hasRun || isTaken(before.positions, start)) return { kind: "known" };
  if (live?.state === "entering") return { kind: "waiting", run: { ...live, nextStart: start } };
  const positions = { ...before.positions, [start.stream]: start.position };
  const entries = { ...before, positions };
  const past = { enteredAt: before.enteredAt, isLive: live !== undefined };
  const { composition, timezone } = journey;
  if (!mayEnterAgain(composition.entry.reentry, past, { at: start.at, timezone }))
    return { kind: "refused", reason: "reentry", entries };
  const run = newRun(journey, start, positions);
  const own = live === undefined ? run : { ...run, replaces: live.id };
  return { kind: "begun", stepped: step(journey, own, { kind: "time", at: start.at }), entries };
}

function newRun({ version, composition }: Journey, start: Start, positions: Positions): Run {
  const { run: id, contact, at, key } = start;
  const [first] = composition.actions;
  if (first === undefined) throw new Error(`version ${version} has no node`);
  return {
    ...{ id, version, contact, start, at, positions, node: first.id, since: at },
    ...{ state: "entering", visit: 0, steps: 0, questions: 0, seen: [], goals: [] },
    waitsFor: { kind: "begin" },
    ...(key !== undefined && { key }),
  };
}

/** Begins a run as failed whose first step breaks: whoever asks for the contact finds it. A run on its way goes on. */
export function enterBroken(
  journey: Journey,
  start: Start,
  { entries: before, hasRun, error }: Past & { readonly error: NonNullable<Run["error"]> },
): Entered {
  if (hasRun || isTaken(before.positions, start)) return { kind: "known" };
  const positions = { ...before.positions, [start.stream]: start.position };
  const { at, key } = start;
  const { run, effects } = endRun(newRun(journey, start, positions), { at, state: "failed", error });
  const entered = { id: effectId(run, "entered"), kind: "entered", at, ...(key !== undefined && { key }) } as const;
  const stepped = { run, effects: [entered, ...effects], isBehind: false };
  return { kind: "begun", stepped, entries: { ...before, positions } };
}

/**
 * Joins the live runs of contacts that were merged: of those with one key the oldest goes on, the others end.
 * @param survivor number of the contact that they belong to from now on.
 * @param at milliseconds since 1970.
 */
export function mergeRuns(runs: readonly Run[], survivor: number, at: number): Stepped[] {
  const live = runs.filter(isLive).toSorted(byAge);
  const byKey = Map.groupBy(live, ({ key }) => JSON.stringify(key));
  return [...byKey.values()].flatMap((same) => {
    const positions = same.reduce<Positions>((joined, run) => joinPositions(joined, run.positions), {});
    return same.map((run, index) => {
      const own = { ...run, contact: survivor, positions };
      if (index === 0) return { run: own, effects: [], isBehind: false };
      if (run.state === "entering") return { run: undefined, effects: [], isBehind: false };
      return { ...endRun(own, { at, state: "exited", reason: "merged" }), isBehind: false };
    });
  });
}

function byAge(one: Run, other: Run): number {
  return one.start.at - other.start.at || (one.id < other.id ? -1 : 1);
}

/** Joins the entries of contacts that were merged: who has entered as either of them has entered. */
export function joinEntries(one: Entries, other: Entries): Entries {
  const times = [one.enteredAt, other.enteredAt].filter((at) => at !== undefined);
  const positions = joinPositions(one.positions, other.positions);
  return times.length === 0 ? { positions } : { enteredAt: Math.max(...times), positions };
}
