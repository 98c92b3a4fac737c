import { type OnceCall, orFirstAnswer } from "@headwater/api/idempotency/runOnce";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import type { ExportedContactColumn, JobInput } from "@headwater/contracts";
import { type Answer, type Caller, parsedBy, type Refuse, type Route } from "@headwater/http";
import { listedWord } from "@headwater/kernel";
import { findContact, readPrimaryKey } from "@headwater/records/contacts/findContact";
import { z } from "zod";
import { PASSED_OVER, readClosedBody } from "../../closedBody.ts";
import { jobStartedExample } from "../../jobs/jobSchema.ts";
import type { RoutePorts } from "../../ports.ts";
import { addOutsideProblems } from "../addOutsideProblems.ts";
import { checkChannel } from "../checkChannel.ts";
import { type ContactNames, columnsOf, readContactNames, readFieldNames } from "../contactColumns.ts";
import {
  criteriaMember,
  exportMembers,
  exportStarted,
  flag,
  readText,
  text,
  timeframeMembers,
  watermarkMembers,
} from "../exportMembers.ts";
import { type ExportBody, type ExportRequest, hasTimeframe, readExportRequest } from "../readExportRequest.ts";
import { type ExportPorts, startExport } from "../startExport.ts";
import { createWatermarks } from "../watermarks.ts";
import { readRecipients } from "../whom.ts";

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

/** Kinds of messages by their first letters. */
const MESSAGE_TYPES = ["batch", "automation", "orchestration", "test"] as const;
const DEAD_LETTERS = ["b", "a", "o", "t"] as const;

/** Returns the letter of a kind of messages; undefined for all kinds. */
function readMessageType(value: unknown, refuse: Refuse): string | undefined {
  const provided = listedWord(["all", ...MESSAGE_TYPES, ...DEAD_LETTERS], value);
  if (provided === "all") return undefined;
  const known = MESSAGE_TYPES.find((type) => type === provided || type.slice(0, 1) === provided);
  if (known !== undefined) return known.slice(0, 1);
  return refuse("bad_value", "The type is unknown.", { allowed: ["all", ...MESSAGE_TYPES] });
}

type Input = JobInput<"ExportEvents">;

function readAction(value: unknown, refuse: Refuse): Input["actions"] {
  if (typeof value !== "string") return refuse("type_mismatch", "An action is named by a string.");
  return readActions([value], refuse);
}

/** `custom` stands for all that are not reserved. */
function readActions(value: unknown, refuse: Refuse): Input["actions"] {
  if (!Array.isArray(value)) return refuse("type_mismatch", "The value must be a list of names.");
  if (value.includes("") || value.length === 0)
    return refuse("bad_value", "No action is named. Leave the member out to select all.");
  const names = value.filter((name) => typeof name === "string");
  if (names.length < value.length) return refuse("type_mismatch", "Actions are named by strings.");
  if (!names.includes("custom")) return names;
  if (names.length === 1) return "custom";
  return refuse("not_allowed", "`custom` stands alone: it is all actions that are not reserved.");
}

function readAdditional(value: unknown, refuse: Refuse): Input["additionalFields"] | undefined {
  if (!Array.isArray(value)) return refuse("type_mismatch", "The value must be a list of names.");
  return value.flatMap((name: unknown, index) => {
    const known = listedWord(ADDITIONAL_FIELDS, name);
    if (known === undefined)
      refuse("unknown_field", "The field is unknown.", { below: [index], allowed: ADDITIONAL_FIELDS });
    return known ?? [];
  });
}

const body = z.strictObject({
  ...timeframeMembers(
    "Required, here or as `selected_timeframe_start` and `selected_timeframe_end`, unless `since` is given.",
  ),
  selected_action_name: parsedBy(
    z.string().describe("Default: all; `custom`: all that are not reserved."),
    readAction,
  ).nullish(),
  selected_action_names: parsedBy(z.array(z.string()), readActions).nullish(),
  selected_message_type: parsedBy(z.string(), readMessageType).nullish(),
  selected_message_id: text.nullish(),
  selected_contact: parsedBy(z.string().describe("The key of a contact."), (value, refuse) => {
    if (typeof value === "string" && value !== "") return value;
    return refuse("type_mismatch", "The key of a contact is a string.");
  }).nullish(),
  selected_audience_key: z
    .string("The key of an audience is a string.")
    .describe("The saved audience whose activities are exported.")
    .nullish(),
  selected_channel: text.nullish(),
  criteria: criteriaMember.nullish(),
  showAllProperties: flag(
    "Whole `properties`; in csv also a column for each of the 500 commonest. Default true, in csv and txt false.",
  ).nullish(),
  additionalJsonlFields: parsedBy(z.array(z.enum(ADDITIONAL_FIELDS)), readAdditional).nullish(),
  contactFields: parsedBy(
    z.array(z.string()).describe("Columns `contact.…` of the live contact's values of now."),
    readFieldNames,
  ).nullish(),
  sort: parsedBy(z.literal("time").describe("Default: each contact's by time."), (value, refuse) => {
    const order = readText(value, refuse);
    if (order === undefined || order === "time") return order;
    return refuse("bad_value", "Activities are sorted by time or not.", { allowed: ["time"] });
  }).nullish(),
  ...exportMembers,
  ...watermarkMembers,
});
type ActivityBody = ExportBody<Partial<z.output<typeof body>>>;
type ActivityRequest = ExportRequest<ActivityBody["members"]>;

const requestExample = {
  timeframe: { start: "2026-01-01", end: "2026-02-01" },
  selected_action_names: ["browse", "purchase"],
  exportType: "jsonl",
};

type Ports = ExportPorts & Pick<RoutePorts, "clickHouse">;

/**
 * Starts an export of activities.
 * @throws HeadwaterError 422 `EXPORT_CONFIGURATION_ERROR`, `INVALID_AUDIENCE_RULES`.
 */
async function startActivityExport(sent: ActivityBody, once: OnceCall, ports: Ports): Promise<Answer> {
  const { caller } = once;
  const { account } = caller;
  const watermarks = createWatermarks(ports);
  const request = readExportRequest(sent, { account, watermarks });
  const { given: received, options, problems } = request;
  await addOutsideProblems(request, once, ports);
  if (!hasTimeframe(request) && (received.since ?? undefined) === undefined)
    problems.add("/timeframe", "required", "An export of activities has a `timeframe`, or `since`.");
  const names = await readContactNames(account, undefined, ports);
  const contactFields = readContactFields(request, names);
  const filters = readFilters(request);
  await checkChannel(request, { account, channel: filters.channel }, ports);
  const contact = await readContact(request, caller, ports);
  if (contact !== undefined && (received.selected_audience_key ?? received.criteria ?? undefined) !== undefined)
    problems.add("/selected_contact", "not_allowed", "The audience says already whose activities are exported.");
  const criteria = await readRecipients(request, { keyMember: "selected_audience_key" }, { caller, ports });
  problems.refuse();
  const own = { ...filters, contactFields, ...(contact !== undefined && { contact }), ...(criteria && { criteria }) };
  return startExport(
    once,
    {
      jobName: "ExportEvents",
      input: (watermark) => ({ ...options, watermark, ...own }),
      given: received,
      checked: problems.checked,
    },
    ports,
  );
}

type Filters = Pick<
  Input,
  "actions" | "message" | "channel" | "sortByTime" | "hasProperties" | "hasPropertyColumns" | "additionalFields"
>;

function readFilters(request: ActivityRequest): Filters {
  const { members } = request;
  const actions = actionsOf(request);
  const type = members.selected_message_type ?? undefined;
  const id = members.selected_message_id ?? undefined;
  const channel = members.selected_channel ?? undefined;
  const showsAll = members.showAllProperties ?? !isDelimited(request);
  const message = { ...(type !== undefined && { type }), ...(id !== undefined && { id }) };
  return {
    ...(actions !== undefined && { actions }),
    ...(Object.keys(message).length > 0 && { message }),
    ...(channel !== undefined && { channel }),
    sortByTime: members.sort === "time",
    // Rows of csv have the whole properties in one column all the same.
    hasProperties: isDelimited(request) || showsAll,
    hasPropertyColumns: isDelimited(request) && showsAll,
    additionalFields: members.additionalJsonlFields ?? [],
  };
}

function isDelimited({ options: { format } }: ActivityRequest): boolean {
  return format === "csv" || format === "txt";
}

/** One name or several. */
function actionsOf({ given, members, problems }: ActivityRequest): Input["actions"] {
  const { selected_action_name: one, selected_action_names: several } = members;
  if (
    (given.selected_action_name ?? undefined) !== undefined &&
    (given.selected_action_names ?? undefined) !== undefined
  )
    return problems.add("/selected_action_names", "not_allowed", "`selected_action_name` names an action already.");
  return several ?? one ?? undefined;
}

const OF_CONTACT = "contact.";

/** Fields of `contactFields`, and those that `columnHeaders` names as `contact.…`. */
function readContactFields(request: ActivityRequest, names: ContactNames): ExportedContactColumn[] {
  const { members, options, problems } = request;
  const fields = columnsOf(members.contactFields ?? [], "/contactFields", { names, problems });
  const seen = new Map(fields.map((field) => [field.name, field]));
  for (const [position, { name }] of (options.columnHeaders ?? []).entries()) {
    const path = `/columnHeaders/${position}/name`;
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

async function readContact({ members, problems }: ActivityRequest, { account }: Caller, { postgres }: Ports) {
  const key = members.selected_contact ?? undefined;
  if (key === undefined) return undefined;
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
    dryRun: "checked",
    rateClass: "jobStart",
    body: readClosedBody(body),
    alsoKnown: () => PASSED_OVER,
    handler: ({ body: request, once }) =>
      orFirstAnswer(ports.postgres, once, () => startActivityExport(request, once, ports)),
  });
}
