import { ClickHouseError } from "@clickhouse/client";
import { HeadwaterError } from "@headwater/kernel";
import { expect, test } from "vitest";
import { clickHouseFailure, toPublicError } from "./failures.ts";

const serverError = (type: string) => new ClickHouseError({ message: "m", code: "1", type });

test.each([
  [serverError("TOO_MANY_PARTS"), "unavailable"],
  [serverError("NOT_ENOUGH_SPACE"), "unavailable"],
  [serverError("MEMORY_LIMIT_EXCEEDED"), "limit"],
  [serverError("TIMEOUT_EXCEEDED"), "limit"],
  [serverError("UNKNOWN_IDENTIFIER"), "other"],
  [Object.assign(new Error("x"), { code: "ECONNREFUSED" }), "unavailable"],
  [new AggregateError([Object.assign(new Error("x"), { code: "ECONNRESET" })]), "unavailable"],
  [new Error("Timeout error."), "unavailable"],
  [new TypeError("x is not a function"), "other"],
  ["text", "other"],
])("%s is %s", (error, failure) => {
  expect(clickHouseFailure(error)).toBe(failure);
});

test("what may pass later is reported to callers as such, everything else stays as it is", () => {
  const away = toPublicError(serverError("TOO_MANY_PARTS"));
  expect(away).toBeInstanceOf(HeadwaterError);
  expect(away).toMatchObject({ status: 503, retriable: true });
  expect(clickHouseFailure(away)).toBe("unavailable");
  const wrong = serverError("SYNTAX_ERROR");
  expect(toPublicError(wrong)).toBe(wrong);
});

test("a query that took too long is told from a store that is away, whoever ended it", () => {
  const tooLong = { status: 503, retriable: true, publicMessage: "The query took too long. Retry later." };
  const aborted = new Error("The user aborted a request.");
  expect(toPublicError(aborted, true)).toMatchObject(tooLong);
  expect(toPublicError(serverError("TIMEOUT_EXCEEDED"))).toMatchObject(tooLong);
  expect(toPublicError(aborted)).toMatchObject({ publicMessage: "The analytical store is unavailable." });
  const memory = { publicMessage: "The query exceeded its memory limit." };
  expect(toPublicError(serverError("MEMORY_LIMIT_EXCEEDED"))).toMatchObject(memory);
});
