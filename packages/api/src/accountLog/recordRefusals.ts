import { classOfSegment } from "@headwater/contracts";
import type { AnsweredCall } from "@headwater/http";
import { type Clock, createWorkLoop, type Logger, type Metrics, type Part } from "@headwater/kernel";
import type { Session } from "@headwater/postgres/connection/session";
import { insertLogEntry, type NewLogEntry } from "./accountLog.ts";

export interface RecordRefusalsOptions {
  readonly session: Session;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

const FORBIDDEN = 403;
const MINUTE_MS = 60_000;
/** Entries of one caller in a minute; further ones are in the minute's count, as every refused call is. */
const PER_MINUTE_MAX = 10;
const WAITING_MAX = 1_000;
const EVERY_MS = 250;

/** Returns whether a route administers the account: its scope is one that `admin` alone covers. */
export function isAdminScope(scope: string | undefined): boolean {
  const [segment = "", action] = (scope ?? "").split(":");
  const one = classOfSegment(segment);
  return one === "admin" || (one === "adminWrite" && action === "write");
}

/**
 * Writes an entry for each call of a route that administers the account and was refused for a right. No call waits for Postgres: entries wait in
 * memory for a moment, so a process that is killed may lose some, and with Postgres away the last thousand wait.
 */
export function recordRefusals(options: RecordRefusalsOptions): Part & { note(refused: AnsweredCall): void } {
  const { session, clock, logger, metrics } = options;
  const dropped = metrics.counter({
    name: "headwater_refusals_not_logged_total",
    help: "Refused calls of routes that administer an account that have no log entry of their own, only their count.",
  });
  const waiting: NewLogEntry[] = [];
  let minute = 0;
  const ofMinute = new Map<string, number>();

  function isWithinMinute(caller: string): boolean {
    const now = Math.floor(clock.nowMs() / MINUTE_MS);
    if (now !== minute) ofMinute.clear();
    minute = now;
    const noted = ofMinute.get(caller) ?? 0;
    ofMinute.set(caller, noted + 1);
    return noted < PER_MINUTE_MAX;
  }
  async function write(): Promise<boolean> {
    const [entry] = waiting;
    if (entry === undefined) return false;
    await insertLogEntry(session, entry);
    waiting.shift();
    return waiting.length > 0;
  }
  const loop = createWorkLoop({
    work: write,
    idleMs: EVERY_MS,
    minMs: 1_000,
    maxMs: 10_000,
    isRetriable: () => true,
    onRetry: ({ error }) => logger.warn({ err: error }, "writing refused calls to the account log failed, retrying"),
  });
  return {
    note(refused) {
      if (refused.status !== FORBIDDEN || !isAdminScope(refused.route.scope)) return;
      if (waiting.length < WAITING_MAX && isWithinMinute(refused.caller.id)) waiting.push(entryOf(refused));
      else dropped.inc();
    },
    start: loop.start,
    stop: async () => {
      await loop.stop();
      while (await write());
    },
  };
}

function entryOf({ caller, route, status, code, requestId, receivedAtMs, clientAddress }: AnsweredCall): NewLogEntry {
  return {
    account: caller.account.number,
    at: receivedAtMs,
    category: "System",
    level: "Warning",
    action: route.operationId,
    message: `The call was refused with ${code ?? "an error"}.`,
    actor: caller.id,
    actorName: caller.kind === "key" ? undefined : caller.name,
    actorKind: caller.kind,
    ip: clientAddress(),
    requestId,
    status: String(status),
    details: { code },
  };
}
