import { type Account, suppressesTriggers, TRIGGER_TOPICS } from "@headwater/contracts";
import { type Answer, type Call, type Caller, type DryRunRules, missingRight, type Route } from "@headwater/http";
import { newRequestId } from "@headwater/kernel";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { rehearse } from "@headwater/postgres/connection/savepoint";
import type { Session, Transaction } from "@headwater/postgres/connection/session";
import { readOwnOutbox } from "@headwater/postgres/outbox/outbox";
import { z } from "zod";
import { readRecord } from "../writing/readOnlyMembers.ts";
import { type Change, changesOf, digestOf, withoutGenerated } from "./changes.ts";
import { type DryRunBody, dryRunAnswer } from "./dryRunAnswer.ts";
import type { DryRuns, Effects } from "./dryRuns.ts";

export interface DryRunPorts {
  readonly postgres: Postgres;
  readonly dryRuns: DryRuns;
  /** Returns the routes once more, over the ports of dry runs. */
  readonly routes: () => readonly Route[];
  /** Returns whether something of the account waits for changes, and starts sends or runs by them. */
  mayStart(session: Session, account: Account): Promise<boolean>;
}

export interface Trial {
  readonly route: Route;
  readonly rules: DryRunRules;
  /** Finds a route over the ports of dry runs. @param name method and path. */
  readonly find: (name: string) => Route | undefined;
  readonly ports: DryRunPorts;
}

export const nameOf = ({ method, path }: Pick<Route, "method" | "path">) => `${method} ${path}`;

/** Returns a call with other parts. The getters of a call as it was received are its prototype's. */
export function callOf(call: Call, parts: Partial<Call>): Call {
  const { requestId, method, receivedAtMs, caller, params, query, bytes, mediaType, traceparent, clientAddress } = call;
  return {
    ...{ requestId, method, receivedAtMs, caller, params, query, bytes, mediaType, traceparent, clientAddress },
    get stream() {
      return call.stream;
    },
    header: (name) => call.header(name),
    admit: (caller) => call.admit(caller),
    get signal() {
      return call.signal;
    },
    ...parts,
  };
}

interface Previewed {
  readonly call: Call;
  readonly transaction: Transaction;
  /** The same write, run by itself. */
  readonly other: Attempted;
}

/** Runs a write, takes it back, and returns what it did. */
export async function preview(trial: Trial, { call, transaction, other }: Previewed): Promise<DryRunBody> {
  const { rules } = trial;
  const first = await attempt(trial, { call, transaction, aheadMs: 0 });
  const compared = { before: await readWithin(trial, { call, transaction, target: first.target }), after: first.after };
  const changes = changesOf(compared);
  const digested = changesOf({ before: compared.before, after: withoutGenerated(first.after, other.after) });
  const counts = countsOf(first, changes, compared);
  const { isReadable } = first.target ?? { isReadable: true };
  const { status, dryRun: more } = first.answer;
  const body = bodyOf(first.answer);
  return {
    dryRun: true,
    status,
    answer: without(body, [...(rules.omits ?? []), ...RECEIPTS]),
    changes: boundedChanges(changes).map(({ path, from, to }) => (isReadable ? { path, from, to } : { path })),
    counts,
    starts: first.starts,
    warnings: warningsOf(body, { changes, isReadable, rules }),
    digest: digestOf(digested, [counts, status, withoutGenerated(body, bodyOf(other.answer))]),
    ...more,
  };
}

/** Calls the route over the ports of dry runs. */
export function runOf({ route, find }: Trial, call: Call): Answer | Promise<Answer> {
  const tried = find(nameOf(route));
  if (tried === undefined) throw new Error(`${nameOf(route)} has no dry run`);
  return tried.run(call);
}

interface Attempt {
  readonly call: Call;
  readonly transaction: Transaction;
  readonly aheadMs: number;
}

export interface Attempted {
  readonly answer: Answer;
  readonly target: Target | undefined;
  readonly after: unknown;
  readonly effects: Effects;
  readonly starts: number | "unknown";
}

export async function attempt(trial: Trial, { call, transaction, aheadMs }: Attempt): Promise<Attempted> {
  const { rules, ports } = trial;
  const requestId = aheadMs === 0 ? call.requestId : newRequestId();
  const receivedAtMs = call.receivedAtMs + aheadMs;
  const header = (name: string) => (name === "idempotency-key" ? undefined : call.header(name));
  const dry = callOf(call, { requestId, receivedAtMs, header, isDryRun: true });
  const effects = { jobs: 0, records: 0 };
  const attempted: Attempted[] = [];
  await rehearse(transaction, async (part) => {
    const work = { transaction: part, isLive: false, effects, aheadMs };
    const answer = await ports.dryRuns.within(work, async () => runOf(trial, dry));
    const target = targetOf(trial, call, bodyOf(answer));
    const after = await readWithin(trial, { call, transaction: part, target });
    const starts = rules.starts?.(answer, after) ?? (await startsOf(trial, { call, transaction: part, effects }));
    attempted.push({ answer, target, after, effects, starts });
  });
  const [done] = attempted;
  if (done === undefined) throw new Error("the write was not run");
  return done;
}

/** A record and the route that reads it. */
interface Target {
  readonly read: Route;
  readonly params: unknown;
  readonly isReadable: boolean;
}

const LAST_PARAMETER = /\/\{(\w+)\}$/;
const LAST_SEGMENT = /\/[^/]+$/;

/** Finds what reads the record that a call writes: at its own path, below it for one that is created, else above it. */
function targetOf({ route, rules, find }: Trial, call: Call, answer: unknown): Target | undefined {
  const named = rules.paramsOf?.(JSON.parse(call.bytes.toString("utf8")));
  const own = { ...Object(call.params), ...named };
  const created =
    route.method === "POST" && rules.record === undefined ? createdOf({ route, find }, answer) : undefined;
  if (created !== undefined) return targetBy(created.read, { ...own, ...created.params }, call.caller);
  for (let path = rules.record ?? route.path; path !== "/v2"; path = path.replace(LAST_SEGMENT, "")) {
    const read = find(`GET ${path}`);
    if (read !== undefined) return isList(read) ? undefined : targetBy(read, own, call.caller);
  }
  return undefined;
}

function createdOf({ route, find }: Pick<Trial, "route" | "find">, answer: unknown) {
  for (const name of KEYS) {
    const value: unknown = Reflect.get(Object(answer), name.member);
    const read = find(`GET ${route.path}/{${name.parameter}}`);
    if (read !== undefined && (typeof value === "string" || typeof value === "number"))
      return { read, params: { [name.parameter]: String(value) } };
  }
  return undefined;
}

/** Members of an answer that name what was created, by the parameter of the path that takes them. */
const KEYS = [
  { parameter: "id", member: "orderID" },
  { parameter: "orchestrationID", member: "orchestrationID" },
  { parameter: "id", member: "id" },
  { parameter: "key", member: "key" },
  { parameter: "productID", member: "productID" },
  { parameter: "primary_key", member: "cID" },
];

function isList({ path, answers }: Route): boolean {
  const schema = answers[200]?.schema;
  return !LAST_PARAMETER.test(path) && schema instanceof z.ZodObject && "pagination" in schema.shape;
}

function targetBy(read: Route, params: unknown, caller: Caller | undefined): Target {
  const named = Object.entries(Object(params)).filter(([name]) => read.path.includes(`{${name}}`));
  return {
    read,
    params: Object.fromEntries(named),
    isReadable: caller !== undefined && missingRight(caller, read) === undefined,
  };
}

function readWithin(
  { ports }: Trial,
  { call, transaction, target }: { call: Call; transaction: Transaction; target: Target | undefined },
): Promise<unknown> {
  if (target === undefined) return Promise.resolve(undefined);
  const work = { transaction, isLive: false, effects: { jobs: 0, records: 0 }, aheadMs: 0 };
  return ports.dryRuns.within(work, () => readRecord(target.read, callOf(call, { params: target.params })));
}

/** Returns what the change events of a write may start: whether they do is found out by those who wait for them. */
async function startsOf(
  { ports }: Trial,
  { call, transaction, effects }: { call: Call; transaction: Transaction; effects: Effects },
): Promise<0 | "unknown"> {
  if (call.caller === undefined) return 0;
  const own = await readOwnOutbox(transaction);
  if (effects.records === 0 && !own.some(mayTrigger)) return 0;
  return (await ports.mayStart(transaction, call.caller.account)) ? "unknown" : 0;
}

const triggerTopics: ReadonlySet<string> = new Set(TRIGGER_TOPICS);
const change = z.object({ version: z.string(), suppressTriggers: z.boolean().optional() });
const outboxPayload = z.object({ changes: z.array(change) });

function mayTrigger({ topic, payload }: { readonly topic: string; readonly payload: string }): boolean {
  if (!triggerTopics.has(topic)) return false;
  return outboxPayload.parse(JSON.parse(payload)).changes.some((one) => !suppressesTriggers(one));
}

const CREATED = 201;

/** Counts of the record where there is one, and else those that the answer gives. */
function countsOf(
  { effects, target, answer }: Attempted,
  changes: readonly Change[],
  { before, after }: { readonly before: unknown; readonly after: unknown },
): Record<string, number> {
  const [had, has] = [before !== undefined, after !== undefined];
  const isNew = target === undefined ? answer.status === CREATED && effects.records === 0 : !had && has;
  const counts = {
    created: isNew ? 1 : 0,
    updated: had && has && changes.length > 0 ? 1 : 0,
    deleted: had && !has ? 1 : 0,
    changes: changes.length,
    ...effects,
  };
  const given = target === undefined ? Object.entries(Object(bodyOf(answer))) : [];
  const numbers = given.flatMap(([name, value]) => (typeof value === "number" ? [[name, value] as const] : []));
  return { ...Object.fromEntries(numbers), ...counts };
}

function bodyOf({ body, text }: Answer): unknown {
  return text === undefined ? body : JSON.parse(text);
}

/** Members that follow what was accepted: of a dry run nothing was. */
const RECEIPTS = ["receipt"];

function without(body: unknown, names: readonly string[]): unknown {
  if (!names.some((name) => Object.hasOwn(Object(body), name))) return body;
  return Object.fromEntries(Object.entries(Object(body)).filter(([name]) => !names.includes(name)));
}

const CHANGES_MAX = 1_000;
const CHANGES_CHARACTERS_MAX = 1024 * 1024;

/** Returns the first changes, as many as an answer holds. */
function boundedChanges(changes: readonly Change[]): readonly Change[] {
  let characters = 0;
  const first = changes.slice(0, CHANGES_MAX);
  const end = first.findIndex((change) => {
    characters += JSON.stringify(change).length;
    return characters > CHANGES_CHARACTERS_MAX;
  });
  return end < 0 ? first : first.slice(0, end);
}

interface Warned {
  readonly changes: readonly Change[];
  readonly isReadable: boolean;
  readonly rules: DryRunRules;
}

function warningsOf(body: unknown, { changes, isReadable, rules }: Warned): DryRunBody["warnings"] {
  const own = z.object({ warnings: dryRunAnswer.shape.warnings }).safeParse(body);
  const visible = boundedChanges(changes).length;
  const warnings = own.success ? [...own.data.warnings] : [];
  if (visible < changes.length)
    warnings.push({ path: "", code: "cut", message: `The first ${visible} of ${changes.length} changes are shown.` });
  if (!isReadable && changes.length > 0)
    warnings.push({
      path: "",
      code: "values_hidden",
      message: "The API key may not read the record: values are left out.",
    });
  if (rules.class === "checked")
    warnings.push({ path: "", code: "not_run", message: "What the call starts was not run: it may still fail." });
  return warnings;
}
