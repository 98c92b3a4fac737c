import { waitForAfter } from "@headwater/api/consistency/after";
import type { AfterPorts } from "@headwater/api/ports";
import { withSnapshot } from "@headwater/api/reading/withSnapshot";
import { type Account, readExperimentState } from "@headwater/contracts";
import { type Answer, defineRoute, type Route, refusal } from "@headwater/http";
import { type PerformancePorts, readExperiment } from "../../batchMessages/experimentNumbers.ts";
import { performanceAnswer, performanceExample, query } from "../../batchMessages/routes/getExperimentperformance.ts";
import { readTemplateExperiment } from "../templateExperiments.ts";
import { readTemplate } from "../templates.ts";
import { publishedTest } from "../templateTests.ts";
import { templateParams, unknownTemplate } from "../templateView.ts";

interface PerformanceCall {
  readonly key: string;
  readonly account: Account;
  readonly signal: AbortSignal;
}

/** Reads the numbers of the published experiment by variant, since it began. Throws 404 `RECORD_NOT_FOUND`, also without an experiment. */
async function readTemplatePerformance(
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
  const { sends, shown: view } = await readExperiment(asked, ports);
  const { name, strategy, ...numbers } = view;
  return { status: 200, body: { name, strategy, totalAudience: sends, ...numbers } };
}

export function getTemplateexperiment(ports: AfterPorts & PerformancePorts): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/automationtemplates/{key}/experimentperformance",
    operationId: "getTemplateexperiment",
    summary: "Returns the numbers of a template's published experiment by variant.",
    description:
      "Sends of all days and hours since the experiment began are counted; `totalAudience` is their number. Opens and clicks of machines are left out. A variant that nobody got yet has zeros.",
    tags: ["automationtemplates"],
    answers: {
      200: { description: "The numbers.", schema: performanceAnswer, example: performanceExample },
      404: { description: "RECORD_NOT_FOUND: no template has this key, or it has no enabled experiment." },
    },
    auth: "basic",
    scope: "automationtemplates:read",
    rateClass: "read",
    params: templateParams,
    query,
    handler: async ({ params: { key }, query: { after }, caller, signal }) => {
      await waitForAfter({ token: after, caller, store: "analytics", signal }, ports);
      return readTemplatePerformance({ key, account: caller.account, signal }, ports);
    },
  });
}
