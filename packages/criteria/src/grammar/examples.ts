/** Criteria as they are documented, by what they say. */
export const criteriaExamples = {
  "Subscribed to email, lifetime value at least 500": {
    and: [
      { field: "channels.email.subscribeStatus", op: "eq", value: "subscribed" },
      { field: "attributes.lifetime_value", op: "gte", value: 500 },
    ],
  },
  "Browsed shoes three times in 7 days and did not order in 7 days": {
    and: [
      {
        event: "browse",
        where: [{ field: "category", op: "eq", value: "Shoes" }],
        count: { op: "gte", value: 3 },
        within: { last: { n: 7, unit: "day" } },
      },
      { not: { order: true, within: { last: { n: 7, unit: "day" } } } },
    ],
  },
  "On the list vip, or spent more than 1,000 in a year": {
    or: [
      { list: "vip", op: "in" },
      { order: true, sum: { of: "totalAmount", op: "gt", value: 1000 }, within: { last: { n: 1, unit: "year" } } },
    ],
  },
  "Everyone but those who opened something in 90 days": {
    and: [],
    exclude: { event: "open", within: { last: { n: 90, unit: "day" } } },
  },
  "An abandoned cart, in a tenth of the contacts": {
    and: [
      {
        cart: "nonEmpty",
        within: {
          between: [
            { n: 1, unit: "day" },
            { n: 1, unit: "hour" },
          ],
        },
      },
      { sample: { percent: 10, salt: "autumn" } },
    ],
  },
} as const;
