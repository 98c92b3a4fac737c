import { z } from "zod";
import { CRITERIA_LIMITS } from "../limits.ts";
import { conditions, count, name, property, sum, window } from "./parts.ts";

const properties = z.array(property).describe("All must hold on the same one.").optional();
const within = window.optional();
const action = name.max(CRITERIA_LIMITS.actionCharactersMax);
const message = z
  .strictObject({ id: name.optional(), key: name.optional(), tag: name.optional(), channel: name.optional() })
  .describe("The message that the event belongs to; all members must hold.");

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
      sum: sum.describe("In the place of `count`: what is no number adds 0.").optional(),
      within,
      last: z.boolean().describe("Test the contact's latest event alone.").optional(),
      robots: z.boolean().describe("Count opens and clicks of machines, too. Default: people alone.").optional(),
    },
  ],
  order: [
    {
      order: z.literal(true),
      where: properties,
      items: properties,
      count: count.optional(),
      sum: sum.describe("In the place of `count`; `items.…` sums the matching items.").optional(),
      status: z
        .union([name, z.array(name).min(1)])
        .describe("`any`, or statuses; default those that count, or all where a condition in `where` names statuses.")
        .optional(),
      within,
    },
  ],
  audience: [{ audience: name.describe("Key or id of a saved audience, as it is defined now.") }],
  cart: [
    {
      cart: z
        .union([z.literal("nonEmpty"), z.strictObject({ items: z.array(property).describe("All hold on one line.") })])
        .describe("A cart with lines that has not expired."),
      where: properties,
      within: window.describe("Of the cart's last change.").optional(),
    },
    { cart: z.literal("empty").describe("Everybody else; takes neither `where` nor `within`.") },
  ],
  supplement: [
    {
      supplement: name.describe("Key of the table."),
      where: properties,
      join: z
        .strictObject({ contact: name, record: name })
        .describe("Which field of the contact equals which of the record; left out where the table carries contacts.")
        .optional(),
      count: count.optional(),
    },
  ],
  sample: [
    {
      sample: z
        .strictObject({
          percent: z.number().min(0).max(100),
          from: z.number().min(0).max(100).optional(),
          salt: z.string().max(CRITERIA_LIMITS.saltCharactersMax).optional(),
        })
        .describe("A stable share, of two decimals at most; ranges side by side of one salt have nobody in common."),
    },
  ],
} as const;
