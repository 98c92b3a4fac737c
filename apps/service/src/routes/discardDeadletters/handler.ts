import type { DiscardRequest } from "@headwater/contracts";
import type { Answer, ApiKey } from "@headwater/http";
import { discardDeadLetters } from "@headwater/stores";
import { refuseWrongStates, toFilters } from "../../deadLetters/selection.ts";
import type { ServicePorts } from "../../ports.ts";

/** @param signal a client that goes away ends it between two thousands; what is closed stays closed. */
export async function discardSelection(
  { select, reason }: DiscardRequest,
  { account, id: by }: ApiKey,
  { postgres, clock, signal }: Pick<ServicePorts, "postgres" | "clock"> & { readonly signal: AbortSignal },
): Promise<Answer> {
  const filters = toFilters(select, account);
  await refuseWrongStates(postgres, filters, "discarded");
  const discarded = await discardDeadLetters(postgres, filters, { reason, by, at: clock.nowMs(), signal });
  return { status: 200, body: { discarded } };
}
