import { expect, test } from "vitest";
import { z } from "zod";
import { buildOpenApi } from "../docs/openApi.ts";
import { parsedBy, publishedAs } from "../docs/publishedAs.ts";
import { type BodyParser, readByHandler, readMembers } from "./bodyParser.ts";
import { defineRoute } from "./defineRoute.ts";

type Tree = z.ZodType;
const tree: Tree = z.lazy(() => z.strictObject({ and: z.array(tree) })).meta({ id: "Tree" });
const member = publishedAs(z.looseObject({}), tree);
const schema = z.object({ name: z.string(), rule: member.optional() });

const routeOf = (body: z.ZodType | BodyParser<unknown>) =>
  defineRoute({
    ...{ method: "POST", path: "/things", operationId: "createThing", summary: "Creates a thing.", answers: {} },
    ...{ auth: "basic", rateClass: "write", body, handler: () => ({ status: 201 }) },
  });

test("a handler gets the content of a body, or its validation errors, with the body as it was sent", () => {
  const { parse } = readByHandler(schema);
  const input = { name: "a", rule: { or: 1 }, more: true };
  expect(parse(input)).toEqual({ given: input, kind: "valid", content: { name: "a", rule: { or: 1 } } });
  const wrong = { rule: {} };
  expect(parse(wrong)).toMatchObject({ given: wrong, kind: "invalid", problems: [{ path: "/name" }] });
  expect(() => parse([])).toThrow(expect.objectContaining({ code: "VALIDATION_ERROR", status: 422 }));
});

test("the schema that parses a body is published, read by its handler or not", () => {
  expect(routeOf(schema).shapes.body).toBe(schema);
  expect(routeOf(readByHandler(schema)).shapes.body).toBe(schema);
});

test("a handler gets the members that are valid beside the validation errors of all others", () => {
  const pair = parsedBy(z.array(z.string()).describe("Two texts."), (value, refuse) => {
    if (!Array.isArray(value)) return refuse("type_mismatch", "The value must be a pair.");
    if (value.length > 2) refuse("too_many", "A pair has two.", { below: [2], allowed: ["0", "1"] });
    return value.join("-");
  });
  const strict = z.strictObject({ name: z.string(), pair: pair.nullish(), more: z.int().optional() });
  const { parse } = readMembers(strict);
  const valid = { name: "a", pair: ["x", "y"] };
  expect(parse(valid)).toEqual({ given: valid, members: { name: "a", pair: "x-y" }, problems: [] });
  const wrong = { pair: ["x", "y", "z"], more: 5, odd: 1 };
  expect(parse(wrong)).toEqual({
    given: wrong,
    members: { more: 5 },
    problems: [
      { path: "/name", code: "required", message: "`name` is required." },
      { path: "/pair/2", code: "too_many", message: "A pair has two.", allowed: ["0", "1"] },
      { path: "/odd", code: "unknown_field", message: '"odd" is not a known member.' },
    ],
  });
  expect(parse({ name: "a", pair: null }).members).toEqual({ name: "a", pair: null });
  expect(() => parse(null)).toThrow(expect.objectContaining({ code: "VALIDATION_ERROR", status: 422 }));
  expect(routeOf(readMembers(strict)).shapes.body).toBe(strict);
});

test("a member with a parser of its own is published as its grammar", () => {
  const document = buildOpenApi({ title: "t", version: "1" }, [routeOf(schema)]);
  const shared = { and: { type: "array", items: { $ref: "#/components/schemas/Tree" } } };
  expect(document).toMatchObject({
    paths: {
      "/things": {
        post: {
          requestBody: {
            content: {
              "application/json": {
                schema: { properties: { rule: { $ref: "#/components/schemas/Tree" } }, required: ["name"] },
              },
            },
          },
        },
      },
    },
    components: { schemas: { Tree: { type: "object", properties: shared } } },
  });
});
