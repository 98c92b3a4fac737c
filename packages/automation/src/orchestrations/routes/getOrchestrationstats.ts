import { waitForAfter } from "@headwater/api/consistency/after";
import { afterQuery } from "@headwater/api/paging/query";
import type { AfterPorts, RoutePorts } from "@headwater/api/ports";
import { withSnapshot } from "@headwater/api/reading/withSnapshot";
import { defineRoute, type Route } from "@headwater/http";
import { z } from "zod";
import { countRunsOf, type RunCounts } from "../../runs/runCounts.ts";
import { orchestrationParams, UNKNOWN_ORCHESTRATION, unknownOrchestration } from "../orchestrationCall.ts";
import { orchestrations } from "../postgres.ts";

const query = z.strictObject(afterQuery);
const count = z.int();
const reasons = z.record(z.string(), count);

/** Numbers of runs, as they happened or as a simulation has them. */
export const statsShape = z.strictObject({
  entered: count.describe("Runs that are `live`, `completed`, `exited` or `failed`."),
  ...{ live: count, completed: count, exited: count, failed: count },
  holdout: count.describe("Contacts that entered only to be compared with."),
  refused: reasons.describe("Contacts that did not enter, by reason."),
  nodes: z.array(z.strictObject({ id: z.string(), in: count, waiting: count })),
  edges: z.array(z.strictObject({ from: z.string(), label: z.string().nullable(), to: z.string().nullable(), count })),
  goals: z.array(z.strictObject({ name: z.string(), runs: count, holdout: count })),
  skipped: reasons.describe("Messages that contacts did not get, by reason."),
});
export type Stats = z.output<typeof statsShape>;

export const statsExample = {
  ...{ entered: 250, live: 120, completed: 90, exited: 38, failed: 2, holdout: 12 },
  refused: { reentry: 14 },
  nodes: [
    { id: "remind", in: 250, waiting: 0 },
    { id: "wait", in: 250, waiting: 120 },
  ],
  edges: [
    { from: "remind", label: null, to: "wait", count: 250 },
    { from: "wait", label: "timeout", to: "coupon", count: 90 },
  ],
  goals: [{ name: "bought", runs: 31, holdout: 1 }],
  skipped: { "not-subscribed": 9 },
};

/** Turns counts into what answers show. A run came to each node that it left, and to the one that it waits at. */
export function statsOf({ states, edges, goals, refusals, skipped }: RunCounts): Stats {
  const inState = (wanted: string) => sum(states.filter(({ state }) => state === wanted));
  const waiting = new Map(
    states.flatMap(({ state, node, count: runs }) => (state === "waiting" ? [[node, runs]] : [])),
  );
  const left = Map.groupBy(edges, ({ node }) => node);
  const ids = [...new Set([...left.keys(), ...waiting.keys()])].toSorted();
  const ended = { completed: inState("completed"), exited: inState("exited"), failed: inState("failed") };
  const live = inState("waiting");
  return {
    entered: live + ended.completed + ended.exited + ended.failed,
    ...{ live, ...ended, holdout: inState("holdout"), refused: byReason(refusals) },
    nodes: ids.map((id) => {
      const here = waiting.get(id) ?? 0;
      return { id, in: sum(left.get(id) ?? []) + here, waiting: here };
    }),
    edges: edges.map(({ node, edge, next, count: runs }) => ({ from: node, label: edge, to: next, count: runs })),
    goals: goals.map((goal) => ({ ...goal })),
    skipped: byReason(skipped),
  };
}

function sum(rows: readonly { readonly count: number }[]): number {
  return rows.reduce((total, row) => total + row.count, 0);
}

function byReason(rows: RunCounts["refusals"]): Record<string, number> {
  return Object.fromEntries(rows.map(({ reason, count: runs }) => [reason, runs]));
}

export function getOrchestrationstats(ports: AfterPorts & Pick<RoutePorts, "postgres">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/orchestrations/{orchestrationID}/stats",
    operationId: "getOrchestrationstats",
    summary: "Returns the numbers of an orchestration's runs by node, edge and goal, of all versions together.",
    tags: ["orchestrations"],
    answers: {
      200: { description: "The numbers.", schema: statsShape, example: statsExample },
      404: { description: UNKNOWN_ORCHESTRATION },
    },
    auth: "basic",
    scope: "orchestrations:read",
    rateClass: "read",
    params: orchestrationParams,
    query,
    handler: async ({ params: { orchestrationID: orchestration }, query: { after }, caller, signal }) => {
      await waitForAfter({ token: after, caller, store: "state", signal }, ports);
      const account = caller.account.number;
      const counts = await withSnapshot(ports.postgres, async (session) => {
        const row = await orchestrations.read(session, { account, key: orchestration });
        return row && countRunsOf(session, { account, orchestration });
      });
      if (counts === undefined) throw unknownOrchestration();
      return { status: 200, body: statsOf(counts) };
    },
  });
}
