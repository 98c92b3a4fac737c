import { readAccountDocument } from "@headwater/accounts/accounts/accounts";
import { type OnceCall, runOnce } from "@headwater/api/idempotency/runOnce";
import { findNeverSeen, type NeverSeen } from "@headwater/audiences/criteria/neverSeen";
import { type Account, type ExportOptions, type JobInput, type JobName, toTimestamp } from "@headwater/contracts";
import type { Answer } from "@headwater/http";
import { startedJob } from "@headwater/jobs/queue/startedJob";
import { startJob } from "@headwater/jobs/queue/startJob";
import type { RoutePorts } from "../ports.ts";
import { chooseDestination } from "../storage/chooseDestination.ts";
import { chooseNotices } from "../storage/chooseNotices.ts";
import type { CheckedCriteria } from "./configurationProblems.ts";
import type { ExportBody } from "./readExportRequest.ts";
import { createWatermarks } from "./watermarks.ts";

/** Jobs whose input has the options of exports. */
type ExportJobName = { [Name in JobName]: JobInput<Name> extends ExportOptions ? Name : never }[JobName];

export interface ExportToStart<Name extends ExportJobName> {
  readonly jobName: Name;
  /** The job's input, given the watermark that is taken now. */
  readonly input: (watermark: ExportOptions["watermark"]) => JobInput<Name>;
  /** The request as it was sent: destination and notices are read of it. */
  readonly given: ExportBody["given"];
  /** Criteria whose names are searched for in the account's data. */
  readonly checked?: readonly CheckedCriteria[];
}

export type ExportPorts = Pick<
  RoutePorts,
  | "clickHouse"
  | "seenNames"
  | "postgres"
  | "queue"
  | "clock"
  | "cursors"
  | "highWatermarks"
  | "sealer"
  | "outbound"
  | "storages"
  | "canMail"
>;

/**
 * Takes the watermark and starts the job: all that was acknowledged before is in its files.
 * @throws HeadwaterError 422 `EXPORT_CONFIGURATION_ERROR`, `STORAGE_CONNECTION_ERROR`, 503 with Kafka away, 429 when the account has as many jobs waiting as it may.
 */
export async function startExport<Name extends ExportJobName>(
  once: OnceCall,
  { jobName, input, given: provided, checked = [] }: ExportToStart<Name>,
  ports: ExportPorts,
): Promise<Answer> {
  const { id: createdBy } = once.caller;
  // The key's cache may not know yet what the account saved just now.
  const { account } = await readAccountDocument(ports.postgres, once.caller.account.number);
  const { notices, warnings: ofNotices } = chooseNotices(provided, account, ports);
  const warnings = [...ofNotices, ...(await neverSeenIn(checked, account, ports))];
  const chosen = await chooseDestination(provided.destination, account, ports);
  const watermark = await createWatermarks(ports).take(account);
  return runOnce(ports.postgres, once, async (transaction) => {
    const nowMs = ports.clock.nowMs();
    const metadata = { watermark: { token: watermark.token, asOf: toTimestamp(watermark.asOf) } };
    const own = { ...input(watermark), ...(chosen && { destination: chosen.destination }) };
    const details = { metadata, secrets: chosen?.secrets, notices, madeBy: createdBy, nowMs };
    const jobId = await startJob(transaction, ports.queue, {
      account: account.number,
      jobName,
      input: own,
      ...details,
    });
    const answer = startedJob(jobId, warnings.length === 0 ? {} : { warnings });
    return { answer, kept: answer.body };
  });
}

/** Criteria of one export that are searched: trends of all saved audiences have up to 100. */
const CHECKED_THROUGH_MAX = 20;

async function neverSeenIn(
  checked: readonly CheckedCriteria[],
  account: Account,
  { clickHouse, clock, seenNames: seen }: Pick<ExportPorts, "clickHouse" | "clock" | "seenNames">,
): Promise<NeverSeen[]> {
  const found: NeverSeen[] = [];
  for (const { criteria, at } of checked.slice(0, CHECKED_THROUGH_MAX))
    found.push(...(await findNeverSeen(criteria, { account, nowMs: clock.nowMs(), at, seen }, { clickHouse })));
  return found;
}
