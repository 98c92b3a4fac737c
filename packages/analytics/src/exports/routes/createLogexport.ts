import { type OnceCall, orFirstAnswer } from "@headwater/api/idempotency/runOnce";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import { logCategories, logColumns, logLevels } from "@headwater/contracts";
import type { Answer, Route } from "@headwater/http";
import { z } from "zod";
import { PASSED_OVER, readClosedBody } from "../../closedBody.ts";
import { jobStartedExample } from "../../jobs/jobSchema.ts";
import { addOutsideProblems } from "../addOutsideProblems.ts";
import { exportMembers, exportStarted, timeframeMembers } from "../exportMembers.ts";
import { addUnknownColumns, type ExportBody, hasTimeframe, readExportRequest } from "../readExportRequest.ts";
import { type ExportPorts, startExport } from "../startExport.ts";

const NOT_ALLOWED = "The value is not one of those allowed.";

const body = z.strictObject({
  ...timeframeMembers("Required, here or as `selected_timeframe_start` and `selected_timeframe_end`."),
  selected_category: z.enum(logCategories, NOT_ALLOWED).describe("Default: all.").nullish(),
  selected_level: z
    .enum(logLevels, NOT_ALLOWED)
    .describe("This level and graver ones. Default: `Debug`, which is all.")
    .nullish(),
  ...exportMembers,
});
type LogBody = ExportBody<Partial<z.output<typeof body>>>;

const requestExample = {
  timeframe: { start: "2026-01-01", end: "2026-02-01" },
  selected_level: "Warning",
  exportType: "jsonl",
};

/**
 * Starts an export of the account's log.
 * @throws HeadwaterError 422 `EXPORT_CONFIGURATION_ERROR`, 503 with Kafka away.
 */
async function startLogExport(sent: LogBody, once: OnceCall, ports: ExportPorts): Promise<Answer> {
  const { account } = once.caller;
  const request = readExportRequest(sent, { account });
  const { given: provided, members, options, problems } = request;
  await addOutsideProblems(request, once, ports);
  const { timeframe } = options;
  if (!hasTimeframe(request)) problems.add("/timeframe", "required", "An export of the log has a `timeframe`.");
  addUnknownColumns(request, logColumns);
  const category = members.selected_category ?? undefined;
  const level = members.selected_level ?? "Debug";
  problems.refuse();
  if (timeframe === undefined) throw new Error("without a timeframe there is a problem");
  const own = { timeframe, level, ...(category !== undefined && { category }) };
  return startExport(
    once,
    { jobName: "ExportClientsLogs", input: (watermark) => ({ ...options, watermark, ...own }), given: provided },
    ports,
  );
}

export function createLogexport(ports: ExportPorts): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/accountmonitorexport",
    operationId: "createLogexport",
    summary: "Starts a job that exports the account's log to files.",
    description:
      "A row for each entry of the timeframe, in order of their time: every write, job, setting, key and erasure, and counts of intake and refused calls by minute. No entry holds a value of a contact or a secret. Entries are kept for 400 days.",
    tags: ["accountmonitorexport"],
    answers: {
      202: { description: "The job has started.", schema: exportStarted, example: jobStartedExample },
      422: { description: "EXPORT_CONFIGURATION_ERROR, with all that is wrong." },
    },
    requestExample,
    scope: "accountmonitorexport:read",
    dryRun: "checked",
    rateClass: "jobStart",
    body: readClosedBody(body),
    alsoKnown: () => PASSED_OVER,
    handler: ({ body: request, once }) =>
      orFirstAnswer(ports.postgres, once, () => startLogExport(request, once, ports)),
  });
}
