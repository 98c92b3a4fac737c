import type { MessageDataCondition } from "@headwater/contracts";
import { addDuration } from "@headwater/messaging/schedule/durations";
import { ComparisonBudget } from "@headwater/records/messageData/comparisonBudget";
import { fitsConditions, memberAt } from "@headwater/records/messageData/selectRecords";
import type { Composition, Condition, Goal } from "./orchestration.ts";
import { type Activity, isLive, type Journey, type KeyValue, type Run, type Start } from "./run.ts";

/**
 * Characters that the conditions of a trigger, or all of a run, may compare of one fact: some ten milliseconds. Other facts take none of them,
 * or the same facts would give another path in another batch.
 */
const COMPARED_CHARACTERS_MAX = 1024 * 1024;

export function newBudget(): ComparisonBudget {
  return new ComparisonBudget({ charactersLeft: 0 }, { own: COMPARED_CHARACTERS_MAX, shared: 0 });
}

type Conditions = readonly MessageDataCondition[] | undefined;

export function fitsWhere(record: object, where: Conditions, budget: ComparisonBudget): boolean {
  return fitsConditions(record, where ?? [], budget);
}

/** Returns a property that can be compared: a text, a number or a boolean. */
export function scalarAt(properties: Readonly<Record<string, unknown>>, path: string): KeyValue | undefined {
  const value = memberAt(properties, path);
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : undefined;
}

/** Actions that machines cause as well, and that are about a message. */
const OF_MESSAGES: ReadonlySet<string> = new Set(["open", "click"]);

type EventCondition = Pick<Condition | Goal, "where" | "match" | "message" | "event">;

/** Result of comparing an activity with a run. */
interface Observed {
  /** Names of the goals that it reaches. */
  readonly goals: readonly string[];
  /** It ends the run. */
  readonly isExit: boolean;
  /** Waits that it fits, each with the number of the first condition that it fits. */
  readonly fits: [wait: string, condition: number][];
}

/** Compares an activity with the goals, exits and waits of a run. @param at when it came, for the run. */
export function observe(
  { composition, timezone }: Journey,
  run: Run,
  { activity, at }: { readonly activity: Activity; readonly at: number },
): Observed {
  const to = { run, budget: newBudget() };
  const goals = composition.goals.filter(({ name, within, ...goal }) => {
    const isOpen = !run.goals.includes(name) && at <= addDuration(run.start.at, within, timezone);
    return isOpen && fitsActivity(goal, activity, to);
  });
  const names = goals.map(({ name }) => name);
  if (!isLive(run)) return { goals: names, isExit: false, fits: [] };
  const isExit = composition.exit.some((one) => fitsActivity(one, activity, to));
  const fits = composition.actions.flatMap((node) => {
    if (isExit || node.type !== "wait" || (node.config.since === "here" && node.id !== run.node)) return [];
    const index = node.config.any.findIndex((one) => fitsActivity(one, activity, to));
    return index < 0 ? [] : [[node.id, index] satisfies [string, number]];
  });
  return { goals: names, isExit, fits };
}

/** Returns the actions of the activities that a version starts by, waits for, ends by or counts. */
export function actionsOf({ trigger, exit, goals, actions }: Composition): string[] {
  const waits = actions.flatMap((node) => (node.type === "wait" ? node.config.any : []));
  const named = [trigger.event?.action, ...[...exit, ...goals, ...waits].map(({ event }) => event)];
  return [...new Set(named.filter((action) => action !== undefined))];
}

interface Comparing {
  readonly run: Pick<Run, "id" | "start">;
  readonly budget: ComparisonBudget;
}

/** Returns whether an activity is one that a wait, an exit or a goal of a run asks for. */
function fitsActivity(condition: EventCondition, activity: Activity, { run, budget }: Comparing): boolean {
  const { event, where, match = [], message } = condition;
  if (activity.action !== event) return false;
  if (OF_MESSAGES.has(event) && (activity.isRobot === true || !isOfMessage(activity, message, run))) return false;
  const matches = match.every((name) => equalsStart(activity, name, run.start, budget));
  return matches && fitsWhere(activity.properties, where, budget);
}

function isOfMessage({ message: of }: Activity, named: EventCondition["message"], { id }: Pick<Run, "id">): boolean {
  return named === undefined ? of?.run === id : of?.key === named.key;
}

/** A property that either of them does not have equals nothing. */
function equalsStart(activity: Activity, name: string, { event }: Start, budget: ComparisonBudget): boolean {
  const value = scalarAt(event.properties, name);
  return value !== undefined && fitsConditions(activity.properties, [{ field: name, op: "eq", value }], budget);
}
