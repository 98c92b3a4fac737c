import { expect, test } from "vitest";
import { createConfigurationProblems } from "./configurationProblems.ts";

const OPTIONS = ["selected_channel", "selected_message_tags", "columnHeaders", "audience-key", "exportType", "name"];
const MANY = [...OPTIONS, ...["bom", "since", "until", "timezone", "compress", "delimiter"]];

function detailOf(name: string, known: readonly string[]) {
  const problems = createConfigurationProblems();
  problems.unknown("/x", "unknown_field", name, known);
  try {
    problems.refuse();
  } catch (error) {
    return Reflect.get(Object(error), "details")[0];
  }
  throw new Error("nothing was refused");
}

test.each([
  ["color", "attributes.color"],
  ["attributes.colour", "attributes.color"],
  ["home.city", "attributes.home.city"],
])("a name %s that is unknown suggests %s", (name, meant) => {
  expect(detailOf(name, ["cID", "attributes.color", "attributes.home.city"]).allowed).toContain(meant);
});

test.each([
  ["channel", "selected_channel"],
  ["tags", "selected_message_tags"],
  ["headers", "columnHeaders"],
  ["audience", "audience-key"],
  ["exportTyp", "exportType"],
])("an option %s that is a word of another suggests %s", (name, meant) => {
  expect(detailOf(name, MANY).allowed).toContain(meant);
});

test("without a near name there is no list of allowed ones, and a short list is shown whole, the nearest first", () => {
  expect(detailOf("zzzzzzzzzzzz", MANY)).not.toHaveProperty("allowed");
  expect(detailOf("nam", OPTIONS).allowed).toEqual(["name", ...OPTIONS.filter((one) => one !== "name")]);
});

test("wrong criteria are refused as rules, and beside other problems as all that is wrong", () => {
  const rule = { path: "/criteria/list", code: "unknown_reference", message: "m" };
  const bad = { path: "/criteria/op", code: "unknown_operator", message: "m" };
  const refused = (code: string, details: readonly object[]) => expect.objectContaining({ code, details });
  const problems = createConfigurationProblems();
  problems.addRules([rule, bad]);
  expect(problems.refuse).toThrow(refused("INVALID_AUDIENCE_RULES", [rule, bad]));
  const option = { path: "/asOf", code: "bad_value", message: "m" };
  problems.add(option.path, option.code, option.message);
  expect(problems.refuse).toThrow(refused("EXPORT_CONFIGURATION_ERROR", [option, rule, bad]));
  problems.noteUnreadMoment();
  expect(problems.refuse).toThrow(refused("EXPORT_CONFIGURATION_ERROR", [option, bad]));
});
