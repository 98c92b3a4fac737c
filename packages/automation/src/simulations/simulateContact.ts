import { hash } from "node:crypto";
import { addDuration } from "@headwater/messaging/schedule/durations";
import { step } from "../orchestrations/fold.ts";
import {
  type Activity,
  dueAtOf,
  type Effect,
  type Fact,
  type Input,
  isLive,
  type Journey,
  type Outcome,
  type Refusal,
  type Run,
  type Start,
  type Stepped,
} from "../orchestrations/run.ts";
import { type Entries, enter, startOf } from "../orchestrations/start.ts";

/** Shares of what nobody can know, from 0 to 1. */
export interface Assumptions {
  /** Shares of messages that are opened or clicked, by template. */
  readonly rates: ReadonlyMap<string, { readonly open: number; readonly click: number }>;
  /** Share of calls of webhooks that succeed. */
  readonly webhook: number;
}

export interface SimulationRules {
  readonly journey: Journey;
  /** The clock stops here, milliseconds since 1970. */
  readonly toMs: number;
  readonly seed: number;
  readonly assume: Assumptions;
  /** Templates that exist. */
  readonly templates: ReadonlySet<string>;
}

/** Something that has to be known before a contact goes on. Answers are those of its instant. */
export type Question = { readonly at: number } & (
  | {
      readonly kind: "ask";
      /** Pointers into the version. */
      readonly criteria: readonly string[];
      readonly wantsZone: boolean;
      readonly field?: string | undefined;
    }
  /** Asks whether the contact may get messages of a template. */
  | { readonly kind: "eligible"; readonly template: string }
  /** Asks for the first instant from `at` to `until` at which one of the criteria holds, to the minute. */
  | { readonly kind: "next"; readonly criteria: readonly string[]; readonly until: number }
);

export interface KnownAnswer {
  readonly fits: readonly string[];
  readonly zone?: string | undefined;
  readonly value?: unknown;
  /** Answer to `next`. */
  readonly nextAt?: number | undefined;
}

/** A simulated run with what it did. */
export interface SimulatedRun {
  readonly run: Run;
  readonly path: readonly {
    readonly node: string;
    readonly at: number;
    readonly edge?: string;
    readonly to?: string;
  }[];
  /** Its path rests on opens, clicks or calls that were assumed. */
  readonly isAssumed: boolean;
}

/** A message that would have been sent, or would not. */
export interface SimulatedSend {
  readonly template: string;
  readonly at: number;
  readonly skipped?: "not-subscribed" | "template-deleted";
}

/** Runs of one contact that are followed; further starts are refused. */
const RUNS_MAX = 1_000;
/** Steps of a contact without a question, which circles of short waits may reach. */
const STEPS_MAX = 100_000;
const ASSUMED = "assumed";
const HOUR_MS = 3_600_000;
/** Mean and limit of the time until a message is opened, and the limit until it is clicked then. */
const [OPEN_MEAN_MS, OPEN_MAX_MS, CLICK_MAX_MS] = [3 * HOUR_MS, 72 * HOUR_MS, HOUR_MS / 6];

interface Tracked {
  run: Run;
  readonly path: { readonly node: string; readonly at: number; readonly edge?: string; readonly to?: string }[];
  isAssumed: boolean;
  /** Milliseconds since 1970 until which activities are compared with it. */
  observedUntil: number;
  /** The first instant at which its wait is asked for again, once that is known. */
  isScheduled: boolean;
}

type Waiting =
  | { readonly id: string; readonly question: Question; readonly effect: Extract<Effect, { kind: "ask" }> }
  | { readonly id: string; readonly question: Question; readonly effect: Extract<Effect, { kind: "send" }> }
  | { readonly id: string; readonly question: Question; readonly effect: undefined };

/**
 * Follows one contact through a version over facts of the past, by the fold that runs live, with a clock of its own and without any effect.
 * The same facts, answers, rules and seed give the same runs.
 */
export class ContactSimulation {
  readonly #rules: SimulationRules;
  readonly #facts: readonly Fact[];
  readonly #sent: ReadonlySet<string>;
  readonly #runs = new Map<string, Tracked>();
  readonly #entries = new Map<string, Entries>();
  /** Activities that were assumed, in order of time. */
  #assumed: Activity[] = [];
  #next = 0;
  #positions = 0;
  /** Questions that are open, of which the first is answered first. */
  readonly #waiting: Waiting[] = [];
  #now: number;
  readonly sends: SimulatedSend[] = [];
  readonly goals: { readonly name: string; readonly isHoldout: boolean }[] = [];
  readonly refusals: (Refusal | "limit")[] = [];
  readonly assumed = { opens: 0, clicks: 0, calls: 0 };

  /**
   * @param facts of one contact, in order of time.
   * @param sent ids of the sends that its runs really made: what the contact did with them is among the facts, and nothing is assumed.
   */
  constructor(rules: SimulationRules, facts: readonly Fact[], sent: ReadonlySet<string> = new Set()) {
    this.#rules = rules;
    this.#sent = sent;
    this.#facts = facts;
    this.#now = facts[0]?.at ?? 0;
  }

  /** Goes on as far as it is known. @returns the question that is to be answered, or undefined at the end. */
  advance(): Question | undefined {
    for (let steps = 0; steps < STEPS_MAX; steps++) {
      const [waiting] = this.#waiting;
      if (waiting !== undefined) return waiting.question;
      if (!this.#move()) return undefined;
    }
    throw new Error(`a contact took more than ${STEPS_MAX} steps`);
  }

  /** Answers the question of `advance`. */
  answer({ fits, zone, value, nextAt }: KnownAnswer) {
    const waiting = this.#waiting.shift();
    if (waiting === undefined) throw new Error("no question is open");
    const { id, question, effect } = waiting;
    if (question.kind === "next" || effect === undefined) return this.#schedule(id, nextAt);
    const { at } = question;
    if (effect.kind === "ask") {
      this.#input(id, { kind: "answer", question: effect.id, at, fits: [...fits], ...(zone && { zone }), value });
    } else this.#send(id, effect, fits.length > 0 ? undefined : "not-subscribed");
  }

  /** Returns all runs, once `advance` has come to the end. */
  runs(): SimulatedRun[] {
    return [...this.#runs.values()].map(({ run, path, isAssumed }) => ({ run, path, isAssumed }));
  }

  /** Does the next thing that happens. @returns false when nothing is left. */
  #move(): boolean {
    const { toMs } = this.#rules;
    for (const [id, tracked] of this.#runs) if (this.#asksNext(id, tracked)) return true;
    const fact = this.#facts[this.#next];
    const [assumed] = this.#assumed;
    let due: { readonly id: string; readonly at: number } | undefined;
    for (const [id, { run }] of this.#runs) {
      const at = dueAtOf(run);
      if (at !== undefined && (due === undefined || at < due.at)) due = { id, at };
    }
    const factAt = Math.min(fact?.at ?? Number.POSITIVE_INFINITY, assumed?.at ?? Number.POSITIVE_INFINITY);
    const at = Math.min(factAt, due?.at ?? Number.POSITIVE_INFINITY);
    if (at > toMs) return false;
    this.#now = Math.max(this.#now, at);
    // Facts of an instant come before what is due at it.
    if (due !== undefined && due.at < factAt) this.#input(due.id, { kind: "time", at: due.at });
    else if (fact !== undefined && fact.at <= (assumed?.at ?? Number.POSITIVE_INFINITY)) {
      this.#next += 1;
      this.#give(fact);
    } else if (assumed !== undefined) {
      this.#assumed = this.#assumed.slice(1);
      this.#observe(assumed);
    }
    return true;
  }

  /** Finds out when the criteria of a wait hold again, in place of asking each minute. */
  #asksNext(id: string, tracked: Tracked): boolean {
    const { waitsFor, node } = tracked.run;
    if (tracked.isScheduled || waitsFor?.kind !== "facts" || waitsFor.askAt === undefined || waitsFor.tries > 1)
      return false;
    const criteria = this.#pointersOf(node);
    const question = {
      kind: "next",
      at: waitsFor.askAt,
      criteria,
      until: Math.min(waitsFor.dueAt, this.#rules.toMs),
    } as const;
    tracked.isScheduled = true;
    this.#waiting.push({ id, question, effect: undefined });
    return true;
  }

  #pointersOf(id: string): string[] {
    const { actions } = this.#rules.journey.composition;
    const index = actions.findIndex((node) => node.id === id);
    const node = actions[index];
    if (node?.type !== "wait") return [];
    return node.config.any.flatMap(({ criteria }, position) =>
      criteria === undefined ? [] : [`/actions/${index}/config/any/${position}/criteria`],
    );
  }

  #schedule(id: string, nextAt: number | undefined) {
    const tracked = this.#runs.get(id);
    const waitsFor = tracked?.run.waitsFor;
    if (tracked === undefined || waitsFor?.kind !== "facts") return;
    const { askAt: _, ...rest } = waitsFor;
    tracked.run = { ...tracked.run, waitsFor: { ...rest, ...(nextAt !== undefined && { askAt: nextAt }) } };
  }

  #give(fact: Fact) {
    if (fact.kind === "activity") this.#observe(fact);
    const started = startOf(this.#rules.journey, fact);
    if (started.kind === "refused") this.refusals.push(started.reason);
    if (started.kind === "start") this.#start(started.start);
  }

  #observe(activity: Activity) {
    for (const [id, { run, observedUntil }] of this.#runs) {
      if (isLive(run) || activity.at <= observedUntil) this.#input(id, { kind: "activity", activity });
    }
  }

  #start(start: Start) {
    const key = keyOf(start);
    const entries = this.#entries.get(key) ?? { positions: {} };
    const live = [...this.#runs.values()].map(({ run }) => run).filter((run) => isLive(run) && keyOf(run) === key);
    const entered = enter(this.#rules.journey, start, {
      entries,
      hasRun: this.#runs.has(start.run),
      live: live.find(({ state }) => state === "entering") ?? live[0],
    });
    if ("entries" in entered) this.#entries.set(key, entered.entries);
    if (entered.kind === "refused") this.refusals.push(entered.reason);
    if (entered.kind === "waiting") this.#store(entered.run.id, { run: entered.run, effects: [], isBehind: false });
    if (entered.kind !== "begun") return;
    if (this.#runs.size >= RUNS_MAX) this.refusals.push("limit");
    else this.#store(start.run, entered.stepped);
  }

  #input(id: string, input: Input) {
    for (let steps = 0; steps < STEPS_MAX; steps++) {
      const tracked = this.#runs.get(id);
      if (tracked === undefined) return;
      const stepped = step(this.#rules.journey, tracked.run, input);
      this.#store(id, stepped);
      if (!stepped.isBehind) return;
    }
  }

  #store(id: string, { run, effects }: Stepped) {
    const before = this.#runs.get(id);
    if (run === undefined) this.#runs.delete(id);
    else if (before === undefined)
      this.#runs.set(id, { run, path: [], isAssumed: false, isScheduled: false, observedUntil: this.#goalsUntil(run) });
    else {
      const isSameWait = before.run.node === run.node && before.run.visit === run.visit;
      const askAt = (one: Run) => (one.waitsFor?.kind === "facts" ? one.waitsFor.askAt : undefined);
      // Asked and answered again, its next instant is to be found again.
      if (!isSameWait || askAt(before.run) !== askAt(run)) before.isScheduled = false;
      before.run = run;
    }
    for (const effect of effects) this.#happen(id, effect);
  }

  #goalsUntil({ start }: Run): number {
    const { composition, timezone } = this.#rules.journey;
    return Math.max(0, ...composition.goals.map(({ within }) => addDuration(start.at, within, timezone)));
  }

  #happen(id: string, effect: Effect) {
    const tracked = this.#runs.get(id);
    const at = tracked?.run.at ?? this.#now;
    switch (effect.kind) {
      case "ask": {
        const { criteria, wantsZone, field } = effect;
        this.#waiting.push({ id, effect, question: { kind: "ask", at, criteria, wantsZone, field } });
        return;
      }
      case "send":
        if (!this.#rules.templates.has(effect.template)) return this.#send(id, effect, "template-deleted");
        this.#waiting.push({ id, effect, question: { kind: "eligible", at, template: effect.template } });
        return;
      case "call": {
        this.assumed.calls += 1;
        const result = this.#share(effect.delivery) < this.#rules.assume.webhook ? "ok" : "refused";
        if (tracked !== undefined) tracked.isAssumed = true;
        return this.#conclude(id, { effect: effect.id, at, result });
      }
      case "write":
        return this.#conclude(id, { effect: effect.id, at, result: "ok" });
      case "goal":
        this.goals.push({ name: effect.name, isHoldout: effect.isHoldout });
        return;
      case "passed": {
        const { node, at: since, edge, to } = effect;
        tracked?.path.push({ node, at: since, ...(edge !== undefined && { edge }), ...(to !== undefined && { to }) });
        return;
      }
      case "entered": {
        const key = keyOf(effect);
        this.#entries.set(key, { positions: {}, ...this.#entries.get(key), enteredAt: effect.at });
        return;
      }
      case "refused":
        this.refusals.push(effect.reason);
        return;
      case "replace":
        return this.#input(effect.run, { kind: "exit", at, reason: "reentry" });
      case "start":
        return this.#start(effect.start);
      case "cancel":
      case "ended":
        return;
    }
  }

  #conclude(id: string, outcome: Omit<Outcome, "kind">) {
    this.#input(id, { kind: "outcome", ...outcome });
  }

  /** Counts a send, and assumes what its contact does with one that was never made. */
  #send(id: string, effect: Extract<Effect, { kind: "send" }>, skipped: SimulatedSend["skipped"]) {
    const at = this.#runs.get(id)?.run.at ?? this.#now;
    const isLate = effect.expiresAt !== undefined && at > effect.expiresAt;
    this.sends.push({ template: effect.template, at, ...(skipped && { skipped }) });
    if (skipped !== undefined || isLate)
      return this.#conclude(id, { effect: effect.id, at, result: "skipped", reason: skipped ?? "expired" });
    if (!this.#sent.has(effect.id)) this.#assume(id, effect, at);
    this.#conclude(id, { effect: effect.id, at, result: "ok" });
  }

  #assume(id: string, effect: Extract<Effect, { kind: "send" }>, at: number) {
    const { open = 0, click = 0 } = this.#rules.assume.rates.get(effect.template) ?? {};
    const isClicked = this.#share(`${effect.id}:click`) < click;
    // Whoever clicks has opened: opens are that many more.
    const isOpened = isClicked || this.#share(`${effect.id}:open`) * (1 - click) < open - click;
    const tracked = this.#runs.get(id);
    if (!isOpened || tracked === undefined) return;
    tracked.isAssumed = true;
    const delayMs = -Math.log(1 - this.#share(`${effect.id}:when`)) * OPEN_MEAN_MS;
    const openedAt = Math.round(at + Math.min(OPEN_MAX_MS, delayMs));
    this.assumed.opens += 1;
    this.#addAssumed(effect, { run: id, action: "open", at: openedAt });
    if (!isClicked) return;
    this.assumed.clicks += 1;
    const clickedAt = Math.round(openedAt + this.#share(`${effect.id}:then`) * CLICK_MAX_MS);
    this.#addAssumed(effect, { run: id, action: "click", at: clickedAt });
  }

  #addAssumed(
    { id, template }: Extract<Effect, { kind: "send" }>,
    { run, action, at }: { readonly run: string; readonly action: string; readonly at: number },
  ) {
    const contact = this.#runs.get(run)?.run.contact ?? 0;
    const base = { kind: "activity", id: `${id}:${action}`, stream: ASSUMED, contact, suppressTriggers: true } as const;
    const activity = { ...base, position: 0, at, action, properties: {}, message: { run, key: template } };
    this.#assumed = [...this.#assumed, activity].toSorted((one, other) => one.at - other.at);
    // Positions follow the order of time, as those of a stream do.
    this.#assumed = this.#assumed.map((one, index) => ({ ...one, position: this.#positions + index + 1 }));
    this.#positions += this.#assumed.length;
  }

  /** Returns a number from 0 up to 1 that follows from the seed and the name alone. */
  #share(name: string): number {
    const digest = hash("sha256", JSON.stringify([this.#rules.seed, name]), "buffer");
    return digest.readUIntBE(0, 6) / 2 ** 48;
  }
}

function keyOf({ key }: { readonly key?: Run["key"] | undefined }): string {
  return JSON.stringify(key ?? null);
}
