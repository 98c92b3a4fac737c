import { parseDecimal } from "@headwater/contracts";
import { type ConversionsRow, compileConversions, compileNumbersOf, type NumbersRow } from "@headwater/criteria";
import type { JobPorts } from "@headwater/jobs/runner/jobKind";
import type { BanditResult } from "../../../experiments/banditShares.ts";
import type { FrozenExperiment } from "../frozen.ts";
import type { SendWork } from "../takeSnapshot.ts";

/** Account and time of a check. */
export type Looking = Pick<SendWork, "account" | "nowMs" | "signal">;

interface Asked {
  /** Id of a batch message, or of a template with all its days and hours. */
  readonly id: string;
  readonly experiment: FrozenExperiment;
  /** Milliseconds since 1970: sends before it are counted. Left out: all are. */
  readonly sentBefore?: number;
  /** Sends before it are of another experiment. */
  readonly sentFrom?: number;
}

/** Reads what variants of a message reached by now, in their order. */
export async function readResults(
  work: Looking,
  asked: Asked,
  ports: Pick<JobPorts, "clickhouse">,
): Promise<BanditResult[]> {
  const { account, signal } = work;
  const { experiment, ...which } = asked;
  const { sql, params } = compileNumbersOf({ account, ...which }, "variant");
  const rows = await ports.clickhouse.query<NumbersRow & Record<string, unknown>>(sql, params, { signal });
  const numbers = new Map(rows.map((row) => [row.part, row]));
  const conversions = await readConversions(work, asked, ports);
  return experiment.variants.map(({ name }) => {
    const row = numbers.get(name);
    const score = conversions === undefined ? scoreOf(row, experiment) : (conversions.get(name) ?? 0n);
    return { name, sends: row?.sent ?? 0, orders: row?.orders ?? 0, score };
  });
}

/** @returns undefined for experiments that compare something else. */
async function readConversions(
  { account, nowMs, signal }: Looking,
  { experiment: { metric, goal }, ...which }: Asked,
  { clickhouse }: Pick<JobPorts, "clickhouse">,
): Promise<ReadonlyMap<string, bigint> | undefined> {
  if (metric !== "conversions" || goal === undefined) return undefined;
  const { sql, params, settings } = compileConversions({ account, ...which }, goal, nowMs);
  const rows = await clickhouse.query<ConversionsRow & Record<string, unknown>>(sql, params, { settings, signal });
  return new Map(rows.map(({ part, conversions }) => [part, BigInt(conversions)]));
}

function scoreOf(row: NumbersRow | undefined, { metric }: FrozenExperiment): bigint {
  switch (metric) {
    case "uniqueOpens":
      return BigInt(row?.opens_unique ?? 0);
    case "revenue":
      return parseDecimal(row?.revenue ?? 0) ?? 0n;
    case "uniqueClicks":
      return BigInt(row?.clicks_unique ?? 0);
    case "conversions":
    case undefined:
      return 0n;
  }
}
