import { z } from "zod";
import { operationNames } from "../records/items.ts";

const series = z.object({
  operation: z.enum(operationNames),
  batch: z.number().int().positive(),
  bodies: z.number().int().positive(),
  firstContact: z.number().int().min(0),
  round: z.number().int().min(0).optional(),
});

/** What `httpLoad.ts` is asked to do: post bodies of a series in turn, as fast as answers come or at a rate. */
export const httpLoadTask = z.object({
  port: z.number().int(),
  apiKey: z.string(),
  series,
  connections: z.number().int().positive(),
  seconds: z.number().positive(),
  /** Open loop: requests are due at this rate whatever becomes of those before them. */
  requestsPerSecond: z.number().positive().optional(),
  /** Answer the request ids of what was accepted. */
  keepsRequestIds: z.boolean().default(false),
});
export type HttpLoadTask = z.input<typeof httpLoadTask>;

export const httpLoadResult = z.object({
  seconds: z.number(),
  cpuSeconds: z.number(),
  /** Answers by status. */
  statuses: z.map(z.number(), z.number()),
  /** Connections that broke with a request under way. */
  broken: z.number(),
  /** Requests that were due when every connection was busy: an open loop alone has them. */
  unsent: z.number(),
  /** Answers of 429 and 503 that did not say when to come again. */
  withoutRetryAfter: z.number(),
  /** Of accepted requests, in milliseconds; in an open loop from when the request was due. */
  latenciesMs: z.instanceof(Float32Array),
  requestIds: z.array(z.string()),
});
export type HttpLoadResult = z.output<typeof httpLoadResult>;
