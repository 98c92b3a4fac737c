import { readHistoryStart } from "@headwater/accounts/accounts/accounts";
import { toTimestamp } from "@headwater/contracts";
import type { ErrorDetail } from "@headwater/kernel";
import type { Checking } from "../criteria/examineCriteria.ts";
import type { RoutePorts } from "../ports.ts";

/**
 * Looks whether a past moment is recorded: history begins with the account, or with a rebuild of ClickHouse.
 * @returns `out_of_range` with the earliest moment there is, for one of which nothing is recorded.
 */
export async function unrecorded(
  { account, asOf }: Checking,
  { postgres }: Pick<RoutePorts, "postgres">,
): Promise<readonly ErrorDetail[]> {
  if (asOf === undefined) return [];
  const earliestMs = await readHistoryStart(postgres, account.number);
  if (asOf >= earliestMs) return [];
  const earliest = toTimestamp(earliestMs);
  const message = `The recorded history of this account begins at ${earliest}.`;
  return [{ path: "/asOf", code: "out_of_range", message, earliest }];
}
