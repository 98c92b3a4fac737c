import { z } from "zod";
import type { Composition } from "./orchestration.ts";

/** A version of an orchestration, with the facts that its runs depend on. */
export interface Journey {
  /** Id of the orchestration. */
  readonly orchestration: string;
  readonly version: number;
  readonly composition: Composition;
  /** Nobody enters or moves while it is not. */
  readonly isEnabled: boolean;
  /** Zone of the account. */
  readonly timezone: string;
}

const ms = z.int();
const keyValue = z.union([z.string(), z.number(), z.boolean()]);
export type KeyValue = z.output<typeof keyValue>;
const values = z.record(z.string(), z.unknown());
/** Position of the last fact by stream: facts are in order within a stream, and one that comes again is known by it. */
const positions = z.record(z.string(), z.int());
export type Positions = Readonly<z.output<typeof positions>>;

/** A fact that starts a run. */
export const startSchema = z.strictObject({
  /** Id of the run: the same for the same fact, so that one that comes again starts nothing. */
  run: z.string(),
  contact: z.int(),
  at: ms,
  stream: z.string(),
  position: z.int(),
  key: keyValue.optional(),
  /** The activity, order or cart, as templates read it under `event`. */
  event: z.strictObject({ id: z.string(), action: z.string(), time: z.string().optional(), properties: values }),
  extVars: values,
});
export type Start = z.output<typeof startSchema>;

const waitsFor = z.discriminatedUnion("kind", [
  /** The node is not begun: its orchestration is disabled, or the run has just come to it. */
  z.strictObject({ kind: z.literal("begin") }),
  z.strictObject({ kind: z.literal("time"), dueAt: ms }),
  /** A wait. `askAt` is when its criteria are asked for again, `question` the answer that is awaited. */
  z.strictObject({
    kind: z.literal("facts"),
    dueAt: ms,
    askAt: ms.optional(),
    question: z.string().optional(),
    tries: z.int(),
  }),
  /** The answer that the node needs before it acts, or the run before it enters. */
  z.strictObject({ kind: z.literal("answer"), question: z.string(), tries: z.int() }),
  /** The end of a send, a call or a write. */
  z.strictObject({ kind: z.literal("outcome"), effect: z.string(), tries: z.int() }),
  z.strictObject({ kind: z.literal("retry"), of: z.enum(["answer", "outcome"]), dueAt: ms, tries: z.int() }),
]);
export type WaitsFor = z.output<typeof waitsFor>;

const answer = z.strictObject({
  kind: z.literal("answer"),
  question: z.string(),
  at: ms,
  /** Pointers of the criteria that the contact fits, of those asked for. */
  fits: z.array(z.string()),
  /** Zone of the contact, where it was asked for and the contact has one. */
  zone: z.string().optional(),
  /** Value of the field, where one was asked for. */
  value: z.unknown().optional(),
});
export type Answer = z.output<typeof answer>;

const outcome = z.strictObject({
  kind: z.literal("outcome"),
  effect: z.string(),
  at: ms,
  /** `refused` will not end better when it is tried again, `error` may. */
  result: z.enum(["ok", "skipped", "refused", "error"]),
  reason: z.string().optional(),
});

export type Outcome = z.output<typeof outcome>;

const failure = z.strictObject({ kind: z.literal("failure"), question: z.string(), at: ms, reason: z.string() });
export type Failure = z.output<typeof failure>;

/** A contact's way through a version, as it is stored. */
export const runSchema = z.strictObject({
  id: z.string(),
  version: z.int(),
  contact: z.int(),
  key: keyValue.optional(),
  /** `entering` waits for the answer whether the contact is in the audience of `entry`. */
  state: z.enum(["entering", "waiting", "completed", "exited", "failed", "holdout"]),
  start: startSchema,
  /** Instant of the last change, milliseconds since 1970. What is known later never counts as earlier. */
  at: ms,
  positions,
  node: z.string(),
  /** Nodes that the run came to, this one included. */
  visit: z.int(),
  /** Instant at which the node was due. */
  since: ms,
  /** Nodes begun since it last waited. */
  steps: z.int(),
  /** Questions asked so far. */
  questions: z.int(),
  waitsFor: waitsFor.optional(),
  /** The answer or outcome that came while the orchestration was disabled. */
  held: z.discriminatedUnion("kind", [answer, outcome, failure]).optional(),
  /** Activities that fit waits and satisfied none yet: `fits` has the ids of waits and the numbers of their conditions. */
  seen: z.array(z.strictObject({ fact: z.string(), at: ms, fits: z.array(z.tuple([z.string(), z.int()])) })),
  /** Names of the goals reached. */
  goals: z.array(z.string()),
  /** An activity that ends the run came while it was entering. */
  isExiting: z.literal(true).optional(),
  /** The run that ends when this one enters. */
  replaces: z.string().optional(),
  /** The latest start that came while this one was entering. */
  nextStart: startSchema.optional(),
  reason: z.string().optional(),
  error: z.strictObject({ code: z.string(), message: z.string() }).optional(),
});
export type Run = z.output<typeof runSchema>;

/** Reads the JSON text of a stored run; undefined for one that is damaged, or that another release wrote. */
export function parseRun(text: string): Run | undefined {
  try {
    return runSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Something that reached a run. Times are milliseconds since 1970. */
export type Input =
  | { readonly kind: "activity"; readonly activity: Activity }
  /** Time has come so far, and every fact from before it was given to the run. */
  | { readonly kind: "time"; readonly at: number }
  | Answer
  | Outcome
  | Failure
  /** Somebody or something outside the graph ends the run: a call, a re-entry, a deletion. */
  | { readonly kind: "exit"; readonly at: number; readonly reason: string }
  /** Tries the node of a failed run again. */
  | { readonly kind: "retry"; readonly at: number };

/** A fact of the log about a contact. */
interface FactOfLog {
  /** Id of the record, the same whenever it is read. */
  readonly id: string;
  /** Partition that it came through. */
  readonly stream: string;
  /** Position in the stream: it rises from fact to fact. */
  readonly position: number;
  /** Arrival, milliseconds since 1970. */
  readonly at: number;
  /** Number of the contact. */
  readonly contact: number;
  /** It starts nothing. Waits, goals and exits see it all the same. */
  readonly suppressTriggers?: boolean;
}

export interface Activity extends FactOfLog {
  readonly kind: "activity";
  readonly action: string;
  /** Its own time. */
  readonly time?: string;
  readonly properties: Readonly<Record<string, unknown>>;
  /** A machine opened or clicked. */
  readonly isRobot?: boolean;
  /** The message that it is about: the run that sent it, and its template. */
  readonly message?: { readonly run?: string; readonly key?: string };
}

export type Fact =
  | Activity
  | (FactOfLog & { readonly kind: "list"; readonly list: string; readonly on: "joined" | "left" })
  | (FactOfLog & {
      readonly kind: "order";
      readonly orderId: string;
      readonly order: Readonly<Record<string, unknown>>;
    })
  /** A cart that has stayed as it is for as long as the trigger says. */
  | (FactOfLog & { readonly kind: "cart"; readonly cart: Readonly<Record<string, unknown>> })
  | (FactOfLog & { readonly kind: "audience"; readonly audience: string })
  | (FactOfLog & { readonly kind: "call"; readonly extVars: Readonly<Record<string, unknown>> });

/**
 * Something that a run wants done. Its id follows from the run and its visit of the node, so an effect that is wanted again is known by it
 * and happens once.
 */
export type Effect = { readonly id: string } & Wanted;

export type Wanted =
  | {
      readonly kind: "send";
      readonly node: string;
      readonly template: string;
      readonly extVars: Readonly<Record<string, unknown>>;
      readonly expiresAt?: number;
    }
  /** Cancels a send that was not begun. */
  | { readonly kind: "cancel"; readonly send: string }
  /** `delivery` is the same for all tries. */
  | { readonly kind: "call"; readonly node: string; readonly delivery: string }
  | { readonly kind: "write"; readonly node: string }
  /** Asks which criteria the contact fits, by pointers into the version, and for what else a delay needs. */
  | {
      readonly kind: "ask";
      readonly criteria: readonly string[];
      readonly wantsZone: boolean;
      readonly field?: string;
    }
  | { readonly kind: "goal"; readonly name: string; readonly isHoldout: boolean }
  /** The run has left a node, or ended at it, where `to` is absent. */
  | {
      readonly kind: "passed";
      readonly node: string;
      readonly at: number;
      readonly edge?: string;
      readonly to?: string;
    }
  | { readonly kind: "ended"; readonly state: Run["state"]; readonly reason?: string }
  /** The contact has entered, which counts for its next entry. */
  | { readonly kind: "entered"; readonly at: number; readonly key?: KeyValue }
  /** The contact does not enter. */
  | { readonly kind: "refused"; readonly reason: Refusal }
  /** Another run of the contact and key ends as `exited`, reason `reentry`. */
  | { readonly kind: "replace"; readonly run: string }
  /** A start that waited for this one to enter or to be refused. */
  | { readonly kind: "start"; readonly start: Start };

export type Refusal = "reentry" | "audience" | "key";

export interface Stepped {
  /** The run from now on; undefined for one that was refused. */
  readonly run: Run | undefined;
  readonly effects: readonly Effect[];
  /** The input was not taken, because so much was due before it: the same input has to be given again. */
  readonly isBehind: boolean;
}

/** Returns whether a fact has been taken before. */
export function isTaken(taken: Positions, { stream, position }: Pick<FactOfLog, "stream" | "position">): boolean {
  return position <= (taken[stream] ?? -1);
}

/** Joins the positions of runs or contacts that were merged. */
export function joinPositions(one: Positions, other: Positions): Positions {
  const joined = { ...one };
  for (const [stream, position] of Object.entries(other))
    joined[stream] = Math.max(position, joined[stream] ?? position);
  return joined;
}

/** Returns when a run is due by itself, in milliseconds since 1970. */
export function dueAtOf({ waitsFor: waiting }: Pick<Run, "waitsFor">): number | undefined {
  switch (waiting?.kind) {
    case "time":
    case "retry":
      return waiting.dueAt;
    case "facts":
      // A question that was asked in time is answered first, however late that is.
      return waiting.question === undefined ? Math.min(waiting.dueAt, waiting.askAt ?? waiting.dueAt) : undefined;
    default:
      return undefined;
  }
}

/** Returns whether a run is on its way: of one contact and key at most one is. */
export function isLive({ state }: Pick<Run, "state">): boolean {
  return state === "entering" || state === "waiting";
}

/** Returns the id of an effect: of the run, its visit of a node and what the effect is. */
export function effectId({ id, visit }: Pick<Run, "id" | "visit">, what: string): string {
  return `${id}:${visit}:${what}`;
}

export interface Ending {
  readonly at: number;
  readonly state: "completed" | "exited" | "failed";
  readonly reason?: string;
  readonly error?: NonNullable<Run["error"]>;
  /** The run has left its last node by a result. */
  readonly hasPassed?: boolean;
}

/** Ends a run. A send that it waits for is cancelled, if it was not begun. */
export function endRun(
  run: Run,
  { at, state, reason, error, hasPassed = false }: Ending,
): { readonly run: Run; readonly effects: Effect[] } {
  const { waitsFor: waiting, node, since } = run;
  const effects: Effect[] = [];
  if (waiting?.kind === "outcome") {
    effects.push({ id: effectId(run, "cancel"), kind: "cancel", send: waiting.effect });
  }
  if (!hasPassed) effects.push({ id: effectId(run, "passed"), kind: "passed", node, at: since });
  effects.push({ id: effectId(run, "ended"), kind: "ended", state, ...(reason !== undefined && { reason }) });
  const { waitsFor: _waitsFor, held: _held, reason: _reason, error: _error, ...rest } = run;
  const why = { ...(reason !== undefined && { reason }), ...(error !== undefined && { error }) };
  return { run: { ...rest, at: Math.max(at, run.at), state, seen: [], ...why }, effects };
}

/** Returns what was seen for some of the waits, without activities that fit none of them. */
export function filterFits(seen: Run["seen"], isWanted: (wait: string) => boolean): Run["seen"] {
  return seen.flatMap((one) => {
    const fits = one.fits.filter(([wait]) => isWanted(wait));
    return fits.length === 0 ? [] : [{ ...one, fits }];
  });
}

/** Returns the id of the question or effect that a run waits for. */
export function awaitedBy(waitsFor: WaitsFor): string | undefined {
  switch (waitsFor.kind) {
    case "answer":
    case "facts":
      return waitsFor.question;
    case "outcome":
      return waitsFor.effect;
    case "begin":
    case "time":
    case "retry":
      return undefined;
  }
}
