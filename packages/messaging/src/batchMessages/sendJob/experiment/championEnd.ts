import type { Session } from "@headwater/postgres/connection/session";
import { testLengthMs } from "../../../experiments/timings.ts";
import { countMessageSends } from "../../messageSends.ts";
import { readChunkTotals } from "../../sendChunks.ts";
import type { SendingMessage } from "../../startMessages.ts";
import type { FrozenExperiment } from "../frozen.ts";

/**
 * Returns the time at which a champion's test ends: so long after its last send was tried first. Undefined while a contact of the test
 * is still to come, and where nobody waits for the champion.
 */
export async function readTestEnd(
  session: Session,
  message: Pick<SendingMessage, "account" | "id" | "startedAt">,
  experiment: Pick<FrozenExperiment, "decideAfterMinutes">,
): Promise<number | undefined> {
  const { contacts, waiting } = await readChunkTotals(session, message);
  const { untried, lastTriedAt } = await countMessageSends(session, message);
  if (waiting === 0 || contacts > waiting || untried > 0) return undefined;
  return (lastTriedAt ?? message.startedAt ?? 0) + testLengthMs(experiment);
}
