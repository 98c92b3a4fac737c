import type { JobInput } from "@headwater/contracts";
import type { CriteriaNode } from "@headwater/criteria";
import { z } from "zod";
import { type Bindings, createBindings } from "../bindings.ts";
import type { StagedPart, Staging } from "../exportKind.ts";
import { findChanged } from "./changed.ts";
import { toExportColumns } from "./columns.ts";
import { contactRowsSql } from "./contactValues.ts";
import { stageGone } from "./gone.ts";
import { type KnownOfContacts, readKnown } from "./known.ts";
import { fillNumbers, readAliasRevision } from "./who.ts";

type ContactsStaging = Staging<JobInput<"ExportContacts">>;

/** Contacts that one statement reads the values of: what bounds the memory that it takes. */
const CONTACTS_AT_A_TIME = 200_000;

/** The service has checked the criteria: what it stored is what it parsed. */
export const storedCriteria = z.custom<CriteriaNode>((node) => typeof node === "object" && node !== null);

const EVERYBODY: CriteriaNode = { kind: "and", path: "", nodes: [] };

/** Stages a row for each contact, in order of their creation, slice by slice. */
export async function stageContacts(staging: ContactsStaging): Promise<void> {
  const { account, input, postgres } = staging;
  const { columns, asOf, timezone } = input;
  const known = await readKnown(postgres, account, { columns, asOf });
  const who = staging.scratch("who");
  const node = input.criteria === undefined ? EVERYBODY : storedCriteria.parse(input.criteria.node);
  const revision = await fillNumbers(who, { node, asOf, timezone }, staging);
  const since =
    input.since === undefined ? undefined : await findChanged(staging, { who, node, since: input.since, known });
  const recipients = since?.changed ?? who;
  const part = await staging.part({ columns: toExportColumns(columns) });
  for (let after = -1; ; ) {
    const slice = await nextSlice(staging, recipients, after);
    if (slice === undefined) break;
    const from = after + 1;
    const which = (bindings: Bindings) => {
      const [first, last] = [bindings.bind("UInt64", from), bindings.bind("UInt64", slice)];
      return (contact: string) =>
        `(${contact} >= ${first} AND ${contact} <= ${last} AND ${contact} IN (SELECT contact FROM ${recipients} WHERE contact >= ${first} AND contact <= ${last}))`;
    };
    await insertSlice(staging, part, { known, which });
    after = slice;
  }
  if ((await readAliasRevision(staging)) !== revision) await followMerges(staging, part, { known, who: recipients });
  if (since !== undefined) await stageGone(staging, { who, ...since });
}

/** The last number of the next contacts; undefined when there are no more. */
async function nextSlice({ clickhouse, signal }: ContactsStaging, who: string, after: number) {
  const sql = `SELECT max(contact) AS last, count() AS contacts FROM (
    SELECT contact FROM ${who} WHERE contact > {after: Int64} ORDER BY contact LIMIT {most: UInt32})`;
  const params = { after, most: CONTACTS_AT_A_TIME };
  const [row] = await clickhouse.query<{ last: number; contacts: number }>(sql, params, { signal });
  return row === undefined || row.contacts === 0 ? undefined : row.last;
}

interface Slice {
  readonly known: KnownOfContacts;
  readonly which: (bindings: Bindings) => (contact: string) => string;
}

async function insertSlice({ account, input }: ContactsStaging, part: StagedPart, { known, which }: Slice) {
  const bindings = createBindings();
  const scope = { account, asOf: input.asOf, which: which(bindings) };
  const sql = contactRowsSql(input.columns, scope, { known, bindings });
  await part.insertSelect(sql, bindings.params);
}

/**
 * Contacts that were merged while rows were staged: their survivors are staged where they are not yet, and of rows that belong to one
 * contact now the last one stays.
 */
async function followMerges(
  staging: ContactsStaging,
  part: StagedPart,
  { known, who }: { readonly known: KnownOfContacts; readonly who: string },
): Promise<void> {
  const { account, bulk, signal } = staging;
  const { table } = part;
  const params = { account: account.number };
  const aliases =
    "SELECT contact, survivor FROM contact_aliases FINAL WHERE account = {account: UInt32} AND survivor > 0";
  const which = (bindings: Bindings) => {
    const bound = aliases.replace("{account: UInt32}", bindings.bind("UInt64", account.number));
    return (contact: string) =>
      `(${contact} IN (SELECT survivor FROM (${bound}) WHERE contact IN (SELECT contact FROM ${who})) AND ${contact} NOT IN (SELECT contact FROM ${table}))`;
  };
  await insertSlice(staging, part, { known, which });
  const owner = `SELECT max(n) FROM ${table} AS s LEFT ANY JOIN (${aliases}) AS a ON a.contact = s.contact
    GROUP BY if(a.survivor > 0, a.survivor, s.contact)`;
  await bulk.run({ sql: `DELETE FROM ${table} WHERE n NOT IN (${owner})`, params, signal });
}
