import { z } from "zod";
import { isPhoneCountry } from "./addresses.ts";
import type { AttributeRules } from "./attributeRules.ts";
import { messagingSettings } from "./messagingSettings.ts";
import { partnerSettings } from "./partnerSettings.ts";
import { storedSecret, storedStorages } from "./storedSecrets.ts";
import { storedTimezone } from "./timezone.ts";

const identifierName = z.strictObject({
  name: z.string().min(1).max(256),
  kind: z.enum(["primary", "secondary"]),
  format: z.enum(["email", "phone", "string"]),
});
export type IdentifierName = z.infer<typeof identifierName>;

const CHARACTERS_PER_CONTACT = 2 * 1024 * 1024;
/** A document is read and written as one. */
const CHARACTERS_PER_CONTACT_MAX = 8 * 1024 * 1024;

const defaultIdentifiers: IdentifierName[] = [
  { name: "cID", kind: "primary", format: "string" },
  { name: "email", kind: "primary", format: "email" },
  { name: "phone", kind: "secondary", format: "phone" },
  { name: "customer_id", kind: "secondary", format: "string" },
  { name: "anonymousId", kind: "secondary", format: "string" },
];

/** One document per account, read by every process and cached for at most five seconds. */
export const accountSettings = z.strictObject({
  /** Zone of dates alone; `wrongTimezone` checks it where it is written. */
  timezone: z.string().overwrite(storedTimezone).default("UTC"),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, "is not an ISO 4217 code")
    .default("USD"),
  /** Country of phone numbers that name none. */
  country: z.string().toUpperCase().refine(isPhoneCountry, { message: "is not an ISO 3166-1 country code" }).optional(),
  identifiers: z
    .array(identifierName)
    .max(32)
    .refine((names) => names[0]?.name === "cID", { message: "must begin with cID" })
    .default(defaultIdentifiers),
  strictAttributes: z.boolean().default(false),
  strictLists: z.boolean().default(false),
  features: z.strictObject({ merge: z.boolean().default(true) }).default({ merge: true }),
  retention: z
    .strictObject({
      /** Days; older activities are refused. */
      activities: z.number().int().positive().optional(),
      /** Its former name. */
      activitiesDays: z.number().int().positive().optional(),
    })
    .default({}),
  limits: z
    .strictObject({
      intakePerSecond: z.number().int().positive().default(20_000),
      readPerSecond: z.number().int().positive().default(50),
      writePerSecond: z.number().int().positive().default(25),
      jobStartPerSecond: z.number().int().positive().default(2),
      audienceCountPerSecond: z.number().int().positive().default(5),
      /** Limit of the stored document: members with their versions. */
      charactersPerContact: z.number().int().positive().max(CHARACTERS_PER_CONTACT_MAX).default(CHARACTERS_PER_CONTACT),
      attributesPerAccount: z.number().int().positive().default(20_000),
      listsPerAccount: z.number().int().positive().default(10_000),
      attributesPerContact: z.number().int().positive().default(5_000),
      /** Values that find one contact; channels are bounded by as many. */
      identifiersPerContact: z.number().int().positive().default(1_000),
      /** Lists that records may put one contact on. */
      listsPerContact: z.number().int().positive().default(1_000),
    })
    .prefault({}),
  messaging: messagingSettings.prefault({}),
  partners: partnerSettings.prefault({}),
  /** Storages outside, by their saved keys. */
  storage: storedStorages.default({}),
  /** Signs what jobs send to their `jobStatusWebhookUrl`. */
  webhookSecret: storedSecret.optional(),
});
export type AccountSettings = z.infer<typeof accountSettings>;

export const defaultSettings: AccountSettings = accountSettings.parse({});

export interface Account {
  /** Number used in every row of both stores. */
  readonly number: number;
  /** 24 hex characters, used on the wire. */
  readonly id: string;
  readonly name: string;
  readonly settings: AccountSettings;
  /** Absent: none is declared. Where the state is written it is loaded with the account. */
  readonly attributes?: AttributeRules | undefined;
}
