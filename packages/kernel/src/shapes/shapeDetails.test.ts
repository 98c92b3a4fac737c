import { describe, expect, test } from "vitest";
import { z } from "zod";
import { safeParse } from "./safeParse.ts";
import { toDetails } from "./shapeDetails.ts";

const shape = z.strictObject({
  name: z.string().min(1).max(3),
  type: z.enum(["smtp", "http"]),
  version: z.literal(2).optional(),
  qty: z.number().int().min(1).max(9).multipleOf(3).optional(),
  share: z.number().gt(0).lt(1).optional(),
  tags: z.array(z.string()).min(1).max(2).optional(),
  either: z.union([z.string(), z.number()]).optional(),
  to: z.union([z.object({ email: z.string() }), z.array(z.string())]).optional(),
  url: z.url().optional(),
  when: z
    .string()
    .refine(() => false, { message: "is not an ISO 8601 date" })
    .optional(),
  whole: z
    .string()
    .refine(() => false, { message: "Dates are needed.", params: { code: "not_allowed" } })
    .optional(),
});
const right = { name: "a", type: "smtp" };

function detailsOf(value: unknown) {
  const { error } = safeParse(shape, value);
  return error === undefined ? [] : toDetails(error);
}

test("missing members are required, whatever their shape is", () => {
  expect(detailsOf({})).toEqual([
    { path: "/name", code: "required", message: "`name` is required." },
    { path: "/type", code: "required", message: "`type` is required." },
  ]);
  const { error } = safeParse(z.object({ to: z.union([z.string(), z.number()]) }), {});
  expect(error && toDetails(error)).toEqual([{ path: "/to", code: "required", message: "`to` is required." }]);
});

test.each([
  [{ name: 5 }, "type_mismatch", "`name` must be a string."],
  [{ name: "" }, "out_of_range", "`name` must not be empty."],
  [{ name: "abcd" }, "too_long", "`name` must have at most 3 characters."],
  [{ type: "ftp" }, "bad_value", "`type` must be one of `smtp`, `http`."],
  [{ version: 3 }, "bad_value", "`version` must be 2."],
  [{ qty: 1.5 }, "type_mismatch", "`qty` must be an integer."],
  [{ qty: 0 }, "out_of_range", "`qty` must be at least 1."],
  [{ qty: 12 }, "out_of_range", "`qty` must be at most 9."],
  [{ qty: 4 }, "bad_value", "`qty` must be a multiple of 3."],
  [{ share: 0 }, "out_of_range", "`share` must be greater than 0."],
  [{ share: 1 }, "out_of_range", "`share` must be less than 1."],
  [{ tags: [] }, "out_of_range", "`tags` must not be empty."],
  [{ tags: ["a", "b", "c"] }, "too_many", "`tags` must have at most 2 elements."],
  [{ tags: "many" }, "type_mismatch", "`tags` must be an array."],
  [{ name: [1, 2, 3, 4] }, "type_mismatch", "`name` must be a string."],
  [{ either: true }, "type_mismatch", "`either` must be a string or a number."],
  [{ to: {} }, "required", "`to.email` is required."],
  [{ to: 5 }, "type_mismatch", "`to` must be an object or an array."],
  [{ url: "x" }, "bad_value", "`url` is not a URL."],
  [{ when: "x" }, "bad_value", "`when` is not an ISO 8601 date."],
  [{ whole: "x" }, "not_allowed", "Dates are needed."],
  [{ odd: 1 }, "unknown_field", '"odd" is not a known member.'],
])("%j says what is wrong with which member", (provided, code, message) => {
  expect(detailsOf({ ...right, ...provided })).toMatchObject([{ code, message }]);
});

test("closed sets are listed, and values are never repeated", () => {
  const details = detailsOf({ name: "secret-9", type: "secret-1", url: "secret-2", qty: "secret-3" });
  expect(details.find(({ path }) => path === "/type")?.allowed).toEqual(["smtp", "http"]);
  expect(JSON.stringify(details)).not.toContain("secret-");
});

test("a shape of our own that says its type takes part in the choice of a union's branch", () => {
  const members = z.custom<object>((value) => typeof value === "object" && !Array.isArray(value), {
    error: ({ input }) => (input === undefined ? "is required" : "must be an object"),
    params: { code: "type_mismatch" },
  });
  const to = z.object({ to: z.union([members, z.array(members).max(1)]) });
  const codes = [{}, { to: [{}, {}] }, { to: [5] }].map((value) => {
    const { error } = safeParse(to, value);
    return error === undefined ? [] : toDetails(error).map(({ path, code }) => [path, code]);
  });
  expect(codes).toEqual([[["/to", "required"]], [["/to", "too_many"]], [["/to/0", "type_mismatch"]]]);
});

test("what is wrong as a whole, or far within, is the value", () => {
  expect(detailsOf(5)).toEqual([{ path: "", code: "type_mismatch", message: "The value must be an object." }]);
  const long = z.record(z.string(), z.number());
  const { error } = safeParse(long, { ["n".repeat(300)]: "x" });
  expect(error && toDetails(error)[0]?.message).toBe("The value must be a number.");
});

describe("a value of one shape or a list of it", () => {
  const one = z.object({ id: z.string(), qty: z.number().optional() });
  const oneOrMore = z.object({ body: z.union([one, z.array(one)]) });
  const pathsOf = (value: unknown) => {
    const { error } = safeParse(oneOrMore, value);
    return error === undefined ? [] : toDetails(error).map(({ path, code }) => [path, code]);
  };

  test("is refused by the shape that was meant, with the places in it", () => {
    expect(pathsOf({ body: {} })).toEqual([["/body/id", "required"]]);
    expect(pathsOf({ body: [{ id: "a" }, { id: "b", qty: "c" }] })).toEqual([["/body/1/qty", "type_mismatch"]]);
  });

  test("has the wrong type when it is neither", () => {
    expect(pathsOf({ body: 5 })).toEqual([["/body", "type_mismatch"]]);
  });
});
