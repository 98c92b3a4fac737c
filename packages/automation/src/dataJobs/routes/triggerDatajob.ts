import { runOnce } from "@headwater/api/idempotency/runOnce";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import { type Route, refusal } from "@headwater/http";
import type { Transaction } from "@headwater/postgres/connection/session";
import { z } from "zod";
import { parseDataJobName, runIdOf } from "../dataJob.ts";
import type { DataJobPorts } from "../ports.ts";
import { dataJobs, readLatestRun, type StoredDataJob } from "../postgres.ts";
import { dataJobParams, disabled, UNKNOWN, unknownDataJob } from "../readDataJob.ts";
import { startRun } from "../startRun.ts";
import { expectUpload, readStoredStorage } from "../storages.ts";

const answer = z.strictObject({
  success: z.literal(true),
  message: z.string(),
  dabID: z.string().describe("Names the run."),
  jobIds: z.array(z.string()),
});
const example = {
  success: true,
  message: "The run has started.",
  dabID: "account:65f0c0ffee65f0c0ffee0201:rm202606180920",
  jobIds: ["65f0c0ffee65f0c0ffee0001"],
};

/** Throws the refusal of a data job that may not run now. */
async function expectStartable(transaction: Transaction, job: StoredDataJob, nowMs: number): Promise<void> {
  if (!job.enabled) throw disabled();
  if (!job.apiTrigger) throw refusal("DATA_JOB_API_TRIGGER_DISABLED", "`apiTrigger` of the data job is off.");
  const source = readStoredStorage(job.source);
  if (source === undefined) {
    const message = "The data job has no source: only `/transform` feeds it.";
    throw refusal("VALIDATION_ERROR", message, { details: [{ path: "/source", code: "required", message }] });
  }
  if (source.upload !== undefined) {
    await expectUpload(transaction, { account: job.account, id: source.upload, nowMs });
  }
  const { status = "draft" } = (job.kind === "oneTime" ? await readLatestRun(transaction, job) : undefined) ?? {};
  if (status !== "pending" && status !== "processing") return;
  throw refusal("INVALID_STATE_TRANSITION", "A run of the data job is under way.", {
    extra: { from: status, allowed: [] },
  });
}

export function triggerDatajob(ports: DataJobPorts): Route {
  return defineWriteRoute<{ readonly key: string }>({
    method: "POST",
    path: "/v2/datajobs/{key}/trigger",
    operationId: "triggerDatajob",
    summary: "Starts a run: a job that reads the source of a data job, maps it and writes what is made.",
    description:
      "The run keeps the mapping and the target as they are now. `PUT /v2/jobs/{id}/cancel` cancels it. A one-time data job may run again once its run has ended.",
    tags: ["datajobs"],
    answers: {
      202: { description: "The run has started.", schema: answer, example },
      404: UNKNOWN,
      409: { description: "INVALID_STATE_TRANSITION: a run of the one-time data job is under way." },
      422: {
        description:
          "DATA_JOB_API_TRIGGER_DISABLED: `apiTrigger` or the data job is off. VALIDATION_ERROR: it has no source. IMPORT_CONFIGURATION_ERROR: its upload is gone.",
      },
    },
    scope: "datajobs:write",
    dryRun: { class: "checked", starts: () => "unknown" },
    rateClass: "jobStart",
    target: "key",
    params: dataJobParams,
    handler: ({ params, once }) =>
      runOnce(ports.postgres, once, async (transaction) => {
        const { account } = once.caller;
        const { key } = parseDataJobName(params.key);
        const job = await dataJobs.lock(transaction, { account: account.number, key });
        if (job === undefined) throw unknownDataJob();
        const nowMs = ports.clock.nowMs();
        await expectStartable(transaction, job, nowMs);
        const { timezone } = account.settings;
        const run = { job, tickAt: null, timezone, madeBy: once.caller.id, nowMs };
        const { marker, jobId } = await startRun(transaction, ports.queue, run);
        const body = { success: true, message: example.message, dabID: runIdOf(job.daId, marker), jobIds: [jobId] };
        const headers = { Location: `/v2/jobs/${jobId}` };
        return { answer: { status: 202, body, headers }, kept: body };
      }),
  });
}
