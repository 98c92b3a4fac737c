import { toTimestamp } from "@headwater/contracts";
import { TREND_GRAINS, type TrendGrain, trendBounds } from "@headwater/criteria";
import { listedWord } from "@headwater/kernel";
import type { ExportRequest } from "../readExportRequest.ts";

export const POINTS_MAX = 10_000;
export const ROWS_MAX = 1_000_000;
const DEFAULT_DAYS = 90;
const DAY_MS = 86_400_000;

/** Moments between which the rows of a trend are. */
export interface TrendTime {
  readonly grain: TrendGrain;
  /** Milliseconds since 1970, ascending. */
  readonly bounds: number[];
}

/** Reads the timeframe, which ends now at the latest; default: the last 90 days, as far as they are recorded. */
export function readBounds(
  { body, options, problems }: ExportRequest,
  { earliest = Number.NEGATIVE_INFINITY, nowMs }: { readonly earliest: number | undefined; readonly nowMs: number },
): TrendTime | undefined {
  const grain = readGrain(body.grain ?? "day");
  if (grain === undefined) return problems.add("/grain", "bad_value", "The grain is unknown.", TREND_GRAINS);
  const { timeframe, timezone } = options;
  const from = timeframe?.from ?? Math.max(earliest, nowMs - DEFAULT_DAYS * DAY_MS);
  const to = Math.min(timeframe?.to ?? nowMs, nowMs);
  const path = body.timeframe === undefined ? "/selected_timeframe_start" : "/timeframe/start";
  if (from >= nowMs) return problems.add(path, "out_of_range", "It lies in the future.");
  if (from < earliest) {
    const message = `The recorded history of this account begins at ${toTimestamp(earliest)}.`;
    return problems.add(path, "out_of_range", message, undefined, { earliest: toTimestamp(earliest) });
  }
  const bounds = trendBounds({ from, to, grain, timezone }, POINTS_MAX);
  if (bounds !== undefined && bounds.length <= POINTS_MAX + 1) return { grain, bounds };
  return problems.add("/grain", "out_of_range", `A trend has at most ${POINTS_MAX.toLocaleString("en")} points.`);
}

function readGrain(value: unknown): TrendGrain | undefined {
  return listedWord(TREND_GRAINS, value);
}
