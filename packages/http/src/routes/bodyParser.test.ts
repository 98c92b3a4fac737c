import { expect, test } from "vitest";
import { z } from "zod";
import { buildOpenApi } from "../docs/openApi.ts";
import { publishedAs } from "../docs/publishedAs.ts";
import { readByHandler } from "./bodyParser.ts";
import { defineRoute } from "./defineRoute.ts";

type Tree = z.ZodType;
const tree: Tree = z.lazy(() => z.strictObject({ and: z.array(tree) })).meta({ id: "Tree" });
const member = publishedAs(z.looseObject({}), tree);
const schema = z.object({ name: z.string(), rule: member.optional() });

const routeOf = (body: z.ZodType | ReturnType<typeof readByHandler>) =>
  defineRoute({
    ...{ method: "POST", path: "/things", operationId: "createThing", summary: "Creates a thing.", answers: {} },
    ...{ auth: "basic", rateClass: "write", body, handler: () => ({ status: 201 }) },
  });

test("a handler gets the content of a body, or its validation errors, with the body as it was sent", () => {
  const { parse } = readByHandler(schema);
  const given = { name: "a", rule: { or: 1 }, more: true };
  expect(parse(given)).toEqual({ given, kind: "valid", content: { name: "a", rule: { or: 1 } } });
  const wrong = { rule: {} };
  expect(parse(wrong)).toMatchObject({ given: wrong, kind: "invalid", problems: [{ path: "/name" }] });
  expect(() => parse([])).toThrow(expect.objectContaining({ code: "VALIDATION_ERROR", status: 422 }));
});

test("the schema that parses a body is published, read by its handler or not", () => {
  expect(routeOf(schema).shapes.body).toBe(schema);
  expect(routeOf(readByHandler(schema)).shapes.body).toBe(schema);
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
