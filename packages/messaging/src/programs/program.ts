import { storableText } from "@headwater/api/paging/query";
import { refusal } from "@headwater/http";
import { z } from "zod";
import type { StoredProgram } from "./postgres.ts";

const NAME_CHARACTERS_MAX = 256;
const LISTED_MAX = 1_000;
const LISTED_CHARACTERS_MAX = 512;
/** Limit of the lists of a program, as JSON: the query of its numbers binds all of them. */
const LISTS_BYTES_MAX = 64 * 1024;

const listed = z.array(storableText(LISTED_CHARACTERS_MAX).min(1)).max(LISTED_MAX).optional();
const messages = z.object({ ids: listed, keys: listed, tags: listed });
const orchestrations = z.object({ ids: listed, tags: listed });

/** Members of a program as bodies give them: `null` removes one that may be absent. */
export const programMembers = {
  name: storableText(NAME_CHARACTERS_MAX).min(1),
  messages: messages
    .describe("Batch messages by id, templates by key, both by tag: each that one of the lists names.")
    .nullish(),
  orchestrations: orchestrations
    .describe("Orchestrations by id, or by a tag of the messages that they sent.")
    .nullish(),
};

/** Lists of messages and orchestrations; null = absent. */
export interface ProgramLists {
  readonly messages: z.output<typeof messages> | null;
  readonly orchestrations: z.output<typeof orchestrations> | null;
}

type StoredMembers = Pick<StoredProgram, "name" | "messages" | "orchestrations">;

export function readLists(stored: Pick<StoredMembers, "messages" | "orchestrations">): ProgramLists {
  return {
    messages: stored.messages === null ? null : messages.parse(JSON.parse(stored.messages)),
    orchestrations: stored.orchestrations === null ? null : orchestrations.parse(JSON.parse(stored.orchestrations)),
  };
}

/** Returns a program as it is stored. Throws 422 `VALIDATION_ERROR` when its lists are empty, or more than a query holds. */
export function toStored(name: string, lists: ProgramLists): StoredMembers {
  const listedTexts = [...Object.values(lists.messages ?? {}), ...Object.values(lists.orchestrations ?? {})].flat();
  if (listedTexts.length === 0) throw invalid("required", "At least one id, key or tag is required.");
  const bytes = Buffer.byteLength(JSON.stringify(lists));
  if (bytes > LISTS_BYTES_MAX) throw invalid("too_long", `A program names at most ${LISTS_BYTES_MAX} bytes.`);
  return {
    name,
    messages: lists.messages && JSON.stringify(lists.messages),
    orchestrations: lists.orchestrations && JSON.stringify(lists.orchestrations),
  };
}

function invalid(code: string, message: string) {
  return refusal("VALIDATION_ERROR", "The program is invalid.", { details: [{ path: "/messages", code, message }] });
}
