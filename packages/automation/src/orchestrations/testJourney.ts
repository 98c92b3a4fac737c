import { type CriteriaContext, knownFields } from "@headwater/criteria";
import { runAtOnce } from "@headwater/kernel";
import { checkDraft } from "./checks.ts";
import { step } from "./fold.ts";
import { type Composition, draftSchema } from "./orchestration.ts";
import {
  type Activity,
  dueAtOf,
  type Effect,
  type Fact,
  type Input,
  isLive,
  type Journey,
  type Run,
  runSchema,
} from "./run.ts";
import { type Entries, enter, mergeRuns, startOf } from "./start.ts";

export const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
/** A Monday in winter: 9:00 in UTC. */
export const T0 = Date.parse("2026-01-05T09:00:00Z");

/** Names of an account that drafts of tests use. */
export const context: CriteriaContext = {
  fields: knownFields({
    attributes: [
      ["plan", "string"],
      ["renewal", "date"],
    ],
    identifiers: ["email"],
  }),
  lists: [{ id: 7, name: "VIP" }],
  audiences: new Map([["buyers", { id: "1", key: "buyers", criteria: { order: true } }]]),
};

/** Returns the version that a draft makes. Throws its mistakes. */
export function compositionOf(draft: object): Composition {
  const checked = runAtOnce(
    checkDraft(draftSchema.parse({ trigger: { event: { action: "start" } }, ...draft }), { context }),
  );
  if (checked.kind === "invalid") throw new Error(JSON.stringify(checked.details));
  return checked.composition;
}

export function journeyOf(draft: object, options: Partial<Journey> = {}): Journey {
  const composition = compositionOf(draft);
  return { orchestration: "o", version: 1, isEnabled: true, timezone: "UTC", composition, ...options };
}

/** Returns an activity; its position is also its minute. */
export function activity(position: number, action: string, more: Partial<Activity> = {}): Activity {
  const at = T0 + position * MINUTE;
  return {
    kind: "activity",
    id: `f${position}`,
    stream: "0",
    position,
    at,
    contact: 1,
    action,
    properties: {},
    ...more,
  };
}

/** Answers of everything outside of a journey. */
export interface Outside {
  fits(pointer: string, at: number): boolean;
  result(effect: Effect): "ok" | "skipped" | "refused" | "error";
  zone?: string;
  value?: unknown;
  /** Time that each answer takes. */
  latencyMs: number;
}

const kind: Outside = { fits: () => true, result: () => "ok", latencyMs: 0 };

interface Awaited {
  readonly at: number;
  readonly id: string;
  readonly input: Input;
}

/** An orchestration with its runs, as an application drives it: effects happen once by their id, and what they ask for is answered. */
export class World {
  journey: Journey;
  readonly outside: Outside;
  runs = new Map<string, Run>();
  entries = new Map<string, Entries>();
  effects = new Map<string, Effect>();
  refused: string[] = [];
  /** Timers are looked after only when time is asked for: each run catches up at once. */
  isLate = false;
  #now = 0;
  #awaited: Awaited[] = [];

  constructor(journey: Journey, outside: Partial<Outside> = {}) {
    this.journey = journey;
    this.outside = { ...kind, ...outside };
  }

  give(fact: Fact): this {
    this.time(fact.at);
    if (fact.kind === "activity") {
      for (const run of this.runs.values()) this.input(run.id, { kind: "activity", activity: fact });
    }
    const started = startOf(this.journey, fact);
    if (started.kind === "refused") this.refused.push(started.reason);
    if (started.kind === "start") this.#enter(started.start);
    this.#answer();
    return this;
  }

  /** Lets time pass, from one thing that is due to the next. */
  time(at: number): this {
    for (;;) {
      const due = [...this.runs.values()].map((run) => (this.journey.isEnabled ? dueAtOf(run) : undefined));
      const next = [...due, ...this.#awaited.map((one) => one.at)].filter((one) => one !== undefined);
      this.#now = Math.max(this.isLate ? at : Math.min(at, ...next), this.#now);
      for (const { id } of this.runs.values()) this.input(id, { kind: "time", at: this.#now });
      this.#answer();
      if (this.#now >= at) return this;
    }
  }

  input(id: string, input: Input): void {
    for (;;) {
      const run = this.runs.get(id);
      if (run === undefined) return;
      const stepped = step(this.journey, run, input);
      this.#store(id, stepped.run, stepped.effects);
      if (!stepped.isBehind && (input.kind !== "time" || stepped.effects.length === 0)) break;
    }
    this.#answer();
  }

  /** Gives the answers that have come by now, in the order in which they came. */
  #answer(): void {
    for (;;) {
      const [next] = this.#awaited.filter(({ at }) => at <= this.#now).sort((one, other) => one.at - other.at);
      if (next === undefined) return;
      this.#awaited = this.#awaited.filter((one) => one !== next);
      this.input(next.id, next.input);
      this.input(next.id, { kind: "time", at: this.#now });
    }
  }

  merge(survivor: number, at: number): void {
    for (const { run, effects } of mergeRuns([...this.runs.values()], survivor, at)) {
      if (run !== undefined) this.#store(run.id, run, effects);
    }
  }

  /** Writes all state out and reads it again, as after a kill. */
  restart(): void {
    this.runs = new Map([...this.runs].map(([id, run]) => [id, runSchema.parse(JSON.parse(JSON.stringify(run)))]));
  }

  /** Nodes of the only run, each with the result by which it was left. */
  path(): string[] {
    return this.wanted("passed").map(({ node, edge }) => (edge === undefined ? node : `${node} ${edge}`));
  }

  wanted<Kind extends Effect["kind"]>(of: Kind): Extract<Effect, { kind: Kind }>[] {
    const isOf = (effect: Effect): effect is Extract<Effect, { kind: Kind }> => effect.kind === of;
    return [...this.effects.values()].filter(isOf);
  }

  /** Returns the only run. */
  run(): Run {
    const [run] = this.runs.values();
    if (run === undefined) throw new Error("nobody has entered");
    return run;
  }

  live(): Run[] {
    return [...this.runs.values()].filter(isLive);
  }

  #enter(start: NonNullable<Run["nextStart"]>): void {
    const live = this.live().find(({ key }) => key === start.key);
    const key = JSON.stringify(start.key ?? null);
    const entries = this.entries.get(key) ?? { positions: {} };
    const entered = enter(this.journey, start, { hasRun: this.runs.has(start.run), entries, live });
    if ("entries" in entered) this.entries.set(key, entered.entries);
    if (entered.kind === "refused") this.refused.push(entered.reason);
    if (entered.kind === "waiting") this.runs.set(entered.run.id, entered.run);
    if (entered.kind === "begun") this.#store(start.run, entered.stepped.run, entered.stepped.effects);
  }

  #store(id: string, run: Run | undefined, effects: readonly Effect[]): void {
    if (run === undefined) this.runs.delete(id);
    else this.runs.set(id, run);
    for (const effect of effects) {
      const before = this.effects.get(effect.id);
      if (before !== undefined && JSON.stringify(before) !== JSON.stringify(effect))
        throw new Error(`two ${effect.id}`);
    }
    const own = effects.filter((effect) => !this.effects.has(effect.id));
    for (const effect of own) this.effects.set(effect.id, effect);
    for (const effect of own) this.#happen(id, effect);
  }

  /** Everything happens at the run's own time: what comes of it does not depend on when it was looked after. */
  #happen(id: string, effect: Effect) {
    const now = this.runs.get(id)?.at ?? 0;
    const at = now + this.outside.latencyMs;
    switch (effect.kind) {
      case "ask": {
        const fits = effect.criteria.filter((pointer) => this.outside.fits(pointer, at));
        const { zone, value } = this.outside;
        const input = { kind: "answer", question: effect.id, at, fits, ...(zone && { zone }), value } as const;
        this.#awaited.push({ at, id, input });
        return;
      }
      case "send":
      case "call":
      case "write": {
        const input = { kind: "outcome", effect: effect.id, at, result: this.outside.result(effect) } as const;
        this.#awaited.push({ at, id, input });
        return;
      }
      case "entered": {
        const key = JSON.stringify(effect.key ?? null);
        this.entries.set(key, { positions: {}, ...this.entries.get(key), enteredAt: effect.at });
        return;
      }
      case "refused":
        this.refused.push(effect.reason);
        return;
      case "replace":
        return this.input(effect.run, { kind: "exit", at: now, reason: "reentry" });
      case "start":
        return this.#enter(effect.start);
      default:
        return;
    }
  }
}
