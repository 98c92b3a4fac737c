import { type ConversionsRow, compileConversions } from "@headwater/audience";
import { type Account, type ExperimentDecision, readExperimentState, toTimestamp } from "@headwater/contracts";
import { type Answer, refusal } from "@headwater/http";
import { readBatchMessage, type StoredBatchMessage } from "@headwater/stores/batchMessages";
import { checkCriteria } from "../../audiences/checkCriteria.ts";
import { readMessageNumbers, variantStats } from "../../messages/messageNumbers.ts";
import type { RoutePorts } from "../../ports.ts";
import { goalCriteria } from "../goalCriteria.ts";
import { lookAtAudience } from "../messageAudience.ts";
import type { MessageTest } from "../messageMembers.ts";
import { unknownMessage } from "../messageView.ts";
import { readMessageSettings } from "../storedMessage.ts";

export type PerformancePorts = Pick<RoutePorts, "clickHouse" | "clock" | "freshness" | "aliasRevisions" | "postgres">;

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
  const test = readMessageSettings(message).tests.find(({ enabled }) => enabled);
  if (test === undefined) throw refusal("RECORD_NOT_FOUND", "The message has no enabled experiment.");
  // Freshness is looked at before the numbers: `asOf` may only cover what they could see.
  const asOf = await ports.freshness();
  const rows = await readMessageNumbers({ account, id, view: "variant", signal }, ports.clickHouse);
  const byName = new Map(rows.map((row) => [row.part, row]));
  const conversions = await readConversions(message, test, { account, signal, ports });
  const { decision, weights } = readExperimentState(message.experiment);
  const variants = (test.variants ?? []).map(({ name }, place) => ({
    ...{ name, stats: variantStats(byName.get(name)), conversions: conversions.get(name) ?? 0 },
    ...(weights !== undefined && { share: weights.shares[place] }),
  }));
  const body = {
    ...{ name: test.name ?? test.type, strategy: test.type, totalAudience: message.audienceTotal ?? 0 },
    conversions: await countConversions(message, test, { account, signal, ports }),
    variants,
    ...(decision !== undefined && { decision: shownDecision(decision) }),
    asOf: toTimestamp(asOf),
  };
  return { status: 200, body };
}

/** Shows which variant won a champion's test, or why none did. */
function shownDecision({ winner, reason, at }: ExperimentDecision) {
  const why = reason === undefined ? {} : { reason };
  return { ...(winner !== null && { winner }), ...why, at: toTimestamp(at) };
}

interface Counting extends Pick<PerformanceCall, "account" | "signal"> {
  readonly ports: PerformancePorts;
}

/** Counts the contacts that got the message and reached the goal since it began. */
async function countConversions(
  { id, sendAt }: Pick<StoredBatchMessage, "id" | "sendAt">,
  { goal }: MessageTest,
  { account, signal, ports }: Counting,
): Promise<number> {
  if (goal === undefined || sendAt === null) return 0;
  const reached = goalCriteria(goal, sendAt);
  const criteria = { and: [{ event: "message-sent", message: { id } }, reached] };
  const node = await checkCriteria(criteria, { account, at: "/tests" }, ports);
  const { count } = await lookAtAudience(node, { account, signal, nowMs: ports.clock.nowMs() }, ports);
  return count;
}

/** Counts those contacts by the variant that they got. */
async function readConversions(
  { id, sendAt }: Pick<StoredBatchMessage, "id" | "sendAt">,
  { goal }: MessageTest,
  { account, signal, ports }: Counting,
): Promise<ReadonlyMap<string, number>> {
  if (goal === undefined || sendAt === null) return new Map();
  const node = await checkCriteria(goalCriteria(goal, sendAt), { account, at: "/tests" }, ports);
  const { sql, params, settings } = compileConversions({ account, id }, node, ports.clock.nowMs());
  const options = { settings, signal };
  const rows = await ports.clickHouse.query<ConversionsRow & Record<string, unknown>>(sql, params, options);
  return new Map(rows.map(({ part, conversions }) => [part, Number(conversions)]));
}
