import { readAccountDocument } from "@headwater/accounts/accounts/accounts";
import { defineResource } from "@headwater/api/resources/defineResource";
import type { Checking, ResourcePorts, Viewing, Writing } from "@headwater/api/resources/resourceDefinition";
import { toTimestamp } from "@headwater/contracts";
import { type Route, refusal } from "@headwater/http";
import { endJob, isRunning, lockJob } from "@headwater/jobs/queue/jobs";
import { type ErrorDetail, newDataJobId } from "@headwater/kernel";
import { nextTick, problemOfSchedule } from "@headwater/messaging/schedule/cron";
import type { Transaction } from "@headwater/postgres/connection/session";
import { z } from "zod";
import { dataJobBody, dataJobShape, runStatuses, type Schedule, type Target } from "./dataJob.ts";
import { type Mapping, mappingShape } from "./mapping.ts";
import type { DataJobPorts } from "./ports.ts";
import { dataJobs, deleteRuns, readOpenJobs, type StoredDataJob } from "./postgres.ts";
import { targetOf } from "./readDataJob.ts";
import { getDatajobrunstats } from "./routes/getDatajobrunstats.ts";
import { getDatajobstats } from "./routes/getDatajobstats.ts";
import { listDatajobruns } from "./routes/listDatajobruns.ts";
import { transformDatajob } from "./routes/transformDatajob.ts";
import { triggerDatajob } from "./routes/triggerDatajob.ts";
import { readStoredStorage, resolveDestination, resolveSource, showDestination, showSource } from "./storages.ts";

type Ports = ResourcePorts & DataJobPorts;

const JOBS_MAX = 1_000;
/** Mappings of a page of a list. */
const LIST_BYTES_MAX = 4 * 1024 * 1024;

const changedBody = dataJobBody.partial();
type Changes = z.output<typeof changedBody>;

function toRecord(row: StoredDataJob): z.input<typeof dataJobShape> {
  const source = readStoredStorage(row.source);
  const destination = readStoredStorage(row.destination);
  const { cron, timezone, mapping, lastRunMarker } = row;
  return {
    ...{ key: row.key, daId: row.daId, name: row.name, kind: row.kind },
    ...(cron !== null && timezone !== null && { schedule: { cron, timezone } }),
    apiTrigger: row.apiTrigger,
    ...(source !== undefined && { source: showSource(source) }),
    mapping: mapping === "" ? { to: {} } : mappingShape.parse(JSON.parse(mapping)),
    target: targetOf(row),
    ...(destination !== undefined && { destination: showDestination(destination) }),
    ...{ enabled: row.enabled, status: z.enum(runStatuses).parse(row.status) },
    ...(lastRunMarker !== null && { lastRunMarker }),
    ...{ ct: toTimestamp(row.createdAt), lm: toTimestamp(row.updatedAt) },
  };
}

const example = {
  key: "shop-orders",
  daId: "65f0c0ffee65f0c0ffee0201",
  name: "Orders of the shop",
  kind: "recurring",
  schedule: { cron: "20 9 * * *", timezone: "Europe/Berlin" },
  apiTrigger: true,
  source: { transport: "https", url: { set: true, last4: "json" } },
  mapping: {
    each: "=lines",
    when: "=qty > `0`",
    to: {
      "contact.identifiers.email": "=email",
      "contactactivities[0].name": "bought",
      "contactactivities[0].time": "=$.at",
      "contactactivities[0].properties.sku": "=sku",
      "contactactivities[0].properties.size": { value: "=size", map: { S: "small", L: "large" }, default: "other" },
    },
  },
  target: { type: "activities" },
  enabled: true,
  status: "completed",
  lastRunMarker: "rm202606180920",
  ct: "2026-01-09T22:47:12.000Z",
  lm: "2026-01-09T22:47:12.000Z",
};

/** Storages of a body as they are stored; undefined where the body does not name them, null where it removes them. */
interface Found {
  readonly source: string | null | undefined;
  readonly destination: string | null | undefined;
}

/** Checks what a body says by itself: its mapping, its schedule, and that its storages answer. */
async function check(body: Changes, checking: Checking<Ports>, stored: StoredDataJob | undefined) {
  const { ports } = checking;
  const { account } = await readAccountDocument(ports.postgres, checking.account);
  const problems = [
    ...(await mappingProblems(body.mapping, checking)),
    ...scheduleProblems(body.schedule ?? undefined, checking.nowMs),
  ];
  if (problems.length > 0) throw invalid(problems);
  const before = (text: string | null | undefined) => readStoredStorage(text ?? null);
  const { source, destination } = body;
  const found: Found = {
    source: await storedText(source, () => resolveSource(source, { account, before: before(stored?.source), ports })),
    destination: await storedText(destination, () =>
      resolveDestination(destination, { account, before: before(stored?.destination), ports }),
    ),
  };
  return { found };
}

async function storedText(
  given: unknown,
  resolve: () => Promise<object | undefined>,
): Promise<string | null | undefined> {
  if (given === undefined || given === null) return given;
  const resolved = await resolve();
  return resolved === undefined ? null : JSON.stringify(resolved);
}

async function mappingProblems(
  mapping: Mapping | undefined,
  { account, ports: { mapper } }: Checking<Ports>,
): Promise<ErrorDetail[]> {
  const problems = mapping === undefined ? [] : await mapper.check(account, mapping);
  return problems.map((detail) => ({ ...detail, path: `/mapping${detail.path}` }));
}

function scheduleProblems(schedule: Schedule | undefined, nowMs: number): ErrorDetail[] {
  const problem = schedule && problemOfSchedule(schedule, nowMs);
  if (problem === undefined) return [];
  const { member, message } = problem;
  return [{ path: `/schedule/${member}`, code: "bad_value", message: `\`${member}\` ${message}.` }];
}

type Members = Omit<StoredDataJob, "account" | "key" | "lastRunMarker" | "status" | "createdAt" | "updatedAt">;

/** Returns what is stored, after all that is wrong with its members together. Throws 422 `VALIDATION_ERROR`. */
function expectWhole(members: Members): Members {
  const { kind, cron, targetType, targetKey, source, destination } = members;
  const problems = [
    ...wrongIf(kind === "recurring" && cron === null, "/schedule", "required", "A recurring data job has a schedule."),
    ...wrongIf(kind === "recurring" && source === null, "/source", "required", "A recurring data job has a source."),
    ...wrongIf(
      kind === "recurring" && readStoredStorage(source)?.upload !== undefined,
      "/source/transport",
      "not_allowed",
      "An upload is read once: a recurring data job reads a link or a storage.",
    ),
    ...wrongIf(
      targetType === "supplement" && targetKey === null,
      "/target/key",
      "required",
      "Name the supplement table.",
    ),
    ...wrongIf(
      targetType !== "supplement" && targetKey !== null,
      "/target/key",
      "not_allowed",
      "Only a supplement has a key.",
    ),
    ...wrongIf(
      targetType !== "export" && destination !== null,
      "/destination",
      "not_allowed",
      "Only an export has a destination.",
    ),
  ];
  if (problems.length > 0) throw invalid(problems);
  return members;
}

function wrongIf(isWrong: boolean, path: string, code: string, message: string): ErrorDetail[] {
  return isWrong ? [{ path, code, message }] : [];
}

function invalid(details: readonly ErrorDetail[]) {
  return refusal("VALIDATION_ERROR", `The data job is invalid. ${details[0]?.message ?? ""}`.trim(), { details });
}

/** Returns the members of a data job with what a body says of them. */
function toMembers(body: Changes, stored: Members | undefined, { found, nowMs }: Writing<Ports, Found>): Members {
  const { schedule, target } = body;
  const { kind = stored?.kind ?? "oneTime", name = stored?.name ?? "", mapping } = body;
  const { cron, timezone } = scheduleOf(schedule, stored);
  const enabled = (body.enabled === undefined ? stored?.enabled : body.enabled) ?? true;
  const members = {
    ...{ daId: stored?.daId ?? newDataJobId(), name, kind, cron, timezone, enabled },
    apiTrigger: (body.apiTrigger === undefined ? stored?.apiTrigger : body.apiTrigger) ?? false,
    source: found?.source === undefined ? (stored?.source ?? null) : found.source,
    mapping: mapping === undefined ? (stored?.mapping ?? "") : JSON.stringify(mapping),
    ...(target === undefined ? targetMembers(stored) : toTargetMembers(target)),
    destination: found?.destination === undefined ? (stored?.destination ?? null) : found.destination,
  };
  return expectWhole({ ...members, nextAt: nextAtOf(members, stored, nowMs) });
}

function scheduleOf(schedule: Schedule | null | undefined, stored: Members | undefined) {
  if (schedule === undefined) return { cron: stored?.cron ?? null, timezone: stored?.timezone ?? null };
  return schedule ?? { cron: null, timezone: null };
}

function toTargetMembers({
  type,
  key = null,
}: {
  readonly type: Target["type"];
  readonly key?: string | null | undefined;
}) {
  return { targetType: type, targetKey: key };
}

function targetMembers(stored: Members | undefined) {
  return toTargetMembers({ type: stored?.targetType ?? "contacts", key: stored?.targetKey ?? null });
}

/** Returns the next tick. One that is due already stays due while the schedule stays. */
function nextAtOf(
  { kind, enabled, cron, timezone }: Pick<Members, "kind" | "enabled" | "cron" | "timezone">,
  stored: Members | undefined,
  nowMs: number,
): number | null {
  if (kind !== "recurring" || !enabled || cron === null || timezone === null) return null;
  const isSame = stored?.cron === cron && stored.timezone === timezone;
  return (isSame ? stored.nextAt : null) ?? nextTick({ cron, timezone }, nowMs) ?? null;
}

/** Ends the runs of a data job that is deleted. */
async function cancelRuns(transaction: Transaction, row: StoredDataJob, nowMs: number): Promise<void> {
  for (const id of await readOpenJobs(transaction, row)) {
    const job = await lockJob(transaction, id);
    const isOpen = job !== undefined && (isRunning(job) || job.status === "Pending" || job.status === "Scheduled");
    if (isOpen) await endJob(transaction, job, { status: "Canceled", at: Math.max(nowMs, job.startedAt ?? nowMs) });
  }
  await deleteRuns(transaction, row);
}

const plainRoutes = defineResource({
  resource: "datajobs",
  noun: "data job",
  table: dataJobs,
  shape: dataJobShape,
  example,
  toRecord: (row, _: Viewing<Ports>) => toRecord(row),
  versioned: ({ createdAt: _, updatedAt: __, lastRunMarker: ___, status: ____, nextAt: _____, ...members }) => members,
  list: {
    operationId: "listDatajobs",
    summary: "Lists data jobs in order of creation.",
    sorts: { ct: "createdAt", name: "name" },
    filters: { status: z.enum(runStatuses) },
    largeBytesMax: LIST_BYTES_MAX,
  },
  get: { operationId: "getDatajob", summary: "Returns a data job by its key." },
  create: {
    operationId: "createDatajob",
    summary: "Creates a data job: a mapping of what others send, or what is read somewhere, to records.",
    description:
      "Strings of the mapping that begin with `=` are JMESPath over the current element; `$` is the whole body. The source must answer now.",
    body: dataJobBody,
    requestExample: {
      ...{ key: "shop-lines", name: "Lines of the shop", kind: "oneTime" },
      ...{ mapping: example.mapping, target: example.target },
    },
    limit: { code: "VALIDATION_ERROR", path: "/key", max: () => JOBS_MAX },
    keyOf: ({ key }) => key,
    check: (body, checking) => check(body, checking, undefined),
    toMembers: (body, _, writing) => toMembers(body, undefined, writing),
  },
  update: {
    operationId: "updateDatajob",
    summary: "Updates a data job. Absent members stay unchanged; runs under way keep what it was.",
    description: "A secret written back as `{set, last4}` stays, as long as it goes to the same host.",
    body: changedBody,
    requestExample: { name: "Orders of the shop, daily", enabled: true },
    check: async (body, checking) => check(body, checking, await dataJobs.read(checking.ports.postgres, checking)),
    toMembers: (body, stored, writing) => toMembers(body, stored, writing),
  },
  delete: {
    operationId: "deleteDatajob",
    summary: "Deletes a data job, with its secrets and its list of runs. A run under way is canceled.",
    async release({ transaction, nowMs }, row) {
      await cancelRuns(transaction, row, nowMs);
      return {};
    },
  },
});

/** Returns the routes of data jobs. */
export function datajobRoutes(ports: Ports): Route[] {
  return [
    ...plainRoutes(ports),
    transformDatajob(ports),
    triggerDatajob(ports),
    listDatajobruns(ports),
    getDatajobrunstats(ports),
    getDatajobstats(ports),
  ];
}
