import { z } from "zod";
import { operationNames } from "../records/items.ts";

const series = z.object({
  operation: z.enum(operationNames),
  batch: z.number().int().positive(),
  bodies: z.number().int().positive(),
  firstContact: z.number().int().min(0),
  round: z.number().int().min(0).optional(),
});

/** A call of `/v2`; in path and body `NUMBER_PLACE` stands for the number of what it is about. */
const call = z.object({
  method: z.enum(["GET", "POST", "PUT"]),
  path: z.string(),
  body: z.string().optional(),
});
export type CallTemplate = z.output<typeof call>;

/** Calls in turn, about numbers in an order that jumps through all of them. */
const calls = z.object({
  templates: z.array(call).min(1),
  numbers: z.object({ from: z.number().int().min(0), count: z.number().int().positive() }),
  /** Status of every answer. */
  status: z.number().int(),
});
export type Calls = z.output<typeof calls>;

const pace = {
  port: z.number().int(),
  apiKey: z.string(),
  connections: z.number().int().positive(),
  seconds: z.number().positive(),
  /** Open loop: requests are due at this rate whatever becomes of those before them. */
  requestsPerSecond: z.number().positive().optional(),
  /** Answer the request ids of what was accepted. */
  keepsRequestIds: z.boolean().default(false),
};

/** Task of `httpLoad.ts`: send bodies of a series, or calls, in turn, as fast as answers come or at a rate. */
export const httpLoadTask = z.union([z.object({ ...pace, series }), z.object({ ...pace, calls })]);
export const seriesTask = z.object({ ...pace, series });
export const callsTask = z.object({ ...pace, calls });
export type HttpLoadTask = z.input<typeof seriesTask>;
export type CallsTask = z.input<typeof callsTask>;

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
  /** Latencies of accepted requests, in milliseconds; in an open loop from when the request was due. */
  latenciesMs: z.instanceof(Float32Array),
  requestIds: z.array(z.string()),
});
export type HttpLoadResult = z.output<typeof httpLoadResult>;
