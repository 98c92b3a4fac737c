import { ClientError } from "@headwater/api-client";
import { type ErrorDetail, HeadwaterError } from "@headwater/kernel";
import type { Terminal } from "./terminal.ts";

/** Exit codes for the shell. */
export const exitCodes = {
  ok: 0,
  error: 1,
  usage: 2,
  auth: 3,
  notFound: 4,
  validation: 5,
  rateLimit: 6,
  jobFailed: 7,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Something is wrong with how the command was typed. */
export function usageError(publicMessage: string): HeadwaterError {
  return new HeadwaterError({ code: "USAGE", status: 400, publicMessage });
}

export function validationError(publicMessage: string, details: readonly ErrorDetail[] = []): HeadwaterError {
  return new HeadwaterError({ code: "VALIDATION_ERROR", status: 422, publicMessage, details });
}

export function exitCodeOf(error: unknown): ExitCode {
  if (!(error instanceof HeadwaterError || error instanceof ClientError)) return exitCodes.error;
  if (error.code === "USAGE" || error.code === "CONFIG_INVALID") return exitCodes.usage;
  switch (error.status) {
    case 401:
    case 403:
      return exitCodes.auth;
    case 404:
      return exitCodes.notFound;
    case 400:
    case 413:
    case 415:
    case 422:
      return exitCodes.validation;
    case 429:
      return exitCodes.rateLimit;
    default:
      return exitCodes.error;
  }
}

/** Says in plain words what went wrong; the stack and its causes only when they were asked for. */
export function sayFailure(terminal: Pick<Terminal, "say">, error: unknown, isVerbose: boolean): void {
  terminal.say(`headwater: ${error instanceof Error ? error.message : String(error)}`);
  if ((error instanceof HeadwaterError || error instanceof ClientError) && error.code !== "CONFIG_INVALID") {
    for (const { path, message, allowed, line, column } of error.details) {
      const at = line === undefined ? "" : ` (line ${line}${column === undefined ? "" : `, column ${column}`})`;
      terminal.say(`  ${path}${at}: ${message}${allowed?.length ? ` (allowed: ${allowed.join(", ")})` : ""}`);
    }
  }
  if (error instanceof ClientError && error.status !== undefined) {
    const request = error.requestId === undefined ? "" : `, request ${error.requestId}`;
    terminal.say(`  ${error.status} ${error.code}${request}`);
  }
  if (isVerbose && error instanceof Error) {
    for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
      terminal.say(cause.stack ?? cause.message);
  }
}
