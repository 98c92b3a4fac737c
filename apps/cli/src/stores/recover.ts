import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { listAccounts } from "@headwater/accounts/accounts/accounts";
import { renewIdentity } from "@headwater/guard/clickHouseWitness/knownStore";
import { establishIdentity } from "@headwater/guard/clickHouseWitness/witnessStores";
import { sentenceOf } from "@headwater/guard/consistency/findLosses";
import { restoreIntentMarks } from "@headwater/guard/consistency/intentMarks";
import { lossesSeenByClickHouse, lossesSeenByLog } from "@headwater/guard/consistency/readEvidence";
import {
  beginRecovery,
  endRecovery,
  type OpenRecovery,
  reserveLists,
  setRelayOffsets,
  skipNumbers,
  withdrawRanges,
} from "@headwater/guard/consistency/storeRecoveries";
import { withdrawActivities, withdrawChanges } from "@headwater/guard/consistency/withdraw";
import { endLostSends } from "@headwater/messaging/sends/endLostSends";
import { insertLostIntents } from "@headwater/messaging/sends/lostIntents";
import { reemitState } from "@headwater/records/changeEvents/reemitState";
import type { RecoveryPlan, RecoveryPorts } from "./plan.ts";

export interface RecoveryStart {
  readonly plan: RecoveryPlan;
  readonly reason: string;
  readonly by: string;
  /** One that was broken off. */
  readonly open: OpenRecovery | undefined;
  readonly onStep: (line: string) => void;
}

const REEMITTED_PARTITION = 0;
/** A member that ended without a word is in its group for as long as its session. */
const GROUPS_WAIT_MS = 90_000;
const GROUPS_POLL_MS = 2_000;

/**
 * Withdraws what others know of lost transactions and lets the processes go on. Each step may be done twice; while the recovery is
 * open no process uses Postgres.
 */
export async function recover(ports: RecoveryPorts, start: RecoveryStart): Promise<{ readonly epoch: number }> {
  const { postgres, clickhouse, log } = ports;
  const { plan, open, reason, by, onStep } = start;
  const { epoch } = open ?? (await beginRecovery(postgres, { plan: JSON.stringify(plan), reason, by }));
  onStep(`recovery ${epoch}: withdrawing from ClickHouse what Postgres does not know`);
  await withdrawActivities(clickhouse, plan.activities);
  await withdrawChanges(clickhouse, plan.lost);
  onStep(`recovery ${epoch}: writing to ClickHouse what Postgres holds instead`);
  const result = await storeRecovery(ports, plan);
  await establishIdentity(postgres, clickhouse, randomUUID());
  onStep(`recovery ${epoch}: waiting until no member is left in the consumer groups`);
  await untilForgotten(log);
  await endRecovery(postgres, epoch, JSON.stringify(result));
  const left = [...(await lossesSeenByLog(postgres, log)), ...(await lossesSeenByClickHouse(postgres, clickhouse))];
  if (left.length > 0) throw new Error(`Something was written meanwhile: ${sentenceOf(left)}`);
  return { epoch };
}

function storeRecovery({ postgres }: RecoveryPorts, plan: RecoveryPlan) {
  return postgres.transaction(async (transaction) => {
    const numbers = await skipNumbers(transaction, plan.numbers);
    await reserveLists(transaction, plan.lost.memberships);
    await withdrawRanges(transaction, plan.ranges);
    await setRelayOffsets(transaction, plan.relayOffsets);
    const sends = await endLostSends(transaction, plan.sends ?? []);
    await insertLostIntents(transaction, plan.sends ?? []);
    await restoreIntentMarks(transaction, plan.marks ?? []);
    // Copies of ClickHouse from before hold what was withdrawn: they are strangers from now on.
    await renewIdentity(transaction, randomUUID());
    const accounts = new Map((await listAccounts(transaction)).map((account) => [account.number, account]));
    const reemitted = await reemitState(transaction, plan.lost, { accounts, sourcePartition: REEMITTED_PARTITION });
    return { numbers, reemitted, sends };
  });
}

async function untilForgotten(log: RecoveryPorts["log"]): Promise<void> {
  for (const deadlineMs = Date.now() + GROUPS_WAIT_MS; ; ) {
    try {
      return await log.forgetCommits();
    } catch (error) {
      if (Date.now() > deadlineMs) throw error;
      await sleep(GROUPS_POLL_MS);
    }
  }
}
