import type { JobInput } from "@headwater/contracts";
import { readContactByCid } from "@headwater/records/contacts/contactReads";
import { z } from "zod";
import { createBindings } from "../bindings.ts";
import { contactRowsSql } from "../contacts/contactValues.ts";
import { type KnownOfContacts, readKnown } from "../contacts/known.ts";
import { storedCriteria } from "../contacts/stageContacts.ts";
import { fillNumbers } from "../contacts/who.ts";
import type { StagedPart, Staging } from "../exportKind.ts";
import { contactColumnsOf, type EventColumn, eventColumns } from "./eventColumns.ts";
import { eventRowsSql } from "./eventRows.ts";

type EventsStaging = Staging<JobInput<"ExportEvents">>;

/** Contacts whose activities one statement reads: what bounds the memory of the join. */
const CONTACTS_AT_A_TIME = 100_000;
/** An order over all activities is one statement's. */
const EVERYBODY_AT_ONCE = 4_294_967_295;
/** Properties that have a column of their own in csv and txt. */
const PROPERTY_COLUMNS_MAX = 500;

const namedShape = z.object({ name: z.string() });

/** Stages a row for each activity, contact by contact and each contact's by time, or all by time. */
export async function stageEvents(staging: EventsStaging): Promise<void> {
  const { input, account, postgres } = staging;
  const known = await readKnown(postgres, account, { columns: input.contactFields, asOf: undefined });
  const audience = await fillAudience(staging);
  const names = await propertyNames(staging);
  const bindings = createBindings();
  const columns = eventColumns(input, names, (text) => bindings.bind("String", text));
  const part = await staging.part({ columns });
  for (let after = -1; ; ) {
    const last = await nextSlice(staging, after, input.sortByTime ? EVERYBODY_AT_ONCE : CONTACTS_AT_A_TIME);
    if (last === undefined) break;
    await insertSlice(staging, part, { columns, params: bindings.params, known, audience, from: after + 1, to: last });
    after = last;
  }
}

/** Fills the table of those whose activities are wanted. @returns undefined for everybody's. */
async function fillAudience(staging: EventsStaging): Promise<string | undefined> {
  const { input, account, postgres, bulk, signal } = staging;
  const table = staging.scratch("who");
  if (input.criteria !== undefined) {
    const node = storedCriteria.parse(input.criteria.node);
    await fillNumbers(table, { node, asOf: undefined, timezone: input.timezone }, staging);
    return table;
  }
  if (input.contact === undefined) return undefined;
  const contact = await readContactByCid(postgres, account.number, input.contact);
  await bulk.run({
    sql: `CREATE OR REPLACE TABLE ${table} (contact UInt64) ENGINE = MergeTree ORDER BY contact`,
    signal,
  });
  const sql = `INSERT INTO ${table} (contact) SELECT {number: UInt64} WHERE {number: UInt64} > 0`;
  await bulk.run({ sql, params: { number: contact?.number ?? 0 }, signal });
  return table;
}

/** The last number of the next live contacts; undefined when there are no more. */
async function nextSlice(
  { clickhouse, account, signal }: EventsStaging,
  after: number,
  most: number,
): Promise<number | undefined> {
  const sql = `SELECT max(contact) AS last, count() AS contacts FROM (SELECT contact FROM contacts_current
    WHERE account = {account: UInt32} AND contact > {after: Int64} ORDER BY contact LIMIT {most: UInt32})`;
  const params = { account: account.number, after, most };
  const [row] = await clickhouse.query<{ last: number; contacts: number }>(sql, params, { signal });
  return row === undefined || row.contacts === 0 ? undefined : row.last;
}

interface Slice {
  readonly columns: readonly EventColumn[];
  /** Values that the columns' SQL names. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly known: KnownOfContacts;
  readonly audience: string | undefined;
  /** Numbers of live contacts, both included. */
  readonly from: number;
  readonly to: number;
}

async function insertSlice({ account, input }: EventsStaging, part: StagedPart, slice: Slice): Promise<void> {
  const { columns, known, audience, from, to } = slice;
  const bindings = createBindings("e");
  const [first, last] = [bindings.bind("UInt64", from), bindings.bind("UInt64", to)];
  const isWanted = (contact: string) =>
    audience === undefined ? "" : ` AND ${contact} IN (SELECT contact FROM ${audience})`;
  const which = (contact: string) => `(${contact} >= ${first} AND ${contact} <= ${last}${isWanted(contact)})`;
  const number = bindings.bind("UInt64", account.number);
  const aliases = `SELECT contact, survivor FROM contact_aliases FINAL WHERE account = ${number} AND survivor > 0`;
  const family = `(${which("contact")} OR contact IN (SELECT contact FROM (${aliases}) WHERE ${which("survivor")}))`;
  const events = eventRowsSql({ account: account.number, input, which: family }, bindings);
  const contactColumns = [
    { name: "cID", source: { kind: "column", column: "cid" } as const },
    ...contactColumnsOf(input),
  ];
  const contacts = contactRowsSql(contactColumns, { account, which }, { known, bindings });
  const sql = `SELECT c.contact AS contact${columns.map(({ sql: cell }, index) => `, ${cell} AS staged${index}`).join("")}
    FROM (${events}) AS e LEFT ANY JOIN (${aliases}) AS a ON a.contact = e.contact
    INNER JOIN (SELECT *, c0 AS cid, c1 AS email FROM (${contacts})) AS c ON c.contact = if(a.survivor > 0, a.survivor, e.contact)
    ORDER BY ${input.sortByTime ? "" : "c.contact, "}e.time, e.uid, e.action`;
  await part.insertSelect(sql, { ...slice.params, ...bindings.params });
}

/** The commonest names of properties, for forms whose columns are the same in every row. */
async function propertyNames({ input, account, bulk, signal }: EventsStaging): Promise<string[]> {
  if (!input.hasPropertyColumns || input.columnHeaders !== undefined) return [];
  const bindings = createBindings();
  const events = eventRowsSql({ account: account.number, input, which: "" }, bindings);
  const sql = `SELECT arrayJoin(JSONExtractKeys(properties)) AS name FROM (${events}) WHERE name != ''
    GROUP BY name ORDER BY count() DESC, name LIMIT ${PROPERTY_COLUMNS_MAX} FORMAT JSONEachRow`;
  const chunks: Buffer[] = [];
  for await (const chunk of bulk.read({ sql, params: bindings.params, signal })) chunks.push(chunk);
  const lines = Buffer.concat(chunks)
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "");
  return lines.map((line) => namedShape.parse(JSON.parse(line)).name).sort();
}
