import { logCategories, logColumns, logLevels } from "@headwater/contracts";
import type { Answer } from "@headwater/http";
import { listedWord } from "@headwater/kernel";
import type { OnceCall } from "../../idempotency/runOnce.ts";
import { addOutsideProblems } from "../addOutsideProblems.ts";
import type { ExportBody } from "../configurationProblems.ts";
import { addUnknownColumns, type ExportRequest, hasTimeframe, readExportRequest } from "../readExportRequest.ts";
import { type ExportPorts, startExport } from "../startExport.ts";

const OWN = ["selected_category", "selected_level"];

/**
 * Starts an export of the account's log.
 * @throws HeadwaterError 422 `EXPORT_CONFIGURATION_ERROR`, 503 with Kafka away.
 */
export async function startLogExport(body: ExportBody, once: OnceCall, ports: ExportPorts): Promise<Answer> {
  const { account } = once.caller;
  const request = readExportRequest(body, { account, own: OWN, hasTimeframe: true });
  const { options, problems } = request;
  await addOutsideProblems(request, once, ports);
  const { timeframe } = options;
  if (!hasTimeframe(body)) problems.add("/timeframe", "required", "An export of the log has a `timeframe`.");
  addUnknownColumns(request, logColumns);
  const category = readOneOf(request, "selected_category", logCategories);
  const level = readOneOf(request, "selected_level", logLevels) ?? "Debug";
  problems.refuse();
  if (timeframe === undefined) throw new Error("without a timeframe there is a problem");
  const own = { timeframe, level, ...(category !== undefined && { category }) };
  return startExport(
    once,
    { jobName: "ExportClientsLogs", input: (watermark) => ({ ...options, watermark, ...own }), body },
    ports,
  );
}

/** Reads a name of the list, in any case. */
function readOneOf<Name extends string>(
  { body, problems }: ExportRequest,
  member: string,
  names: readonly Name[],
): Name | undefined {
  const given = body[member];
  if (given === undefined || given === null) return undefined;
  return (
    listedWord(names, given) ?? problems.add(`/${member}`, "bad_value", "The value is not one of those allowed.", names)
  );
}
