import { createHash } from "node:crypto";
import { findEnabledTest } from "@headwater/contracts";
import type { Transaction } from "@headwater/postgres/connection/session";
import { firstCheckAfterMs } from "../experiments/timings.ts";
import { freezeExperiment } from "../frozen/frozenExperiment.ts";
import { readTemplateContent } from "../frozen/templateContent.ts";
import { deleteTemplateExperiment, setTemplateExperiment } from "./templateExperiments.ts";
import type { StoredTemplate } from "./templates.ts";

/**
 * Stores the experiment of a template's published content, in the transaction that writes it. Another experiment, or other contents of its
 * variants, begin again: what was learnt of the former ones does not count.
 */
export async function resolveExperiment(
  transaction: Transaction,
  template: Pick<StoredTemplate, "account" | "mdtId" | "published">,
  nowMs: number,
): Promise<void> {
  const { account, mdtId, published } = template;
  const { tests, variants } = published === null ? { tests: [], variants: [] } : readTemplateContent(published);
  const goal = findEnabledTest(tests)?.test.goal;
  const experiment = freezeExperiment(tests, variants, goal);
  if (experiment === undefined) return deleteTemplateExperiment(transaction, template);
  const definition = createHash("sha256").update(JSON.stringify(experiment)).digest("hex");
  const after = firstCheckAfterMs(experiment.type);
  const checkIn = after === undefined ? null : nowMs + after;
  await setTemplateExperiment(transaction, { account, mdtId, definition, beganAt: nowMs, lookAt: checkIn });
}
