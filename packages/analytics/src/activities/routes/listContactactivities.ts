import { waitForAfter } from "@headwater/api/consistency/after";
import { pageOf } from "@headwater/api/paging/answerSchema";
import { listAnswer, pickFields } from "@headwater/api/paging/listAnswer";
import { cutBoundedPage, readPage } from "@headwater/api/paging/page";
import { expectWholePage, PAGE_BYTES_MAX, PAGE_BYTES_NOTE } from "@headwater/api/paging/pageBytes";
import { bound, listQuery, storableText } from "@headwater/api/paging/query";
import { readTimeRange } from "@headwater/api/paging/timeRange";
import type { AfterPorts } from "@headwater/api/ports";
import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import { type Account, parseMcId, toTimestamp } from "@headwater/contracts";
import { isMachineSql } from "@headwater/criteria";
import { type Answer, defineRoute, type Route } from "@headwater/http";
import { mapInSteps, runInSlices } from "@headwater/kernel";
import type { BoundedRows } from "@headwater/postgres/connection/documentBound";
import { findFilteredAlone } from "@headwater/records/contacts/findContact";
import { personOf } from "@headwater/records/contacts/profileReads";
import { z } from "zod";
import type { RoutePorts } from "../../ports.ts";
import {
  type ActivityFilters,
  type ActivityPage,
  type ActivityRow,
  countActivities,
  cursorKey,
  keyOf,
  readActivities,
} from "../activityQuery.ts";
import { expectContactFields } from "../contactFields.ts";
import { type LiveContact, readLiveContacts } from "../liveContacts.ts";

const texts = z.union([z.string().max(1_024), z.array(z.string().max(1_024)).max(100)]);

const query = z.strictObject({
  ...listQuery,
  sort_by: z.literal("time").optional(),
  action: storableText(40).optional(),
  email: storableText(512).optional(),
  cID: storableText(512).optional(),
  mcID: storableText(512).optional(),
  mdtID: storableText(512).optional(),
  "contactFields[]": texts
    .optional()
    .describe("Fields of the live contact: paths, attribute keys, identifiers, or `lists` for the names of its lists."),
  "time[gt]": bound,
  "time[gte]": bound,
  "time[lt]": bound,
  "time[lte]": bound,
});
type ActivitiesQuery = z.output<typeof query>;

const ACTIVITY_MEMBERS = [
  ...["id", "action", "cID", "email", "time", "mcID", "bmID", "first", "properties"],
  ...["geo", "device", "contactFields"],
] as const;

const activity = z.strictObject({
  id: z.string(),
  action: z.string(),
  cID: z.string(),
  email: z.string().optional(),
  time: z.string(),
  mcID: z.string().optional(),
  bmID: z.string().optional(),
  first: z.boolean(),
  properties: z.record(z.string(), z.unknown()),
  geo: z.record(z.string(), z.unknown()).optional(),
  device: z.record(z.string(), z.unknown()).optional(),
  contactFields: z.record(z.string(), z.unknown()).optional(),
});
const activitiesAnswer = pageOf(activity.partial());

const activitiesExample = {
  data: [
    {
      id: "0Kq3yVbR2mX9aLpT7cWd:0:0",
      action: "browse",
      cID: "65f0c0ffee65f0c0ffee0001",
      email: "ada@example.com",
      time: "2026-01-09T22:47:12.000Z",
      first: true,
      properties: { category: "Shoes" },
    },
  ],
  pagination: { per_page: 25, page: 1, next_cursor: null },
  asOf: "2026-01-09T22:47:13.000Z",
};

const statement = `SELECT action, contact, mc_id AS mcId, argMin(uid, (time, uid)) AS uid FROM activities
  WHERE account = {account: UInt32} AND action IN {actions: Array(String)} AND contact IN {contacts: Array(UInt64)}
    AND NOT ${isMachineSql()}
  GROUP BY action, contact, mc_id`;

const LIST = "contactactivities";
const NOTHING: BoundedRows<ActivityRow> = { rows: [], isCut: false };

/** Activities by time, the latest first unless `sort_dir=asc`. @throws HeadwaterError 400 `BAD_REQUEST` for unknown `contactFields[]`. */
async function listActivities(
  query: ActivitiesQuery,
  account: Account,
  ports: Pick<RoutePorts, "clickHouse" | "cursors" | "freshness" | "postgres">,
): Promise<Answer> {
  const { postgres, clickHouse } = ports;
  const page = readPage(query, {
    list: LIST,
    key: cursorKey,
    direction: "desc",
    account: account.number,
    cursors: ports.cursors,
  });
  const pick = pickFields(query.fields, ACTIVITY_MEMBERS);
  const range = readTimeRange(query, "time", account.settings.timezone);
  const asOf = await ports.freshness();
  const contact = await findFilteredAlone(postgres, account, query);
  const filters: ActivityFilters = {
    account: account.number,
    action: query.action,
    mcID: query.mcID,
    message: query.mdtID,
    range,
    ...(typeof contact === "object" && { numbers: (await personOf(postgres, contact)).numbers }),
  };
  const isNobody = contact === "none";
  const asked: ActivityPage = { ...filters, ...page, rowsMax: page.perPage + 1, bytesMax: PAGE_BYTES_MAX };
  const read = isNobody ? NOTHING : await readActivities(clickHouse, asked);
  const counts = query.return_count === "true";
  const total = counts ? (isNobody ? 0 : await countActivities(clickHouse, filters)) : undefined;
  const contactFields = [query["contactFields[]"] ?? []].flat();
  const { bounded, contacts } = await withContacts(read, { account, contactFields }, ports);
  expectWholePage(query, bounded, page.perPage);
  const { rows, nextCursor } = cutBoundedPage(bounded, page, keyOf);
  const knownFirsts = !read.isCut && areAll(read.rows, asked) ? firstsOf(read.rows, page.direction) : undefined;
  const isFirst = knownFirsts ?? (await readFirsts(clickHouse, account.number, rows));
  const show = (row: ActivityRow) =>
    pick(
      activityRecord(row, {
        contact: contacts.get(row.contact),
        first: isFirst(row),
        hasFields: contactFields.length > 0,
      }),
    );
  const listed = { rows: await runInSlices(mapInSteps(rows, show)), nextCursor };
  return listAnswer({ path: "/v2/contactactivities", query, page, listed, total, asOf });
}

interface View {
  readonly account: Account;
  readonly contactFields: readonly string[];
}

interface PageWithContacts {
  readonly bounded: BoundedRows<ActivityRow>;
  readonly contacts: ReadonlyMap<number, LiveContact>;
}

/** Reads the contacts of a page, which ends before the first activity that would pass the limit with the fields of its contact. */
async function withContacts(
  { rows, isCut }: BoundedRows<ActivityRow>,
  { account, contactFields }: View,
  { postgres, clickHouse }: Pick<RoutePorts, "clickHouse" | "postgres">,
): Promise<PageWithContacts> {
  const numbers = rows.map(({ contact }) => contact);
  const asked = { numbers, paths: contactFields, bytesMax: PAGE_BYTES_MAX };
  const { byNumber, unread } = await readLiveContacts(postgres, account, asked);
  await expectContactFields(contactFields, { account, contacts: [...byNumber.values()] }, { postgres, clickHouse });
  let bytes = 0;
  const cutAt = rows.findIndex(({ contact, properties }, index) => {
    bytes += properties.length + (byNumber.get(contact)?.fieldBytes ?? 0);
    return index > 0 && (unread.has(contact) || bytes > PAGE_BYTES_MAX);
  });
  return {
    bounded: cutAt === -1 ? { rows, isCut } : { rows: rows.slice(0, cutAt), isCut: true },
    contacts: byNumber,
  };
}

interface ActivityOf {
  readonly contact: LiveContact | undefined;
  readonly first: boolean;
  /** True when members of the contact are asked for. */
  readonly hasFields: boolean;
}

/** An activity as answers show it: the contact is the live one. */
export function activityRecord(row: ActivityRow, { contact, first, hasFields }: ActivityOf): object {
  const { record, action, at, mcId } = row;
  const geo = geoOf(row);
  const message = parseMcId(mcId)?.message;
  const email = contact?.email;
  return {
    id: record,
    action,
    ...(contact && { cID: contact.cID }),
    ...(email !== undefined && { email }),
    time: toTimestamp(at),
    ...(mcId !== "" && { mcID: mcId }),
    ...(message !== undefined && { bmID: message }),
    first,
    properties: JSON.parse(row.properties),
    ...(geo && { geo }),
    ...(row.device !== "" && { device: JSON.parse(row.device) }),
    ...(contact && hasFields && { contactFields: contact.fields }),
  };
}

function geoOf({ city, country, lat, lon }: ActivityRow): object | undefined {
  const geo = {
    ...(city !== "" && { city }),
    ...(country !== "" && { country }),
    ...(lat !== null && lon !== null && { geoLoc: { lat, lon } }),
  };
  return Object.keys(geo).length > 0 ? geo : undefined;
}

/** An activity of a page that is the first of its contact, action and message that a person made. */
type IsFirst = (row: ActivityRow) => boolean;

/** Returns whether rows are all that there is of their contacts, actions and messages, so that none of before them is missing. */
export function areAll(rows: readonly ActivityRow[], page: ActivityPage): boolean {
  const { numbers, message, range, after, skip, rowsMax } = page;
  const isNarrowed = message !== undefined || range.from !== undefined || range.to !== undefined;
  return numbers !== undefined && !isNarrowed && after === undefined && skip === 0 && rows.length < rowsMax;
}

/** Finds the first ones among all that there is. */
export function firstsOf(rows: readonly ActivityRow[], direction: ActivityPage["direction"]): IsFirst {
  const earliestFirst = direction === "asc" ? rows : rows.toReversed();
  const known = new Map<string, ActivityRow>();
  for (const row of earliestFirst) {
    const key = groupOf(row);
    if (row.machine === 0 && !known.has(key)) known.set(key, row);
  }
  return (row) => known.get(groupOf(row)) === row;
}

/** Finds the first ones among rows that others may come before. */
async function readFirsts(clickHouse: ClickHouse, account: number, rows: readonly ActivityRow[]): Promise<IsFirst> {
  if (rows.length === 0) return () => false;
  const firsts = await clickHouse.query<{ action: string; contact: number; mcId: string; uid: string }>(statement, {
    account,
    actions: [...new Set(rows.map(({ action }) => action))],
    contacts: [...new Set(rows.map(({ contact }) => contact))],
  });
  const known = new Set(firsts.map((first) => JSON.stringify([first.action, first.contact, first.mcId, first.uid])));
  return ({ action, contact, mcId, uid }) => known.has(JSON.stringify([action, contact, mcId, uid]));
}

function groupOf({ action, contact, mcId }: ActivityRow): string {
  return JSON.stringify([action, contact, mcId]);
}

export function listContactactivities(
  ports: AfterPorts & Pick<RoutePorts, "clickHouse" | "cursors" | "freshness" | "postgres">,
): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/contactactivities",
    operationId: "listContactactivities",
    summary: "Lists activities, filtered by contact, action, message and time.",
    description: PAGE_BYTES_NOTE,
    tags: ["contactactivities"],
    answers: { 200: { description: "A page of activities.", schema: activitiesAnswer, example: activitiesExample } },
    auth: "basic",
    scope: "contactactivities:read",
    rateClass: "read",
    query,
    handler: async ({ query: input, caller, signal }) => {
      await waitForAfter({ token: input.after, caller, store: "activities", signal }, ports);
      return listActivities(input, caller.account, ports);
    },
  });
}
