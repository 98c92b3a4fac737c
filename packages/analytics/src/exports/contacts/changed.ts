import type { ExportedContactColumn, ExportWatermark, JobInput } from "@headwater/contracts";
import { identifierOfChannel } from "@headwater/contracts";
import type { CriteriaNode } from "@headwater/criteria";
import { createBindings } from "../bindings.ts";
import type { Staging } from "../exportKind.ts";
import { type EmptiedList, type KnownOfContacts, readEmptied } from "./known.ts";
import { fillNumbers } from "./who.ts";

type ContactsStaging = Staging<JobInput<"ExportContacts">>;

/** Contacts of an increment, and who it is compared with. */
export interface Changed {
  /** Table of the contacts with an exported member written since, and of those who entered. */
  readonly changed: string;
  /** Table of those who matched at the former watermark; absent where everybody is exported. */
  readonly former?: string;
  readonly since: ExportWatermark;
}

/** A contact's creation has the broker's time, the watermark ours: they may differ by so much. */
const CLOCKS_DIFFER_MS = 2_000;

interface Increment {
  readonly who: string;
  readonly node: CriteriaNode;
  readonly since: ExportWatermark;
  readonly known: KnownOfContacts;
}

/** Finds, of the contacts in the table `who`, those that an increment holds. */
export async function findChanged(staging: ContactsStaging, { who, node, since, known }: Increment): Promise<Changed> {
  const { account, input, postgres, bulk, signal } = staging;
  const isEverybody = input.criteria === undefined;
  const former = staging.scratch("former");
  if (!isEverybody) await fillNumbers(former, { node, asOf: since.asOf, timezone: input.timezone }, staging);
  const changed = staging.scratch("changed");
  await bulk.run({
    sql: `CREATE OR REPLACE TABLE ${changed} (contact UInt64) ENGINE = MergeTree ORDER BY contact`,
    signal,
  });
  const bindings = createBindings();
  const written = writtenSince(input.columns, { account: account.number, position: since.position }, bindings);
  const of = `account = ${bindings.bind("UInt64", account.number)}`;
  const lists = listsOf(input.columns);
  if (lists !== undefined) {
    const emptied = await readEmptied(postgres, account, known, since.asOf);
    const view = lists === "all" ? emptied : emptied.filter(({ id }) => lists.includes(id));
    if (view.length > 0) written.push(formerMembersSql(view, of, bindings));
  }
  const created = bindings.moment(since.asOf - CLOCKS_DIFFER_MS);
  const isNew = `revision > ${bindings.bind("UInt64", since.position)} AND created_at >= ${created}`;
  const entered = isEverybody
    ? `contact IN (SELECT contact FROM contacts_current FINAL WHERE ${of} AND ${isNew})`
    : `contact NOT IN (SELECT contact FROM ${former})`;
  const conditions = [...written.map((sql) => `contact IN (${sql})`), entered];
  const sql = `INSERT INTO ${changed} (contact) SELECT contact FROM ${who} WHERE ${conditions.join(" OR ")}`;
  await bulk.run({ sql, params: bindings.params, signal });
  return { changed, since, ...(!isEverybody && { former }) };
}

/** Compiles SELECTs of the contacts with a member of the columns, or a merge or split, that was written behind a position in the outbox. */
function writtenSince(
  columns: readonly ExportedContactColumn[],
  { account, position }: { readonly account: number; readonly position: number },
  { bind }: ReturnType<typeof createBindings>,
): string[] {
  const where = `account = ${bind("UInt64", account)} AND revision > ${bind("UInt64", position)}`;
  const fields = columns.flatMap(fieldsOf);
  const lists = listsOf(columns);
  const ofLists = lists === "all" ? "" : ` AND list IN ${bind("Array(UInt32)", lists ?? [])}`;
  const isModified = columns.some(({ source }) => source.kind === "column" && source.column === "modified_at");
  return [
    ...(fields.length > 0
      ? [
          `SELECT contact FROM contact_fields_current FINAL WHERE ${where} AND field IN ${bind("Array(String)", fields)}`,
        ]
      : []),
    ...(lists !== undefined ? [`SELECT contact FROM memberships_current FINAL WHERE ${where}${ofLists}`] : []),
    // One that was merged into another or set apart again takes the place of its row in the former export.
    `SELECT if(survivor > 0, survivor, contact) FROM contact_aliases FINAL WHERE ${where}`,
    ...(isModified ? [`SELECT contact FROM contacts_current FINAL WHERE ${where}`] : []),
  ];
}

/** Ids of the lists that columns show; undefined when they show none. */
function listsOf(columns: readonly ExportedContactColumn[]): readonly number[] | "all" | undefined {
  if (columns.some(({ source }) => source.kind === "lists")) return "all";
  const ids = columns.flatMap(({ source }) => ("list" in source ? [source.list] : []));
  return ids.length > 0 ? ids : undefined;
}

/** Compiles a SELECT of the contacts that were on the lists until these were emptied. */
function formerMembersSql(
  lists: readonly EmptiedList[],
  of: string,
  { bind }: ReturnType<typeof createBindings>,
): string {
  const ids = bind(
    "Array(UInt32)",
    lists.map(({ id }) => id),
  );
  const bound = (version: "above" | "upTo") =>
    `transform(list, ${ids}, ${bind(
      "Array(String)",
      lists.map((list) => list[version]),
    )}, '')`;
  return `SELECT contact FROM memberships_current FINAL
    WHERE ${of} AND list IN ${ids} AND present = 1 AND version > ${bound("above")} AND version <= ${bound("upTo")}`;
}

/** Returns the stored fields that a column is read from. */
export function fieldsOf({ source }: ExportedContactColumn): string[] {
  if (source.kind === "value") return [source.field];
  if (source.kind !== "channel") return [];
  const { channel } = source;
  const members = ["address", "subscribeStatus", "valid"].map((member) => `channels.${channel}.${member}`);
  return [...members, `identifiers.${identifierOfChannel(channel)}`];
}
