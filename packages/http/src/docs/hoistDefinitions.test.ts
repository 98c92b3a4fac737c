import { expect, test } from "vitest";
import { hoistDefinitions } from "./openApi.ts";

test("definitions of a schema become those of the document, and references follow them", () => {
  const schema = { $ref: "#/$defs/Tree", $defs: { Tree: { type: "array", items: { $ref: "#/$defs/Tree" } } } };
  expect(hoistDefinitions({ body: { schema }, others: [{ $ref: "#/components/schemas/Error" }, 1, null] })).toEqual({
    document: {
      body: { schema: { $ref: "#/components/schemas/Tree" } },
      others: [{ $ref: "#/components/schemas/Error" }, 1, null],
    },
    definitions: { Tree: { type: "array", items: { $ref: "#/components/schemas/Tree" } } },
  });
});
