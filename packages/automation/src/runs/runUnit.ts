import { giveTurn } from "@headwater/kernel";
import { step } from "../orchestrations/fold.ts";
import { type Migrating, migrateRun } from "../orchestrations/migrate.ts";
import {
  type Effect,
  endRun,
  type Input,
  isLive,
  type Journey,
  type Run,
  type Start,
  type Stepped,
} from "../orchestrations/run.ts";
import { type Entries, enter, enterBroken, joinEntries, mergeRuns, type Past } from "../orchestrations/start.ts";
import type { GoalRow, QuestionRow, RefusalRow, StepRow, TaskRow } from "./effectRows.ts";
import type { EntryKey, StoredEntries } from "./entryRows.ts";
import { keyTextOf, type RunKey, type SteppedRun, type StoredRun } from "./postgres.ts";

/** Steps that one input takes a run that is far behind: a loop of a minute catches up a year. */
const STEPS_MAX = 1_000;

/** A send that a run wants. */
export interface WantedSend {
  readonly account: number;
  readonly orchestration: string;
  readonly run: Run;
  readonly effect: Extract<Effect, { kind: "send" }>;
}

/** Loads what turns out to be needed while runs are stepped. */
export interface UnitLoads {
  runs(keys: readonly RunKey[]): Promise<readonly SteppedRun[]>;
  entries(keys: readonly EntryKey[]): Promise<readonly StoredEntries[]>;
  isKnown(key: RunKey): Promise<boolean>;
  onBroken(key: RunKey, error: unknown): void;
}

interface Tracked extends RunKey {
  readonly orchestration: string;
  readonly sequence: number;
  /** Its JSON cannot be read: what the other columns say of it is all that is known. */
  readonly isUnreadable?: true;
  journey: Journey;
  /** Undefined once it was refused. */
  run: Run | undefined;
  isChanged: boolean;
}

interface TrackedEntries extends EntryKey {
  entries: Entries;
  isChanged: boolean;
}

/** Runs of one transaction on their way through its inputs, with all effects that they want. Nothing is stored before all of it is. */
export class RunUnit {
  readonly #loads: UnitLoads;
  readonly #runs = new Map<string, Tracked>();
  /** Runs that had a contact or a key at some time, to find them by. */
  readonly #byContact = new Map<string, Set<Tracked>>();
  readonly #byEntry = new Map<string, Set<Tracked>>();
  readonly #entries = new Map<string, TrackedEntries>();
  readonly steps: StepRow[] = [];
  readonly goals: GoalRow[] = [];
  readonly questions: QuestionRow[] = [];
  readonly tasks: TaskRow[] = [];
  readonly refusals: RefusalRow[] = [];
  readonly sends: WantedSend[] = [];
  /** Ids of effects: sends to be cancelled, by account. */
  readonly cancels: { readonly account: number; readonly effect: string }[] = [];
  /** Runs that have ended. */
  readonly ended: StoredRun[] = [];
  /** Number of inputs that were applied. */
  applied = 0;

  constructor(loads: UnitLoads) {
    this.#loads = loads;
  }

  /** Adds locked runs. One that is there already stays as it is. */
  add(runs: readonly SteppedRun[]): void {
    for (const one of runs) if (!this.#runs.has(textOf(one))) this.#track({ ...one, isChanged: false });
  }

  #track(tracked: Tracked): void {
    this.#runs.set(textOf(tracked), tracked);
    this.#index(tracked);
  }

  #index(tracked: Tracked): void {
    const { account, run } = tracked;
    if (run === undefined) return;
    addTo(this.#byContact, `${account} ${run.contact}`, tracked);
    addTo(this.#byEntry, entryText({ ...tracked, contact: run.contact, key: keyTextOf(run) }), tracked);
  }

  addEntries(entries: readonly StoredEntries[]): void {
    for (const one of entries) {
      const key = entryText(one);
      if (!this.#entries.has(key)) this.#entries.set(key, { ...one, isChanged: false });
    }
  }

  /** Returns the runs of a contact. */
  ofContact(account: number, contact: number): RunKey[] {
    const found = [...(this.#byContact.get(`${account} ${contact}`) ?? [])];
    return found.filter(({ run }) => run?.contact === contact);
  }

  /** Gives an input to a run. One that cannot be stepped fails, and no other run hears of it. @returns false for a run that is not there. */
  async apply(key: RunKey, input: Input): Promise<boolean> {
    const tracked = this.#runs.get(textOf(key));
    if (tracked?.run === undefined) return false;
    this.applied += 1;
    const at = input.kind === "activity" ? input.activity.at : input.at;
    for (let steps = 0; tracked.run !== undefined; steps++) {
      // A step compares long texts, or makes a thousand moves: some milliseconds.
      await giveTurn();
      const stepped = this.#stepOf(tracked, tracked.run, input);
      if (stepped === undefined) {
        await this.fail(key, at);
        return true;
      }
      await this.#take(tracked, stepped);
      // Time is given again by the claim of what is still due.
      if (!stepped.isBehind || input.kind === "time") return true;
      if (steps === STEPS_MAX) throw new Error(`run ${key.id} is more than ${STEPS_MAX} steps behind`);
    }
    return true;
  }

  /** Returns undefined for a run that cannot be stepped. A step is pure: one that breaks leaves nothing behind. */
  #stepOf(tracked: Tracked, run: Run, input: Input): Stepped | undefined {
    if (tracked.isUnreadable) return undefined;
    try {
      return step(tracked.journey, run, input);
    } catch (error) {
      this.#loads.onBroken(tracked, error);
      return undefined;
    }
  }

  /** Ends a run that cannot be stepped: it is a defect of ours, and no other run waits for it. */
  async fail(key: RunKey, at: number): Promise<void> {
    const tracked = this.#runs.get(textOf(key));
    if (tracked?.run === undefined || !isLive(tracked.run)) return;
    await this.#take(tracked, { ...endRun(tracked.run, { at, state: "failed", error: BROKEN }), isBehind: false });
  }

  /** Moves a run to another version. */
  async migrate(key: RunKey, to: Journey, migrating: Migrating): Promise<void> {
    const tracked = this.#runs.get(textOf(key));
    if (tracked?.run === undefined) return;
    const { run } = tracked;
    if (tracked.isUnreadable) return this.fail(key, migrating.at);
    const migrated = migrateRun(to, run, migrating);
    if (migrated.run?.version === to.version) tracked.journey = to;
    await this.#take(tracked, migrated);
  }

  /** Lets a contact enter, where it may. @param isBroken its start broke before: its run is stored as failed. */
  async start(
    account: number,
    journey: Journey,
    start: Start,
    isBroken = false,
  ): Promise<"known" | "refused" | "begun"> {
    const { orchestration } = journey;
    const key = { account, orchestration, contact: start.contact, key: keyTextOf(start) };
    const entries = await this.#entriesOf(key);
    const own = { account, id: start.run };
    const hasRun = this.#runs.has(textOf(own)) || (await this.#loads.isKnown(own));
    const found = this.#liveOf(key);
    if (found?.isUnreadable) await this.fail(found, start.at);
    const live = found?.isUnreadable ? undefined : found;
    const entered = this.#enter(own, journey, start, { entries: entries.entries, hasRun, live: live?.run, isBroken });
    if ("entries" in entered) Object.assign(entries, { entries: entered.entries, isChanged: true });
    switch (entered.kind) {
      case "known":
        return "known";
      case "refused":
        this.refusals.push({ account, orchestration, reason: entered.reason });
        return "refused";
      case "waiting":
        if (live !== undefined) Object.assign(live, { run: entered.run, isChanged: true });
        return "begun";
      case "begun": {
        const tracked = { ...own, orchestration, journey, sequence: 0, run: undefined, isChanged: false };
        this.#track(tracked);
        await this.#take(tracked, entered.stepped, start.contact);
        return "begun";
      }
    }
  }

  #enter(key: RunKey, journey: Journey, start: Start, { isBroken, ...past }: Past & { readonly isBroken: boolean }) {
    try {
      if (!isBroken) return enter(journey, start, past);
    } catch (error) {
      this.#loads.onBroken(key, error);
    }
    return enterBroken(journey, start, { ...past, error: BROKEN });
  }

  /** Counts a contact that a fact would have let in, had it a key. */
  refuse(account: number, orchestration: string, reason: RefusalRow["reason"]): void {
    this.refusals.push({ account, orchestration, reason });
  }

  /** Gives everything of merged contacts to their survivor. @param taken entries of all of them, which are not stored any more. */
  async merge(
    account: number,
    family: { readonly survivor: number; readonly numbers: readonly number[]; readonly at: number },
    taken: readonly StoredEntries[],
  ): Promise<void> {
    const own = family.numbers.flatMap((number) => [...(this.#byContact.get(`${account} ${number}`) ?? [])]);
    for (const tracked of own) if (tracked.isUnreadable) await this.fail(tracked, family.at);
    for (const same of Map.groupBy(new Set(own), ({ orchestration }) => orchestration).values()) {
      const runs = same.flatMap(({ run }) => (run === undefined ? [] : [run]));
      const joined = new Map(
        mergeRuns(runs, family.survivor, family.at).flatMap((stepped) =>
          stepped.run === undefined ? [] : [[stepped.run.id, stepped] as const],
        ),
      );
      for (const tracked of same) {
        const { id, run } = tracked;
        if (run === undefined) continue;
        if (isLive(run)) await this.#take(tracked, joined.get(id) ?? { run: undefined, effects: [], isBehind: false });
        else Object.assign(tracked, { run: { ...run, contact: family.survivor }, isChanged: true });
        this.#index(tracked);
      }
    }
    for (const { entries, ...from } of taken) {
      const into = await this.#entriesOf({ ...from, contact: family.survivor });
      Object.assign(into, { entries: joinEntries(into.entries, entries), isChanged: true });
    }
  }

  /** Marks a run so that it is stored though no input changed it. */
  touch(key: RunKey): void {
    const tracked = this.#runs.get(textOf(key));
    if (tracked !== undefined) tracked.isChanged = true;
  }

  /** Returns what is to be stored of the runs. */
  changes() {
    const inserted: SteppedRun[] = [];
    const updated: SteppedRun[] = [];
    const deleted: RunKey[] = [];
    for (const { isChanged, run, ...one } of this.#runs.values()) {
      if (!isChanged) continue;
      if (run !== undefined) (one.sequence === 0 ? inserted : updated).push({ ...one, run });
      else if (one.sequence > 0) deleted.push(one);
    }
    return { inserted, updated, deleted };
  }

  changedEntries(): StoredEntries[] {
    return [...this.#entries.values()].filter(({ isChanged }) => isChanged);
  }

  async #take(
    tracked: Tracked,
    { run, effects }: Stepped,
    contact = tracked.run?.contact ?? run?.contact,
  ): Promise<void> {
    if (run !== tracked.run || run === undefined) tracked.isChanged = true;
    const before = tracked.run;
    tracked.run = run;
    if (before === undefined) this.#index(tracked);
    const of = run ?? before;
    for (const effect of effects) await this.#happen(tracked, effect, { of, contact });
  }

  async #happen(
    tracked: Tracked,
    effect: Effect,
    { of, contact = 0 }: { readonly of: Run | undefined; readonly contact: number | undefined },
  ): Promise<void> {
    const { account, orchestration, journey, id: run } = tracked;
    const { version = journey.version, at = 0 } = of ?? {};
    const base = { account, run, orchestration };
    switch (effect.kind) {
      case "send":
        if (of !== undefined) this.sends.push({ account, orchestration, run: of, effect });
        return;
      case "cancel":
        this.cancels.push({ account, effect: effect.send });
        return;
      case "call":
      case "write":
        this.tasks.push({
          ...{ account, run, id: effect.id, kind: effect.kind, node: effect.node, contact },
          delivery: effect.kind === "call" ? effect.delivery : null,
        });
        return;
      case "ask": {
        const { criteria, wantsZone, field = null } = effect;
        this.questions.push({ ...base, id: effect.id, version, contact, criteria, wantsZone, field });
        return;
      }
      case "goal":
        this.goals.push({ ...base, name: effect.name, isHoldout: effect.isHoldout, at });
        return;
      case "passed": {
        const { node, edge = null, to: next = null } = effect;
        this.steps.push({ ...base, visit: visitOf(effect.id), node, at: effect.at, edge, next });
        return;
      }
      case "ended":
        if (tracked.run !== undefined) this.ended.push({ ...tracked, run: tracked.run });
        return;
      case "entered": {
        const { key } = effect;
        const entries = await this.#entriesOf({ account, orchestration, contact, key: keyTextOf({ key }) });
        Object.assign(entries, { entries: { ...entries.entries, enteredAt: effect.at }, isChanged: true });
        return;
      }
      case "refused":
        this.refusals.push({ account, orchestration, reason: effect.reason });
        return;
      case "replace":
        return this.#replace({ account, id: effect.run }, at);
      case "start":
        await this.start(account, journey, { ...effect.start, contact });
        return;
    }
  }

  async #replace(key: RunKey, at: number): Promise<void> {
    if (!this.#runs.has(textOf(key))) this.add(await this.#loads.runs([key]));
    await this.apply(key, { kind: "exit", at, reason: "reentry" });
  }

  async #entriesOf(key: EntryKey): Promise<TrackedEntries> {
    const known = this.#entries.get(entryText(key));
    if (known !== undefined) return known;
    this.addEntries(await this.#loads.entries([key]));
    const loaded = this.#entries.get(entryText(key));
    if (loaded === undefined) throw new Error("entries that were locked are there");
    return loaded;
  }

  /** Returns the run on its way of a contact and key: the one that is entering, where another one waits for it. */
  #liveOf(key: EntryKey): Tracked | undefined {
    const live = [...(this.#byEntry.get(entryText(key)) ?? [])].filter(
      ({ run }) => run !== undefined && isLive(run) && run.contact === key.contact,
    );
    return live.find(({ run }) => run?.state === "entering") ?? live[0];
  }
}

const BROKEN = { code: "INTERNAL_ERROR", message: "The step cannot be taken." } as const;

function textOf({ account, id }: RunKey): string {
  return `${account} ${id}`;
}

function entryText({ account, orchestration, contact, key }: EntryKey): string {
  return `${account} ${orchestration} ${contact} ${key}`;
}

/** Returns the visit that an effect's id names behind its run. */
function visitOf(effect: string): number {
  return Number(effect.split(":").at(-2));
}

function addTo(index: Map<string, Set<Tracked>>, key: string, tracked: Tracked): void {
  const known = index.get(key);
  if (known === undefined) index.set(key, new Set([tracked]));
  else known.add(tracked);
}
