import type { Account } from "@headwater/contracts";
import type { Answer } from "@headwater/http";
import { personOf } from "@headwater/stores/contacts";
import { findFilteredAlone } from "../../contacts/findContact.ts";
import { listAnswer, pickFields } from "../../paging/listAnswer.ts";
import { cutPage, readPage } from "../../paging/page.ts";
import { readTimeRange } from "../../paging/timeRange.ts";
import type { RoutePorts, ServicePorts } from "../../ports.ts";
import {
  type ActivityFilters,
  type ActivityPage,
  type ActivityRow,
  countActivities,
  keyOf,
  readActivities,
} from "./activityQuery.ts";
import { expectContactFields, LISTS } from "./contactFields.ts";
import { readLiveContacts } from "./contacts.ts";
import { areAll, firstsOf, type IsFirst, readFirsts } from "./firsts.ts";
import { activityRecord } from "./record.ts";
import { ACTIVITY_MEMBERS, type ActivitiesQuery, cursorKey } from "./schema.ts";

const LIST = "contactactivities";

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
  const asked: ActivityPage = { ...filters, ...page, rowsMax: page.perPage + 1 };
  const rows = isNobody ? [] : await readActivities(clickHouse, asked);
  const counts = query.return_count === "true";
  const total = counts ? (isNobody ? 0 : await countActivities(clickHouse, filters)) : undefined;
  const { rows: kept, nextCursor } = cutPage(rows, page, keyOf);
  const knownFirsts = areAll(rows, asked) ? firstsOf(rows, page.direction) : undefined;
  const records = await toRecords(kept, { query, account, knownFirsts }, ports);
  const listed = { rows: records.map(pick), nextCursor };
  return listAnswer({ path: "/v2/contactactivities", query, page, listed, total, asOf });
}

interface Shown {
  readonly query: ActivitiesQuery;
  readonly account: Account;
  /** Set where the rows tell which are the first. */
  readonly knownFirsts: IsFirst | undefined;
}

async function toRecords(
  rows: readonly ActivityRow[],
  { query, account, knownFirsts }: Shown,
  { postgres, clickHouse }: Pick<ServicePorts, "clickHouse" | "postgres">,
): Promise<object[]> {
  const numbers = rows.map(({ contact }) => contact);
  const contactFields = [query["contactFields[]"] ?? []].flat();
  const [contacts, isFirst] = await Promise.all([
    readLiveContacts(postgres, account, { numbers, withLists: contactFields.includes(LISTS) }),
    knownFirsts ?? readFirsts(clickHouse, account.number, rows),
  ]);
  await expectContactFields(contactFields, { account, contacts: [...contacts.values()] }, { postgres, clickHouse });
  return rows.map((row) =>
    activityRecord(row, { contact: contacts.get(row.contact), first: isFirst(row), contactFields }),
  );
}
