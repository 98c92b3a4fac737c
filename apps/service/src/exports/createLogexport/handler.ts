import { logCategories, logColumns, logLevels } from "@headwater/contracts";
import type { Answer } from "@headwater/http";
import type { OnceCall } from "../../idempotency/runOnce.ts";
import { below, type ExportBody, wrongConfiguration } from "../configurationProblems.ts";
import { type ExportRequest, readExportRequest } from "../readExportRequest.ts";
import { type ExportPorts, startExport } from "../startExport.ts";

const OWN = ["selected_category", "selected_level"];
const TIMEFRAME = ["timeframe", "selected_timeframe_start", "selected_timeframe_end"];

/**
 * Starts an export of the account's log.
 * @throws HeadwaterError 422 `EXPORT_CONFIGURATION_ERROR`, 503 with Kafka away.
 */
export async function startLogExport(body: ExportBody, once: OnceCall, ports: ExportPorts): Promise<Answer> {
  const { account } = once.caller;
  const request = readExportRequest(body, { account, own: OWN, hasTimeframe: true });
  const { options, problems } = request;
  const { timeframe } = options;
  const isGiven = TIMEFRAME.some((name) => (body[name] ?? null) !== null);
  if (!isGiven) problems.add("/timeframe", "required", "An export of the log has a `timeframe`.");
  for (const [place, { name }] of (options.columnHeaders ?? []).entries()) {
    const isKnown: boolean = logColumns.some((known) => known === name);
    if (!isKnown) problems.unknown(below(`/columnHeaders/${place}`, "name"), "unknown_field", name, logColumns);
  }
  const category = readOneOf(request, "selected_category", logCategories);
  const level = readOneOf(request, "selected_level", logLevels) ?? "Debug";
  problems.refuse();
  if (timeframe === undefined) throw wrongTimeframe();
  const own = { timeframe, level, ...(category !== undefined && { category }) };
  return startExport(
    once,
    { jobName: "ExportLog", input: (watermark) => ({ ...options, watermark, ...own }), body },
    ports,
  );
}

/** Returns the refusal of a timeframe of which nothing is said, like `{}`. */
function wrongTimeframe() {
  const message = "A timeframe has a start and an end.";
  return wrongConfiguration([{ path: "/timeframe/start", code: "required", message }]);
}

/** Reads a name of the list, in any case. */
function readOneOf<Name extends string>(
  { body, problems }: ExportRequest,
  member: string,
  names: readonly Name[],
): Name | undefined {
  const given = body[member];
  if (given === undefined || given === null || given === "") return undefined;
  const wanted = typeof given === "string" ? given.toLowerCase() : undefined;
  const known = names.find((name) => name.toLowerCase() === wanted);
  return known ?? problems.add(`/${member}`, "bad_value", "The value is not one of those allowed.", names);
}
