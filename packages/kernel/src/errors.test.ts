import { expect, test } from "vitest";
import { HeadwaterError } from "./errors.ts";

test("an error carries what the caller may read and keeps the cause for operators", () => {
  const cause = new Error("relation contacts does not exist");
  const error = new HeadwaterError({
    code: "PAYLOAD_TOO_LARGE",
    status: 413,
    publicMessage: "The body is too large.",
    details: [{ path: "/items", code: "too_many", message: "at most 1000" }],
    cause,
    extra: { limit: { what: "items", max: 1000 } },
  });
  expect(error).toBeInstanceOf(Error);
  expect(error).toMatchObject({ name: "HeadwaterError", message: "The body is too large.", status: 413 });
  expect(error.details).toHaveLength(1);
  expect(error.cause).toBe(cause);
  expect(error.extra).toEqual({ limit: { what: "items", max: 1000 } });
});

test("an error without more is not retriable and has no details", () => {
  const error = new HeadwaterError({ code: "BAD_REQUEST", status: 400, publicMessage: "Bad query." });
  expect(error).toMatchObject({ retriable: false, details: [], extra: {} });
  expect("cause" in error).toBe(false);
});
