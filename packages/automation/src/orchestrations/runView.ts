import { toTimestamp } from "@headwater/contracts";
import { z } from "zod";
import { type ListedRun, RUN_STATES, type RunStep, STEPS_SHOWN_MAX } from "../runs/runReads.ts";
import type { Run } from "./run.ts";

const WAITS_FOR = ["begin", "time", "facts", "answer", "outcome", "retry"] as const;

export const runShape = z.strictObject({
  cID: z.string(),
  key: z.union([z.string(), z.number(), z.boolean()]).optional(),
  version: z.int(),
  state: z.enum(RUN_STATES),
  node: z.string(),
  since: z.string().describe("When the node was due."),
  waitsFor: z
    .strictObject({ kind: z.enum(WAITS_FOR), until: z.string().optional() })
    .optional()
    .describe("`outcome`: of a send, call or write. `answer`: whether criteria hold. `begin`: that it is enabled."),
  path: z
    .array(z.strictObject({ node: z.string(), at: z.string(), edge: z.string().optional() }))
    .describe(`Nodes that it left or ended at, the last ${STEPS_SHOWN_MAX}.`),
  reason: z.string().optional(),
  error: z.strictObject({ code: z.string(), message: z.string() }).optional(),
});

/** Returns a run as answers show it. */
export function runView(
  { cid: cID, run }: ListedRun,
  steps: readonly Pick<RunStep, "node" | "at" | "edge">[],
): Record<string, unknown> {
  const { key, version, state, node, since, waitsFor, reason, error } = run;
  return {
    ...{ cID, ...(key !== undefined && { key }), version, state, node, since: toTimestamp(since) },
    ...(waitsFor !== undefined && { waitsFor: waitsForView(waitsFor) }),
    path: steps.map(({ node: from, at, edge }) => ({
      node: from,
      at: toTimestamp(at),
      ...(edge !== null && { edge }),
    })),
    ...(reason !== undefined && { reason }),
    ...(error !== undefined && { error }),
  };
}

function waitsForView(waitsFor: NonNullable<Run["waitsFor"]>) {
  const { kind } = waitsFor;
  return { kind, ...("dueAt" in waitsFor && { until: toTimestamp(waitsFor.dueAt) }) };
}
