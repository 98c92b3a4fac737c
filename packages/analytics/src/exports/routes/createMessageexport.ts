import { type OnceCall, orFirstAnswer } from "@headwater/api/idempotency/runOnce";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import { type NamedAudience, readAudienceNames, readNamedAudiences } from "@headwater/audiences/audiences/audienceUses";
import type { Account, JobInput } from "@headwater/contracts";
import { REPORT_COLUMNS } from "@headwater/criteria";
import type { Answer, Route } from "@headwater/http";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { z } from "zod";
import { jobStartedExample } from "../../jobs/jobSchema.ts";
import type { RoutePorts } from "../../ports.ts";
import { addOutsideProblems } from "../addOutsideProblems.ts";
import { checkChannel } from "../checkChannel.ts";
import { below, type ExportBody } from "../configurationProblems.ts";
import { exportMembers, exportStarted, flag, texts, timeframeMembers } from "../exportMembers.ts";
import { readFlag } from "../fileForm.ts";
import { type ExportRequest, hasTimeframe, readExportRequest } from "../readExportRequest.ts";
import { readOneOf, readText, readTexts } from "../readTexts.ts";
import { type ExportPorts, startExport } from "../startExport.ts";

/** Types of messages, by the letter that stands in an `mcID`. */
const TYPES = { all: undefined, batch: "b", automation: "a", orchestration: "o" } as const;
const VIEW_MODES = ["by_message", "by_message_type", "as_total"] as const;
const BASES = ["sent", "event"] as const;
const OPERATORS = ["any", "all"] as const;

/** Read by `readExportRequest`, which reports all errors at once. */
const body = z.looseObject({});

const documentedBody = z.strictObject({
  ...timeframeMembers("Required, here or as `selected_timeframe_start` and `selected_timeframe_end`."),
  timeframeBasis: z
    .enum(BASES)
    .describe("`sent`, the default: sends of the timeframe with all that followed; `event`: events of the timeframe.")
    .nullish(),
  type: z.enum(["all", "batch", "automation", "orchestration"]).describe("Default `all`.").nullish(),
  selected_channel: z.string().nullish(),
  selected_message_name: z.string().nullish(),
  selected_message_tags: texts.nullish(),
  selected_message_tags_operator: z.enum(OPERATORS).describe("Default `any`.").nullish(),
  selected_orchestration_id: z.string().nullish(),
  selected_orchestration_name: z.string().nullish(),
  selected_audience_ids: texts.describe("Saved audiences by id or key.").nullish(),
  selected_audience_names: texts.nullish(),
  viewMode: z.enum(VIEW_MODES).describe("A row a message (default), a row a type, or one row.").nullish(),
  rollupAutomations: flag.describe("False: automated messages have a row a day. Default true.").nullish(),
  includeTotalsRow: flag

    .describe("A last row, its `message_id` empty, adds up the numbers of all messages. Default false.")
    .nullish(),
  ...exportMembers,
});

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
  request: ExportRequest,
  { number }: Account,
  { postgres }: { readonly postgres: Postgres },
): Promise<string[] | undefined> {
  const { problems } = request;
  const ids = readTexts(request, "selected_audience_ids");
  const names = readTexts(request, "selected_audience_names");
  if (ids !== undefined && names !== undefined)
    return problems.add("/selected_audience_names", "not_allowed", "`selected_audience_ids` names them already.");
  const [member, given] = ids === undefined ? ["selected_audience_names", names ?? []] : ["selected_audience_ids", ids];
  if (given.length === 0) return undefined;
  const found = await readNamedAudiences(postgres, number, given);
  const isOf = (text: string) => (one: NamedAudience) =>
    ids === undefined ? one.name === text : one.id === text || one.key === text;
  const known = found.filter((one) => given.some((text) => isOf(text)(one)));
  const unknown = [...given.entries()].filter(([, text]) => !known.some(isOf(text)));
  if (unknown.length > 0) {
    const all = await readAudienceNames(postgres, number, SUGGESTED_MAX);
    const suggested = all.map(({ key, name }) => (ids === undefined ? name : key));
    for (const [place, text] of unknown)
      problems.unknown(below(`/${member}`, place), "unknown_reference", text, suggested);
  }
  return known.flatMap(({ id, key }) => [key, id]);
}

const OWN = [
  "timeframeBasis",
  "type",
  "selected_channel",
  "selected_message_name",
  "selected_message_tags",
  "selected_message_tags_operator",
  "selected_orchestration_id",
  "selected_orchestration_name",
  "selected_audience_ids",
  "selected_audience_names",
  "viewMode",
  "rollupAutomations",
  "includeTotalsRow",
];

type Input = JobInput<"ExportMessageAnalytics">;
type Ports = ExportPorts & Pick<RoutePorts, "clickHouse">;

/**
 * Starts an export of the numbers of messages.
 * @throws HeadwaterError 422 `EXPORT_CONFIGURATION_ERROR`.
 */
async function startMessageExport(body: ExportBody, once: OnceCall, ports: Ports): Promise<Answer> {
  const { account } = once.caller;
  const request = readExportRequest(body, { account, own: OWN, hasTimeframe: true });
  const { options, problems } = request;
  await addOutsideProblems(request, once, ports);
  if (!hasTimeframe(body)) problems.add("/timeframe", "required", "An export of message numbers has a `timeframe`.");
  checkHeaders(request);
  const audienceKeys = await readAudienceKeys(request, account, ports);
  const filters = readFilters(request);
  await checkChannel(request, { account, channel: filters.channel }, ports);
  const messages = { ...filters, ...(audienceKeys && { audienceKeys }) };
  const basis = readOneOf(request, "timeframeBasis", BASES, "sent");
  const hasTotals = readFlag(body, "includeTotalsRow", false, problems);
  const view = readView(request);
  problems.refuse();
  const own = { messages, basis, view, hasTotals };
  return startExport(
    once,
    { jobName: "ExportMessageAnalytics", input: (watermark) => ({ ...options, watermark, ...own }), body },
    ports,
  );
}

const COLUMN_NAMES = REPORT_COLUMNS.map(({ name }) => name);

function checkHeaders({ options, problems }: ExportRequest): void {
  for (const [place, { name }] of (options.columnHeaders ?? []).entries())
    if (!COLUMN_NAMES.includes(name))
      problems.unknown(`/columnHeaders/${place}/name`, "unknown_field", name, COLUMN_NAMES);
}

function readView(request: ExportRequest): Input["view"] {
  const isRolledUp = readFlag(request.body, "rollupAutomations", true, request.problems);
  switch (readOneOf(request, "viewMode", VIEW_MODES, "by_message")) {
    case "by_message":
      return isRolledUp ? "message" : "day";
    case "by_message_type":
      return "type";
    case "as_total":
      return "total";
  }
}

function readFilters(request: ExportRequest): Omit<Input["messages"], "audienceKeys"> {
  const { body, problems } = request;
  const type = TYPES[readOneOf(request, "type", ["all", "batch", "automation", "orchestration"], "all")];
  const channel = readText(request, "selected_channel");
  const name = readText(request, "selected_message_name");
  const names = readTexts(request, "selected_message_tags");
  const operator = readOneOf(request, "selected_message_tags_operator", OPERATORS, "any");
  const orchestrationId = readText(request, "selected_orchestration_id");
  const orchestrationName = readText(request, "selected_orchestration_name");
  if (orchestrationId !== undefined && orchestrationName !== undefined)
    problems.add("/selected_orchestration_name", "not_allowed", "`selected_orchestration_id` names one already.");
  if (names === undefined && body.selected_message_tags_operator !== undefined && operator === "all")
    problems.add("/selected_message_tags", "required", "There are no tags of which all are to hold.");
  return {
    ...(type !== undefined && { type }),
    ...(channel !== undefined && { channel }),
    ...(name !== undefined && { name }),
    ...(names !== undefined && { tags: { names, operator } }),
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
    rateClass: "jobStart",
    body,
    documentedBody,
    handler: ({ body: request, once }) =>
      orFirstAnswer(ports.postgres, once, () => startMessageExport(request, once, ports)),
  });
}
