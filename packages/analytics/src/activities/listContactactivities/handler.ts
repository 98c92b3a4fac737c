import { listAnswer, pickFields } from "@headwater/api/paging/listAnswer";
import { cutBoundedPage, readPage } from "@headwater/api/paging/page";
import { expectWholePage, PAGE_BYTES_MAX } from "@headwater/api/paging/pageBytes";
import { readTimeRange } from "@headwater/api/paging/timeRange";
import type { Account } from "@headwater/contracts";
import type { Answer } from "@headwater/http";
import { mapInSteps, runInSlices } from "@headwater/kernel";
import type { BoundedRows } from "@headwater/postgres/connection/documentBound";
import { findFilteredAlone } from "@headwater/records/contacts/findContact";
import { personOf } from "@headwater/records/contacts/profileReads";
import type { RoutePorts } from "../../ports.ts";
import {
  type ActivityFilters,
  type ActivityPage,
  type ActivityRow,
  countActivities,
  keyOf,
  readActivities,
} from "./activityQuery.ts";
import { expectContactFields } from "./contactFields.ts";
import { type LiveContact, readLiveContacts } from "./contacts.ts";
import { areAll, firstsOf, readFirsts } from "./firsts.ts";
import { activityRecord } from "./record.ts";
import { ACTIVITY_MEMBERS, type ActivitiesQuery, cursorKey } from "./schema.ts";

const LIST = "contactactivities";
const NOTHING: BoundedRows<ActivityRow> = { rows: [], isCut: false };

/** Activities by time, the latest first unless `sort_dir=asc`. @throws HeadwaterError 400 `BAD_REQUEST` for unknown `contactFields[]`. */
export async function listActivities(
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

interface Shown {
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
  { account, contactFields }: Shown,
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
