import { waitForAfter } from "@headwater/api/consistency/after";
import { pageOf } from "@headwater/api/paging/answerSchema";
import { listAnswer, pickFields } from "@headwater/api/paging/listAnswer";
import { cutPage, readPage } from "@headwater/api/paging/page";
import { listQuery } from "@headwater/api/paging/query";
import type { AfterPorts } from "@headwater/api/ports";
import {
  type Account,
  type Json,
  lanes,
  positionOfVersion,
  sameJson,
  timeOfVersion,
  topicOfStream,
  toTimestamp,
} from "@headwater/contracts";
import { type Answer, defineRoute, type Route, refusal } from "@headwater/http";
import type { Session } from "@headwater/postgres/connection/session";
import { z } from "zod";
import { readClearsOf } from "../../attributes/attributeClears.ts";
import { loadListsById } from "../../lists/lists.ts";
import type { RoutePorts } from "../../ports.ts";
import { type RecordPosition, readRefusedAt, readV2Writes } from "../../writing/writeOrigins.ts";
import { findContact, readPrimaryKey } from "../findContact.ts";
import { type MergeEntry, readMergeEntries } from "../historyMerges.ts";
import { NO_BOUND, readWrites, type Write } from "../historyWrites.ts";

const { return_count: _uncounted, sort_dir: _newestFirst, ...paged } = listQuery;

const params = z.strictObject({ primary_key: z.string().min(1) });
const query = z.strictObject(paged);
type HistoryQuery = z.output<typeof query>;

/** A page ends at a version. */
const cursorKey = z.string().regex(/^[0-9a-f]{32}$/);

const HISTORY_MEMBERS = ["version", "at", "by", "changes"] as const;

const entry = z.strictObject({
  version: z.string(),
  at: z.string(),
  by: z.strictObject({ kind: z.enum(["record", "v2", "merge", "split", "redrive"]), id: z.string() }),
  changes: z.array(z.strictObject({ path: z.string(), from: z.unknown(), to: z.unknown() })),
});
const historyAnswer = pageOf(entry.partial());

const dead = {
  cID: "65f0c0ffee65f0c0ffee0002",
  identifiers: { anonymousId: "a-7" },
  channels: {},
  attributes: { plan: "free" },
};
const historyExample = {
  data: [
    {
      version: "019ba4d2f0800100030000000004d2000",
      at: "2026-01-09T22:47:13.000Z",
      by: { kind: "merge", id: "0Kq3yVbR2mX9aLpT7cWd:0:0" },
      changes: [
        { path: "attributes.plan", from: "gold", to: "free" },
        { path: "contacts.65f0c0ffee65f0c0ffee0002", from: dead, to: null },
        { path: "identifiers.anonymousId", from: null, to: "a-7" },
      ],
    },
    {
      version: "019ba4d2ec980100030000000004d1000",
      at: "2026-01-09T22:47:12.000Z",
      by: { kind: "record", id: "intake.records/3/1233/0" },
      changes: [{ path: "attributes.plan", from: null, to: "gold" }],
    },
  ],
  pagination: { per_page: 25, page: 1, next_cursor: null },
  asOf: "2026-01-09T22:47:14.000Z",
};

const LIST = "contacthistory";

interface Asked {
  readonly query: HistoryQuery;
  readonly account: Account;
}

/** Changes of the live contact that the key finds, the newest first. Throws 404 `CONTACTS_CONTACT_NOT_FOUND`. */
async function listHistory(
  primaryKey: string,
  { query, account }: Asked,
  { postgres, clickHouse, freshness, cursors }: Pick<RoutePorts, "postgres" | "clickHouse" | "freshness" | "cursors">,
): Promise<Answer> {
  const page = readPage(query, { list: LIST, key: cursorKey, direction: "desc", account: account.number, cursors });
  const pick = pickFields(query.fields, HISTORY_MEMBERS);
  const asOf = await freshness();
  const contact = await findContact(postgres, account, readPrimaryKey(primaryKey, account));
  if (contact === undefined) throw refusal("CONTACTS_CONTACT_NOT_FOUND", "No contact has this key.");
  const below = page.after ?? NO_BOUND;
  const view = { contact: contact.number, clears: await readClearsOf(postgres, account.number) };
  const [{ writes, floor }, merges] = await Promise.all([
    readWrites(clickHouse, { account: account.number, ...view, below }),
    readMergeEntries(postgres, account, view),
  ]);
  const entries = toEntries(writes, merges).filter(({ version }) => version < below && version > floor);
  const rows = entries.slice(page.skip, page.skip + page.perPage + 1);
  // What lies below the floor was not read: the page ends there, and the next one goes on.
  const perPage = floor === "" ? page.perPage : Math.min(page.perPage, rows.length - 1);
  const cut = cutPage(rows, { ...page, perPage }, ({ version }) => version);
  const records = await toRecords(cut.rows, account.number, postgres);
  const listed = { rows: records.map(pick), nextCursor: cut.nextCursor };
  const path = `/v2/contacts/${encodeURIComponent(primaryKey)}/history`;
  return listAnswer({ path, query, page, listed, total: undefined, asOf });
}

async function toRecords(entries: readonly Entry[], account: number, session: Session): Promise<object[]> {
  const versions = entries.map(({ version }) => version);
  const [sourceOf, named] = await Promise.all([
    readSources(session, account, versions),
    readListNames(session, account, entries),
  ]);
  return entries.map(({ version, by, changes }) => ({
    version,
    at: toTimestamp(timeOfVersion(version)),
    by: by ?? sourceOf(version),
    changes: changes.map(({ path, ...values }) => ({ path: named(path), ...values })),
  }));
}

const LIST_PATH = /^lists\.#(\d+)$/;

/** Lists are shown by the names they have now. */
async function readListNames(session: Session, account: number, entries: readonly Entry[]) {
  const idOf = (path: string) => Number(LIST_PATH.exec(path)?.[1] ?? 0);
  const ids = new Set(entries.flatMap(({ changes }) => changes.map(({ path }) => idOf(path))));
  ids.delete(0);
  const lists = await loadListsById(
    session,
    [...ids].map((id) => ({ account, id })),
  );
  const names = new Map(lists.map(({ id, name }) => [id, name]));
  return (path: string) => {
    const name = names.get(idOf(path));
    return name === undefined ? path : `lists.${name}`;
  };
}

/** Author of a change. */
interface Source {
  readonly kind: "record" | "v2" | "merge" | "split" | "redrive";
  readonly id: string;
}

/**
 * Reads the author of each version. A record of the log is named by its place; one that was refused or parked at that position wrote when it
 * came again, and is named by its id.
 */
async function readSources(
  session: Session,
  account: number,
  versions: readonly string[],
): Promise<(version: string) => Source> {
  const isV2 = (version: string) => positionOfVersion(version).lane === lanes.v2;
  const [writes, refused] = await Promise.all([
    readV2Writes(session, account, versions.filter(isV2)),
    readRefusedAt(session, account, versions.flatMap(positionOf)),
  ]);
  const known = new Map<string, Source>([
    ...writes.map(({ version, kind, recordId: id }) => [version, { kind, id }] as const),
    ...refused.map(({ version, recordId: id }) => [version, { kind: "redrive", id }] as const),
  ]);
  return (version) => known.get(version) ?? { kind: isV2(version) ? "v2" : "record", id: textOf(version) };
}

function positionOf(version: string): RecordPosition[] {
  const { lane: stream, ...position } = positionOfVersion(version);
  const topic = topicOfStream(stream);
  return topic === undefined ? [] : [{ topic, ...position }];
}

function textOf(version: string): string {
  const { lane, partition, offset, place } = positionOfVersion(version);
  return `${topicOfStream(lane) ?? "v2"}/${partition}/${offset}/${place}`;
}

/** All that one version changed. */
interface Entry {
  readonly version: string;
  /** Known of merges and splits; others have it in their version. */
  readonly by?: { readonly kind: "merge" | "split"; readonly id: string };
  readonly changes: readonly { readonly path: string; readonly from: Json; readonly to: Json }[];
}

/**
 * Entries by version, the newest first. What a merge brought stands in the merge's entry and not under the version by which
 * the other contact had it; what its record wrote itself comes after.
 */
export function toEntries(writes: readonly Write[], merges: readonly MergeEntry[]): Entry[] {
  const carried = new Set(merges.flatMap((merge) => merge.carried.map(keyOf)));
  const own = writes.filter((write) => !carried.has(keyOf(write)));
  const byVersion = new Map<string, Map<string, Write>>();
  for (const write of [...merges.flatMap(({ changes }) => changes), ...own]) {
    const changes = byVersion.get(write.version) ?? new Map<string, Write>();
    const before = changes.get(write.path);
    byVersion.set(write.version, changes.set(write.path, { ...write, from: (before ?? write).from }));
  }
  const sources = new Map(merges.map(({ version, kind, id }) => [version, { kind, id }]));
  return [...byVersion]
    .map(([version, changes]) => toEntry(version, [...changes.values()], sources.get(version)))
    .filter(({ changes }) => changes.length > 0)
    .sort((a, b) => (a.version < b.version ? 1 : -1));
}

function keyOf({ version, path }: Write): string {
  return `${version} ${path}`;
}

function toEntry(version: string, writes: readonly Write[], by: Entry["by"]): Entry {
  const changes = writes
    .filter(({ from, to }) => !sameJson(from, to))
    .map(({ path, from, to }) => ({ path, from, to }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  return { version, changes, ...(by && { by }) };
}

export function listContacthistory(
  ports: AfterPorts & Pick<RoutePorts, "clickHouse" | "cursors" | "freshness" | "postgres">,
): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/contacts/{primary_key}/history",
    operationId: "listContacthistory",
    summary: "Lists the changes of a contact with their time and source record, newest first.",
    description:
      "`by.id` of a `record` is its position in the log, `topic/partition/offset/index`: the history does not store record ids. `redrive` names the record that was first rejected or parked, `merge` and `split` the record that requested it. Of a merge the changes are what it overwrote of this contact, and `contacts.<cID>` is what the other one was. Members the record itself wrote stand beside them. Values of an attribute whose definition was deleted are left out.",
    tags: ["contacts"],
    answers: { 200: { description: "A page of changes.", schema: historyAnswer, example: historyExample } },
    auth: "basic",
    scope: "contacts:read",
    rateClass: "read",
    params,
    query,
    handler: async ({ params: { primary_key }, query: input, caller, signal }) => {
      await waitForAfter({ token: input.after, caller, store: "analytics", signal }, ports);
      return listHistory(primary_key, { query: input, account: caller.account }, ports);
    },
  });
}
