import { orderColumns } from "@headwater/contracts";
import type { Answer } from "@headwater/http";
import type { OnceCall } from "../../idempotency/runOnce.ts";
import { addOutsideProblems } from "../addOutsideProblems.ts";
import type { ExportBody } from "../configurationProblems.ts";
import { addUnknownColumns, readExportRequest } from "../readExportRequest.ts";
import { type ExportPorts, startExport } from "../startExport.ts";
import { createWatermarks } from "../watermarks.ts";

/**
 * Starts an export of orders.
 * @throws HeadwaterError 422 `EXPORT_CONFIGURATION_ERROR`, 503 with Kafka away.
 */
export async function startOrdersExport(body: ExportBody, once: OnceCall, ports: ExportPorts): Promise<Answer> {
  const { account } = once.caller;
  const watermarks = createWatermarks(ports);
  const request = readExportRequest(body, { account, own: [], hasTimeframe: true, watermarks });
  const { options, problems } = request;
  await addOutsideProblems(request, once, ports);
  if (options.until !== undefined)
    problems.add(
      "/until",
      "not_allowed",
      "Orders are exported as they are now: the next increment has what came later.",
    );
  const names = orderColumns.filter((name) => name !== "deleted" || options.since !== undefined);
  addUnknownColumns(request, names);
  problems.refuse();
  return startExport(once, { jobName: "ExportOrders", input: (watermark) => ({ ...options, watermark }), body }, ports);
}
