import { expect, test } from "vitest";
import { toErrorAnswer } from "./errorAnswer.ts";
import { refusal } from "./refusal.ts";

const details = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ path: `/and/${index}/op`, code: "bad_value", message: "is wrong" }));

test("all mistakes of a criteria with 200 nodes are listed", () => {
  const { body } = toErrorAnswer(
    refusal("INVALID_AUDIENCE_RULES", "250 rules are not valid", { details: details(250) }),
    "r",
  );
  expect(body).toMatchObject({ message: "250 rules are not valid", details: details(250) });
});

test.each([
  ["INVALID_AUDIENCE_RULES", 300],
  ["VALIDATION_ERROR", 100],
] as const)("more details of %s than %i are cut, and the message says so", (code, view) => {
  const { body } = toErrorAnswer(refusal(code, "Much is wrong.", { details: details(400) }), "r");
  const message = `Much is wrong; the first ${view} details are shown.`;
  expect(body).toMatchObject({ message, details: details(view) });
});
