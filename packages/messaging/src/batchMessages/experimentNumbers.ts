import { checkCriteria } from "@headwater/audiences/audiences/checkCriteria";
import { type Account, type ExperimentDecision, type ExperimentState, toTimestamp } from "@headwater/contracts";
import { type ConversionsRow, compileConversions, type NumbersRow } from "@headwater/criteria";
import { goalCriteria } from "../experiments/goalCriteria.ts";
import { readMessageNumbers, variantStats } from "../messages/messageNumbers.ts";
import type { RoutePorts } from "../ports.ts";
import { checkAudience } from "./messageAudience.ts";
import type { MessageTest } from "./messageMembers.ts";

export type PerformancePorts = Pick<RoutePorts, "clickHouse" | "clock" | "freshness" | "aliasRevisions" | "postgres">;

/** Experiment of a batch message or a template, whose numbers are asked for. */
export interface ExperimentAsked {
  readonly account: Account;
  /** Id of the message, or of the template with all its days and hours. */
  readonly id: string;
  readonly test: MessageTest;
  readonly learnt: ExperimentState;
  /** Time at which it began, milliseconds since 1970: goals that were reached before do not count. Null before that. */
  readonly beganAt: number | null;
  /** Sends before it are of another experiment, in milliseconds since 1970. */
  readonly sentFrom?: number;
  readonly signal: AbortSignal;
}

/** Reads the numbers of an experiment by variant; `sends` counts all sends of the message. */
export async function readExperiment(asked: ExperimentAsked, ports: PerformancePorts) {
  const { account, id, test, learnt, sentFrom, signal } = asked;
  // Freshness is checked before the numbers: `asOf` may only cover what they could see.
  const asOf = await ports.freshness();
  const which = { account, id, ...(sentFrom !== undefined && { sentFrom }) };
  const rows = await readMessageNumbers({ ...which, view: "variant", signal }, ports.clickHouse);
  const byName = new Map(rows.map((row) => [row.part, row]));
  const conversions = await readConversions(asked, which, ports);
  const { decision, weights } = learnt;
  const variants = (test.variants ?? []).map(({ name }, index) => ({
    ...{ name, stats: variantStats(byName.get(name)), conversions: conversions.get(name) ?? 0 },
    ...(weights !== undefined && { share: weights.shares[index] }),
  }));
  return {
    sends: sumOfSends(rows),
    shown: {
      ...{ name: test.name ?? test.type, strategy: test.type },
      conversions: await countConversions(asked, ports),
      variants,
      ...(decision !== undefined && { decision: decisionView(decision) }),
      asOf: toTimestamp(asOf),
    },
  };
}

function sumOfSends(rows: readonly NumbersRow[]): number {
  return rows.reduce((sum, { sent }) => sum + sent, 0);
}

/** Shows which variant won a champion's test, or why none did. */
function decisionView({ winner, reason, at }: ExperimentDecision) {
  const why = reason === undefined ? {} : { reason };
  return { ...(winner !== null && { winner }), ...why, at: toTimestamp(at) };
}

/** Counts the contacts that got the message and reached the goal since it began. */
async function countConversions(
  { account, id, test: { goal }, beganAt, sentFrom, signal }: ExperimentAsked,
  ports: PerformancePorts,
): Promise<number> {
  if (goal === undefined || beganAt === null) return 0;
  const reached = goalCriteria(goal, beganAt);
  const within = sentFrom === undefined ? {} : { within: { from: toTimestamp(sentFrom) } };
  const criteria = { and: [{ event: "message-sent", message: { id }, ...within }, reached] };
  const node = await checkCriteria(criteria, { account, at: "/tests" }, ports);
  const { count } = await checkAudience(node, { account, signal, nowMs: ports.clock.nowMs() }, ports);
  return count;
}

/** Counts those contacts by the variant that they got. */
async function readConversions(
  { account, test: { goal }, beganAt, signal }: ExperimentAsked,
  which: Parameters<typeof compileConversions>[0],
  ports: PerformancePorts,
): Promise<ReadonlyMap<string, number>> {
  if (goal === undefined || beganAt === null) return new Map();
  const node = await checkCriteria(goalCriteria(goal, beganAt), { account, at: "/tests" }, ports);
  const { sql, params, settings } = compileConversions(which, node, ports.clock.nowMs());
  const options = { settings, signal };
  const rows = await ports.clickHouse.query<ConversionsRow & Record<string, unknown>>(sql, params, options);
  return new Map(rows.map(({ part, conversions }) => [part, Number(conversions)]));
}
