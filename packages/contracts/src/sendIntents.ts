import { z } from "zod";

/** Intents of sends, written to the log before their first byte leaves. No group reads it: it is asked what Postgres must know. */
export const INTENTS_TOPIC = "sends.intents";

const intendedSend = z.object({
  message: z.string(),
  contact: z.number(),
  n: z.number(),
  kind: z.enum(["b", "a", "o", "t"]),
  cid: z.string(),
  channel: z.string(),
  classification: z.enum(["promotional", "transactional"]),
  /** Number of the attempt. */
  attempts: z.number(),
  /** Digest of occasion and address, where another send of the same occasion must not follow. Older versions wrote none. */
  print: z.string().optional(),
});

const publishedIntents = z.object({
  /** System identifier of the Postgres cluster and object id of the database that hold the intents. */
  store: z.string(),
  /** Number and token of the mark that was committed with them: no other transaction has both. */
  n: z.number(),
  token: z.string(),
  /** Milliseconds since 1970. */
  at: z.number(),
  account: z.number(),
  sends: z.array(intendedSend),
});

export type PublishedIntents = z.output<typeof publishedIntents>;
/** A send as its intent names it: contacts by number, without an address. */
export type PublishedIntent = z.output<typeof intendedSend>;

/** @returns undefined for a message that is none of ours. */
export function readIntents(value: Buffer): PublishedIntents | undefined {
  try {
    return publishedIntents.safeParse(JSON.parse(value.toString("utf8"))).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
