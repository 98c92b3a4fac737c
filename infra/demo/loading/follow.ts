import { z } from "zod";
import type { HttpApi } from "../httpApi.ts";
import { inParallel } from "./inParallel.ts";
import type { Accepted } from "./send.ts";

/** Receipts followed at once: below the 50 reads a second of a key, even when every receipt is resolved at once. */
const AT_ONCE = 4;
const WAIT_S = 5;
const REASONS_MAX = 5;

const number = z.number();
const answer = z.object({
  state: z.enum(["pending", "applied", "partly_rejected", "rejected"]),
  records: z.object({ applied: number, skipped: number, rejected: number, parked: number, pending: number }),
  rejections: z.array(z.object({ code: z.string(), message: z.string() })),
});

/** Outcome of all records. */
export interface Outcome {
  readonly applied: number;
  readonly skipped: number;
  readonly rejected: number;
  /** Reasons of the first rejected ones. */
  readonly reasons: readonly string[];
}

/** Follows every receipt to its end. `onSettled` hears how many more records are done. */
export async function followAll(
  api: Pick<HttpApi, "get">,
  accepted: readonly Accepted[],
  onResolved: (records: number) => void,
): Promise<Outcome> {
  let total: Outcome = { applied: 0, skipped: 0, rejected: 0, reasons: [] };
  await inParallel(accepted, AT_ONCE, async (batch) => {
    const { records, rejections } = await resolved(api, batch.receipt);
    const reasons = rejections.map(({ code, message }) => `${code}: ${message}`);
    total = addOutcomes(total, { ...records, reasons });
    onResolved(batch.records);
  });
  return total;
}

export function addOutcomes(left: Outcome, right: Outcome): Outcome {
  return {
    applied: left.applied + right.applied,
    skipped: left.skipped + right.skipped,
    rejected: left.rejected + right.rejected,
    reasons: [...left.reasons, ...right.reasons].slice(0, REASONS_MAX),
  };
}

async function resolved(api: Pick<HttpApi, "get">, receipt: string): Promise<z.output<typeof answer>> {
  for (;;) {
    const outcome = answer.parse(await api.get(`/v2/receipts/${encodeURIComponent(receipt)}?wait=${WAIT_S}`));
    if (outcome.state !== "pending") return outcome;
  }
}
