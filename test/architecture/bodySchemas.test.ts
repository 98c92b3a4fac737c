import { expect, test } from "vitest";
import { shippedFiles } from "./repository.ts";

const SECOND_SCHEMA = /\bdocumentedBody\b/;

test("the schema that parses a route's body is the one that is published", () => {
  const routes = shippedFiles().filter(({ text }) => /\bdefine(Write|Public|)Route\b/.test(text));
  expect(routes.length).toBeGreaterThan(100);
  expect(routes.filter(({ text }) => SECOND_SCHEMA.test(text)).map(({ path }) => path)).toEqual([]);
});
