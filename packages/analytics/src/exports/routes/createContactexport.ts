import { readHistoryStart } from "@headwater/accounts/accounts/accounts";
import { type OnceCall, orFirstAnswer } from "@headwater/api/idempotency/runOnce";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import { type ExportedContactColumn, toTimestamp } from "@headwater/contracts";
import { readInstant } from "@headwater/criteria";
import { type Answer, parsedBy, publishedAs, type Route } from "@headwater/http";
import { z } from "zod";
import { PASSED_OVER, readClosedBody } from "../../closedBody.ts";
import { jobStartedExample } from "../../jobs/jobSchema.ts";
import type { RoutePorts } from "../../ports.ts";
import { addOutsideProblems } from "../addOutsideProblems.ts";
import { below } from "../configurationProblems.ts";
import { type ContactNames, columnsOf, readContactNames, readFieldNames } from "../contactColumns.ts";
import { criteriaMember, exportMembers, exportStarted, time, watermarkMembers } from "../exportMembers.ts";
import { type ExportBody, type ExportRequest, readExportRequest } from "../readExportRequest.ts";
import { type ExportPorts, startExport } from "../startExport.ts";
import { createWatermarks } from "../watermarks.ts";
import { readRecipients } from "../whom.ts";

const body = z.strictObject({
  fields: parsedBy(
    z
      .union([z.literal("*"), z.array(z.string())])
      .describe(
        "Required. Paths as criteria name them, bare attribute keys, `lists`, `lists.<name>`, `listJoinDate.<name>`; or `*`.",
      ),
    (value, refuse) => {
      if (value !== undefined && value !== null) return readFieldNames(value, refuse);
      return refuse("required", "`fields` names what is exported, or is `*`.");
    },
  ),
  lists: publishedAs(
    z.array(z.unknown(), "The value must be a list of names or ids."),
    z.array(z.union([z.string(), z.int()])).describe("A membership column for each, by name or id."),
  ).nullish(),
  "audience-key": z
    .string("The key of an audience is a string.")
    .describe("The saved audience that is exported. Default: everybody.")
    .nullish(),
  criteria: criteriaMember.nullish(),
  asOf: time(z.string().describe("Exports who it was at a past moment, with their values then.")).nullish(),
  ...exportMembers,
  ...watermarkMembers,
});
type ContactBody = ExportBody<Partial<z.output<typeof body>>>;
type ContactRequest = ExportRequest<ContactBody["members"]>;

const requestExample = {
  fields: ["cID", "channels.email.address", "createdAt"],
  exportType: "csv",
  compress: true,
};

/** A caller's clock may go before ours by so much. */
const AHEAD_MS_MAX = 5_000;

type Ports = ExportPorts & Pick<RoutePorts, "clickHouse">;

/**
 * Starts an export of contacts.
 * @throws HeadwaterError 422 `EXPORT_CONFIGURATION_ERROR`, `INVALID_AUDIENCE_RULES`.
 */
async function startContactExport(sent: ContactBody, once: OnceCall, ports: Ports): Promise<Answer> {
  const { caller } = once;
  const { account } = caller;
  const watermarks = createWatermarks(ports);
  const request = readExportRequest(sent, { account, watermarks });
  const { given: provided, options, problems } = request;
  await addOutsideProblems(request, once, ports);
  const asOf = await readAsOf(request, once, ports);
  if (asOf === undefined && (provided.asOf ?? undefined) !== undefined) problems.noteUnreadMoment();
  if (asOf !== undefined && options.since !== undefined)
    problems.add("/since", "not_allowed", "Contacts as they were have no increments.");
  const names = await readContactNames(account, asOf, ports);
  const columns = readColumns(request, names);
  const criteria = await readRecipients(request, { keyMember: "audience-key", asOf }, { caller, ports });
  problems.refuse();
  const { columnHeaders: _, ...rest } = options;
  const own = { columns, ...(criteria && { criteria }), ...(asOf !== undefined && { asOf }) };
  return startExport(
    once,
    {
      jobName: "ExportContacts",
      input: (watermark) => ({ ...rest, watermark, ...own }),
      given: provided,
      checked: problems.checked,
    },
    ports,
  );
}

/** The past is known from the account's creation on. */
async function readAsOf({ members, options, problems }: ContactRequest, { caller }: OnceCall, ports: Ports) {
  const text = members.asOf ?? undefined;
  const asOf = text === undefined ? undefined : readInstant(text, options.timezone);
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

/** Returns the columns of `fields` and `lists`, or those that `columnHeaders` picks among them. None are picked among those that could not be read. */
function readColumns(request: ContactRequest, names: ContactNames): ExportedContactColumn[] {
  const { members, given: received, problems } = request;
  const { fields } = members;
  const lists = listColumns(request, names);
  const columns = [...columnsOf(fields ?? [], "/fields", { names, problems }), ...lists];
  if (Array.isArray(received.fields) && received.fields.length === 0 && lists.length === 0)
    problems.add("/fields", "required", "`fields` names at least one field, or `lists` a list.");
  const seen = new Set<string>();
  for (const { name } of columns) {
    if (seen.has(name)) problems.add("/fields", "bad_value", `Two columns are called ${JSON.stringify(name)}.`);
    seen.add(name);
  }
  return fields === undefined ? columns : pickColumns(request, columns);
}

function listColumns({ members, problems }: ContactRequest, names: ContactNames) {
  return (members.lists ?? []).flatMap((list, index) => {
    const found = typeof list === "string" || typeof list === "number" ? names.findList(list) : undefined;
    if (found === undefined)
      problems.unknown(below("/lists", index), "unknown_reference", String(list), listNames(names));
    return found ?? [];
  });
}

function listNames({ suggested }: ContactNames): string[] {
  return suggested.flatMap((name) => (name.startsWith("lists.") ? [name.slice("lists.".length)] : []));
}

/** `columnHeaders` picks among the columns, in its own order, and renames them. */
function pickColumns(
  { options: { columnHeaders }, problems }: ContactRequest,
  columns: readonly ExportedContactColumn[],
): ExportedContactColumn[] {
  if (columnHeaders === undefined) return [...columns];
  const byName = new Map(columns.map((column) => [column.name, column]));
  return columnHeaders.flatMap(({ name, label }, position) => {
    const column = byName.get(name);
    if (column === undefined) {
      problems.unknown(`/columnHeaders/${position}/name`, "unknown_field", name, byName.keys());
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
    dryRun: "checked",
    rateClass: "jobStart",
    body: readClosedBody(body),
    alsoKnown: () => PASSED_OVER,
    handler: ({ body: request, once }) =>
      orFirstAnswer(ports.postgres, once, () => startContactExport(request, once, ports)),
  });
}
