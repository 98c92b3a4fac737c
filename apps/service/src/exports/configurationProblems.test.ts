import { expect, test } from "vitest";
import { createConfigurationProblems } from "./configurationProblems.ts";

test.each([
  ["color", "attributes.color"],
  ["attributes.colour", "attributes.color"],
  ["home.city", "attributes.home.city"],
])("a name %s that is unknown suggests %s", (name, meant) => {
  const problems = createConfigurationProblems();
  problems.unknown("/fields/0", "unknown_field", name, ["cID", "attributes.color", "attributes.home.city"]);
  const allowed = expect.arrayContaining([meant]);
  expect(problems.refuse).toThrow(expect.objectContaining({ details: [expect.objectContaining({ allowed })] }));
});
