import { ClickHouseError } from "@clickhouse/client";
import { HeadwaterError, isInfrastructure } from "@headwater/kernel";

/**
 * `unavailable`: connection lost, no answer in time, server stopping, overloaded or out of disk; the same call may pass later.
 * `limit`: the query passed its time or the memory allowed. `other`: what was sent is wrong, or a defect of ours.
 */
export type ClickHouseFailure = "unavailable" | "limit" | "other";

/** Types as the server names them in its answers (ErrorCodes.cpp). */
const UNAVAILABLE_TYPES = new Set([
  "ABORTED",
  "CANNOT_ALLOCATE_MEMORY",
  "CANNOT_SCHEDULE_TASK",
  "CANNOT_WRITE_TO_FILE_DESCRIPTOR",
  "ALL_CONNECTION_TRIES_FAILED",
  "KEEPER_EXCEPTION",
  "NETWORK_ERROR",
  "NO_ZOOKEEPER",
  "NOT_ENOUGH_SPACE",
  "QUERY_WAS_CANCELLED",
  "SERVER_OVERLOADED",
  "SOCKET_TIMEOUT",
  "TABLE_IS_READ_ONLY",
  "TOO_FEW_LIVE_REPLICAS",
  "TOO_MANY_PARTS",
  "TOO_MANY_SIMULTANEOUS_QUERIES",
  "UNKNOWN_STATUS_OF_INSERT",
  "UNSATISFIED_QUORUM_FOR_PREVIOUS_WRITE",
]);
/** The tables or the rights are not those this process writes with: no row is at fault. */
const SCHEMA_TYPES = new Set([
  "ACCESS_DENIED",
  "AUTHENTICATION_FAILED",
  "DATABASE_ACCESS_DENIED",
  "NO_SUCH_COLUMN_IN_TABLE",
  "READONLY",
  "REQUIRED_PASSWORD",
  "SYNTAX_ERROR",
  "TABLE_IS_DROPPED",
  "UNKNOWN_DATABASE",
  "UNKNOWN_FORMAT",
  "UNKNOWN_IDENTIFIER",
  "UNKNOWN_SETTING",
  "UNKNOWN_TABLE",
  "UNKNOWN_USER",
  "WRONG_PASSWORD",
]);
const MISSING_TYPES = new Set(["TABLE_IS_DROPPED", "UNKNOWN_DATABASE", "UNKNOWN_TABLE"]);
const LIMIT_TYPES = new Set(["MEMORY_LIMIT_EXCEEDED", "TIMEOUT_EXCEEDED", "TOO_SLOW"]);
/** The driver names its own errors only by their text; the second is what an aborted request says. */
const DRIVER_TEXTS = ["Timeout error.", "The user aborted a request.", "socket hang up", "aborted"];

/** Returns the kind of failure that an error of this adapter is; looks through HeadwaterError's cause. */
export function clickHouseFailure(error: unknown): ClickHouseFailure {
  if (error instanceof HeadwaterError) return error.cause === undefined ? "other" : clickHouseFailure(error.cause);
  if (error instanceof ClickHouseError) return failureOfType(error.type ?? "");
  return isNetworkError(error) ? "unavailable" : "other";
}

/** Returns whether ClickHouse refuses a statement whatever its rows hold. */
export function isSchemaFault(error: unknown): boolean {
  return error instanceof ClickHouseError && SCHEMA_TYPES.has(error.type ?? "");
}

/** Returns whether a table or the whole database that a statement names does not exist. */
export function isMissingTable(error: unknown): boolean {
  return error instanceof ClickHouseError && MISSING_TYPES.has(error.type ?? "");
}

/** Returns whether a statement ended itself by `throwIf`. */
export function isThrownByQuery(error: unknown): boolean {
  return error instanceof ClickHouseError && error.type === "FUNCTION_THROW_IF_VALUE_IS_NON_ZERO";
}

function failureOfType(type: string): ClickHouseFailure {
  if (UNAVAILABLE_TYPES.has(type)) return "unavailable";
  return LIMIT_TYPES.has(type) ? "limit" : "other";
}

function isNetworkError(error: unknown): boolean {
  if (isInfrastructure(error)) return true;
  return error instanceof Error && DRIVER_TEXTS.some((text) => error.message.startsWith(text));
}

const TOO_LONG = "The query took too long. Retry later.";

/**
 * ClickHouse away, or a query past its limits, becomes the error that HTTP answers with 503; all others stay as they are.
 * @param isLate whether the time for the answer had passed: then the call was ended by us, and ClickHouse need not be away.
 */
export function toPublicError(error: unknown, isLate = false): unknown {
  if (error instanceof HeadwaterError) return error;
  const failure = clickHouseFailure(error);
  if (failure === "other") return error;
  const publicMessage = {
    unavailable: isLate ? TOO_LONG : "The analytical store is unavailable.",
    limit: isMemory(error) ? "The query exceeded its memory limit." : TOO_LONG,
  }[failure];
  return new HeadwaterError({ code: "SERVICE_UNAVAILABLE", status: 503, publicMessage, retriable: true, cause: error });
}

function isMemory(error: unknown): boolean {
  return error instanceof ClickHouseError && error.type === "MEMORY_LIMIT_EXCEEDED";
}
