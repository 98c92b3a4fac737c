import { readFile } from "node:fs/promises";
import { knownFields, parseCriteria } from "@headwater/criteria";
import { expect, test } from "vitest";
import { comparisons } from "./criteria.ts";
import { LISTS } from "./seed.ts";

const context = {
  fields: knownFields({
    attributes: ["country", "tier", "lifetime_value", "birthday"].map((key) => [key, "auto"] as const),
    identifiers: ["email"],
  }),
  lists: LISTS.map((name, index) => ({ id: index + 1, name })),
};

test("the page of the bench's criteria lists each of them, and those with a window", async () => {
  const page = await readFile(new URL("README.md", import.meta.url), "utf8");
  const listed = [...page.matchAll(/^\| (.+?) +\| (W| ) +\|/gm)].slice(1).map(([, name, mark]) => [name, mark === "W"]);
  const isWindowed = (criteria: object) => /"(?:within|joined)":/.test(JSON.stringify(criteria));
  expect(listed).toEqual(comparisons.map(({ name, criteria }) => [name, isWindowed(criteria)]));
  expect(listed).toHaveLength(30);
});

test("the bench asks nothing that the parser refuses", () => {
  for (const { name, criteria } of comparisons)
    expect([name, parseCriteria(criteria, context).kind]).toEqual([name, "ok"]);
});
