import { z } from "zod";
import { shownDocument, writtenDocument } from "../accountDocument.ts";

const anything = z.unknown().optional();

/** Any of the document's members; what they may be is looked at when the changes have gone into it. */
export const body = z.looseObject(
  Object.fromEntries(Object.keys(shownDocument.shape).map((member) => [member, anything])),
);
/** The document as it is written, and as it is read and sent back. */
export const warnsBy = z.union([writtenDocument, shownDocument]);
export type AccountChanges = z.output<typeof body>;

export const requestExample = {
  timezone: "Europe/London",
  currency: "GBP",
  partners: {
    subscriptionsync: { secrets: ["the secret that the billing tool shows"] },
    cohortsync: { canBeCreated: true },
  },
};
