import { type OnceCall, orFirstAnswer } from "@headwater/api/idempotency/runOnce";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import { type NamedAudience, readAudienceNames, readNamedAudiences } from "@headwater/audiences/audiences/audienceUses";
import type { Account, JobInput } from "@headwater/contracts";
import { REPORT_COLUMNS } from "@headwater/criteria";
import type { Answer, Route } from "@headwater/http";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { z } from "zod";
import { PASSED_OVER, readClosedBody } from "../../closedBody.ts";
import { jobStartedExample } from "../../jobs/jobSchema.ts";
import type { RoutePorts } from "../../ports.ts";
import { addOutsideProblems } from "../addOutsideProblems.ts";
import { checkChannel } from "../checkChannel.ts";
import { below } from "../configurationProblems.ts";
import { exportMembers, exportStarted, flag, text, texts, timeframeMembers } from "../exportMembers.ts";
import {
  addUnknownColumns,
  type ExportBody,
  type ExportRequest,
  hasTimeframe,
  readExportRequest,
} from "../readExportRequest.ts";
import { type ExportPorts, startExport } from "../startExport.ts";

/** Types of messages, by the letter that stands in an `mcID`. */
const TYPES = { all: undefined, batch: "b", automation: "a", orchestration: "o" } as const;
const VIEW_MODES = ["by_message", "by_message_type", "as_total"] as const;
const UNKNOWN = "The value is unknown.";

const body = z.strictObject({
  ...timeframeMembers("Required, here or as `selected_timeframe_start` and `selected_timeframe_end`."),
  timeframeBasis: z
    .enum(["sent", "event"], UNKNOWN)
    .describe("`sent`, the default: sends of the timeframe with all that followed; `event`: events of the timeframe.")
    .nullish(),
  type: z.enum(["all", "batch", "automation", "orchestration"], UNKNOWN).describe("Default `all`.").nullish(),
  selected_channel: text.nullish(),
  selected_message_name: text.nullish(),
  selected_message_tags: texts().nullish(),
  selected_message_tags_operator: z.enum(["any", "all"], UNKNOWN).describe("Default `any`.").nullish(),
  selected_orchestration_id: text.nullish(),
  selected_orchestration_name: text.nullish(),
  selected_audience_ids: texts(
    z.union([z.array(z.string()), z.string()]).describe("Saved audiences by id or key."),
  ).nullish(),
  selected_audience_names: texts().nullish(),
  viewMode: z.enum(VIEW_MODES, UNKNOWN).describe("A row a message (default), a row a type, or one row.").nullish(),
  rollupAutomations: flag("False: automated messages have a row a day. Default true.").nullish(),
  includeTotalsRow: flag(
    "A last row, its `message_id` empty, adds up the numbers of all messages. Default false.",
  ).nullish(),
  ...exportMembers,
});
type MessageBody = ExportBody<Partial<z.output<typeof body>>>;
type MessageRequest = ExportRequest<MessageBody["members"]>;

const requestExample = {
  timeframe: { start: "2026-01-01", end: "2026-02-01" },
  type: "automation",
  rollupAutomations: false,
  includeTotalsRow: true,
  exportType: "csv",
};

/** Names that a misspelled one may have meant. */
const SUGGESTED_MAX = 1_000;

/**
 * The keys, and the ids, of the saved audiences that an export names by id, key or name: sends say either of them. Undefined when
 * it names none.
 */
async function readAudienceKeys(
  { given: provided, members, problems }: MessageRequest,
  { number }: Account,
  { postgres }: { readonly postgres: Postgres },
): Promise<string[] | undefined> {
  const ids = members.selected_audience_ids ?? undefined;
  if (
    (provided.selected_audience_ids ?? undefined) !== undefined &&
    (provided.selected_audience_names ?? undefined) !== undefined
  )
    return problems.add("/selected_audience_names", "not_allowed", "`selected_audience_ids` names them already.");
  const member = ids === undefined ? "selected_audience_names" : "selected_audience_ids";
  const wanted = members[member] ?? [];
  if (wanted.length === 0) return undefined;
  const found = await readNamedAudiences(postgres, number, wanted);
  const isOf = (text: string) => (one: NamedAudience) =>
    ids === undefined ? one.name === text : one.id === text || one.key === text;
  const known = found.filter((one) => wanted.some((text) => isOf(text)(one)));
  const unknown = [...wanted.entries()].filter(([, text]) => !known.some(isOf(text)));
  if (unknown.length > 0) {
    const all = await readAudienceNames(postgres, number, SUGGESTED_MAX);
    const suggested = all.map(({ key, name }) => (ids === undefined ? name : key));
    for (const [position, text] of unknown)
      problems.unknown(below(`/${member}`, position), "unknown_reference", text, suggested);
  }
  return known.flatMap(({ id, key }) => [key, id]);
}

type Input = JobInput<"ExportMessageAnalytics">;
type Ports = ExportPorts & Pick<RoutePorts, "clickHouse">;

/**
 * Starts an export of the numbers of messages.
 * @throws HeadwaterError 422 `EXPORT_CONFIGURATION_ERROR`.
 */
async function startMessageExport(sent: MessageBody, once: OnceCall, ports: Ports): Promise<Answer> {
  const { account } = once.caller;
  const request = readExportRequest(sent, { account });
  const { given: received, members, options, problems } = request;
  await addOutsideProblems(request, once, ports);
  if (!hasTimeframe(request)) problems.add("/timeframe", "required", "An export of message numbers has a `timeframe`.");
  addUnknownColumns(request, COLUMN_NAMES);
  const audienceKeys = await readAudienceKeys(request, account, ports);
  const filters = readFilters(request);
  await checkChannel(request, { account, channel: filters.channel }, ports);
  const messages = { ...filters, ...(audienceKeys && { audienceKeys }) };
  const basis = members.timeframeBasis ?? "sent";
  const hasTotals = members.includeTotalsRow ?? false;
  const view = viewOf(request);
  problems.refuse();
  const own = { messages, basis, view, hasTotals };
  return startExport(
    once,
    { jobName: "ExportMessageAnalytics", input: (watermark) => ({ ...options, watermark, ...own }), given: received },
    ports,
  );
}

const COLUMN_NAMES = REPORT_COLUMNS.map(({ name }) => name);

function viewOf({ members }: MessageRequest): Input["view"] {
  switch (members.viewMode ?? "by_message") {
    case "by_message":
      return (members.rollupAutomations ?? true) ? "message" : "day";
    case "by_message_type":
      return "type";
    case "as_total":
      return "total";
  }
}

function readFilters({ given, members, problems }: MessageRequest): Omit<Input["messages"], "audienceKeys"> {
  const type = TYPES[members.type ?? "all"];
  const channel = members.selected_channel ?? undefined;
  const name = members.selected_message_name ?? undefined;
  const names = members.selected_message_tags ?? undefined;
  const operator = members.selected_message_tags_operator ?? "any";
  const orchestrationId = members.selected_orchestration_id ?? undefined;
  const orchestrationName = members.selected_orchestration_name ?? undefined;
  if (orchestrationId !== undefined && orchestrationName !== undefined)
    problems.add("/selected_orchestration_name", "not_allowed", "`selected_orchestration_id` names one already.");
  if ((given.selected_message_tags ?? undefined) === undefined && operator === "all")
    problems.add("/selected_message_tags", "required", "There are no tags of which all are to hold.");
  return {
    ...(type !== undefined && { type }),
    ...(channel !== undefined && { channel }),
    ...(name !== undefined && { name }),
    ...(names !== undefined && { tags: { names: [...names], operator } }),
    ...(orchestrationId !== undefined && { orchestrationId }),
    ...(orchestrationName !== undefined && { orchestrationName }),
  };
}

export function createMessageexport(ports: ExportPorts & Pick<RoutePorts, "clickHouse">): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/messageanalyticsexport",
    operationId: "createMessageexport",
    summary: "Starts a job that exports the numbers of messages.",
    description:
      "A row for each message with its facts, stats and rates. Up to 1,000 rows stand in the job's `metadata.data` as well.",
    tags: ["messageanalyticsexport"],
    answers: {
      202: { description: "The job has started.", schema: exportStarted, example: jobStartedExample },
      422: { description: "EXPORT_CONFIGURATION_ERROR, with all that is wrong." },
    },
    requestExample,
    scope: "messageanalyticsexport:read",
    dryRun: "checked",
    rateClass: "jobStart",
    body: readClosedBody(body),
    alsoKnown: () => PASSED_OVER,
    handler: ({ body: request, once }) =>
      orFirstAnswer(ports.postgres, once, () => startMessageExport(request, once, ports)),
  });
}
