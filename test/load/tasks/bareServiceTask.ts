import { z } from "zod";

const size = z.object({ documentBytes: z.number().int(), outboxBytes: z.number().int() });
const sizes = z.object({ contact: size, order: size, record: size });
export type SizesOfWrites = z.output<typeof sizes>;

/** `bareService.ts`: serves rows through pg, or answers that are kept. Its result is the port. */
export const bareServiceTask = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("sql"), url: z.string(), account: z.number().int(), sizes }),
  /** Paths as Fastify takes them. */
  z.object({ kind: z.literal("alone"), answers: z.array(z.object({ path: z.string(), body: z.unknown() })) }),
]);
export type BareServiceTask = z.output<typeof bareServiceTask>;
export const servedAt = z.object({ port: z.number() });
