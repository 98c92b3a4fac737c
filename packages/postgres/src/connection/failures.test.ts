import { classifyFailure, HeadwaterError } from "@headwater/kernel";
import pg from "pg";
import { expect, test } from "vitest";
import { postgresFailure, toPublicError, withSlowStatement } from "./failures.ts";

function stateError(code: string): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError("m", 1, "error"), { code });
}

test.each([
  ["08006", "unavailable"],
  ["28P01", "unavailable"],
  ["3D000", "unavailable"],
  ["53300", "unavailable"],
  ["53100", "unavailable"],
  ["57P01", "unavailable"],
  ["57P03", "unavailable"],
  ["25P03", "unavailable"],
  ["25006", "unavailable"],
  ["40001", "conflict"],
  ["40P01", "conflict"],
  ["57014", "timeout"],
  ["23505", "unique"],
  ["23502", "other"],
  ["22P02", "other"],
  ["42601", "other"],
])("SQLSTATE %s is %s", (state, failure) => {
  expect(postgresFailure(stateError(state))).toBe(failure);
});

test.each([
  [Object.assign(new Error("connect"), { code: "ECONNREFUSED" }), "unavailable"],
  [new Error("Connection terminated unexpectedly"), "unavailable"],
  [new Error("timeout exceeded when trying to connect"), "unavailable"],
  [new TypeError("x is not a function"), "other"],
  [undefined, "other"],
])("%s is %s", (error, failure) => {
  expect(postgresFailure(error)).toBe(failure);
});

test("Postgres away is a 503 to callers, and is still known for what it is", () => {
  const away = toPublicError(stateError("57P01"));
  expect(away).toBeInstanceOf(HeadwaterError);
  expect(away).toMatchObject({ status: 503, retriable: true });
  expect(postgresFailure(away)).toBe("unavailable");
  const conflict = stateError("40P01");
  expect(toPublicError(conflict)).toBe(conflict);
});

test.each([
  ["08006", "infrastructure"],
  ["53100", "infrastructure"],
  ["40001", "infrastructure"],
  ["40P01", "infrastructure"],
  ["57014", "infrastructure"],
  ["23505", "poison"],
  ["22P05", "poison"],
  ["22003", "poison"],
  ["54000", "poison"],
])("a failure of Postgres with SQLSTATE %s is %s to every process", (state, kind) => {
  expect(classifyFailure(toPublicError(stateError(state)))).toBe(kind);
});

test("a statement that took too long is a 503 to callers, and every other error is what it was", () => {
  const slow = withSlowStatement(stateError("57014"));
  expect(slow).toMatchObject({ code: "SERVICE_UNAVAILABLE", status: 503, retriable: true });
  expect(postgresFailure(slow)).toBe("timeout");
  const away = toPublicError(stateError("57P01"));
  for (const error of [stateError("40P01"), stateError("23505"), away, new Error("x"), "x"]) {
    expect(withSlowStatement(error)).toBe(error);
  }
});
