import { neverSeen } from "@headwater/api/paging/answerSchema";
import { afterQuery } from "@headwater/api/paging/query";
import { criteriaExamples, criteriaSchema, formsWith } from "@headwater/criteria";
import { z } from "zod";
import { BASES, CLASSIFICATIONS, SAMPLE_SIZE_MAX } from "./options.ts";

export const query = z.strictObject(afterQuery);
/** The rest is checked by the rules of audience criteria, which list all errors. */
export const body = z.looseObject({});

const options = {
  explain: z.boolean().describe("Count at every node.").optional(),
  asOf: z.string().describe("The moment to count at, not in the future; windows end there. Default: now.").optional(),
  basis: z
    .enum(BASES)
    .describe("The meaning of a past `asOf`. Default `recorded`: the state as it was recorded then.")
    .optional(),
  timezone: z.string().describe("IANA name. Default: the time zone of the account.").optional(),
  eligibleFor: z
    .strictObject({ channel: z.string().min(1), classification: z.enum(CLASSIFICATIONS) })
    .describe("Only contacts who may receive messages of this classification on the channel.")
    .optional(),
  sampleSize: z
    .int()
    .min(0)
    .max(SAMPLE_SIZE_MAX)
    .describe("Number of cIDs to return, sampled evenly from the set.")
    .optional(),
  contact: z
    .string()
    .min(1)
    .describe(
      "Primary key of a contact: the answer says of each node whether it holds the contact, and what it saw. Needs `contacts:read` as well.",
    )
    .optional(),
};
const ofCriteria = z.strictObject({ criteria: criteriaSchema, ...options });
const ofAudience = [z.strictObject({ id: z.string(), ...options }), z.strictObject({ key: z.string(), ...options })];
/** The grammar, for those who write bodies: criteria bare or wrapped, or a saved audience, with options beside. */
export const documentedBody = z.union([ofCriteria, ...ofAudience, ...formsWith(options)]).meta({
  description:
    "Whom to count: criteria, bare or as a member, or a saved audience by `id` or `key`; and options beside.",
  examples: [
    ...Object.values(criteriaExamples),
    { criteria: { and: [] }, explain: true, sampleSize: 5 },
    { key: "vip" },
  ],
});

const nodeCount = z.strictObject({
  path: z.string().describe("JSON pointer into the body, or into the criteria of a saved audience."),
  count: z.number().int(),
  leftOut: z
    .strictObject({ currencies: z.record(z.string(), z.number().int()) })
    .describe("Orders that a sum left out, by their currency.")
    .optional(),
});
const contactNode = z.strictObject({
  path: z.string().describe("JSON pointer, as in `explain`."),
  in: z.boolean(),
  saw: z
    .unknown()
    .describe(
      "Of a field its value, of events, orders and records their count or sum, of a list whether the contact is on it, of a cart its lines, of a sample the contact's place in percent; null for nothing.",
    )
    .optional(),
});
export const audienceAnswer = z.strictObject({
  count: z.number().int(),
  asOf: z.string(),
  exact: z.boolean(),
  in: z.boolean().describe("Whether the count holds the contact.").optional(),
  nodes: z.array(contactNode).optional(),
  explain: z.array(nodeCount).optional(),
  sample: z.array(z.string()).optional(),
  warnings: neverSeen.optional(),
  options: z.strictObject({
    asOf: z.string(),
    basis: z.enum(["recorded", "event"]),
    timezone: z.string(),
    eligibleFor: z.strictObject({ channel: z.string(), classification: z.string() }).optional(),
  }),
});

export const criteriaExample = {
  and: [
    { list: "vip", op: "in" },
    { order: true, count: { op: "gte", value: 2 }, within: { last: { n: 30, unit: "day" } } },
  ],
};
export const audienceExample = {
  count: 412,
  asOf: "2026-01-09T22:47:12.000Z",
  exact: true,
  options: { asOf: "2026-01-09T22:47:12.000Z", basis: "recorded", timezone: "UTC" },
};
