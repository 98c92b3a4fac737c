import { type OnceCall, orFirstAnswer } from "@headwater/api/idempotency/runOnce";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import type { ExportedContactColumn, JobInput } from "@headwater/contracts";
import { criteriaSchema } from "@headwater/criteria";
import type { Answer, ApiKey, Route } from "@headwater/http";
import { listedWord } from "@headwater/kernel";
import { findContact, readPrimaryKey } from "@headwater/records/contacts/findContact";
import { z } from "zod";
import { jobStartedExample } from "../../jobs/jobSchema.ts";
import type { RoutePorts } from "../../ports.ts";
import { addOutsideProblems } from "../addOutsideProblems.ts";
import { checkChannel } from "../checkChannel.ts";
import { below, type ExportBody } from "../configurationProblems.ts";
import { type ContactNames, readContactNames, readFields } from "../contactColumns.ts";
import { exportMembers, exportStarted, flag, timeframeMembers, watermarkMembers } from "../exportMembers.ts";
import { readFlag } from "../fileForm.ts";
import { type ExportRequest, hasTimeframe, readExportRequest } from "../readExportRequest.ts";
import { readText } from "../readTexts.ts";
import { type ExportPorts, startExport } from "../startExport.ts";
import { createWatermarks } from "../watermarks.ts";
import { readWhom } from "../whom.ts";

const ADDITIONAL_FIELDS = ["geo", "device", "receivedAt", "place"] as const;

/** Columns of activities; `properties.…`, `device.…` and `contact.…` name members of theirs. */
const COLUMN_NAMES = [
  "id",
  "action",
  "cID",
  "email",
  "time",
  "receivedAt",
  "mcID",
  "bmID",
  "UID",
  "properties",
  "geo",
  "geo.city",
  "geo.country",
  "geo.geoLoc",
  "geo.geoLoc.lat",
  "geo.geoLoc.lon",
  "device",
  "place",
] as const;

/** Read by `readExportRequest`, which reports all errors at once. */
const body = z.looseObject({});

const documentedBody = z.strictObject({
  ...timeframeMembers(
    "Required, here or as `selected_timeframe_start` and `selected_timeframe_end`, unless `since` is given.",
  ),
  selected_action_name: z.string().describe("Default: all; `custom`: all that are not reserved.").nullish(),
  selected_action_names: z.array(z.string()).nullish(),
  selected_message_type: z.string().nullish(),
  selected_message_id: z.string().nullish(),
  selected_contact: z.string().describe("The key of a contact.").nullish(),
  selected_audience_key: z.string().describe("The saved audience whose activities are exported.").nullish(),
  selected_channel: z.string().nullish(),
  criteria: criteriaSchema.nullish(),
  showAllProperties: flag

    .describe(
      "Whole `properties`; in csv also a column for each of the 500 commonest. Default true, in csv and txt false.",
    )
    .nullish(),
  additionalJsonlFields: z.array(z.enum(ADDITIONAL_FIELDS)).nullish(),
  contactFields: z.array(z.string()).describe("Columns `contact.…` of the live contact's values of now.").nullish(),
  sort: z.literal("time").describe("Default: each contact's by time.").nullish(),
  ...exportMembers,
  ...watermarkMembers,
});

const requestExample = {
  timeframe: { start: "2026-01-01", end: "2026-02-01" },
  selected_action_names: ["browse", "purchase"],
  exportType: "jsonl",
};

const OWN = [
  "selected_action_name",
  "selected_action_names",
  "selected_message_type",
  "selected_message_id",
  "selected_contact",
  "selected_audience_key",
  "selected_channel",
  "criteria",
  "showAllProperties",
  "additionalJsonlFields",
  "contactFields",
  "sort",
];

type Ports = ExportPorts & Pick<RoutePorts, "clickHouse">;
type Input = JobInput<"ExportEvents">;

/**
 * Starts an export of activities.
 * @throws HeadwaterError 422 `EXPORT_CONFIGURATION_ERROR`, `INVALID_AUDIENCE_RULES`.
 */
async function startActivityExport(body: ExportBody, once: OnceCall, ports: Ports): Promise<Answer> {
  const { caller } = once;
  const { account } = caller;
  const watermarks = createWatermarks(ports);
  const request = readExportRequest(body, { account, own: OWN, hasTimeframe: true, watermarks });
  const { options, problems } = request;
  await addOutsideProblems(request, once, ports);
  if (!hasTimeframe(body) && (body.since ?? undefined) === undefined)
    problems.add("/timeframe", "required", "An export of activities has a `timeframe`, or `since`.");
  const names = await readContactNames(account, undefined, ports);
  const contactFields = readContactFields(request, names);
  const filters = readFilters(request);
  await checkChannel(request, { account, channel: filters.channel }, ports);
  const contact = await readContact(request, caller, ports);
  if (contact !== undefined && (body.selected_audience_key ?? body.criteria ?? undefined) !== undefined)
    problems.add("/selected_contact", "not_allowed", "The audience says already whose activities are exported.");
  const criteria = await readWhom(request, { keyMember: "selected_audience_key" }, { caller, ports });
  problems.refuse();
  const own = { ...filters, contactFields, ...(contact !== undefined && { contact }), ...(criteria && { criteria }) };
  return startExport(
    once,
    {
      jobName: "ExportEvents",
      input: (watermark) => ({ ...options, watermark, ...own }),
      body,
      checked: problems.checked,
    },
    ports,
  );
}

type Filters = Pick<
  Input,
  "actions" | "message" | "channel" | "sortByTime" | "hasProperties" | "hasPropertyColumns" | "additionalFields"
>;

function readFilters(request: ExportRequest): Filters {
  const { body, problems } = request;
  const text = (name: string) => readText(request, name);
  const actions = readActions(request);
  const [type, id, channel] = [readMessageType(request), text("selected_message_id"), text("selected_channel")];
  const sort = text("sort");
  if (sort !== undefined && sort !== "time")
    problems.add("/sort", "bad_value", "Activities are sorted by time or not.", ["time"]);
  const showsAll = readFlag(body, "showAllProperties", !isDelimited(request), problems);
  const message = { ...(type !== undefined && { type }), ...(id !== undefined && { id }) };
  return {
    ...(actions !== undefined && { actions }),
    ...(Object.keys(message).length > 0 && { message }),
    ...(channel !== undefined && { channel }),
    sortByTime: sort === "time",
    // Rows of csv have the whole properties in one column all the same.
    hasProperties: isDelimited(request) || showsAll,
    hasPropertyColumns: isDelimited(request) && showsAll,
    additionalFields: readAdditional(request),
  };
}

/** Kinds of messages by their first letters. */
const MESSAGE_TYPES = ["batch", "automation", "orchestration", "test"] as const;
const LETTERS = ["b", "a", "o", "t"] as const;

function readMessageType({ body, problems }: ExportRequest): string | undefined {
  const given = listedWord(["all", ...MESSAGE_TYPES, ...LETTERS], body.selected_message_type ?? "all");
  if (given === "all") return undefined;
  const known = MESSAGE_TYPES.find((type) => type === given || type.slice(0, 1) === given);
  if (known !== undefined) return known.slice(0, 1);
  return problems.add("/selected_message_type", "bad_value", "The type is unknown.", ["all", ...MESSAGE_TYPES]);
}

function isDelimited({ options: { format } }: ExportRequest): boolean {
  return format === "csv" || format === "txt";
}

/** One name or several; `custom` stands for all that are not reserved. */
function readActions({ body, problems }: ExportRequest): Input["actions"] {
  const one = body.selected_action_name ?? undefined;
  const several = body.selected_action_names ?? undefined;
  if (one !== undefined && several !== undefined)
    return problems.add("/selected_action_names", "not_allowed", "`selected_action_name` names an action already.");
  if (one !== undefined && typeof one !== "string")
    return problems.add("/selected_action_name", "type_mismatch", "An action is named by a string.");
  if (several !== undefined && !Array.isArray(several))
    return problems.add("/selected_action_names", "type_mismatch", "The value must be a list of names.");
  const path = several === undefined ? "/selected_action_name" : "/selected_action_names";
  const names: readonly unknown[] = several ?? (one === undefined ? [] : [one]);
  const isEmpty = names.includes("") || (several !== undefined && names.length === 0);
  if (isEmpty) return problems.add(path, "bad_value", "No action is named. Leave the member out to select all.");
  const texts = names.filter((name) => typeof name === "string");
  if (texts.length < names.length) return problems.add(path, "type_mismatch", "Actions are named by strings.");
  if (texts.length === 0) return undefined;
  if (!texts.includes("custom")) return texts;
  if (texts.length === 1) return "custom";
  return problems.add(path, "not_allowed", "`custom` stands alone: it is all actions that are not reserved.");
}

function readAdditional({ body, problems }: ExportRequest): Input["additionalFields"] {
  const given = body.additionalJsonlFields;
  if (given === undefined || given === null) return [];
  if (!Array.isArray(given)) {
    problems.add("/additionalJsonlFields", "type_mismatch", "The value must be a list of names.");
    return [];
  }
  return given.flatMap((name: unknown, place) => {
    const known = listedWord(ADDITIONAL_FIELDS, name);
    if (known === undefined)
      problems.add(below("/additionalJsonlFields", place), "unknown_field", "The field is unknown.", ADDITIONAL_FIELDS);
    return known ?? [];
  });
}

const OF_CONTACT = "contact.";

/** Fields of `contactFields`, and those that `columnHeaders` names as `contact.…`. */
function readContactFields(request: ExportRequest, names: ContactNames): ExportedContactColumn[] {
  const { body, options, problems } = request;
  const fields = readFields(body.contactFields ?? [], "/contactFields", { names, problems });
  const seen = new Map(fields.map((field) => [field.name, field]));
  for (const [place, { name }] of (options.columnHeaders ?? []).entries()) {
    const path = `/columnHeaders/${place}/name`;
    if (name.startsWith(OF_CONTACT)) {
      const field = name.slice(OF_CONTACT.length);
      const source = names.find(field);
      if (source === undefined) problems.unknown(path, "unknown_field", field, names.suggested);
      else seen.set(field, { name: field, source });
    } else if (!isEventColumn(name)) problems.unknown(path, "unknown_field", name, COLUMN_NAMES);
  }
  return [...seen.values()];
}

function isEventColumn(name: string): boolean {
  const isKnown: boolean = COLUMN_NAMES.some((known) => known === name);
  return isKnown || /^(properties|device)\../.test(name);
}

async function readContact({ body, problems }: ExportRequest, { account }: ApiKey, { postgres }: Ports) {
  const key = body.selected_contact;
  if (key === undefined || key === null) return undefined;
  if (typeof key !== "string" || key === "")
    return problems.add("/selected_contact", "type_mismatch", "The key of a contact is a string.");
  const contact = await findContact(postgres, account, readPrimaryKey(key, account));
  return contact?.cid ?? problems.add("/selected_contact", "unknown_reference", "No contact has this key.");
}

export function createActivityexport(ports: ExportPorts & Pick<RoutePorts, "clickHouse">): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/contactactivityexport",
    operationId: "createActivityexport",
    summary: "Starts a job that exports activities to files.",
    description:
      "A row for each activity of the timeframe, or since a watermark. An increment from one export's watermark to the next holds exactly what was first seen between them: none twice, none missing. `cID` and `email` are those of the contact the activity belongs to now.",
    tags: ["contactactivityexport"],
    answers: {
      202: { description: "The job has started.", schema: exportStarted, example: jobStartedExample },
      422: { description: "EXPORT_CONFIGURATION_ERROR or INVALID_AUDIENCE_RULES, with all that is wrong." },
    },
    requestExample,
    scope: "contactactivityexport:read",
    rateClass: "jobStart",
    body,
    documentedBody,
    handler: ({ body: request, once }) =>
      orFirstAnswer(ports.postgres, once, () => startActivityExport(request, once, ports)),
  });
}
