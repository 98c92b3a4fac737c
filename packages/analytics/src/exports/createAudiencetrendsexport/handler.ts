import { readHistoryStart } from "@headwater/accounts/accounts/accounts";
import type { OnceCall } from "@headwater/api/idempotency/runOnce";
import { BASES, readEligibleFor } from "@headwater/audiences/audiences/countAudience/options";
import { channelsUnlessKnown } from "@headwater/audiences/criteria/knownNames";
import { toTimestamp } from "@headwater/contracts";
import { TREND_GRAINS, type TrendGrain, trendBounds } from "@headwater/criteria";
import type { Answer } from "@headwater/http";
import { listedWord } from "@headwater/kernel";
import { addOutsideProblems } from "../addOutsideProblems.ts";
import type { ExportBody } from "../configurationProblems.ts";
import { type ExportRequest, readExportRequest } from "../readExportRequest.ts";
import { startExport } from "../startExport.ts";
import { readAudiences } from "./audiences.ts";
import { TREND_COLUMNS } from "./schema.ts";
import { readSegments, segmentsAtMost } from "./segments.ts";
import type { TrendPorts } from "./trendPorts.ts";

const POINTS_MAX = 10_000;

const ROWS_MAX = 1_000_000;

const DEFAULT_DAYS = 90;

const DAY_MS = 86_400_000;

const OWN = ["audiences", "criteria", "grain", "basis", "eligibleFor", "segmentBy"];

/**
 * Starts an export of trends.
 * @throws HeadwaterError 422 `EXPORT_CONFIGURATION_ERROR`, `INVALID_AUDIENCE_RULES`.
 */
export async function startTrendsExport(body: ExportBody, once: OnceCall, ports: TrendPorts): Promise<Answer> {
  const { account } = once.caller;
  const request = readExportRequest(body, { account, own: OWN, hasTimeframe: true });
  const { options, problems } = request;
  await addOutsideProblems(request, once, ports);
  const basis = readBasis(request);
  const eligibleFor = readEligibleFor(body.eligibleFor ?? undefined, (name, code, message, allowed) =>
    problems.add(`/${name}`, code, message, allowed),
  );
  const channels = eligibleFor && (await channelsUnlessKnown(account, eligibleFor.channel, ports));
  if (channels !== undefined)
    problems.add("/eligibleFor/channel", "unknown_reference", "The account has no such channel.", channels);
  checkColumns(request);
  const earliest = basis === "recorded" ? await readHistoryStart(ports.postgres, account.number) : undefined;
  const time = readBounds(request, { earliest, nowMs: ports.clock.nowMs() });
  const checking = { account, ...(basis === "recorded" && { since: time?.bounds[0], asOf: time?.bounds.at(-1) }) };
  const isUnread = basis === "recorded" && time === undefined;
  if (isUnread) problems.noteUnreadMoment();
  const audiences = await readAudiences(request, checking, ports);
  const segments = isUnread ? undefined : await readSegments(request, checking, ports);
  if (time !== undefined && rowsAtMost(time, audiences.length, segmentsAtMost(segments)) > ROWS_MAX)
    problems.add("/grain", "out_of_range", `A trend has at most ${ROWS_MAX.toLocaleString("en")} rows: ask for fewer.`);
  problems.refuse();
  if (time === undefined) throw new Error("without bounds there is a problem");
  const { timeframe: _, ...rest } = options;
  const timeframe = { from: time.bounds[0] ?? 0, to: time.bounds.at(-1) ?? 0 };
  const own = {
    audiences,
    ...time,
    basis,
    timeframe,
    ...(eligibleFor && { eligibleFor }),
    ...(segments && { segments }),
  };
  return startExport(
    once,
    {
      jobName: "ExportAudienceTrends",
      input: (watermark) => ({ ...rest, ...own, watermark }),
      body,
      checked: problems.checked,
    },
    ports,
  );
}

function rowsAtMost({ bounds }: TrendTime, audiences: number, segments: number): number {
  return (bounds.length - 1) * audiences * segments;
}

function readBasis({ body, problems }: ExportRequest): "recorded" | "event" {
  const basis = listedWord(BASES, body.basis ?? "event");
  if (basis !== undefined) return basis;
  problems.add("/basis", "bad_value", "`basis` has an unknown value.", BASES);
  return "event";
}

function checkColumns({ options: { columnHeaders = [] }, problems }: ExportRequest): void {
  for (const [place, { name }] of columnHeaders.entries()) {
    if (!TREND_COLUMNS.some((known) => known === name))
      problems.unknown(`/columnHeaders/${place}/name`, "unknown_field", name, TREND_COLUMNS);
  }
}

/** Moments between which the rows of a trend are. */
interface TrendTime {
  readonly grain: TrendGrain;
  /** Milliseconds since 1970, ascending. */
  readonly bounds: number[];
}

/** Reads the timeframe, which ends now at the latest; default: the last 90 days, as far as they are recorded. */
function readBounds(
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
