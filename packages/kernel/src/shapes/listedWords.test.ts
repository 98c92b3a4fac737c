import { expect, test } from "vitest";
import { z } from "zod";
import { safeParse } from "./safeParse.ts";

const shape = z.object({
  status: z.enum(["subscribed", "unsubscribed", "None"]),
  any: z.string().optional(),
  listed: z.array(z.enum(["daily", "hourly"])).optional(),
  trigger: z
    .discriminatedUnion("type", [
      z.object({ type: z.literal("api") }),
      z.object({ type: z.literal("event"), on: z.enum(["Open", "Click"]) }),
    ])
    .optional(),
  either: z.union([z.boolean(), z.enum(["true", "false"])]).optional(),
  free: z.record(z.string(), z.unknown()).optional(),
});
const parsed = (value: object) => safeParse(shape, { status: "None", ...value }).data;

test("words of enums are read without case and stored as listed, at every level", () => {
  const value = {
    status: "Unsubscribed",
    any: "UNSUBSCRIBED",
    listed: ["Daily", "hourly"],
    trigger: { type: "EVENT", on: "click" },
    either: "TRUE",
    free: { status: "Unsubscribed" },
  };
  const stored = { ...value, status: "unsubscribed", listed: ["daily", "hourly"], either: "true" };
  expect(parsed(value)).toEqual({ ...stored, trigger: { type: "event", on: "Click" } });
  for (const status of ["NONE", " None ", "none\t"]) expect(parsed({ status })).toEqual({ status: "None" });
});

test("a text that is not a word in any case is refused with the words as listed", () => {
  const { error } = safeParse(shape, { status: "Unsubscribedd" });
  expect(error?.issues).toMatchObject([{ path: ["status"], values: ["subscribed", "unsubscribed", "None"] }]);
});

test("mistakes beside a word in another case are found as they are without it", () => {
  const { error } = safeParse(shape, { status: "NONE", any: 5, either: "TRUE" });
  expect(error?.issues.map(({ path }) => path)).toEqual([["any"]]);
});

test("the value that was given stays as it was", () => {
  const input = { status: "NONE", listed: ["DAILY"] };
  safeParse(shape, input);
  expect(input).toEqual({ status: "NONE", listed: ["DAILY"] });
});
