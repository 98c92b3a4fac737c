import { addDuration } from "@headwater/messaging/schedule/durations";
import {
  type AskedCriteria,
  criteriaOfEntry,
  criteriaOfExits,
  criteriaOfNode,
  dateOf,
  fittingOf,
  type Question,
  questionOf,
} from "./criteria.ts";
import { delayEnd } from "./durations.ts";
import { observe } from "./facts.ts";
import { type Node, ORCHESTRATION_LIMITS, TIMEOUT } from "./orchestration.ts";
import {
  type Activity,
  type Answer,
  awaitedBy,
  dueAtOf,
  type Effect,
  type Ending,
  effectId,
  endRun,
  type Failure,
  filterFits,
  type Input,
  isLive,
  isTaken,
  type Journey,
  type Outcome,
  type Refusal,
  type Run,
  type Stepped,
  type WaitsFor,
  type Wanted,
} from "./run.ts";
import { choosePath, isHeldOut } from "./split.ts";

/** Moves that one step makes: a run that is far behind catches up in several. */
const MOVES_MAX = 1_000;
/** Activities that a run remembers for its waits, the first ones that came. */
const SEEN_MAX = 100;
const ASK_AGAIN_MS = 60_000;
/** Pauses between the tries of a step, two minutes in all. */
const PAUSES_MS = [5_000, 15_000, 30_000, 60_000] as const;

/**
 * Takes a run on by one input, as far as it gets. The same input again changes nothing. What was due before the input happens before it, so
 * the path does not depend on when timers are looked after, as long as they come no earlier than the facts before them.
 * @param journey the version that the run follows.
 */
export function step(journey: Journey, run: Run, input: Input): Stepped {
  if (journey.version !== run.version) throw new Error(`run ${run.id} follows version ${run.version}`);
  if (input.kind === "activity" && isTaken(run.positions, input.activity)) return { run, effects: [], isBehind: false };
  const at = Math.max(input.kind === "activity" ? input.activity.at : input.at, run.at);
  const walk = new Walk(journey, run);
  if (!walk.advance(at)) return walk.stepped(true);
  walk.take(input, at);
  walk.advance(at);
  return walk.stepped(false);
}

/** One run on its way through a step. */
class Walk {
  readonly #journey: Journey;
  readonly #effects: Effect[] = [];
  #run: Run;
  #isRefused = false;

  constructor(journey: Journey, run: Run) {
    this.#journey = journey;
    this.#run = run;
  }

  stepped(isBehind: boolean): Stepped {
    return { run: this.#isRefused ? undefined : this.#run, effects: this.#effects, isBehind };
  }

  /** Does what is due up to an instant. @returns false when there is more. */
  advance(untilMs: number): boolean {
    for (let moves = 0; moves < MOVES_MAX; moves++) if (!this.#move(untilMs)) return true;
    return false;
  }

  take(input: Input, at: number) {
    switch (input.kind) {
      case "activity":
        return this.#observe(input.activity, at);
      case "time":
        return;
      case "answer":
      case "outcome":
      case "failure":
        return this.#learn(input, at);
      case "exit":
        if (isLive(this.#run)) this.#end({ at, state: "exited", reason: input.reason });
        return;
      case "retry":
        return this.#retry(at);
    }
  }

  #set(changes: Partial<Run>) {
    this.#run = { ...this.#run, ...changes };
  }

  #emit(suffix: string, effect: Wanted) {
    this.#effects.push({ id: effectId(this.#run, suffix), ...effect });
  }

  /** @returns false when nothing is left to do. */
  #move(untilMs: number): boolean {
    const { waitsFor, held, state } = this.#run;
    if (!this.#journey.isEnabled || waitsFor === undefined) return false;
    if (held !== undefined) {
      this.#set({ held: undefined });
      this.#learn(held, Math.max(held.at, this.#run.at));
      return true;
    }
    if (waitsFor.kind === "begin") {
      if (state === "entering") this.#enter(1);
      else this.#begin(1);
      return true;
    }
    if (waitsFor.kind === "facts" && this.#passSeen(waitsFor.dueAt, { hasWaited: true })) return true;
    const dueAt = dueAtOf(this.#run);
    if (dueAt === undefined || dueAt > untilMs) return false;
    this.#fire(waitsFor, dueAt);
    return true;
  }

  #fire(waitsFor: WaitsFor, dueAt: number) {
    this.#set({ at: Math.max(dueAt, this.#run.at) });
    const { state } = this.#run;
    if (waitsFor.kind === "retry") {
      const tries = waitsFor.tries + 1;
      if (waitsFor.of === "outcome") this.#attempt(tries);
      else if (state === "entering") this.#enter(tries);
      else this.#begin(tries);
    } else if (waitsFor.kind === "facts" && dueAt < waitsFor.dueAt) {
      const question = this.#question({ criteria: this.#criteria() });
      this.#set({ waitsFor: { ...waitsFor, askAt: undefined, question } });
    } else {
      this.#pass(waitsFor.kind === "facts" ? TIMEOUT : undefined, { hasWaited: true });
    }
  }

  /** Lets the contact in, after asking whether it is in the audience. */
  #enter(tries: number) {
    const criteria = criteriaOfEntry(this.#journey.composition);
    if (criteria.length === 0) this.#admit();
    else this.#ask({ criteria }, tries);
  }

  #admit() {
    const { orchestration, composition } = this.#journey;
    const { start, contact, goals, replaces, isExiting, nextStart } = this.#run;
    const isHoldout = isHeldOut(composition.entry.holdoutPercent, { orchestration, contact });
    this.#countEntry();
    if (replaces !== undefined) this.#emit("replace", { kind: "replace", run: replaces });
    if (nextStart !== undefined) this.#emit("start", { kind: "start", start: nextStart });
    for (const name of goals) this.#emit(`goal:${name}`, { kind: "goal", name, isHoldout });
    this.#set({ replaces: undefined, nextStart: undefined, isExiting: undefined });
    if (isHoldout) return this.#set({ state: "holdout", waitsFor: undefined, seen: [] });
    this.#set({ state: "waiting", visit: 1, since: start.at, waitsFor: { kind: "begin" } });
    if (isExiting) this.#end({ at: this.#run.at, state: "exited", reason: "exit" });
  }

  #countEntry() {
    const { start, key } = this.#run;
    this.#emit("entered", { kind: "entered", at: start.at, ...(key !== undefined && { key }) });
  }

  #refuse(reason?: Refusal) {
    if (reason !== undefined) this.#emit("refused", { kind: "refused", reason });
    const { nextStart } = this.#run;
    if (nextStart !== undefined) this.#emit("start", { kind: "start", start: nextStart });
    this.#set({ waitsFor: undefined });
    this.#isRefused = true;
  }

  #node(): Node {
    const node = this.#journey.composition.actions.find(({ id }) => id === this.#run.node);
    if (node === undefined) throw new Error(`version ${this.#journey.version} has no node ${this.#run.node}`);
    return node;
  }

  #criteria(): readonly AskedCriteria[] {
    const node = this.#node();
    return criteriaOfNode(node, this.#journey.composition.actions.indexOf(node));
  }

  /** Begins the node, once what it has to know is known. */
  #begin(tries: number) {
    const steps = tries === 1 ? this.#run.steps + 1 : this.#run.steps;
    const { stepsWithoutWaiting: most } = ORCHESTRATION_LIMITS;
    if (steps > most) return this.#fail("TOO_MANY_STEPS", `More than ${most} steps were taken without a wait.`);
    this.#set({ steps });
    const criteria = [...criteriaOfExits(this.#journey.composition), ...this.#criteria()];
    const question = questionOf(this.#node(), criteria);
    if (question === undefined) this.#act(undefined);
    else this.#ask(question, tries);
  }

  #ask(question: Question, tries: number) {
    this.#set({ waitsFor: { kind: "answer", question: this.#question(question), tries } });
  }

  #question({ criteria, wantsZone = false, field }: Question): string {
    const questions = this.#run.questions + 1;
    const suffix = `ask:${questions}`;
    this.#set({ questions });
    const pointers = criteria.map(({ pointer }) => pointer);
    this.#emit(suffix, { kind: "ask", criteria: pointers, wantsZone, ...(field !== undefined && { field }) });
    return effectId(this.#run, suffix);
  }

  /** Does what the node is for. */
  #act(answer: Answer | undefined) {
    const { orchestration, timezone } = this.#journey;
    const { contact, start, since: sinceMs, at } = this.#run;
    const node = this.#node();
    switch (node.type) {
      case "message":
      case "webhook":
      case "transformation":
        return this.#attempt(1);
      case "delay": {
        const value = dateOf(node.config.field, start.event.properties, answer);
        const dueAt = delayEnd(node, { sinceMs, timezone, contactZone: answer?.zone, value });
        if (dueAt <= at) return this.#pass();
        return this.#set({ waitsFor: { kind: "time", dueAt } });
      }
      case "wait": {
        const dueAt = addDuration(sinceMs, node.config.timeout, timezone);
        if (this.#passSeen(dueAt)) return;
        const fitting = this.#fitting(answer);
        if (fitting !== undefined) return this.#pass(fitting.label);
        const askAt = this.#criteria().length > 0 ? { askAt: at + ASK_AGAIN_MS } : {};
        return this.#set({ waitsFor: { kind: "facts", dueAt, ...askAt, tries: 1 } });
      }
      case "filter":
        return this.#pass(this.#fitting(answer)?.label ?? "no");
      case "split":
        return this.#pass(choosePath(node.config.paths, { orchestration, node: node.id, contact }));
      case "goal":
        this.#reach(node.config.name);
        return this.#pass();
      case "exit":
        return this.#end({ at, state: "exited", reason: node.config.name ?? "exit" });
    }
  }

  /** Wants a send, a call or a write. */
  #attempt(tries: number) {
    const { start, since } = this.#run;
    const node = this.#node();
    const { id } = node;
    if (node.type === "message") {
      const { templateKey: template, mergeData, expiresAfter } = node.config;
      const expiry = expiresAfter && { expiresAt: addDuration(since, expiresAfter, this.#journey.timezone) };
      this.#emit("send", { kind: "send", node: id, template, extVars: { ...start.extVars, ...mergeData }, ...expiry });
      return this.#await("send", tries);
    }
    const suffix = `try:${tries}`;
    const delivery = effectId(this.#run, "call");
    this.#emit(suffix, node.type === "webhook" ? { kind: "call", node: id, delivery } : { kind: "write", node: id });
    this.#await(suffix, tries);
  }

  #await(suffix: string, tries: number) {
    this.#set({ waitsFor: { kind: "outcome", effect: effectId(this.#run, suffix), tries } });
  }

  /** Goes on with what became known, if the run waits for it; a disabled orchestration keeps it for later. */
  #learn(input: Answer | Outcome | Failure, at: number) {
    const { waitsFor, state } = this.#run;
    const about = input.kind === "outcome" ? input.effect : input.question;
    if (waitsFor === undefined || awaitedBy(waitsFor) !== about) return;
    if (!this.#journey.isEnabled) return this.#set({ held: input });
    this.#set({ at, waitsFor: undefined });
    if (input.kind === "outcome") return this.#conclude(input, waitsFor);
    if (input.kind === "failure") return this.#tryAgain(waitsFor, input.reason);
    if (waitsFor.kind === "facts") return this.#askedAgain(input, waitsFor);
    const { composition } = this.#journey;
    if (state === "entering") {
      if (fittingOf(criteriaOfEntry(composition), input) === undefined) this.#refuse("audience");
      else this.#admit();
    } else if (fittingOf(criteriaOfExits(composition), input) === undefined) this.#act(input);
    else this.#end({ at, state: "exited", reason: "exit" });
  }

  /** Returns the first criteria of the node that the contact fits. */
  #fitting(answer: Answer | undefined): AskedCriteria | undefined {
    return fittingOf(this.#criteria(), answer);
  }

  #askedAgain(answer: Answer, waitsFor: Extract<WaitsFor, { kind: "facts" }>) {
    const fitting = this.#fitting(answer);
    if (fitting !== undefined) return this.#pass(fitting.label, { hasWaited: true });
    const askAt = this.#run.at + ASK_AGAIN_MS;
    this.#set({ waitsFor: { kind: "facts", dueAt: waitsFor.dueAt, askAt, tries: 1 } });
  }

  #conclude({ result, reason }: Outcome, waitsFor: WaitsFor) {
    const node = this.#node();
    if (node.type === "message") {
      if (result === "ok" || node.config.onSkip === "next") return this.#pass();
      return this.#end({ at: this.#run.at, state: "exited", reason: reason ?? result });
    }
    if (result === "ok") return this.#pass(node.type === "webhook" ? "ok" : undefined);
    if (result === "error") return this.#tryAgain(waitsFor, reason ?? "The step failed.");
    this.#giveUp(waitsFor, reason ?? "The step was refused.");
  }

  #tryAgain(waitsFor: WaitsFor, reason: string) {
    const tries = "tries" in waitsFor ? waitsFor.tries : 1;
    const pauseMs = PAUSES_MS[tries - 1];
    if (pauseMs === undefined) return this.#giveUp(waitsFor, reason);
    const at = this.#run.at + pauseMs;
    if (waitsFor.kind === "facts") {
      return this.#set({ waitsFor: { kind: "facts", dueAt: waitsFor.dueAt, askAt: at, tries: tries + 1 } });
    }
    const of = waitsFor.kind === "outcome" ? waitsFor.kind : "answer";
    this.#set({ waitsFor: { kind: "retry", of, dueAt: at, tries } });
  }

  #giveUp({ kind }: WaitsFor, message: string) {
    if (kind === "outcome" && this.#node().type === "webhook") return this.#pass("failed");
    if (this.#run.state === "entering") this.#countEntry();
    this.#fail("STEP_FAILED", message);
  }

  #fail(code: string, message: string) {
    this.#end({ at: this.#run.at, state: "failed", error: { code, message } });
  }

  #retry(at: number) {
    const { state, visit } = this.#run;
    if (state !== "failed") return;
    const begun = visit === 0 ? { state: "entering" as const } : { state: "waiting" as const, visit: visit + 1 };
    this.#set({ ...begun, at, since: at, steps: 0, error: undefined, waitsFor: { kind: "begin" } });
  }

  /** Leaves the node by the edge of a result; without one the run is completed. */
  #pass(label?: string, { hasWaited = false } = {}) {
    const node = this.#node();
    const { at, visit, since, seen, steps } = this.#run;
    const edge = node.next.find((one) => one.label === label);
    const way = { ...(label !== undefined && { edge: label }), ...(edge !== undefined && { to: edge.id }) };
    this.#emit("passed", { kind: "passed", node: node.id, at: since, ...way });
    if (edge === undefined) return this.#end({ at, state: "completed", hasPassed: true });
    const left =
      node.type === "wait" && node.config.since === "here" ? filterFits(seen, (wait) => wait !== node.id) : seen;
    const next = { node: edge.id, visit: visit + 1, since: at, waitsFor: { kind: "begin" } as const };
    this.#set({ ...next, seen: left, steps: hasWaited ? 0 : steps });
  }

  /** Satisfies a wait with the first activity that fits it and satisfied none yet. @returns false when there is none. */
  #passSeen(beforeMs: number, how: { readonly hasWaited?: boolean } = {}): boolean {
    const { seen, node, at } = this.#run;
    const first = seen.find((one) => one.at < beforeMs && one.fits.some(([wait]) => wait === node));
    const fit = first?.fits.find(([wait]) => wait === node);
    if (first === undefined || fit === undefined) return false;
    this.#set({ at: Math.max(at, first.at), seen: seen.filter((one) => one !== first) });
    this.#pass(String(fit[1]), how);
    return true;
  }

  /** Counts goals, ends at an exit, and remembers the activity for waits, also while the orchestration is disabled. */
  #observe(activity: Activity, at: number) {
    const before = this.#run;
    if (before.reason === "merged") return;
    const { goals, isExit, fits } = observe(this.#journey, before, { activity, at });
    for (const name of goals) this.#reach(name);
    if (!isLive(before)) return;
    this.#set({ positions: { ...before.positions, [activity.stream]: activity.position } });
    if (isExit && before.state === "entering") return this.#set({ isExiting: true });
    if (isExit) return this.#end({ at, state: "exited", reason: "exit" });
    const { seen, node } = before;
    const isHere = (one: Pick<Run["seen"][number], "fits">) => one.fits.some(([wait]) => wait === node);
    // An activity for the wait that the run is at always counts.
    const hasSpace = seen.length < SEEN_MAX || (isHere({ fits }) && !seen.some(isHere));
    if (fits.length > 0 && hasSpace) this.#set({ seen: [...seen, { fact: activity.id, at, fits }] });
  }

  #reach(name: string) {
    const { goals, state } = this.#run;
    if (goals.includes(name)) return;
    this.#set({ goals: [...goals, name] });
    if (state !== "entering") this.#emit(`goal:${name}`, { kind: "goal", name, isHoldout: state === "holdout" });
  }

  #end(ending: Ending) {
    if (this.#run.state === "entering" && ending.state === "exited") return this.#refuse();
    const { run, effects } = endRun(this.#run, ending);
    this.#run = run;
    this.#effects.push(...effects);
  }
}
