import { toTimestamp } from "@headwater/contracts";
import { refusal } from "@headwater/http";
import type { Checking } from "@headwater/projection";
import { readAccountCreation } from "@headwater/stores/accounts";
import type { ServicePorts } from "../ports.ts";

/**
 * Refuses a past moment of which nothing is recorded: history is kept from the account's creation on.
 * @throws HeadwaterError 422 `VALIDATION_ERROR`, `out_of_range` with the earliest moment there is.
 */
export async function expectRecorded(
  { account, asOf }: Checking,
  { postgres }: Pick<ServicePorts, "postgres">,
): Promise<void> {
  if (asOf === undefined) return;
  const earliestMs = await readAccountCreation(postgres, account.number);
  if (asOf >= earliestMs) return;
  const earliest = toTimestamp(earliestMs);
  const message = `The recorded history of this account begins at ${earliest}.`;
  const details = [{ path: "/asOf", code: "out_of_range", message, earliest }];
  throw refusal("VALIDATION_ERROR", "The options are invalid.", { details });
}
