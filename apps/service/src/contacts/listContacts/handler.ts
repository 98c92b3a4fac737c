import { type Account, type AttributeRules, castWritten, type Json, toTimestamp } from "@headwater/contracts";
import { type Answer, refusal } from "@headwater/http";
import { pointerStep } from "@headwater/kernel";
import { contactRecords, findNeverSeen, type NeverSeen } from "@headwater/projection";
import { readAudience } from "@headwater/stores/audiences";
import {
  pageContacts,
  readFirstNumber,
  readShownContacts,
  type ShownContact,
  type StoredContact,
} from "@headwater/stores/contacts";
import { loadListsById, loadListsByName } from "@headwater/stores/lists";
import type { BoundedRows } from "@headwater/stores/postgres";
import { findNumbers } from "../../audiences/findNumbers.ts";
import { readListId } from "../../lists/saveList.ts";
import { type ListAnswer, listAnswer, pickFields } from "../../paging/listAnswer.ts";
import { cutBoundedPage, cutPage, type Page, readPage } from "../../paging/page.ts";
import { expectWholePage, PAGE_BYTES_MAX } from "../../paging/pageBytes.ts";
import { readTimeRange } from "../../paging/timeRange.ts";
import type { RoutePorts, ServicePorts } from "../../ports.ts";
import { withSnapshot } from "../../reading/withSnapshot.ts";
import { findFiltered, findFilteredAlone } from "../findContact.ts";
import { checkFilters, type Filter, pathOf } from "./checkFilters.ts";
import { readPageLists } from "./readPageLists.ts";
import { CONTACT_MEMBERS, type ContactsQuery, cursorKey, servedByClickHouse } from "./schema.ts";

/** The ports of a listing: a search by criteria, or a walk through the state. */
export type ListContactsPorts = Pick<
  RoutePorts,
  "attributeRules" | "clickHouse" | "clock" | "cursors" | "freshness" | "aliasRevisions" | "postgres" | "seenNames"
>;

const LIST = "contacts";

export interface ListingContacts {
  readonly account: Account;
  readonly signal: AbortSignal;
}

interface Found {
  readonly records: readonly object[];
  readonly nextCursor: string | null;
  readonly total?: number;
  /** Milliseconds since 1970. */
  readonly asOf?: number;
  readonly warnings?: readonly NeverSeen[];
}

/** A page of contacts. Throws 404 `ACCOUNT_LISTS_NOT_FOUND`, 404 `RECORD_NOT_FOUND` for an unknown audience, 400 and 422. */
export async function listContactsOf(
  query: ContactsQuery,
  by: ListingContacts,
  ports: ListContactsPorts,
): Promise<Answer> {
  const { account } = by;
  const page = readPage(query, {
    list: LIST,
    key: cursorKey,
    direction: "asc",
    account: account.number,
    cursors: ports.cursors,
  });
  const pick = pickFields(query.fields, CONTACT_MEMBERS);
  await expectAudience(query, account, ports);
  const rules = await ports.attributeRules.of(account);
  const listing = servedByClickHouse(query) ? search : listStored;
  const { records, nextCursor, total, asOf, warnings = [] } = await listing(query, page, { ...by, rules, ports });
  const listed = { rows: records.map(pick), nextCursor };
  const answer: ListAnswer<object> = { path: "/v2/contacts", query: sentQuery(query), page, listed, total };
  return listAnswer(asOf === undefined ? answer : { ...answer, asOf, warnings });
}

async function expectAudience(
  query: ContactsQuery,
  { number }: Account,
  { postgres }: Pick<RoutePorts, "postgres">,
): Promise<void> {
  const key = query["audience-key"];
  if (key === undefined || (await readAudience(postgres, number, key))?.key === key) return;
  throw refusal("RECORD_NOT_FOUND", "No saved audience has this key.");
}

interface Finding extends ListingContacts {
  readonly rules: AttributeRules | undefined;
  readonly ports: ListContactsPorts;
}

/** A contact stands on the page with the lists it was on at the same moment. */
function listStored(query: ContactsQuery, page: Page<number>, { account, rules, ports }: Finding): Promise<Found> {
  return withSnapshot(ports.postgres, async (session) => {
    const one = await findFiltered(session, account, query);
    const { after, direction, skip, perPage } = page;
    const bounds = { account: account.number, direction, after, skip, rowsMax: perPage + 1, bytesMax: PAGE_BYTES_MAX };
    const read = one === "all" ? await pageContacts(session, bounds) : pageOfOne(one, page);
    const { bounded, beside } = await readPageLists(read, { account, session, direction });
    expectWholePage(query, bounded, perPage);
    const { rows, nextCursor } = cutBoundedPage(bounded, page, ({ number }) => number);
    return { records: await contactRecords(rows, { account, session, rules, beside }), nextCursor };
  });
}

function pageOfOne(one: StoredContact | "none", { skip }: Page<number>): BoundedRows<ShownContact> {
  return { rows: one === "none" || skip > 0 ? [] : [one], isCut: false };
}

function nobody({ return_count }: ContactsQuery): Found {
  return { records: [], nextCursor: null, ...(return_count === "true" && { total: 0 }) };
}

/** A contact that was merged or erased since ClickHouse saw it is left out of its page. */
async function search(
  query: ContactsQuery,
  page: Page<number>,
  { account, signal, rules, ports }: Finding,
): Promise<Found> {
  const one = await findFilteredAlone(ports.postgres, account, query);
  if (one === "none") return nobody(query);
  const { after, direction, skip, perPage } = page;
  const filters = async () => {
    const rules = await rulesOf(query, account, ports);
    const all = [...rules, ...(one === "all" ? [] : [cidRule(one)])];
    return { all, criteria: await checkFilters(all, account, ports) };
  };
  const [{ all, criteria }, beginning, asOf] = await Promise.all([
    filters(),
    after ?? readFirstNumber(ports.postgres, account.number, direction),
    ports.freshness(),
  ]);
  const isCounted = query.return_count === "true";
  const wanted = { direction, after, beginning, skip, rowsMax: perPage + 1, isCounted };
  const run = { account, signal, nowMs: ports.clock.nowMs() };
  const [{ numbers, count }, neverSeen] = await Promise.all([
    findNumbers(criteria, { wanted, run }, ports),
    findNeverSeen(criteria, { ...run, at: "", seen: ports.seenNames }, ports),
  ]);
  const warnings = neverSeen.map((warning) => ({ ...warning, path: pathOf(warning, all) }));
  const cut = cutPage(numbers, page, (number) => number);
  return withSnapshot(ports.postgres, async (session) => {
    const bounds = { account: account.number, direction, bytesMax: PAGE_BYTES_MAX };
    const read = await readShownContacts(session, cut.rows, bounds);
    const { bounded, beside } = await readPageLists(read, { account, session, direction });
    expectWholePage(query, bounded, perPage);
    const records = await contactRecords(bounded.rows, { account, session, rules, beside });
    const last = bounded.isCut ? bounded.rows.at(-1) : undefined;
    const nextCursor = last === undefined ? cut.nextCursor : page.cursorAfter(last.number);
    return { records, nextCursor, asOf, warnings, ...(isCounted && { total: count }) };
  });
}

/** The filters as criteria; all of them must hold. */
async function rulesOf(
  query: ContactsQuery,
  account: Account,
  ports: Pick<RoutePorts, "attributeRules" | "postgres">,
): Promise<Filter[]> {
  const { from, to } = readTimeRange(query, "lastModified", account.settings.timezone);
  const field = "lastModified";
  return [
    ...(from === undefined ? [] : [{ member: field, rule: { field, op: "after", value: toTimestamp(from - 1) } }]),
    ...(to === undefined ? [] : [{ member: field, rule: { field, op: "before", value: toTimestamp(to) } }]),
    ...(query.list === undefined
      ? []
      : [{ member: "list", rule: { list: await listNamed(query.list, account, ports), op: "in" } }]),
    ...(query["audience-key"] === undefined
      ? []
      : [{ member: "audience-key", rule: { audience: query["audience-key"] } }]),
    ...(await attributeRules(query.attributes, account, ports)),
  ];
}

const cidRule = ({ cid }: StoredContact) => ({ member: "cID", rule: { field: "cID", op: "eq", value: cid } });

/** Finds the list by name, else by id. */
async function listNamed(
  text: string,
  { number: account }: Account,
  { postgres }: Pick<ServicePorts, "postgres">,
): Promise<number> {
  const [named] = await loadListsByName(postgres, [{ account, name: text }]);
  const id = readListId(text);
  const [list] =
    named !== undefined ? [named] : id === undefined ? [] : await loadListsById(postgres, [{ account, id }]);
  if (list === undefined) throw refusal("ACCOUNT_LISTS_NOT_FOUND", "No list has this name or id.");
  return list.id;
}

async function attributeRules(
  filters: ContactsQuery["attributes"],
  account: Account,
  ports: Pick<RoutePorts, "attributeRules">,
) {
  const rules = await ports.attributeRules.of(account);
  return filters.map(({ key, value }) => {
    const rule = rules?.get(key);
    const cast =
      rule &&
      rule.type !== "array" &&
      castWritten({ ...rule, validators: undefined }, value, account.settings.timezone);
    if (cast && cast.kind !== "value") throw notOfType(key, cast.message);
    const wanted: Json = cast ? cast.value : value;
    const op = OPERATORS[rule?.type ?? "auto"] ?? "eq";
    return { member: `attributes[${key}]`, rule: { field: `attributes.${key}`, op, value: wanted } };
  });
}

const OPERATORS: Readonly<Record<string, string>> = { date: "on", array: "contains" };

function notOfType(key: string, message: string) {
  const details = [{ path: `/${pointerStep(`attributes[${key}]`)}`, code: "type_mismatch", message }];
  return refusal("BAD_REQUEST", `attributes[${key}]: ${message}`, { details });
}

/** The query as it was sent, for the link of the next page. */
function sentQuery({ attributes, ...query }: ContactsQuery) {
  return { ...query, ...Object.fromEntries(attributes.map(({ key, value }) => [`attributes[${key}]`, value])) };
}
