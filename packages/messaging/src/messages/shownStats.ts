import { namesAny } from "@headwater/api/paging/listAnswer";
import { type Account, toTimestamp } from "@headwater/contracts";
import { isInfrastructure } from "@headwater/kernel";
import type { RoutePorts } from "../ports.ts";
import { messageStats, noStats, readMessageNumbers, readStatsOfEach } from "./messageNumbers.ts";

type NumbersPorts = Pick<RoutePorts, "clickHouse" | "freshness">;

interface StatsOf {
  readonly account: Account;
  /** Id of a message, or of a template with all its days and hours. */
  readonly id: string;
  /** Day or hour of a template. */
  readonly period?: string | undefined;
  /** Names of members that are asked for. */
  readonly fields: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * Reads the `stats` of a message, with their `asOf`, unless `fields` leaves them out. While ClickHouse is away, whoever watches a message sees
 * the rest of it, unless they are asked for.
 */
export async function readStatsView({ fields, ...of }: StatsOf, ports: NumbersPorts): Promise<object> {
  if (fields !== undefined && !namesAny(fields, ["stats", "asOf"])) return {};
  return readStats(of, ports).catch((error: unknown) => {
    if (fields === undefined && isInfrastructure(error)) return {};
    throw error;
  });
}

async function readStats(
  { account, id, period, signal }: Omit<StatsOf, "fields">,
  { clickHouse, freshness }: NumbersPorts,
) {
  // Freshness is checked before the numbers: `asOf` may only cover what they could see.
  const asOf = await freshness();
  const asked = { account, id, ...(period !== undefined && { period }) };
  const [row] = await readMessageNumbers({ ...asked, view: "total", signal }, clickHouse);
  return { stats: row === undefined ? noStats : messageStats(row), asOf: toTimestamp(asOf) };
}

interface StatsOfPage extends Omit<StatsOf, "id" | "period"> {
  /** Ids of messages that have begun, and of templates. */
  readonly ids: readonly string[];
  readonly view: "message" | "child";
}

/** Stats of the messages of a page, by id. */
export interface PageStats {
  readonly asOf: number;
  statsOf(id: string): { readonly stats: object };
}

/**
 * Reads the `stats` of a page of messages in one query; undefined where `fields` leaves them out, and, unless it asks for them, while ClickHouse
 * is away.
 */
export async function readPageStats(
  { fields, ...of }: StatsOfPage,
  ports: NumbersPorts,
): Promise<PageStats | undefined> {
  if (fields !== undefined && !namesAny(fields, ["stats"])) return undefined;
  return readEach(of, ports).catch((error: unknown) => {
    if (fields === undefined && isInfrastructure(error)) return undefined;
    throw error;
  });
}

async function readEach(
  asked: Omit<StatsOfPage, "fields">,
  { clickHouse, freshness }: NumbersPorts,
): Promise<PageStats> {
  const asOf = await freshness();
  const found = await readStatsOfEach(asked, clickHouse);
  return { asOf, statsOf: (id) => ({ stats: found.get(id) ?? noStats }) };
}
