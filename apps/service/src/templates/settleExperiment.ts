import { createHash } from "node:crypto";
import { freezeExperiment, readTemplateContent } from "@headwater/messaging";
import type { Transaction } from "@headwater/stores/postgres";
import { dropTemplateExperiment, type StoredTemplate, setTemplateExperiment } from "@headwater/stores/templates";

const MINUTE_MS = 60_000;
/** Time after which a worker looks at a new experiment. */
const LOOKED_AT_AFTER_MS = { split: null, "split-with-champion": MINUTE_MS, bandit: 15 * MINUTE_MS } as const;

/**
 * Stores the experiment of a template's published content, in the transaction that writes it. Another experiment, or other contents of its
 * variants, begin anew: what was learnt of the former ones does not count.
 */
export async function settleExperiment(
  transaction: Transaction,
  template: Pick<StoredTemplate, "account" | "mdtId" | "published">,
  nowMs: number,
): Promise<void> {
  const { account, mdtId, published } = template;
  const { tests, variants } = published === null ? { tests: [], variants: [] } : readTemplateContent(published);
  const goal = tests.find(({ enabled }) => enabled)?.goal;
  const experiment = freezeExperiment(tests, variants, goal);
  if (experiment === undefined) return dropTemplateExperiment(transaction, template);
  const definition = createHash("sha256").update(JSON.stringify(experiment)).digest("hex");
  const after = LOOKED_AT_AFTER_MS[experiment.type];
  const lookAt = after === null ? null : nowMs + after;
  await setTemplateExperiment(transaction, { account, mdtId, definition, beganAt: nowMs, lookAt });
}
