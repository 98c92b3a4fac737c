import { type Account, readExperimentState } from "@headwater/contracts";
import { type Answer, refusal } from "@headwater/http";
import { readTemplate, readTemplateExperiment } from "@headwater/stores/templates";
import { type PerformancePorts, readExperiment } from "../../batchMessages/experimentNumbers.ts";
import { withSnapshot } from "../../reading/withSnapshot.ts";
import { publishedTest } from "../templateTests.ts";
import { unknownTemplate } from "../templateView.ts";

interface PerformanceCall {
  readonly key: string;
  readonly account: Account;
  readonly signal: AbortSignal;
}

/** Reads the numbers of the published experiment by variant, since it began. Throws 404 `RECORD_NOT_FOUND`, also without an experiment. */
export async function readTemplatePerformance(
  { key, account, signal }: PerformanceCall,
  ports: PerformancePorts,
): Promise<Answer> {
  const { template, experiment } = await withSnapshot(ports.postgres, async (session) => {
    const found = await readTemplate(session, account.number, key);
    if (found === undefined) throw unknownTemplate();
    return { template: found, experiment: await readTemplateExperiment(session, found) };
  });
  const test = publishedTest(template);
  if (test === undefined || experiment === undefined) {
    throw refusal("RECORD_NOT_FOUND", "The published template has no enabled experiment.");
  }
  const { beganAt } = experiment;
  const learnt = readExperimentState(experiment.learnt);
  const asked = { account, id: template.mdtId, test, learnt, beganAt, sentFrom: beganAt, signal };
  const { sends, shown } = await readExperiment(asked, ports);
  const { name, strategy, ...numbers } = shown;
  return { status: 200, body: { name, strategy, totalAudience: sends, ...numbers } };
}
