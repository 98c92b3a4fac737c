import { HeadwaterError, isInfrastructure } from "@headwater/kernel";
import pg from "pg";

/**
 * `unavailable`: connection lost or refused, server starting or stopping, out of connections, disk or memory; the same call may pass later.
 * `conflict`: deadlock or serialization failure; run the transaction again, best with less in it. `timeout`: the statement took longer
 * than allowed. `unique`: the row is there already. `other`: what was sent is wrong, or a defect of ours.
 */
export type PostgresFailure = "unavailable" | "conflict" | "timeout" | "unique" | "other";

/** Documents of all rows together are larger than the reader takes at once: fewer rows are to be asked for. */
export class DocumentsTooLarge extends Error {}

/** Connections and sign-ins (28), a database that is renamed or restored (3D), resources, and the system. */
const UNAVAILABLE_CLASSES = new Set(["08", "28", "3D", "53", "58"]);
const UNAVAILABLE_STATES = new Set(["57P01", "57P02", "57P03", "57P04", "57P05", "25006", "25P03", "25P04"]);
const CONFLICT_STATES = new Set(["40001", "40P01", "55P03"]);
/** The driver names its own errors only by their text. */
const DRIVER_TEXTS = [
  "Connection terminated",
  "Query read timeout",
  "timeout expired",
  "timeout exceeded when trying to connect",
  "Client has encountered a connection error and is not queryable",
  "Client was closed and is not queryable",
];

/** Returns the kind of failure that an error of this adapter is; looks through HeadwaterError's cause. */
export function postgresFailure(error: unknown): PostgresFailure {
  if (error instanceof HeadwaterError) return error.cause === undefined ? "other" : postgresFailure(error.cause);
  if (error instanceof pg.DatabaseError) return failureOfState(error.code ?? "");
  return isNetworkError(error) ? "unavailable" : "other";
}

function failureOfState(state: string): PostgresFailure {
  if (UNAVAILABLE_CLASSES.has(state.slice(0, 2)) || UNAVAILABLE_STATES.has(state)) return "unavailable";
  if (CONFLICT_STATES.has(state)) return "conflict";
  if (state === "57014") return "timeout";
  return state === "23505" ? "unique" : "other";
}

function isNetworkError(error: unknown): boolean {
  if (isInfrastructure(error)) return true;
  return error instanceof Error && DRIVER_TEXTS.some((text) => error.message.startsWith(text));
}

/**
 * Postgres away becomes the error that HTTP answers with 503 and that loops retry; a conflict or a timeout is only marked as
 * `retriable`, for `classifyFailure`; all others stay as they are.
 */
export function toPublicError(error: unknown): unknown {
  if (error instanceof HeadwaterError) return error;
  const failure = postgresFailure(error);
  if (error instanceof Error && (failure === "conflict" || failure === "timeout")) {
    return Object.assign(error, { retriable: true });
  }
  if (failure !== "unavailable") return error;
  return new HeadwaterError({
    code: "SERVICE_UNAVAILABLE",
    status: 503,
    publicMessage: "The database is unavailable.",
    retriable: true,
    cause: error,
  });
}

/** Returns the 503 that a caller gets for a statement that Postgres ended because it took too long; any other error as it is. */
export function withSlowStatement(error: unknown): unknown {
  if (error instanceof HeadwaterError || postgresFailure(error) !== "timeout") return error;
  const publicMessage = "The database took too long. Retry later.";
  return new HeadwaterError({ code: "SERVICE_UNAVAILABLE", status: 503, publicMessage, retriable: true, cause: error });
}
