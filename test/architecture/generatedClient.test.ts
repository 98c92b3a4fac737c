import { expect, test } from "vitest";
import { ROOT, run } from "./repository.ts";

test("the client of /v2 is what the service's OpenAPI document gives today", () => {
  const { status, output } = run("node", [`${ROOT}packages/api-client/generate/main.ts`, "--check"]);
  expect({ status, output }).toEqual({ status: 0, output: "" });
});
