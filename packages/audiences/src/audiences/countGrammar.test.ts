import { criteriaExamples } from "@headwater/criteria";
import { serviceDocument } from "@headwater/service/document";
import { Ajv2020 } from "ajv/dist/2020.js";
import { beforeAll, expect, test } from "vitest";

const BODY = "/paths/~1v2~1audiencecount/post/requestBody/content/application~1json/schema";
let allows: (body: unknown) => unknown;
let document: Awaited<ReturnType<typeof serviceDocument>>;

beforeAll(async () => {
  document = await serviceDocument();
  const ajv = new Ajv2020({ strict: false, allErrors: false });
  ajv.addSchema({ ...document, $id: "https://headwater.test/document" });
  allows = ajv.compile({ $ref: `https://headwater.test/document#${BODY}` });
});

test.each(Object.values(criteriaExamples))(
  "the published grammar takes %j, bare, wrapped and with options",
  (criteria) => {
    const options = { explain: true, asOf: "2026-01-09", timezone: "Europe/Berlin", basis: "event", sampleSize: 5 };
    const eligibleFor = { channel: "email", classification: "promotional" };
    for (const body of [criteria, { criteria }, { ...criteria, ...options }, { criteria, eligibleFor, ...options }])
      expect(allows(body)).toBe(true);
  },
);

test.each([{ id: "65f0c0ffee65f0c0ffee0001" }, { key: "30_day_engaged", sampleSize: 3 }, { and: [] }])(
  "the published grammar accepts %j",
  (body) => {
    expect(allows(body)).toBe(true);
  },
);

test.each([
  {},
  [],
  { and: [], asof: "2026-01-01" },
  { criteria: { and: [] }, key: "vip" },
  { id: "a", key: "vip" },
  { and: [{ field: "attributes.color", op: "is", value: 1 }] },
  { criteria: { and: [{ list: "vip" }] } },
  { and: [], basis: "guess" },
  { and: [], sampleSize: 21 },
])("the published grammar refuses %j", (body) => {
  expect(allows(body)).toBe(false);
});

test("the published examples pass the published grammar", () => {
  const steps = BODY.split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/"));
  const schema: unknown = steps.reduce<unknown>((at, step) => Reflect.get(Object(at), step), document);
  const examples: unknown = Reflect.get(Object(schema), "examples");
  const listed: readonly unknown[] = Array.isArray(examples) ? examples : [];
  expect(listed.length).toBeGreaterThan(4);
  for (const example of listed) expect(allows(example)).toBe(true);
});
