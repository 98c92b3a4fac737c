import { expect, test } from "vitest";
import { z } from "zod";
import { parseShape } from "./problems.ts";

test("an object whose length has no primitive value is refused as any other of a wrong type", () => {
  const parse = () => parseShape(z.object({ name: z.string().max(5) }), { name: { length: { toString: 0 } } }, "body");
  expect(parse).toThrow(
    expect.objectContaining({ status: 422, details: [expect.objectContaining({ path: "/name" })] }),
  );
});
