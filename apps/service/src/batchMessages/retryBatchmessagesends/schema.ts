import { RETRIED_STATES } from "@headwater/stores/batchMessages";
import { z } from "zod";

export const body = z.object({
  states: z.array(z.enum(RETRIED_STATES)).min(1).max(RETRIED_STATES.length),
});
export type RetryBody = z.output<typeof body>;

export const requestExample: RetryBody = { states: ["failed", "unknown"] };
