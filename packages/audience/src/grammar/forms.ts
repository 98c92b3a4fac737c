import { z } from "zod";
import { CRITERIA_LIMITS } from "../limits.ts";
import { conditions, count, name, property, sum, window } from "./parts.ts";

const properties = z.array(property).describe("All must hold on the same one.").optional();
const within = window.optional();
const action = name.max(CRITERIA_LIMITS.actionCharactersMax);
const message = z
  .strictObject({ id: name.optional(), key: name.optional(), tag: name.optional(), channel: name.optional() })
  .describe("`id` alone for now.");
const LATER = "Not available yet: refused with 422.";

/** Members of a rule by what the rule says: `readonly` shapes that options may be added to. */
export const leafForms = {
  field: conditions.map((condition) => ({
    field: name.describe("`attributes.color`, `channels.email.address`, …"),
    ...condition,
  })),
  list: [
    {
      list: z.union([name, z.int().min(1)]).describe("Name or id."),
      op: z.enum(["in", "notIn"]),
      joined: window.optional(),
    },
  ],
  event: [
    {
      event: z.union([action, z.array(action).min(1).max(CRITERIA_LIMITS.valuesMax)]),
      where: properties,
      message: message.optional(),
      count: count.optional(),
      within,
      last: z.boolean().describe("Test the contact's latest event alone.").optional(),
    },
  ],
  order: [
    {
      order: z.literal(true),
      where: properties,
      items: properties,
      count: count.optional(),
      sum: sum.describe("In the place of `count`.").optional(),
      status: z
        .union([name, z.array(name).min(1)])
        .describe("`any`, or statuses; default those that count.")
        .optional(),
      within,
    },
  ],
  audience: [{ audience: name.describe(`Key or id of a saved audience. ${LATER}`) }],
  cart: [
    {
      cart: z.union([z.enum(["nonEmpty", "empty"]), z.strictObject({ items: z.array(property) })]).describe(LATER),
      where: properties,
      within,
    },
  ],
  supplement: [
    {
      supplement: name.describe(LATER),
      where: properties,
      join: z.strictObject({ contact: name, record: name }).optional(),
      count: count.optional(),
    },
  ],
  sample: [
    {
      sample: z
        .strictObject({
          percent: z.number().min(0).max(100),
          from: z.number().optional(),
          salt: z.string().max(64).optional(),
        })
        .describe(LATER),
    },
  ],
} as const;
