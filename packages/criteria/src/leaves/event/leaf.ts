import { z } from "zod";
import { count, name, properties, sum, window } from "../../grammar/parts.ts";
import { CRITERIA_LIMITS } from "../../limits.ts";
import type { LeafDefinition } from "../leaf.ts";
import { sawOfEvents, selectEvents } from "./compile.ts";
import type { EventLeaf } from "./event.ts";
import { namesOfEvent } from "./names.ts";
import { parseEvent } from "./parse.ts";
import { eventTrend } from "./trend.ts";

const action = name.max(CRITERIA_LIMITS.actionCharactersMax);
const message = z
  .strictObject({ id: name.optional(), key: name.optional(), tag: name.optional(), channel: name.optional() })
  .describe("The message that the event belongs to; all members must hold.");

/** Contacts by the number or the sum of their activities, or by the latest one. */
export const eventLeaf: LeafDefinition<EventLeaf> = {
  kind: "event",
  forms: [
    {
      event: z.union([action, z.array(action).min(1).max(CRITERIA_LIMITS.valuesMax)]),
      where: properties,
      message: message.optional(),
      count: count.optional(),
      sum: sum.describe("In the place of `count`: what is no number adds 0.").optional(),
      within: window.optional(),
      last: z.boolean().describe("Test the contact's latest event alone.").optional(),
      robots: z.boolean().describe("Count opens and clicks of machines, too. Default: people alone.").optional(),
    },
  ],
  examples: [
    { event: "browse", where: [{ field: "category", op: "eq", value: "Shoes" }], count: { op: "gte", value: 3 } },
    { event: ["open", "click"], message: { key: "autumn-sale" }, within: { last: { n: 7, unit: "day" } } },
    { event: "purchase", sum: { of: "price", op: "gt", value: 100 } },
    { event: "purchase", last: true, where: [{ field: "description", op: "contains", value: "BAG" }] },
  ],
  parse: parseEvent,
  select: selectEvents,
  trend: eventTrend,
  saw: sawOfEvents,
  names: namesOfEvent,
};
