import { storableText } from "@headwater/api/paging/query";
import { memberAt } from "@headwater/records/messageData/selectRecords";
import { z } from "zod";
import { reentryShape } from "../entries/reentry.ts";

/** Characters of a key, as those of an orchestration's. */
const KEY_CHARACTERS_MAX = 1_024;

/** Rules for the contacts that triggers of a template send to, as orchestrations have them. */
export const entryShape = z
  .strictObject({
    reentry: reentryShape
      .default("always")
      .describe(
        "`once` sends to a contact a single time, `after-exit` not while a send to it is under way, `after` not before that time has passed since the last one.",
      ),
    key: storableText(KEY_CHARACTERS_MAX)
      .min(1)
      .optional()
      .describe(
        "Property of the activity, or member of `mergeData`: `reentry` counts for each of its values. Without a text, number or boolean there nothing is sent.",
      ),
    audience: storableText(1_024)
      .min(1)
      .optional()
      .describe(
        "Key of a saved audience that the contact must be in. A send waits until it is known, and is skipped as `audience`.",
      ),
    holdoutPercent: z
      .number()
      .min(0)
      .max(100)
      .default(0)
      .describe("Share of contacts that get nothing, always the same ones."),
  })
  .describe("Says to whom the triggers send again. Tests go to everybody.");
export type TemplateEntry = z.output<typeof entryShape>;

export const defaultEntry = { reentry: "always", holdoutPercent: 0 } as const satisfies TemplateEntry;

/**
 * Returns the key of an entry as JSON text: empty where the template has none, undefined where what starts it has no value that can be one.
 * @param properties of the activity, or the data of the call.
 */
export function entryKeyOf({ key }: TemplateEntry, properties: unknown): string | undefined {
  if (key === undefined) return "";
  const value = memberAt(properties, key);
  const isScalar = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
  const text = isScalar ? JSON.stringify(value) : undefined;
  return text === undefined || text.length > KEY_CHARACTERS_MAX ? undefined : text;
}
