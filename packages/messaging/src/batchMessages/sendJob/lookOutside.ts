import type { JobPorts } from "@headwater/jobs/runner/jobKind";
import { lockSendingMessage } from "../startMessages.ts";
import { type LearntNow, lookAtExperiment } from "./experiment/lookAtExperiment.ts";
import { type SeenAudience, type SendWork, takeSnapshot } from "./takeSnapshot.ts";

/** Result of reads outside of the step's transaction; empty where the message needs none now. */
export interface Seen {
  readonly audience?: SeenAudience;
  readonly experiment?: LearntNow;
}

/** Reads what the next step of a message needs of ClickHouse and Kafka. */
export async function lookOutside(work: SendWork, ports: JobPorts): Promise<Seen> {
  const { account, input, progress } = work;
  const key = { account: account.number, id: input.message };
  const message = await ports.postgres.transaction((transaction) => lockSendingMessage(transaction, key));
  if (message?.status !== "processing" || progress === undefined || progress.phase === "begin") return {};
  if (!message.isReady) {
    const audience = await takeSnapshot(work, message, ports);
    return audience === undefined ? {} : { audience };
  }
  const experiment = await lookAtExperiment(work, message, ports);
  return experiment === undefined ? {} : { experiment };
}
