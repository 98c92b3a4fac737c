import { z } from "zod";

/** `webhookReceivers.ts`: a server that answers every path, but those that hang. */
export const receiversTask = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("listen"), hanging: z.string() }),
  z.object({ kind: z.literal("count") }),
  /** Answers what came, and forgets it. */
  z.object({ kind: z.literal("take") }),
]);
export const receiversPort = z.object({ port: z.number().int() });
export const receiversCount = z.object({ calls: z.number().int() });
export const receiversTaken = z.object({
  /** Milliseconds since 1970 at which each body had come. */
  at: z.instanceof(Float64Array),
  /** Milliseconds since 1970 of what each body is about. */
  of: z.instanceof(Float64Array),
});

/** `bareWebhooks.ts`: posts signed bodies to each URL, some calls of each open at a time. */
export const bareWebhooksTask = z.object({
  urls: z.array(z.string()),
  callsEach: z.number().int(),
  openEach: z.number().int(),
  body: z.string(),
});
