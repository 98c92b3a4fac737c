import { z } from "zod";

/** `messageLoop.ts`: makes letters for `seconds`, or makes and hands over `mails` of them. */
export const messageLoopTask = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("ours"), seconds: z.number() }),
  z.object({ kind: z.literal("libraries"), seconds: z.number() }),
  z.object({
    kind: z.literal("send"),
    port: z.number().int(),
    mails: z.number().int(),
    connections: z.number().int(),
    /** Messages that are under way at a time, as in a window. */
    atOnce: z.number().int(),
  }),
]);

/** `mailSink.ts`: a mail server that takes everything. */
export const mailSinkTask = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("listen") }),
  z.object({ kind: z.literal("count") }),
  /** Answers what came since the last time. */
  z.object({ kind: z.literal("take") }),
]);
export const sinkPort = z.object({ port: z.number().int() });
export const sinkCount = z.object({ mails: z.number().int() });
export const sinkTaken = z.object({
  /** Recipients in order. */
  to: z.array(z.string()),
  /** Milliseconds since 1970 at which each mail was accepted. */
  at: z.instanceof(Float64Array),
});
