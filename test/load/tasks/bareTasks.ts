import { z } from "zod";

/** Result of a limit: how much it did, how long it took, and what it cost its own process. */
export const bareResult = z.object({
  events: z.number(),
  seconds: z.number(),
  cpuSeconds: z.number(),
});
export type BareResult = z.output<typeof bareResult>;

/** `bareProducer.ts`: reads frames that ours wrote, then sends them again and again. */
export const bareProducerTask = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("load"), brokers: z.string(), from: z.string(), to: z.string() }),
  z.object({ kind: z.literal("send"), seconds: z.number() }),
]);

/** `bareConsumer.ts`: reads a topic to its end and parses it. */
export const bareConsumerTask = z.object({ brokers: z.string(), topic: z.string() });

/** `bareUpsert.ts`: writes contact rows of the given size. */
export const bareUpsertTask = z.object({
  url: z.string(),
  documentBytes: z.number().int(),
  batches: z.number().int(),
  batchRows: z.number().int(),
  concurrently: z.number().int(),
  /** Rows are made again from this number on. */
  firstContact: z.number().int(),
  /** Two identifiers a contact are inserted as well. */
  identifiers: z.boolean().default(false),
  /** Bytes of change records a contact that go to the outbox as well. */
  outboxBytes: z.number().default(0),
});

/** `bareInsert.ts`: inserts blocks that were made before. */
export const bareInsertTask = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("prepare"),
    rowsPerBlock: z.number().int(),
    blocks: z.number().int(),
    firstContact: z.number().int(),
  }),
  z.object({ kind: z.literal("insert"), url: z.string(), concurrently: z.number().int() }),
]);

/** Times work and counts what it cost this process. */
export async function measured(work: () => Promise<number>): Promise<BareResult> {
  const cpuBefore = process.cpuUsage();
  const startedAtMs = performance.now();
  const events = await work();
  const cpu = process.cpuUsage(cpuBefore);
  return { events, seconds: (performance.now() - startedAtMs) / 1_000, cpuSeconds: (cpu.user + cpu.system) / 1e6 };
}

/** A task that prepares answers nothing. */
export const nothing = z.undefined();
