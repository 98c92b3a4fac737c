import { waitForAfter } from "@headwater/api/consistency/after";
import { afterQuery, storableText } from "@headwater/api/paging/query";
import { defineRoute, type Route } from "@headwater/http";
import { z } from "zod";
import type { DataJobPorts } from "../ports.ts";
import { readRun } from "../postgres.ts";
import { dataJobParams, readDataJob } from "../readDataJob.ts";
import { statsExample, statsOf, statsShape, unknownRun } from "../runStats.ts";

export function getDatajobrunstats(ports: DataJobPorts): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/datajobs/{key}/runs/{runMarker}/stats",
    operationId: "getDatajobrunstats",
    summary: "Returns the numbers of one run of a data job.",
    tags: ["datajobs"],
    answers: {
      200: { description: "The numbers.", schema: statsShape, example: statsExample },
      404: { description: "RECORD_NOT_FOUND: no data job has this key or daId, or it has no such run." },
    },
    auth: "basic",
    scope: "datajobs:read",
    rateClass: "read",
    params: dataJobParams.extend({ runMarker: storableText(64) }),
    query: z.strictObject(afterQuery),
    handler: async ({ params: { key, runMarker }, query: { after }, caller, signal }) => {
      await waitForAfter({ token: after, caller, store: "state", signal }, ports);
      const { account } = caller;
      const job = await readDataJob(ports.postgres, account.number, key);
      const run = await readRun(ports.postgres, job, runMarker);
      if (run === undefined) throw unknownRun();
      return { status: 200, body: statsOf(account.id, job, run) };
    },
  });
}
