import { readHistoryStart } from "@headwater/accounts/accounts/accounts";
import { type OnceCall, orFirstAnswer } from "@headwater/api/idempotency/runOnce";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import { type ExportedContactColumn, toTimestamp } from "@headwater/contracts";
import { criteriaSchema } from "@headwater/criteria";
import type { Answer, Route } from "@headwater/http";
import { z } from "zod";
import { jobStartedExample } from "../../jobs/jobSchema.ts";
import type { RoutePorts } from "../../ports.ts";
import { addOutsideProblems } from "../addOutsideProblems.ts";
import { below, type ExportBody } from "../configurationProblems.ts";
import { type ContactNames, readContactNames, readFields } from "../contactColumns.ts";
import { exportMembers, exportStarted, watermarkMembers } from "../exportMembers.ts";
import { type ExportRequest, readExportRequest, readTime } from "../readExportRequest.ts";
import { type ExportPorts, startExport } from "../startExport.ts";
import { createWatermarks } from "../watermarks.ts";
import { readWhom } from "../whom.ts";

/** Read by `readExportRequest`, which reports all errors at once. */
const body = z.looseObject({});

const documentedBody = z.strictObject({
  fields: z
    .union([z.literal("*"), z.array(z.string())])
    .describe(
      "Required. Paths as criteria name them, bare attribute keys, `lists`, `lists.<name>`, `listJoinDate.<name>`; or `*`.",
    ),
  lists: z
    .array(z.union([z.string(), z.int()]))
    .describe("A membership column for each, by name or id.")
    .nullish(),
  "audience-key": z.string().describe("The saved audience that is exported. Default: everybody.").nullish(),
  criteria: criteriaSchema.nullish(),
  asOf: z.string().describe("Exports who it was at a past moment, with their values then.").nullish(),
  ...exportMembers,
  ...watermarkMembers,
});

const requestExample = {
  fields: ["cID", "channels.email.address", "createdAt"],
  exportType: "csv",
  compress: true,
};

const OWN = ["fields", "lists", "audience-key", "criteria", "asOf"];
/** A caller's clock may go before ours by so much. */
const AHEAD_MS_MAX = 5_000;

type Ports = ExportPorts & Pick<RoutePorts, "clickHouse">;

/**
 * Starts an export of contacts.
 * @throws HeadwaterError 422 `EXPORT_CONFIGURATION_ERROR`, `INVALID_AUDIENCE_RULES`.
 */
async function startContactExport(body: ExportBody, once: OnceCall, ports: Ports): Promise<Answer> {
  const { caller } = once;
  const { account } = caller;
  const watermarks = createWatermarks(ports);
  const request = readExportRequest(body, { account, own: OWN, hasTimeframe: false, watermarks });
  const { options, problems } = request;
  await addOutsideProblems(request, once, ports);
  const asOf = await readAsOf(request, once, ports);
  if (asOf === undefined && (body.asOf ?? undefined) !== undefined) problems.noteUnreadMoment();
  if (asOf !== undefined && options.since !== undefined)
    problems.add("/since", "not_allowed", "Contacts as they were have no increments.");
  const names = await readContactNames(account, asOf, ports);
  const columns = pickColumns(request, readColumns(request, names));
  const criteria = await readWhom(request, { keyMember: "audience-key", asOf }, { caller, ports });
  problems.refuse();
  const { columnHeaders: _, ...rest } = options;
  const own = { columns, ...(criteria && { criteria }), ...(asOf !== undefined && { asOf }) };
  return startExport(
    once,
    {
      jobName: "ExportContacts",
      input: (watermark) => ({ ...rest, watermark, ...own }),
      body,
      checked: problems.checked,
    },
    ports,
  );
}

/** The past is known from the account's creation on. */
async function readAsOf({ body, options, problems }: ExportRequest, { caller }: OnceCall, ports: Ports) {
  const asOf = readTime(body.asOf, "/asOf", options.timezone, problems);
  if (asOf === undefined) return undefined;
  const earliest = await readHistoryStart(ports.postgres, caller.account.number);
  if (asOf < earliest)
    return problems.add(
      "/asOf",
      "out_of_range",
      `The recorded history of this account begins at ${toTimestamp(earliest)}.`,
      undefined,
      { earliest: toTimestamp(earliest) },
    );
  if (asOf > ports.clock.nowMs() + AHEAD_MS_MAX) return problems.add("/asOf", "out_of_range", "It lies in the future.");
  return asOf;
}

function readColumns({ body, problems }: ExportRequest, names: ContactNames): ExportedContactColumn[] {
  if (body.fields === undefined || body.fields === null)
    problems.add("/fields", "required", "`fields` names what is exported, or is `*`.");
  const fields = readFields(body.fields ?? [], "/fields", { names, problems });
  const lists = readLists({ body, problems }, names);
  const columns = [...fields, ...lists];
  if (Array.isArray(body.fields) && body.fields.length === 0 && lists.length === 0)
    problems.add("/fields", "required", "`fields` names at least one field, or `lists` a list.");
  const seen = new Set<string>();
  for (const { name } of columns) {
    if (seen.has(name)) problems.add("/fields", "bad_value", `Two columns are called ${JSON.stringify(name)}.`);
    seen.add(name);
  }
  return columns;
}

function readLists({ body, problems }: Pick<ExportRequest, "body" | "problems">, names: ContactNames) {
  const { lists } = body;
  if (lists === undefined || lists === null) return [];
  if (!Array.isArray(lists)) {
    problems.add("/lists", "type_mismatch", "The value must be a list of names or ids.");
    return [];
  }
  return lists.flatMap((list: unknown, place) => {
    const found = typeof list === "string" || typeof list === "number" ? names.findList(list) : undefined;
    if (found === undefined)
      problems.unknown(below("/lists", place), "unknown_reference", String(list), listNames(names));
    return found ?? [];
  });
}

function listNames({ suggested }: ContactNames): string[] {
  return suggested.flatMap((name) => (name.startsWith("lists.") ? [name.slice("lists.".length)] : []));
}

/** `columnHeaders` picks among the columns, in its own order, and renames them. */
function pickColumns(
  { options: { columnHeaders }, problems }: ExportRequest,
  columns: readonly ExportedContactColumn[],
): ExportedContactColumn[] {
  if (columnHeaders === undefined) return [...columns];
  const byName = new Map(columns.map((column) => [column.name, column]));
  return columnHeaders.flatMap(({ name, label }, place) => {
    const column = byName.get(name);
    if (column === undefined) {
      problems.unknown(`/columnHeaders/${place}/name`, "unknown_field", name, byName.keys());
      return [];
    }
    return [{ ...column, ...(label !== undefined && { label }) }];
  });
}

export function createContactexport(ports: ExportPorts & Pick<RoutePorts, "clickHouse">): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/contactexports",
    operationId: "createContactexport",
    summary: "Starts a job that exports contacts to files.",
    description:
      "A column for each of `fields` and `lists`, a row for each contact of the audience or criteria, in order of their creation. The files hold everything that was acknowledged before this call. The job's `metadata` has `files` with links, `manifest` and `watermark`, whose token a later export takes as `since`.",
    tags: ["contactexports"],
    answers: {
      202: { description: "The job has started.", schema: exportStarted, example: jobStartedExample },
      422: { description: "EXPORT_CONFIGURATION_ERROR or INVALID_AUDIENCE_RULES, with all that is wrong." },
    },
    requestExample,
    scope: "contactexports:read",
    rateClass: "jobStart",
    body,
    documentedBody,
    handler: ({ body: request, once }) =>
      orFirstAnswer(ports.postgres, once, () => startContactExport(request, once, ports)),
  });
}
