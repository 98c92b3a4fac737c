import { expect, test } from "vitest";
import { HeadwaterError, type HeadwaterErrorInit } from "./errors.ts";
import { classifyFailure, type FailureKind } from "./failures.ts";

function headwater(init: Partial<HeadwaterErrorInit>): HeadwaterError {
  return new HeadwaterError({ code: "INTERNAL_ERROR", status: 500, publicMessage: "x", ...init });
}

function coded(code: string, cause?: unknown): Error {
  return Object.assign(new Error("driver", { cause }), { code });
}

function overflow(): unknown {
  const descend = (): number => 1 + descend();
  try {
    return descend();
  } catch (error) {
    return error;
  }
}

const table: readonly (readonly [what: string, error: unknown, kind: FailureKind])[] = [
  ["a store that is away", headwater({ status: 503, code: "SERVICE_UNAVAILABLE", retriable: true }), "infrastructure"],
  ["a retriable error of any status", headwater({ status: 409, retriable: true }), "infrastructure"],
  ["a lost fence, another log, another transform", headwater({}), "systemic"],
  ["a schema the registry refuses", headwater({ code: "SCHEMA_REFUSED" }), "systemic"],
  ["a 503 that says waiting does not help", headwater({ status: 503 }), "systemic"],
  ["a record that breaks a rule of validation", headwater({ status: 422, code: "VALIDATION_ERROR" }), "poison"],
  ["a refused connection", coded("ECONNREFUSED"), "infrastructure"],
  ["a reset connection", coded("ECONNRESET"), "infrastructure"],
  ["a name that does not resolve", coded("EAI_AGAIN"), "infrastructure"],
  ["a full disk", coded("ENOSPC"), "infrastructure"],
  ["too many open files", coded("EMFILE"), "infrastructure"],
  [
    "fetch, whose cause is the network",
    new TypeError("fetch failed", { cause: coded("ECONNREFUSED") }),
    "infrastructure",
  ],
  [
    "several attempts, one of the network",
    new AggregateError([coded("ECONNREFUSED"), new Error("x")]),
    "infrastructure",
  ],
  ["a signal that timed out", new DOMException("x", "TimeoutError"), "infrastructure"],
  ["a driver that marks its error", Object.assign(new Error("deadlock"), { retriable: true }), "infrastructure"],
  ["a driver that marks its error otherwise", Object.assign(new Error("x"), { retriable: false }), "poison"],
  ["Postgres refusing a value", coded("22P05"), "poison"],
  ["a type error", new TypeError("Cannot read properties of null"), "poison"],
  ["a number out of range", new RangeError("The value is out of range"), "poison"],
  ["a stack overflow", overflow(), "poison"],
  ["text that is not JSON", new SyntaxError("Unexpected token"), "poison"],
  ["a plain error", new Error("whatever"), "poison"],
  ["what is no error at all", "whatever", "poison"],
  ["undefined", undefined, "poison"],
];

test.each(table)("%s", (_what, error, kind) => {
  expect(classifyFailure(error)).toBe(kind);
});

test("a chain of causes that never ends is not followed for ever", () => {
  const error = new Error("x");
  error.cause = error;
  expect(classifyFailure(error)).toBe("poison");
});
