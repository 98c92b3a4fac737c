import { type OnceCall, orFirstAnswer } from "@headwater/api/idempotency/runOnce";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import { orderColumns } from "@headwater/contracts";
import type { Answer, Route } from "@headwater/http";
import { z } from "zod";
import { PASSED_OVER, readClosedBody } from "../../closedBody.ts";
import { jobStartedExample } from "../../jobs/jobSchema.ts";
import { addOutsideProblems } from "../addOutsideProblems.ts";
import { exportMembers, exportStarted, timeframeMembers, watermarkMembers } from "../exportMembers.ts";
import { addUnknownColumns, type ExportBody, readExportRequest, readMark } from "../readExportRequest.ts";
import { type ExportPorts, startExport } from "../startExport.ts";
import { createWatermarks } from "../watermarks.ts";

const body = z.strictObject({
  ...timeframeMembers("Default: all orders."),
  ...exportMembers,
  since: watermarkMembers.since,
});
type OrdersBody = ExportBody<Partial<z.output<typeof body>>>;

/** Refused with a reason: other exports take it. */
const OWN = ["until"];

const requestExample = { timeframe: { start: "2026-01-01", end: "2026-02-01" }, exportType: "jsonl" };

/**
 * Starts an export of orders.
 * @throws HeadwaterError 422 `EXPORT_CONFIGURATION_ERROR`, 503 with Kafka away.
 */
async function startOrdersExport(sent: OrdersBody, once: OnceCall, ports: ExportPorts): Promise<Answer> {
  const { account } = once.caller;
  const watermarks = createWatermarks(ports);
  const request = readExportRequest(sent, { account, watermarks });
  const { given: provided, options, problems } = request;
  await addOutsideProblems(request, once, ports);
  if (readMark("until", provided.until, { account, watermarks, problems }) !== undefined)
    problems.add(
      "/until",
      "not_allowed",
      "Orders are exported as they are now: the next increment has what came later.",
    );
  const names = orderColumns.filter((name) => name !== "deleted" || options.since !== undefined);
  addUnknownColumns(request, names);
  problems.refuse();
  return startExport(
    once,
    { jobName: "ExportOrders", input: (watermark) => ({ ...options, watermark }), given: provided },
    ports,
  );
}

export function createOrdersexport(ports: ExportPorts): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/ordersexport",
    operationId: "createOrdersexport",
    summary: "Starts a job that exports orders to files.",
    description:
      "A row for each order as it is now, of those that were purchased in the timeframe where one is given. With `since`, an increment: the orders that were written behind the watermark of a former export, with `deleted` of those that were deleted. Lines of JSON can be imported again by `POST /v2/ordersimport`.",
    tags: ["ordersexport"],
    answers: {
      202: { description: "The job has started.", schema: exportStarted, example: jobStartedExample },
      422: { description: "EXPORT_CONFIGURATION_ERROR, with all that is wrong." },
    },
    requestExample,
    scope: "ordersexport:read",
    dryRun: "checked",
    rateClass: "jobStart",
    body: readClosedBody(body, OWN),
    alsoKnown: () => [...PASSED_OVER, ...OWN],
    handler: ({ body: request, once }) =>
      orFirstAnswer(ports.postgres, once, () => startOrdersExport(request, once, ports)),
  });
}
