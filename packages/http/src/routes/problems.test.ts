import { safeParse, toDetails } from "@headwater/kernel";
import { expect, test } from "vitest";
import { z } from "zod";
import { parseShape } from "./problems.ts";

const one = z.object({ id: z.string(), qty: z.number().optional() });
const shape = z.object({ body: z.union([one, z.array(one)]) });
const detailsOf = (value: unknown) => {
  const { error } = safeParse(shape, value);
  return error === undefined ? [] : toDetails(error).map(({ path, code }) => [path, code]);
};

test("the error names the intended one of two shapes, with the places in it", () => {
  expect(detailsOf({ body: {} })).toEqual([["/body/id", "required"]]);
  expect(detailsOf({ body: [{ id: "a" }, { id: "b", qty: "c" }] })).toEqual([["/body/1/qty", "type_mismatch"]]);
});

test("a value of neither shape has the wrong type", () => {
  expect(detailsOf({ body: 5 })).toEqual([["/body", "type_mismatch"]]);
});

test("an object whose length has no primitive value is refused as any other of a wrong type", () => {
  const parse = () => parseShape(z.object({ name: z.string().max(5) }), { name: { length: { toString: 0 } } }, "body");
  expect(parse).toThrow(
    expect.objectContaining({ status: 422, details: [expect.objectContaining({ path: "/name" })] }),
  );
});
