import { readHistoryStart } from "@headwater/accounts/accounts/accounts";
import { jobStarted, jobStartedExample } from "@headwater/analytics/jobs/jobSchema";
import { type OnceCall, orFirstAnswer, runOnce } from "@headwater/api/idempotency/runOnce";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import { type Account, type JobInput, parseTime, toTimestamp } from "@headwater/contracts";
import { type Answer, bodyRefusal, type Route, refusal } from "@headwater/http";
import { startedJob } from "@headwater/jobs/queue/startedJob";
import { startJob } from "@headwater/jobs/queue/startJob";
import type { ErrorDetail } from "@headwater/kernel";
import { readPageStats } from "@headwater/messaging/messages/shownStats";
import type { RoutePorts } from "@headwater/messaging/ports";
import { readPublishedTemplates } from "@headwater/messaging/templates/templates";
import { z } from "zod";
import { templatesOf } from "../../orchestrations/checks.ts";
import { examineDraft } from "../../orchestrations/examineDraft.ts";
import type { Composition } from "../../orchestrations/orchestration.ts";
import {
  orchestrationParams,
  UNKNOWN_ORCHESTRATION,
  unknownOrchestration,
} from "../../orchestrations/orchestrationCall.ts";
import * as orchestrations from "../../orchestrations/postgres.ts";

export type SimulatePorts = Pick<
  RoutePorts,
  "clickHouse" | "clock" | "freshness" | "outbound" | "postgres" | "queue" | "renders"
>;

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
const DAYS_MAX = 3_660;

const share = z.number().min(0).max(1);
const time = z.string().max(64);

const body = z.object({
  version: z
    .union([z.literal("draft"), z.int().min(1).max(2_147_483_647)])
    .optional()
    .describe("Default: the version that new runs follow, else the draft."),
  from: time.optional().describe("Default: 30 days before `to`."),
  to: time.optional().describe("Default, and at most: the instant up to which everything is counted."),
  basis: z
    .enum(["event", "recorded"])
    .default("event")
    .describe(
      "`event`: facts at their own time, and today's contacts. `recorded`: everything as it was recorded then.",
    ),
  samplePercent: z.number().gt(0).max(100).default(100).describe("Share of the contacts: the same ones for a `seed`."),
  seed: z.int().min(0).max(4_294_967_295).default(0),
  assume: z
    .object({
      open: share.optional(),
      click: share.optional(),
      webhook: share.default(1).describe("Share of calls that succeed."),
    })
    .prefault({})
    .describe("Shares of messages that are opened and clicked. Default: those of each template so far."),
});
type SimulateBody = z.output<typeof body>;

const requestExample = {
  version: "draft",
  from: "2026-01-01",
  to: "2026-02-01",
  samplePercent: 10,
  seed: 7,
  assume: { open: 0.4, click: 0.05 },
};

type Input = JobInput<"SimulateOrchestration">;
type Version = Pick<Input, "version" | "lists"> & { readonly composition: Composition };

/** Throws 404 `ORCHESTRATIONS_ORCHESTRATION_NOT_FOUND`, 422 `VALIDATION_ERROR` with all mistakes of a draft or of the stretch. */
async function startSimulation(
  once: OnceCall,
  {
    orchestration,
    body: sent,
    signal,
  }: { readonly orchestration: string; readonly body: SimulateBody; readonly signal: AbortSignal },
  ports: SimulatePorts,
): Promise<Answer> {
  const { account } = once.caller;
  const { version, lists, composition } = await readSimulated(account, orchestration, sent, ports);
  const stretch = await readStretch(account, sent, ports);
  const { basis, samplePercent, seed, assume } = sent;
  const rates = await readRates(account, { composition, assume, signal }, ports);
  const input: Input = {
    ...{ orchestration, version, composition: JSON.stringify(composition), lists, ...stretch },
    ...{ basis, samplePercent, seed, assume: { webhook: assume.webhook, rates } },
  };
  const { postgres, queue, clock } = ports;
  return runOnce(postgres, once, async (transaction) => {
    const metadata = { orchestrationID: orchestration, version };
    const job = { account: account.number, jobName: "SimulateOrchestration", input, metadata } as const;
    const jobId = await startJob(transaction, queue, { ...job, madeBy: once.caller.id, nowMs: clock.nowMs() });
    const answer = startedJob(jobId);
    return { answer, kept: answer.body };
  });
}

async function readSimulated(
  account: Account,
  orchestration: string,
  { version: wanted }: SimulateBody,
  ports: SimulatePorts,
): Promise<Version> {
  const name = { account: account.number, orchestration };
  const row = await orchestrations.orchestrations.read(ports.postgres, { account: account.number, key: orchestration });
  if (row === undefined) throw unknownOrchestration();
  const version = wanted ?? row.version ?? "draft";
  if (version === "draft") {
    const examined = await examineDraft(orchestrations.readContent(row).draft, account, ports);
    if (examined.kind === "invalid") throw bodyRefusal(examined.details);
    return { version, composition: examined.composition, lists: { ...examined.lists } };
  }
  const published = await orchestrations.readVersion(ports.postgres, { ...name, version });
  if (published === undefined) throw refusal("RECORD_NOT_FOUND", "The orchestration has no such version.");
  return { version, composition: published.composition, lists: { ...published.lists } };
}

/** Reads the stretch of the past: it ends where everything is known. */
async function readStretch(
  { number, settings: { timezone } }: Account,
  { from, to, basis }: SimulateBody,
  { postgres, clock, freshness }: SimulatePorts,
): Promise<{ readonly from: number; readonly to: number }> {
  const details: ErrorDetail[] = [];
  const read = (path: string, text: string | undefined) => {
    const at = text === undefined ? undefined : parseTime(text, timezone);
    if (text !== undefined && at === undefined)
      details.push({ path, code: "bad_value", message: "The value is not an ISO 8601 date or timestamp." });
    return at;
  };
  const known = Math.min(clock.nowMs(), await freshness());
  const toMs = Math.min(read("/to", to) ?? known, known);
  const fromMs = read("/from", from) ?? toMs - DEFAULT_DAYS * DAY_MS;
  const earliest = basis === "recorded" ? await readHistoryStart(postgres, number) : Number.NEGATIVE_INFINITY;
  const refuse = (message: string) => details.push({ path: "/from", code: "out_of_range", message });
  if (fromMs >= toMs) refuse("`from` must lie before `to`, and before what is counted already.");
  else if (toMs - fromMs > DAYS_MAX * DAY_MS) refuse(`At most ${DAYS_MAX} days can be simulated at a time.`);
  else if (fromMs < earliest) refuse(`The recorded history of this account begins at ${toTimestamp(earliest)}.`);
  if (details.length > 0) throw bodyRefusal(details);
  return { from: fromMs, to: toMs };
}

interface RatesOf {
  readonly composition: Composition;
  readonly assume: SimulateBody["assume"];
  readonly signal: AbortSignal;
}

/** Returns the shares of opens and clicks of each template: those that were given, else those of what it has sent so far. */
async function readRates(
  account: Account,
  { composition, assume, signal }: RatesOf,
  ports: SimulatePorts,
): Promise<Input["assume"]["rates"]> {
  const templates = await readPublishedTemplates(ports.postgres, account.number, templatesOf(composition.actions));
  const ids = templates.map(({ mdtId }) => mdtId);
  const isKnown = ids.length === 0 || (assume.open !== undefined && assume.click !== undefined);
  const read = isKnown
    ? undefined
    : await readPageStats({ ids, account, fields: undefined, view: "message", signal }, ports);
  return Object.fromEntries(
    templates.map(({ key, mdtId }) => {
      const stats = statsShape.parse(read?.statsOf(mdtId).stats ?? {});
      const shareOf = (count: number) => (stats.sent === 0 ? 0 : Math.min(1, count / stats.sent));
      const click = assume.click ?? shareOf(stats.clicks);
      return [key, { open: Math.max(click, assume.open ?? shareOf(stats.opens)), click }];
    }),
  );
}

const statsShape = z.object({
  sent: z.number().default(0),
  opens: z.number().default(0),
  clicks: z.number().default(0),
});

export function simulateOrchestration(ports: SimulatePorts): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/orchestrations/{orchestrationID}/simulate",
    operationId: "simulateOrchestration",
    summary: "Starts a job that shows what a draft or a version would have done with the past. Nothing is sent.",
    description:
      "`metadata.simulation` of the job has the numbers. Its files have them as JSON and CSV, and the path of each run as a line of JSON. Answers to messages that nobody got are assumed, and runs that rest on them say so (`assumed`).",
    tags: ["orchestrations"],
    answers: {
      202: { description: "The job has started.", schema: jobStarted, example: jobStartedExample },
      404: { description: `${UNKNOWN_ORCHESTRATION} RECORD_NOT_FOUND: it has no such version.` },
    },
    scope: "orchestrations:read",
    dryRun: "checked",
    rateClass: "jobStart",
    target: "orchestrationID",
    params: orchestrationParams,
    body,
    requestExample,
    handler: ({ params: { orchestrationID: orchestration }, body: sent, once, signal }) =>
      orFirstAnswer(ports.postgres, once, () => startSimulation(once, { orchestration, body: sent, signal }, ports)),
  });
}
