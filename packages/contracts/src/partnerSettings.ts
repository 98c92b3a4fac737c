import { z } from "zod";
import { last4Of, type SecretView } from "./storedSecrets.ts";

const identifierName = z.string().min(1).max(256);

/** One, or two while a secret is being replaced: both are good then. A partner makes them, of whatever length. */
const secrets = z.array(z.string().min(1).max(512)).min(1).max(2);

const AGE_SECONDS_DEFAULT = 24 * 3_600;

/** An account's settings for its partners: secrets, the identifiers they send, and whether they may create contacts. */
export const partnerSettings = z.strictObject({
  cohortsync: z
    .strictObject({ canBeCreated: z.boolean().default(false), identifier: identifierName.optional() })
    .default({ canBeCreated: false }),
  listsync: z
    .strictObject({
      secrets: secrets.optional(),
      /** Absent: the account's first primary name but `cID`. */
      identifier: identifierName.optional(),
      canBeCreated: z.boolean().default(false),
      /** Greatest age of a signature: its sender retries a page for long. */
      ageSecondsMax: z.number().int().positive().max(604_800).default(AGE_SECONDS_DEFAULT),
    })
    .default({ canBeCreated: false, ageSecondsMax: AGE_SECONDS_DEFAULT }),
  cdpsync: z
    .strictObject({
      /** Identifier names by type of identity, on top of the usual three. */
      identities: z.record(z.string().min(1).max(128), identifierName).default({}),
      /** Absent: events may create contacts, audiences may not. */
      canBeCreated: z.boolean().optional(),
      /** A hash of an address finds the contact that has the address. */
      hashedIdentities: z.boolean().default(false),
    })
    .default({ identities: {}, hashedIdentities: false }),
  subscriptionsync: z
    .strictObject({ secrets: secrets.optional(), customerIdKey: identifierName.default("customer_id") })
    .default({ customerIdKey: "customer_id" }),
  pipeline: z
    .strictObject({
      canBeCreated: z.boolean().default(true),
      /** The sender's own names of these members. */
      aliases: z
        .strictObject({ pipelineIdKey: identifierName.optional(), pipelineId: identifierName.optional() })
        .default({}),
    })
    .default({ canBeCreated: true, aliases: {} }),
});
export type PartnerSettings = z.infer<typeof partnerSettings>;

/** Returns settings of partners as people may see them: of every secret its last four characters, of a short one none. */
export function showPartners({ listsync, subscriptionsync, ...others }: PartnerSettings) {
  return {
    ...others,
    listsync: { ...listsync, ...view(listsync.secrets) },
    subscriptionsync: { ...subscriptionsync, ...view(subscriptionsync.secrets) },
  };
}

function view(input: readonly string[] | undefined): { readonly secrets?: readonly SecretView[] } {
  return input === undefined ? {} : { secrets: input.map((secret) => ({ set: true, last4: last4Of(secret) })) };
}
