import { z } from "zod";

const count = z.number().int();

export { redriveRequest as body } from "@headwater/contracts";

export const jobAnswer = z.strictObject({ jobId: z.string() });
export const trialAnswer = z.strictObject({
  wouldPass: count,
  wouldFail: z.array(z.strictObject({ id: z.string(), code: z.string(), message: z.string() })),
  /** Number of letters in the selection; at most 10,000 of them are judged, at most 1,000 failures shown. */
  selected: count,
  judged: count,
});

export const requestExample = {
  select: { operation: "upsertOrder", code: "VALIDATION_ERROR", from: "2026-01-09T00:00:00Z" },
  patch: [{ op: "replace", path: "/order/currency", value: "EUR" }],
};
