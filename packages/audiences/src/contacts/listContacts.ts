import { waitForAfter } from "@headwater/api/consistency/after";
import { pageOf } from "@headwater/api/paging/answerSchema";
import { type ListAnswer, listAnswer, pickFields } from "@headwater/api/paging/listAnswer";
import { cutBoundedPage, cutPage, type Page, readPage } from "@headwater/api/paging/page";
import { expectWholePage, PAGE_BYTES_MAX, PAGE_BYTES_NOTE } from "@headwater/api/paging/pageBytes";
import { bound, listQuery, storableText } from "@headwater/api/paging/query";
import { readTimeRange } from "@headwater/api/paging/timeRange";
import type { AfterPorts } from "@headwater/api/ports";
import { withSnapshot } from "@headwater/api/reading/withSnapshot";
import { type Account, type AttributeRules, castWritten, type Json, toTimestamp } from "@headwater/contracts";
import type { CriteriaNode } from "@headwater/criteria";
import { type Answer, defineRoute, type Route, refusal } from "@headwater/http";
import { type ErrorDetail, pointerStep } from "@headwater/kernel";
import type { BoundedRows } from "@headwater/postgres/connection/documentBound";
import type { Session } from "@headwater/postgres/connection/session";
import { readClearsOf } from "@headwater/records/attributes/attributeClears";
import {
  type ContactView,
  pageContacts,
  readContactViews,
  readFirstNumber,
} from "@headwater/records/contacts/contactReads";
import { contactAnswerShape, contactExample } from "@headwater/records/contacts/contactShape";
import type { StoredContact } from "@headwater/records/contacts/contacts";
import { findFiltered, findFilteredAlone } from "@headwater/records/contacts/findContact";
import { readListId } from "@headwater/records/lists/list";
import { loadListsById, loadListsByName, pageListsOfContacts } from "@headwater/records/lists/lists";
import { type Beside, contactRecords } from "@headwater/records/views/contactRecords";
import { z } from "zod";
import { invalidRules } from "../audiences/checkCriteria.ts";
import { findNumbers } from "../audiences/findNumbers.ts";
import { audiences } from "../audiences/postgres.ts";
import { examineCriteria } from "../criteria/examineCriteria.ts";
import { findNeverSeen, type NeverSeen } from "../criteria/neverSeen.ts";
import type { RoutePorts } from "../ports.ts";

const ATTRIBUTE = /^attributes\[(.+)\]$/s;
const FILTERS_MAX = 20;

const attributeValue = z.object({ key: storableText(1_024).min(1), value: storableText(8_192) });
const known = z.object({
  ...listQuery,
  sort_by: z.literal("createdAt").optional(),
  email: storableText(1_024).min(1).optional(),
  cID: storableText(64).optional(),
  list: storableText(512).min(1).optional(),
  "audience-key": storableText(512).min(1).optional(),
  "lastModified[gt]": bound,
  "lastModified[gte]": bound,
  "lastModified[lt]": bound,
  "lastModified[lte]": bound,
});

/** Any number of `attributes[key]=value` next to the parameters that have a name. */
const query = z
  .looseObject(known.shape)
  .superRefine((provided, context) => {
    const others = Object.keys(provided).filter((name) => !Object.hasOwn(known.shape, name));
    const keys = others.filter((name) => !ATTRIBUTE.test(name));
    if (keys.length > 0) context.addIssue({ code: "unrecognized_keys", keys, input: provided });
    if (others.length > FILTERS_MAX) {
      context.addIssue({ code: "custom", message: `filters by more than ${FILTERS_MAX} attributes`, input: provided });
    }
    for (const name of others) {
      const read = attributeValue.safeParse(filterOf(name, provided[name]));
      if (!read.success)
        context.addIssue({ code: "custom", message: "must be a single string", path: [name], input: provided[name] });
    }
  })
  .transform((received) => {
    const filters = Object.entries(received).flatMap(
      ([name, value]) => attributeValue.safeParse(filterOf(name, value)).data ?? [],
    );
    return { ...known.parse(received), attributes: filters };
  });

function filterOf(name: string, value: unknown): { readonly key: string | undefined; readonly value: unknown } {
  return { key: ATTRIBUTE.exec(name)?.[1], value };
}

type ContactsQuery = z.output<typeof query>;

/** Returns whether the answer is a search, for which Postgres has no index. */
function servedByClickHouse(given: ContactsQuery): boolean {
  const modified = Object.entries(given).some(
    ([name, value]) => name.startsWith("lastModified[") && value !== undefined,
  );
  const { list, "audience-key": audience, return_count: counted } = given;
  return modified || given.attributes.length > 0 || list !== undefined || audience !== undefined || counted === "true";
}

const cursorKey = z.number().int();
const CONTACT_MEMBERS = Object.keys(contactAnswerShape.shape);
const contactsAnswer = pageOf(contactAnswerShape.partial());
const contactsExample = {
  data: [contactExample],
  pagination: { per_page: 25, page: 1, next_cursor: null },
};

/** A parameter of the query as a rule of criteria. */
interface Filter {
  /** The parameter's name, for errors. */
  readonly member: string;
  readonly rule: object;
}

const RULE = /^\/and\/(\d+)(?:\/|$)/;

/**
 * Checks filters, which must all hold.
 * @throws HeadwaterError 422 `INVALID_AUDIENCE_RULES`, whose details name the parameters.
 */
async function checkFilters(
  filters: readonly Filter[],
  account: Account,
  ports: Pick<RoutePorts, "postgres" | "clickHouse">,
): Promise<CriteriaNode> {
  const checking = { account, namesAudience: true };
  const examined = await examineCriteria({ and: filters.map(({ rule }) => rule) }, checking, ports);
  if (examined.kind === "ok") return examined.criteria;
  throw invalidRules(examined.details.map((detail) => ({ ...detail, path: pathOf(detail, filters) })));
}

/** The caller wrote parameters, not the criteria that were made of them. */
function pathOf({ path }: Pick<ErrorDetail, "path">, filters: readonly Filter[]): string {
  const member = filters[Number(RULE.exec(path ?? "")?.[1])]?.member;
  return member === undefined ? "" : `/${pointerStep(member)}`;
}

/** Limit of the lists of all contacts of a page; all those of its first contact are read in any case. */
const LISTS_PER_PAGE_MAX = 20_000;

interface PageOfContacts {
  readonly account: Account;
  readonly session: Session;
  readonly direction: "asc" | "desc";
}

interface PageWithLists {
  readonly bounded: BoundedRows<ContactView>;
  readonly beside: Beside;
}

/** Reads the lists of a page's contacts; the page ends before the first contact whose lists would pass the limit. */
async function readPageLists(
  read: BoundedRows<ContactView>,
  { account, session, direction }: PageOfContacts,
): Promise<PageWithLists> {
  const numbers = read.rows.map(({ number }) => number);
  const [{ lists, cutAt }, clears] = await Promise.all([
    pageListsOfContacts(session, account.number, numbers, { direction, membershipsMax: LISTS_PER_PAGE_MAX }),
    readClearsOf(session, account.number),
  ]);
  const beside = { lists: Map.groupBy(lists, ({ contact }) => contact), clears };
  if (cutAt === undefined) return { bounded: read, beside };
  return { bounded: { rows: read.rows.slice(0, numbers.indexOf(cutAt)), isCut: true }, beside };
}

/** The ports of a listing: a search by criteria, or a walk through the state. */
type ListContactsPorts = Pick<
  RoutePorts,
  "attributeRules" | "clickHouse" | "clock" | "cursors" | "freshness" | "aliasRevisions" | "postgres" | "seenNames"
>;

const LIST = "contacts";

interface ListingContacts {
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
async function listContactsOf(query: ContactsQuery, by: ListingContacts, ports: ListContactsPorts): Promise<Answer> {
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
  if (key === undefined || (await audiences.read(postgres, { account: number, key }))?.key === key) return;
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

function pageOfOne(one: StoredContact | "none", { skip }: Page<number>): BoundedRows<ContactView> {
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
    const read = await readContactViews(session, cut.rows, bounds);
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
  { postgres }: Pick<RoutePorts, "postgres">,
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

export function listContacts(ports: AfterPorts & ListContactsPorts): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/contacts",
    operationId: "listContacts",
    summary: "Lists contacts in order of creation.",
    description: `With \`attributes[key]\`, \`list\`, \`audience-key\`, \`lastModified[…]\` or \`return_count\`, the response comes from ClickHouse and carries \`asOf\`; otherwise it reflects the current state. All filters must match. ${PAGE_BYTES_NOTE} So does a page whose contacts are on more than 20,000 lists together.`,
    tags: ["contacts"],
    answers: {
      200: { description: "A page of contacts.", schema: contactsAnswer, example: contactsExample },
      404: { description: "ACCOUNT_LISTS_NOT_FOUND, RECORD_NOT_FOUND: the list or saved audience does not exist." },
    },
    auth: "basic",
    scope: "contacts:read",
    rateClass: "read",
    query,
    handler: async ({ query: given, caller, signal }) => {
      const store = servedByClickHouse(given) ? "analytics" : "state";
      await waitForAfter({ token: given.after, caller, store, signal }, ports);
      return listContactsOf(given, { account: caller.account, signal }, ports);
    },
  });
}
