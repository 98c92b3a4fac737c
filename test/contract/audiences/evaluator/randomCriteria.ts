import fc from "fast-check";
import {
  ofArray,
  ofAuto,
  ofBoolean,
  ofDate,
  ofGeo,
  ofNumber,
  ofString,
  op,
  presence,
  window,
  withCi,
} from "./randomConditions.ts";

const on = (path: string, condition: fc.Arbitrary<object>) =>
  fc
    .oneof({ weight: 6, arbitrary: condition }, { weight: 1, arbitrary: presence })
    .map((rest) => ({ field: path, ...rest }));

const status = fc.oneof(
  op("eq", fc.constantFrom("subscribed", "none")),
  op("notIn", fc.constant(["unsubscribed"])),
  op("contains", fc.constantFrom("no", "sub")),
  op("regex", fc.constant("^(none|sub)")),
);
const field = fc.oneof(
  on("attributes.color", ofString),
  on("attributes.score", ofNumber),
  on("attributes.born", ofDate),
  on("attributes.tags", ofArray),
  on("attributes.vip", ofBoolean),
  on("attributes.home", ofGeo),
  on("attributes.home.city", ofString),
  on("attributes.free", ofAuto),
  on("attributes.free.country", withCi(op("eq", fc.constant("de")))),
  on(
    "channels.email.address",
    fc.oneof(op("eq", fc.constant("a@EXAMPLE.com")), op("domain", fc.constant("example.com"))),
  ),
  on("channels.email.subscribeStatus", status),
  on("channels.email.subscribedAt", ofDate),
  on("channels.email.valid", ofBoolean),
  on(
    "identifiers.email",
    fc.oneof(
      op("contains", fc.constantFrom("@EXAMPLE", "x")),
      op("startsWith", fc.constantFrom("A@", "d")),
      op("endsWith", fc.constant(".COM")),
      op("regex", fc.constant("^A@")),
    ),
  ),
  on("identifiers.customer_id", fc.oneof(op("eq", fc.constantFrom("1", 2)), op("in", fc.constant(["x", 1])))),
  on("cID", op("in", fc.constant(["000000000000000000000001", "00000000000000000000001a"]))),
  on("createdAt", ofDate),
  on("lastModified", ofDate),
);

const eventProps = fc.array(
  fc.oneof(
    fc
      .constantFrom("category", "price", "properties.when", "tags", "properties.nested.deep", "flag")
      .chain((path) => on(path, ofAuto)),
    on("geo.city", ofString),
    on("geo.country", withCi(op("eq", fc.constantFrom("DE", "fr")))),
    on("geo.geoLoc", ofGeo),
    on("geo.geoLoc.lat", ofNumber),
    on("device.type", op("in", fc.constant(["Mobile"]))),
    on("device.browser", ofString),
    on("device.robot", ofBoolean),
  ),
  { minLength: 1, maxLength: 2 },
);
const optional = <T extends object>(members: fc.Arbitrary<T>) => fc.oneof(members, fc.constant({}));
const comparison = (value: fc.Arbitrary<number>) =>
  fc.record({ op: fc.constantFrom("eq", "neq", "gt", "gte", "lt", "lte"), value });
const count = comparison(fc.constantFrom(0, 1, 2, 3, 40)).map((rule) => ({ count: rule }));

const merged = (...parts: fc.Arbitrary<object>[]) => fc.tuple(...parts).map((members) => Object.assign({}, ...members));

const sumOf = (of: fc.Arbitrary<string>) =>
  fc.record({ sum: merged(fc.record({ of }), comparison(fc.constantFrom(-10, 0, 10, 100.5, 150))) });

const list = merged(
  fc.record({ list: fc.constantFrom(1, "vip", "news", 3, "3"), op: fc.constantFrom("in", "notIn") }),
  optional(window.map((joined) => ({ joined }))),
);
const event = merged(
  fc.record({ event: fc.constantFrom<unknown>("browse", "open", ["open", "click"], ["browse", "open", "click"]) }),
  optional(eventProps.map((where) => ({ where }))),
  optional(window.map((within) => ({ within }))),
  fc.oneof(
    optional(count),
    merged(optional(count), fc.constant({ last: true })),
    sumOf(fc.constantFrom("price", "nested.deep", "properties.flag", "geo.geoLoc.lat")),
  ),
  fc.constantFrom<object>({}, {}, { robots: true }, { robots: false }),
  fc.constantFrom<object>(
    {},
    {},
    { message: { id: "m1" } },
    { message: { id: "m3" } },
    { message: { id: "m3:d260102" } },
    { message: { id: "m3:h26010309" } },
    { message: { id: "m1:more" } },
  ),
);
const message = fc
  .record(
    {
      id: fc.constantFrom("m1", "m2", "m3"),
      key: fc.constantFrom("spring", "autumn", ""),
      tag: fc.constantFrom("sale", "news"),
      channel: fc.constantFrom("email", "sms"),
    },
    { requiredKeys: [] },
  )
  .filter((one) => Object.values(one).length > 0 && !Object.values(one).includes(""));
const messageEvent = merged(
  fc.record({ event: fc.constantFrom<unknown>("open", ["browse", "message-sent"]), message }),
  optional(window.map((within) => ({ within }))),
  optional(count),
);
const orderWhere = fc.oneof(
  on("totalAmount", ofNumber),
  on("tax", ofNumber),
  on("status", withCi(op("in", fc.constant(["cancelled", "paid"])))),
  on("purchaseDate", ofDate),
  on("orderID", op("startsWith", fc.constant("1"))),
  on("currency", op("eq", fc.constant("EUR"))),
  on("properties.category", ofAuto),
);
const itemWhere = fc.oneof(
  on("sku", op("eq", fc.constantFrom("a", "b"))),
  on("qty", ofNumber),
  on("itemPrice", ofNumber),
  on("attr.price", ofAuto),
);
const sum = sumOf(fc.constantFrom("totalAmount", "tax", "items.qty", "items.itemPrice", "items.attr.price"));
const order = merged(
  fc.constant({ order: true }),
  optional(fc.array(orderWhere, { minLength: 1, maxLength: 2 }).map((where) => ({ where }))),
  optional(fc.array(itemWhere, { minLength: 1, maxLength: 2 }).map((items) => ({ items }))),
  optional(window.map((within) => ({ within }))),
  fc.oneof(count, sum, fc.constant({})),
  fc.constantFrom({}, {}, { status: "any" }, { status: "refunded" }, { status: ["open", "paid"] }),
);

const cartWhere = fc.oneof(
  on("totalAmount", ofNumber),
  on("cartID", op("eq", fc.constantFrom("c1", "c2"))),
  on("updatedAt", ofDate),
  on("expiration", ofDate),
);
const lineWhere = fc.oneof(
  on("sku", op("eq", fc.constantFrom("a", "b"))),
  on("qty", ofNumber),
  on("attr.price", ofAuto),
);
const cart = fc.oneof(
  fc.constant({ cart: "empty" }),
  merged(
    fc.oneof(
      fc.constant({ cart: "nonEmpty" }),
      fc.array(lineWhere, { maxLength: 2 }).map((items) => ({ cart: { items } })),
    ),
    optional(fc.array(cartWhere, { minLength: 1, maxLength: 2 }).map((where) => ({ where }))),
    optional(window.map((within) => ({ within }))),
  ),
);
const joins = fc.record({
  join: fc.record({
    contact: fc.constantFrom(
      "attributes.color",
      "attributes.score",
      "attributes.tags",
      "attributes.vip",
      "attributes.free",
      "attributes.home.city",
      "channels.email.address",
      "identifiers.customer_id",
      "cID",
    ),
    record: fc.constantFrom("category", "price", "tags", "flag", "id"),
  }),
});
const recordWhere = fc.oneof(
  fc.constantFrom("category", "price", "when", "tags", "nested.deep").chain((path) => on(path, ofAuto)),
  on("lm", ofDate),
);
const supplement = merged(
  fc.oneof(
    merged(fc.constant({ supplement: "cars" }), optional(joins)),
    merged(fc.constant({ supplement: "shops" }), joins),
  ),
  optional(fc.array(recordWhere, { minLength: 1, maxLength: 2 }).map((where) => ({ where }))),
  optional(count),
);
const sample = fc
  .record({
    percent: fc.constantFrom(0, 12.34, 33, 33.33, 50),
    from: fc.constantFrom(0, 0.01, 33, 33.33, 50),
    salt: fc.constantFrom("", "a", "a salt of more than thirty-two bytes"),
  })
  .map((rule) => ({ sample: rule }));
const audience = fc.constantFrom("buyers", "calm_buyers", "65f0c0ffee65f0c0ffee0001").map((key) => ({ audience: key }));

export const randomLeaf: fc.Arbitrary<object> = fc.oneof(
  { weight: 2, arbitrary: cart },
  { weight: 2, arbitrary: supplement },
  { weight: 1, arbitrary: sample },
  { weight: 1, arbitrary: audience },
  { weight: 2, arbitrary: messageEvent },
  { weight: 5, arbitrary: field },
  { weight: 1, arbitrary: list },
  { weight: 3, arbitrary: event },
  { weight: 3, arbitrary: order },
);

/** Random valid criteria, up to four levels deep. */
export const randomCriteria: fc.Arbitrary<object> = fc.letrec<{ node: object }>((tie) => {
  const nodes = fc.array(tie("node"), { maxLength: 3 });
  const exclude = fc.oneof(
    { weight: 4, arbitrary: fc.constant({}) },
    tie("node").map((exclude) => ({ exclude })),
  );
  return {
    node: fc.oneof(
      { maxDepth: 3 },
      { weight: 6, arbitrary: randomLeaf },
      {
        weight: 2,
        arbitrary: merged(
          nodes.map((and) => ({ and })),
          exclude,
        ),
      },
      {
        weight: 2,
        arbitrary: merged(
          nodes.map((or) => ({ or })),
          exclude,
        ),
      },
      { weight: 1, arbitrary: tie("node").map((not) => ({ not })) },
    ),
  };
}).node;
