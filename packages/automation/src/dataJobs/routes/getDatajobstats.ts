import { waitForAfter } from "@headwater/api/consistency/after";
import { afterQuery, storableText } from "@headwater/api/paging/query";
import { defineRoute, type Route } from "@headwater/http";
import { z } from "zod";
import type { DataJobPorts } from "../ports.ts";
import { readLatestRun, readRun } from "../postgres.ts";
import { readNamedRun } from "../readDataJob.ts";
import { statsExample, statsOf, statsShape, unknownRun } from "../runStats.ts";

export function getDatajobstats(ports: DataJobPorts): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/datajobs/{dabId}/stats",
    operationId: "getDatajobstats",
    summary: "Returns the numbers of a run that its id names, or of the latest run of a data job.",
    description: "`dabId` is the id of a run as `/trigger` answers it, or the key or daId of a data job.",
    tags: ["datajobs"],
    answers: {
      200: { description: "The numbers.", schema: statsShape, example: statsExample },
      404: { description: "RECORD_NOT_FOUND: no data job has this name, or it has no such run, or none yet." },
    },
    auth: "basic",
    scope: "datajobs:read",
    rateClass: "read",
    params: z.strictObject({ dabId: storableText(256) }),
    query: z.strictObject(afterQuery),
    handler: async ({ params: { dabId }, query: { after }, caller, signal }) => {
      await waitForAfter({ token: after, caller, store: "state", signal }, ports);
      const { account } = caller;
      const { job, marker } = await readNamedRun(ports.postgres, account.number, dabId);
      const run = marker === undefined ? readLatestRun(ports.postgres, job) : readRun(ports.postgres, job, marker);
      const found = await run;
      if (found === undefined) throw unknownRun();
      return { status: 200, body: statsOf(account.id, job, found) };
    },
  });
}
