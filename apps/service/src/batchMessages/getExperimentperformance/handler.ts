import { type Account, findEnabledTest, readExperimentState } from "@headwater/contracts";
import { type Answer, refusal } from "@headwater/http";
import { readBatchMessage } from "@headwater/stores/batchMessages";
import { type PerformancePorts, readExperiment } from "../experimentNumbers.ts";
import { unknownMessage } from "../messageView.ts";
import { readMessageSettings } from "../storedMessage.ts";

export interface PerformanceCall {
  readonly id: string;
  readonly account: Account;
  readonly signal: AbortSignal;
}

/** Reads the numbers of a message's experiment by variant. Throws 404 `RECORD_NOT_FOUND`, also for a message without an experiment. */
export async function readPerformance(
  { id, account, signal }: PerformanceCall,
  ports: PerformancePorts,
): Promise<Answer> {
  const message = await readBatchMessage(ports.postgres, account.number, id);
  if (message === undefined) throw unknownMessage();
  const test = findEnabledTest(readMessageSettings(message).tests)?.test;
  if (test === undefined) throw refusal("RECORD_NOT_FOUND", "The message has no enabled experiment.");
  const learnt = readExperimentState(message.experiment);
  const { shown } = await readExperiment({ account, id, test, learnt, beganAt: message.sendAt, signal }, ports);
  const { name, strategy, ...numbers } = shown;
  return { status: 200, body: { name, strategy, totalAudience: message.audienceTotal ?? 0, ...numbers } };
}
