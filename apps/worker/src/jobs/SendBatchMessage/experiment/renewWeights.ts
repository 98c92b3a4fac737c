import type { BanditWeights } from "@headwater/contracts";
import { banditShares } from "@headwater/domain/experiment";
import { countMessageSends, readChunkTotals, type SendingMessage } from "@headwater/stores/batchMessages";
import type { JobPorts } from "../../../runner/jobKind.ts";
import type { FrozenExperiment } from "../frozen.ts";
import type { SendWork } from "../takeSnapshot.ts";
import { readResults } from "./readResults.ts";

/** Time for which weights are in force, and after which a send counts: what its contact does needs time. */
const RENEWED_AFTER_MS = 15 * 60_000;

interface Renewing {
  readonly message: SendingMessage;
  readonly experiment: FrozenExperiment;
  readonly known: BanditWeights | undefined;
}

/** Finds new weights of a bandit from what contacts did with its variants, where some are due and contacts are still to come. */
export async function renewWeights(
  work: SendWork,
  { message, experiment, known }: Renewing,
  ports: JobPorts,
): Promise<{ readonly kind: "renewed"; readonly weights: BanditWeights } | undefined> {
  const { nowMs } = work;
  const since = known?.at ?? message.startedAt ?? nowMs;
  if (nowMs < since + RENEWED_AFTER_MS) return undefined;
  const { contacts } = await readChunkTotals(ports.postgres, message);
  const { untried } = await countMessageSends(ports.postgres, message);
  if (contacts + untried === 0) return undefined;
  const asked = { id: message.id, experiment, sentBefore: nowMs - RENEWED_AFTER_MS };
  const results = await readResults(work, asked, ports);
  const shares = banditShares(results, experiment.metric ?? "uniqueOpens", Math.random);
  return { kind: "renewed", weights: { shares, renewal: (known?.renewal ?? 0) + 1, at: nowMs } };
}
