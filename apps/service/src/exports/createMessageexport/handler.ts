import { REPORT_COLUMNS } from "@headwater/audience";
import type { JobInput } from "@headwater/contracts";
import type { Answer } from "@headwater/http";
import type { OnceCall } from "../../idempotency/runOnce.ts";
import type { ServicePorts } from "../../ports.ts";
import { addOutsideProblems } from "../addOutsideProblems.ts";
import { checkChannel } from "../checkChannel.ts";
import type { ExportBody } from "../configurationProblems.ts";
import { readFlag } from "../fileForm.ts";
import { type ExportRequest, hasTimeframe, readExportRequest } from "../readExportRequest.ts";
import { readOneOf, readText, readTexts } from "../readTexts.ts";
import { type ExportPorts, startExport } from "../startExport.ts";
import { readAudienceKeys } from "./audienceKeys.ts";
import { BASES, OPERATORS, TYPES, VIEW_MODES } from "./schema.ts";

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
type Ports = ExportPorts & Pick<ServicePorts, "clickHouse">;

/**
 * Starts an export of the numbers of messages.
 * @throws HeadwaterError 422 `EXPORT_CONFIGURATION_ERROR`.
 */
export async function startMessageExport(body: ExportBody, once: OnceCall, ports: Ports): Promise<Answer> {
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
