import { waitForAfter } from "@headwater/api/consistency/after";
import { pageOf } from "@headwater/api/paging/answerSchema";
import { readCounted } from "@headwater/api/paging/counted";
import { listAnswer, pickFields } from "@headwater/api/paging/listAnswer";
import { cutPage, readPage } from "@headwater/api/paging/page";
import { listQuery } from "@headwater/api/paging/query";
import { toTimestamp } from "@headwater/contracts";
import { defineRoute, type Route } from "@headwater/http";
import { z } from "zod";
import { runStatuses } from "../dataJob.ts";
import type { DataJobPorts } from "../ports.ts";
import { countRuns, pageRuns, type StoredRun } from "../postgres.ts";
import { dataJobParams, readDataJob, UNKNOWN } from "../readDataJob.ts";

const run = z.strictObject({
  runMarker: z.string(),
  jobId: z.string(),
  status: z.enum(runStatuses),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  ct: z.string(),
});
const RUN_MEMBERS = Object.keys(run.shape);
const cursor = z.object({ createdAt: z.number(), marker: z.string() });
const answer = pageOf(run.partial()).extend({ daId: z.string(), runs: z.array(z.string()) });
const example = {
  daId: "65f0c0ffee65f0c0ffee0201",
  runs: ["rm202606180920"],
  data: [
    {
      ...{ runMarker: "rm202606180920", jobId: "65f0c0ffee65f0c0ffee0001", status: "completed" },
      ...{ startedAt: "2026-06-18T09:20:01.000Z", endedAt: "2026-06-18T09:20:09.000Z", ct: "2026-06-18T09:20:00.000Z" },
    },
  ],
  pagination: { per_page: 25, page: 1, next_cursor: null },
};

function runView({ marker, job, status, startedAt, endedAt, createdAt }: StoredRun): z.output<typeof run> {
  const timeOf = (ms: number | null) => (ms === null ? null : toTimestamp(ms));
  return {
    ...{ runMarker: marker, jobId: job, status, startedAt: timeOf(startedAt), endedAt: timeOf(endedAt) },
    ct: toTimestamp(createdAt),
  };
}

export function listDatajobruns(ports: DataJobPorts): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/datajobs/{key}/runs",
    operationId: "listDatajobruns",
    summary: "Lists the runs of a data job, the newest first, for as long as their jobs are stored.",
    tags: ["datajobs"],
    answers: { 200: { description: "A page of runs.", schema: answer, example }, 404: UNKNOWN },
    auth: "basic",
    scope: "datajobs:read",
    rateClass: "read",
    params: dataJobParams,
    query: z.strictObject(listQuery),
    handler: async ({ params, query, caller, signal }) => {
      await waitForAfter({ token: query.after, caller, store: "state", signal }, ports);
      const { postgres, cursors } = ports;
      const { number: account } = caller.account;
      const { daId } = await readDataJob(postgres, account, params.key);
      const of = { account, daId };
      const page = readPage(query, { list: `runs of ${daId}`, key: cursor, direction: "desc", account, cursors });
      const pick = pickFields(query.fields, RUN_MEMBERS);
      const { after: last, direction, skip, perPage } = page;
      const { rows, total } = await readCounted(postgres, query, {
        page: (session) => pageRuns(session, of, { last, direction, skip, rowsMax: perPage + 1 }),
        count: (session) => countRuns(session, of),
      });
      const cut = cutPage(rows, page, ({ createdAt, marker }) => ({ createdAt, marker }));
      const listed = { rows: cut.rows.map((row) => pick(runView(row))), nextCursor: cut.nextCursor };
      const path = `/v2/datajobs/${encodeURIComponent(params.key)}/runs`;
      const { body, ...rest } = listAnswer({ path, query, page, listed, total });
      return { ...rest, body: { daId, runs: cut.rows.map(({ marker }) => marker), ...Object(body) } };
    },
  });
}
