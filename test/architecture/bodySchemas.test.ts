import { expect, test } from "vitest";
import { shippedFiles } from "./repository.ts";

/** Routes whose handlers still read by hand what a second schema publishes: one that is new to the list is a mistake. */
const READ_BY_HAND = [
  "countAudience/countAudience.ts",
  "createAudiencetrendsexport/createAudiencetrendsexport.ts",
  "routes/createActivityexport.ts",
  "routes/createContactexport.ts",
  "routes/createLogexport.ts",
  "routes/createMessageexport.ts",
  "routes/createOrdersexport.ts",
  "imports/importRoute.ts",
];
const SECOND_SCHEMA = /^\s+documentedBody\b/m;

test("the schema that parses a route's body is the one that is published, but for the routes that are listed", () => {
  const routes = shippedFiles().filter(({ text }) => /\bdefine(Write|Public|)Route\b/.test(text));
  expect(routes.length).toBeGreaterThan(100);
  const twice = routes.filter(({ text }) => SECOND_SCHEMA.test(text)).map(({ path }) => path);
  expect(twice.filter((path) => !READ_BY_HAND.some((known) => path.endsWith(`/${known}`)))).toEqual([]);
  expect(READ_BY_HAND.filter((known) => !twice.some((path) => path.endsWith(`/${known}`)))).toEqual([]);
});

test("the search finds a second schema", () => {
  expect(SECOND_SCHEMA.test("  body,\n    documentedBody: newTransport,")).toBe(true);
  expect(SECOND_SCHEMA.test("  body: readByHandler(newTransport),")).toBe(false);
});
