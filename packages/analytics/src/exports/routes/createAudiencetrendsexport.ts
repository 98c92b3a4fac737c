import { readHistoryStart } from "@headwater/accounts/accounts/accounts";
import { type OnceCall, orFirstAnswer } from "@headwater/api/idempotency/runOnce";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import { eligibleFor } from "@headwater/audiences/audiences/countRequest";
import { channelsUnlessKnown } from "@headwater/audiences/criteria/knownNames";
import { toTimestamp } from "@headwater/contracts";
import { TREND_GRAINS, type TrendGrain, trendBounds } from "@headwater/criteria";
import { type Answer, parsedBy, type Route } from "@headwater/http";
import { z } from "zod";
import { PASSED_OVER, readClosedBody } from "../../closedBody.ts";
import { jobStartedExample } from "../../jobs/jobSchema.ts";
import { addOutsideProblems } from "../addOutsideProblems.ts";
import { criteriaMember, exportMembers, exportStarted, timeframeMembers } from "../exportMembers.ts";
import { addUnknownColumns, type ExportBody, type ExportRequest, readExportRequest } from "../readExportRequest.ts";
import { type ExportPorts, startExport } from "../startExport.ts";
import { NAMED_MAX, readAudienceNames, readAudiences } from "../trends/trendAudiences.ts";
import { readSegmentBy, readSegments, segmentsAtMost } from "../trends/trendSegments.ts";

const POINTS_MAX = 10_000;
const ROWS_MAX = 1_000_000;
const DEFAULT_DAYS = 90;
const DAY_MS = 86_400_000;

/** Columns of a trend. */
const TREND_COLUMNS = ["audience", "segment", "from", "to", "count", "entered", "left"] as const;

const body = z.strictObject({
  audiences: parsedBy(
    z
      .array(z.string())
      .max(NAMED_MAX)
      .describe("Keys of saved audiences. With neither these nor `criteria`: all that are saved, up to 100."),
    readAudienceNames,
  ).nullish(),
  criteria: criteriaMember.nullish(),
  ...timeframeMembers("Default: the last 90 days."),
  grain: z.enum(TREND_GRAINS, "The grain is unknown.").describe("Default `day`.").nullish(),
  basis: z
    .enum(["event", "recorded"], "`basis` has an unknown value.")
    .describe("As of a count's `asOf`. Default `event`: today's contacts with the events before each moment.")
    .nullish(),
  eligibleFor: eligibleFor(z.string(), "Only contacts that may be mailed.").nullish(),
  segmentBy: parsedBy(
    z
      .union([z.string(), z.strictObject({ lists: z.array(z.union([z.string(), z.int()])) })])
      .describe(
        "`country`, `list`, a field path, or `{lists: […]}`: rows for the 50 largest values, `(other)` and `(none)`.",
      ),
    readSegmentBy,
  ).nullish(),
  ...exportMembers,
});
type TrendBody = ExportBody<Partial<z.output<typeof body>>>;
type TrendRequest = ExportRequest<TrendBody["members"]>;

const requestExample = {
  criteria: { field: "channels.email.address", op: "exists" },
  timeframe: { start: "2026-01-01", end: "2026-02-01" },
  grain: "week",
  exportType: "csv",
};

/**
 * Starts an export of trends.
 * @throws HeadwaterError 422 `EXPORT_CONFIGURATION_ERROR`, `INVALID_AUDIENCE_RULES`.
 */
async function startTrendsExport(sent: TrendBody, once: OnceCall, ports: ExportPorts): Promise<Answer> {
  const { account } = once.caller;
  const request = readExportRequest(sent, { account });
  const { given: provided, members, options, problems } = request;
  await addOutsideProblems(request, once, ports);
  const basis = members.basis ?? "event";
  const eligibleFor = members.eligibleFor ?? undefined;
  const channels = eligibleFor && (await channelsUnlessKnown(account, eligibleFor.channel, ports));
  if (channels !== undefined)
    problems.add("/eligibleFor/channel", "unknown_reference", "The account has no such channel.", channels);
  addUnknownColumns(request, TREND_COLUMNS);
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
      given: provided,
      checked: problems.checked,
    },
    ports,
  );
}

function rowsAtMost({ bounds }: TrendTime, audiences: number, segments: number): number {
  return (bounds.length - 1) * audiences * segments;
}

/** Instants between which the rows of a trend are. */
interface TrendTime {
  readonly grain: TrendGrain;
  /** Milliseconds since 1970, ascending. */
  readonly bounds: number[];
}

/** Reads the timeframe, which ends now at the latest; default: the last 90 days, as far as they are recorded. */
function readBounds(
  { given: received, members, options, problems }: TrendRequest,
  { earliest = Number.NEGATIVE_INFINITY, nowMs }: { readonly earliest: number | undefined; readonly nowMs: number },
): TrendTime | undefined {
  // A grain that is unknown was reported with the body.
  if ((received.grain ?? undefined) !== undefined && members.grain === undefined) return undefined;
  const grain = members.grain ?? "day";
  const { timeframe, timezone } = options;
  const from = timeframe?.from ?? Math.max(earliest, nowMs - DEFAULT_DAYS * DAY_MS);
  const to = Math.min(timeframe?.to ?? nowMs, nowMs);
  const path = received.timeframe === undefined ? "/selected_timeframe_start" : "/timeframe/start";
  if (from >= nowMs) return problems.add(path, "out_of_range", "It lies in the future.");
  if (from < earliest) {
    const message = `The recorded history of this account begins at ${toTimestamp(earliest)}.`;
    return problems.add(path, "out_of_range", message, undefined, { earliest: toTimestamp(earliest) });
  }
  const bounds = trendBounds({ from, to, grain, timezone }, POINTS_MAX);
  if (bounds !== undefined && bounds.length <= POINTS_MAX + 1) return { grain, bounds };
  return problems.add("/grain", "out_of_range", `A trend has at most ${POINTS_MAX.toLocaleString("en")} points.`);
}

export function createAudiencetrendsexport(ports: ExportPorts): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/audiencetrendsexport",
    operationId: "createAudiencetrendsexport",
    summary: "Starts a job that exports how many contacts audiences had over time.",
    description:
      "A row for each audience, segment and stretch of time between two moments, also for criteria written today: `count` is what a count with `asOf` of its `to` answers, `entered` and `left` are the contacts that were in at one end of it only. The job's `metadata.data` holds the rows when there are at most 1,000.",
    tags: ["audiencetrendsexport"],
    answers: {
      202: { description: "The job has started.", schema: exportStarted, example: jobStartedExample },
      422: { description: "EXPORT_CONFIGURATION_ERROR or INVALID_AUDIENCE_RULES, with all that is wrong." },
    },
    requestExample,
    scope: "audiencetrendsexport:read",
    dryRun: "checked",
    rateClass: "jobStart",
    body: readClosedBody(body),
    alsoKnown: () => PASSED_OVER,
    handler: ({ body: request, once }) =>
      orFirstAnswer(ports.postgres, once, () => startTrendsExport(request, once, ports)),
  });
}
