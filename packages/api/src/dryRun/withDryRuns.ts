import { type Answer, type Call, type DryRunRules, type Route, refusal } from "@headwater/http";
import type { Transaction } from "@headwater/postgres/connection/session";
import { isWriteConflict, retryOnConflict, WriteConflict } from "@headwater/postgres/connection/writeConflict";
import { z } from "zod";
import { withStoredRefusals } from "../idempotency/keptRefusals.ts";
import { cameBefore } from "../idempotency/runOnce.ts";
import { dryRunAnswer, dryRunExample, dryRunParameters, readAsked } from "./dryRunAnswer.ts";
import { SnapshotPassed } from "./dryRuns.ts";
import { type Attempted, attempt, callOf, type DryRunPorts, nameOf, preview, runOf, type Trial } from "./preview.ts";

/**
 * Gives each write `?dryRun=true` and `?expect=`. A dry run calls the route within a transaction that is rolled back, with everything that the
 * route writes; what leaves the transaction is not sent. So its answer is that of the call itself, and its refusals are.
 */
export function withDryRuns(routes: readonly Route[], ports: DryRunPorts): Route[] {
  let known: ReadonlyMap<string, Route> | undefined;
  const find = (name: string) => {
    known ??= new Map(ports.routes().map((route) => [nameOf(route), route]));
    return known.get(name);
  };
  return routes.map((route) => {
    const { dryRun: rules } = route;
    if (rules === undefined) return route;
    const trial: Trial = { route, rules, find, ports };
    return { ...described(route, rules), run: (call, resource) => runAsked(trial, call, resource) };
  });
}

/** A route with what its document says of dry runs. */
function described(route: Route, rules: DryRunRules): Route {
  if (rules.class === "none") return route;
  const { query } = route.shapes;
  const shape = query instanceof z.ZodObject ? query.extend(dryRunParameters) : z.strictObject(dryRunParameters);
  return { ...route, shapes: { ...route.shapes, query: shape }, answers: withDryRunAnswer(route.answers) };
}

function withDryRunAnswer(answers: Route["answers"]): Route["answers"] {
  const { 200: own } = answers;
  if (own === undefined)
    return { ...answers, 200: { description: "With `dryRun`.", schema: dryRunAnswer, example: dryRunExample } };
  const { schema } = own;
  const both = schema instanceof z.ZodType ? z.union([schema, dryRunAnswer]) : dryRunAnswer;
  return { ...answers, 200: { ...own, schema: both } };
}

async function runAsked(trial: Trial, call: Call, resource: Parameters<Route["run"]>[1]): Promise<Answer> {
  const { route, rules } = trial;
  if (call.query === undefined || !("dryRun" in Object(call.query) || "expect" in Object(call.query)))
    return route.run(call, resource);
  if (rules.class === "none") throw noDryRun();
  const asked = readAsked(call.query);
  const plain = callOf(call, { query: asked.query });
  if (asked.isDryRun) {
    const answer = await runDry(trial, plain);
    if (asked.expect !== undefined) expectDigest(answer.body, asked.expect);
    return answer;
  }
  return asked.expect === undefined ? route.run(plain, resource) : runExpecting(trial, plain, asked.expect);
}

function noDryRun() {
  const message = "The call has no dry run.";
  return refusal("VALIDATION_ERROR", message, { details: [{ path: "/dryRun", code: "not_allowed", message }] });
}

async function runDry(trial: Trial, call: Call): Promise<Answer> {
  const other = await attemptAlone(trial, call);
  const body = await alone(trial, (transaction) => preview(trial, { call, transaction, other }));
  return { status: 200, body, headers: { "Cache-Control": "no-store" } };
}

/**
 * Runs the write once more than is answered, in a transaction of its own: what two runs make differently is generated, and no part of the
 * digest. Nothing of the first holds a lock while the second is checked.
 */
function attemptAlone(trial: Trial, call: Call): Promise<Attempted> {
  return alone(trial, (transaction) => attempt(trial, { call, transaction, aheadMs: AHEAD_MS }));
}

const AHEAD_MS = 1_001;

/** Runs the function in a transaction that is rolled back. */
async function alone<Result>(trial: Trial, run: (transaction: Transaction) => Promise<Result>): Promise<Result> {
  const results: Result[] = [];
  try {
    await inTransaction(trial, async (transaction) => {
      results.push(await run(transaction));
      throw new RolledBack("rolled back");
    });
  } catch (error) {
    const result = results.at(-1);
    if (error instanceof RolledBack && result !== undefined) return result;
    throw error;
  }
  throw new Error("a dry run was committed");
}

class RolledBack extends Error {}

/** Runs the function within one snapshot, and again with a new one when another transaction was quicker. */
function inTransaction<Result>({ ports }: Trial, run: (transaction: Transaction) => Promise<Result>): Promise<Result> {
  return retryOnConflict(async () => {
    try {
      return await ports.postgres.transaction(run, { isRepeatable: true });
    } catch (error) {
      throw error instanceof SnapshotPassed || isWriteConflict(error) ? new WriteConflict("changed since") : error;
    }
  });
}

/**
 * Runs a call when it does what an earlier dry run said. A `rolledBack` write is run and compared in one transaction; a `checked` one begins
 * what leaves the transaction after the comparison.
 */
async function runExpecting(trial: Trial, call: Call, expected: string): Promise<Answer> {
  const { route, rules, ports } = trial;
  // Compared with what it has written itself, a repeat would be stale.
  if (await cameBefore(ports.postgres, route, call)) return route.run(call);
  if (rules.class === "checked") {
    const { body } = await runDry(trial, call);
    expectDigest(body, expected);
    return route.run(call);
  }
  const run = async () => {
    const other = await attemptAlone(trial, call);
    return inTransaction(trial, async (transaction) => {
      // A repeat that came at the same time gets the first answer.
      if (!(await cameBefore(transaction, route, call)))
        expectDigest(await preview(trial, { call, transaction, other }), expected);
      const work = { transaction, isLive: true, effects: { jobs: 0, records: 0 }, aheadMs: 0 };
      return ports.dryRuns.within(work, async () => runOf(trial, call));
    });
  };
  return withStoredRefusals({ ...route, run }, ports.postgres).run(call);
}

function expectDigest(body: unknown, expected: string): void {
  if (Reflect.get(Object(body), "digest") === expected) return;
  throw refusal("PREVIEW_STALE", "The call would do something else than its dry run said.");
}
