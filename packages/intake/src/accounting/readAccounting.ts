import { ACCOUNTING_GROUP, STATE_GROUP } from "@headwater/contracts";
import { refusal } from "@headwater/http";
import { SYSTEM_FLOW } from "@headwater/kernel";
import type { RoutePorts } from "../ports.ts";
import { type AccountingRange, readLogSeen, readOutcomesSeen } from "./accounting.ts";
import { type AccountingLine, isBehind, toLines } from "./balance.ts";

/** The count of the log is usually a quarter of a second behind. */
const BEHIND_TIMEOUT_MS = 5_000;

type AccountingPorts = Pick<RoutePorts, "postgres" | "waits">;

/**
 * Accounting of the hours of a range. The outcomes are read first, with the positions of the log they go up to; then the log's
 * own count is waited for until it has come to those positions. So both count the same records however fast they move.
 * Throws 503 `SERVICE_UNAVAILABLE` when that count stays behind: nothing can be said then.
 */
export async function readAccounting(
  range: AccountingRange,
  { postgres, waits }: AccountingPorts,
  signal: AbortSignal,
): Promise<AccountingLine[]> {
  const outcomes = await readOutcomesSeen(postgres, STATE_GROUP, range);
  const readLog = () => readLogSeen(postgres, { group: ACCOUNTING_GROUP, places: outcomes.offsets }, range);
  let log = await readLog();
  const isCounted = async () => {
    if (!isBehind(outcomes, log)) return true;
    log = await readLog();
    return !isBehind(outcomes, log);
  };
  const wait = { flow: range.account ?? SYSTEM_FLOW, timeoutMs: BEHIND_TIMEOUT_MS, signal };
  if (await waits.until(isCounted, wait)) return toLines(outcomes, log, range);
  const message = "The log count lags behind the outcome count, so they cannot be compared right now. Retry later.";
  throw refusal("SERVICE_UNAVAILABLE", message, { retryAfterSeconds: 1 });
}
