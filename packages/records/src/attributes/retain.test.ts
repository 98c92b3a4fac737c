import { expect, test } from "vitest";
import { anonymized } from "./retain.ts";

test.each([
  ["number", 512.5, 100],
  ["number", 99.9, 10],
  ["number", -3, -1],
  ["number", 0.5, 0],
  ["boolean", true, true],
  ["date", "1984-02-29T10:00:00+02:00", "1984"],
  ["geo", { city: "Bonn", countryISO: "de", loc: { lat: 50.7, lon: 7.1 } }, "DE"],
  ["geo", { city: "Bonn", country: "the house of Ada" }, "*"],
  ["array", ["lamps", "clocks"], 2],
  ["string", "Ada", "*"],
  ["auto", 7, "*"],
] as const)("a value of type %s, %j, belongs to the group %j", (type, value, group) => {
  expect(anonymized(value, type)).toEqual(group);
});
