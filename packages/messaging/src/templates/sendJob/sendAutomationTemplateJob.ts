import { defineJobWithOutside, type StepEnd } from "@headwater/jobs/runner/jobKind";
import type { Transaction } from "@headwater/postgres/connection/session";
import { endTemplateRun, lockTemplateRun, type TemplateRun } from "../../triggers/templateRuns.ts";
import { readTemplatesById, type TemplateFacts } from "../templates.ts";
import { lookAtAudience } from "./lookAtAudience.ts";
import { type RunProgress, runProgress } from "./progress.ts";
import { storeAudience } from "./storeAudience.ts";
import { wantSends } from "./wantSends.ts";

/**
 * Sends a template to the audience of its recurring trigger, once for a tick: takes a snapshot of the audience, stores it in chunks, and makes
 * a wanted send of each contact. The run is locked in each step; a kill between two steps loses and repeats nothing.
 */
export const sendAutomationTemplateJob = defineJobWithOutside({
  jobName: "SendAutomationTemplate",
  progress: runProgress,
  outside: lookAtAudience,
  async step({ account, input, progress, nowMs }, transaction, seen): Promise<StepEnd<RunProgress>> {
    const run = await lockTemplateRun(transaction, { account: account.number, id: input.run });
    if (run === undefined) return { kind: "done" };
    const template = await templateOf(transaction, run);
    if (template === undefined) {
      await endTemplateRun(transaction, run, nowMs);
      return { kind: "done" };
    }
    if (progress?.phase === "wants") return wantSends(transaction, { run, template, progress, nowMs });
    return storeAudience(transaction, { run, template, account, seen, progress, nowMs });
  },
});

/** Returns the template of a run; undefined once it was deleted. */
async function templateOf(
  transaction: Transaction,
  { account, mdtId }: TemplateRun,
): Promise<TemplateFacts | undefined> {
  const [template] = await readTemplatesById(transaction, account, [mdtId]);
  return template;
}
