import { serviceDocument } from "@headwater/service/document";
import { expect, test } from "vitest";
import { z } from "zod";

const parametersShape = z.object({
  parameters: z
    .array(z.object({ name: z.string(), schema: z.object({ maxLength: z.number().optional() }) }))
    .default([]),
});
const pathsShape = z.record(z.string(), z.record(z.string(), parametersShape));

test("every `after` of the OpenAPI document says how long it may be", async () => {
  const { paths } = await serviceDocument();
  const parameters = Object.values(pathsShape.parse(paths)).flatMap((methods) =>
    Object.values(methods).flatMap((method) => method.parameters),
  );
  const lengths = parameters.filter(({ name }) => name === "after").map(({ schema }) => schema.maxLength);
  expect(lengths.length).toBeGreaterThan(10);
  expect(new Set(lengths)).toEqual(new Set([24_576]));
});
