import { toTimestamp } from "@headwater/contracts";
import { refusal } from "@headwater/http";
import type { ProgramMembers, StoredProgram } from "@headwater/stores/programs";
import { z } from "zod";
import { successShape } from "../answers/success.ts";
import { storableText } from "../paging/query.ts";
import { contentVersion } from "../writing/ifMatch.ts";

const NAME_CHARACTERS_MAX = 256;
const LISTED_MAX = 1_000;
const LISTED_CHARACTERS_MAX = 512;
/** Limit of what a program names, as JSON: its numbers bind all of it to one query. */
const NAMED_BYTES_MAX = 64 * 1024;

const listed = z.array(storableText(LISTED_CHARACTERS_MAX).min(1)).max(LISTED_MAX).optional();
const messages = z.object({ ids: listed, keys: listed, tags: listed });
const orchestrations = z.object({ ids: listed, tags: listed });
export type NamedMessages = z.output<typeof messages>;
export type NamedOrchestrations = z.output<typeof orchestrations>;

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

export const programParams = z.strictObject({ id: storableText(1_024) });

const shownList = z.array(z.string()).optional();

/** A program as answers show it. */
export const programShape = z.strictObject({
  id: z.string(),
  name: z.string(),
  messages: z.strictObject({ ids: shownList, keys: shownList, tags: shownList }).optional(),
  orchestrations: z.strictObject({ ids: shownList, tags: shownList }).optional(),
  ct: z.string(),
  lm: z.string(),
});

export const PROGRAM_MEMBERS = ["id", "name", "messages", "orchestrations", "ct", "lm"] as const;

export function programRecord({ id, name, createdAt, updatedAt, ...named }: StoredProgram): Record<string, unknown> {
  const { messages: given, orchestrations: others } = readNamed(named);
  return {
    id,
    name,
    ...(given !== undefined && { messages: given }),
    ...(others !== undefined && { orchestrations: others }),
    ct: toTimestamp(createdAt),
    lm: toTimestamp(updatedAt),
  };
}

/** The messages and orchestrations that a stored program names. */
export function readNamed(stored: Pick<ProgramMembers, "messages" | "orchestrations">) {
  return {
    messages: stored.messages === null ? undefined : messages.parse(JSON.parse(stored.messages)),
    orchestrations:
      stored.orchestrations === null ? undefined : orchestrations.parse(JSON.parse(stored.orchestrations)),
  };
}

/** Members as they are stored. Throws 422 `VALIDATION_ERROR` when they name nothing, or more than a query holds. */
export function settleProgram(
  name: string,
  given: { readonly messages: NamedMessages | null; readonly orchestrations: NamedOrchestrations | null },
): ProgramMembers {
  const lists = [...Object.values(given.messages ?? {}), ...Object.values(given.orchestrations ?? {})];
  if (lists.flat().length === 0) throw invalid("required", "At least one id, key or tag is required.");
  const bytes = Buffer.byteLength(JSON.stringify(given));
  if (bytes > NAMED_BYTES_MAX) throw invalid("too_long", `A program names at most ${NAMED_BYTES_MAX} bytes.`);
  return {
    name,
    messages: given.messages && JSON.stringify(given.messages),
    orchestrations: given.orchestrations && JSON.stringify(given.orchestrations),
  };
}

function invalid(code: string, message: string) {
  return refusal("VALIDATION_ERROR", "The program is invalid.", { details: [{ path: "/messages", code, message }] });
}

/** Makes the ETag of what the program says. */
export function versionOfProgram({ name, messages: given, orchestrations: others }: ProgramMembers): string {
  return contentVersion([name, given, others]);
}

export function unknownProgram() {
  return refusal("RECORD_NOT_FOUND", "No program has this id.");
}

export const programWritten = successShape.extend({ id: z.string() });

const ID_EXAMPLE = "65f0c0ffee65f0c0ffee00b1";
export const writtenExample = { success: true, id: ID_EXAMPLE };

export const programExample = {
  id: ID_EXAMPLE,
  name: "Spring sale",
  messages: { ids: ["65f0c0ffee65f0c0ffee0007"], keys: ["cart-reminder"], tags: ["spring"] },
  orchestrations: { ids: ["65f0c0ffee65f0c0ffee0101"] },
  ct: "2026-01-09T22:47:12.000Z",
  lm: "2026-01-09T22:47:12.000Z",
};
