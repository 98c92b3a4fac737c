import type { IntakeRequest, Requests } from "../dataset/requests.ts";
import { DemoFailure } from "../demoFailure.ts";
import type { HttpApi } from "../httpApi.ts";
import type { Progress } from "../progress.ts";
import { addOutcomes, followAll, type Outcome } from "./follow.ts";
import { type Accepted, sendAll } from "./send.ts";

export interface Loaded {
  readonly outcome: Outcome;
  readonly records: number;
  readonly requests: number;
  /** Time from the first request to the last 202, and to the last record applied. */
  readonly acceptedMs: number;
  readonly appliedMs: number;
  /** Receipt of the last request: a read that includes it includes everything. */
  readonly lastReceipt: string;
}

/**
 * Loads the data set: contacts, then all that is about them, then, when every record is resolved, the list that says so.
 * Throws DemoFailure when a record is rejected; a run that was broken off is taken up by the next one.
 */
export async function loadAll(api: HttpApi, requests: Requests, progress: Progress): Promise<Loaded> {
  const { contacts, aboutContacts, completion } = requests;
  const total = recordsOf([...contacts, ...aboutContacts]);
  const startMs = performance.now();
  const counter = (stage: string) => {
    let done = 0;
    progress.show(stage, done, total);
    return (records: number) => {
      done += records;
      progress.show(stage, done, total);
    };
  };
  const onAccepted = counter("accepted");
  const accepted = await sendAll(api, contacts, onAccepted);
  accepted.push(...(await sendAll(api, aboutContacts, onAccepted)));
  const acceptedMs = performance.now() - startMs;
  progress.end();
  const data = await followAll(api, accepted, counter("applied"));
  progress.end();
  refuseRejected(data);
  const { outcome, lastReceipt } = await complete(api, completion);
  return {
    outcome: addOutcomes(data, outcome),
    records: total + recordsOf(completion),
    requests: contacts.length + aboutContacts.length + completion.length,
    acceptedMs,
    appliedMs: performance.now() - startMs,
    lastReceipt,
  };
}

/** Shows, by a list of all customers, that everything before is applied. */
async function complete(api: HttpApi, completion: readonly IntakeRequest[]) {
  const uncounted = (_records: number) => undefined;
  const accepted: Accepted[] = [];
  for (const request of completion) accepted.push(...(await sendAll(api, [request], uncounted)));
  const outcome = await followAll(api, accepted, uncounted);
  refuseRejected(outcome);
  const last = accepted.at(-1);
  if (last === undefined) throw new Error("the data set has customers");
  return { outcome, lastReceipt: last.receipt };
}

function refuseRejected({ rejected, reasons }: Outcome): void {
  if (rejected > 0) throw new DemoFailure(`${rejected} records were rejected; the first: ${reasons.join("; ")}`);
}

function recordsOf(requests: readonly IntakeRequest[]): number {
  return requests.reduce((sum, { records }) => sum + records, 0);
}
