import type { BanditWeights } from "@headwater/contracts";
import type { JobPorts } from "@headwater/jobs/runner/jobKind";
import { banditShares } from "../../../experiments/banditShares.ts";
import { WEIGHTS_RENEWED_AFTER_MS } from "../../../experiments/timings.ts";
import { countMessageSends } from "../../messageSends.ts";
import { readChunkTotals } from "../../sendChunks.ts";
import type { SendingMessage } from "../../startMessages.ts";
import type { FrozenExperiment } from "../frozen.ts";
import type { SendWork } from "../takeSnapshot.ts";
import { readResults } from "./readResults.ts";

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
  if (nowMs < since + WEIGHTS_RENEWED_AFTER_MS) return undefined;
  const { contacts } = await readChunkTotals(ports.postgres, message);
  const { untried } = await countMessageSends(ports.postgres, message);
  if (contacts + untried === 0) return undefined;
  const asked = { id: message.id, experiment, sentBefore: nowMs - WEIGHTS_RENEWED_AFTER_MS };
  const results = await readResults(work, asked, ports);
  const shares = banditShares(results, experiment.metric ?? "uniqueOpens", Math.random);
  return { kind: "renewed", weights: { shares, renewal: (known?.renewal ?? 0) + 1, at: nowMs } };
}
