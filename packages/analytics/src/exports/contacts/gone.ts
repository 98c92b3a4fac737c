import { type JobInput, timeOfVersion } from "@headwater/contracts";
import { erasedCids } from "@headwater/records/erasures/erasures";
import { createBindings } from "../bindings.ts";
import type { ExportColumn, StagedCell, Staging } from "../exportKind.ts";
import type { Changed } from "./changed.ts";

const columns: readonly ExportColumn[] = [
  { name: "cID", field: "cID", type: "id" },
  { name: "reason", field: "reason", type: "text" },
  { name: "into", field: "into", type: "text" },
];

/** Stages those who are no longer among the exported: they left, were merged into another contact, or were erased. */
export async function stageGone(
  staging: Staging<JobInput<"ExportContacts">>,
  { who, former, since }: Changed & { readonly who: string },
): Promise<void> {
  const { account, postgres } = staging;
  const part = await staging.part({ kind: "gone", columns });
  const bindings = createBindings();
  const of = `account = ${bindings.bind("UInt64", account.number)}`;
  if (former !== undefined) {
    const left = `contact IN (SELECT contact FROM ${former}) AND contact NOT IN (SELECT contact FROM ${who})`;
    await part.insertSelect(
      `SELECT contact, cid, 'left' AS reason, NULL AS survivor FROM contacts_current FINAL
        WHERE ${of} AND deleted = 0 AND ${left} ORDER BY contact`,
      bindings.params,
    );
  }
  const position = bindings.bind("UInt64", since.position);
  const created = bindings.moment(since.asOf);
  const ofThose =
    former === undefined ? "" : ` AND survivor IN (SELECT contact FROM ${who} UNION ALL SELECT contact FROM ${former})`;
  const merged = `SELECT contact, survivor FROM contact_aliases FINAL WHERE ${of} AND revision > ${position} AND survivor > 0${ofThose}`;
  await part.insertSelect(
    `SELECT m.contact AS contact, own.cid AS cid, 'merged' AS reason, into.cid AS survivor FROM (${merged}) AS m
      INNER JOIN (SELECT contact, cid FROM contacts_current FINAL WHERE ${of} AND created_at <= ${created}) AS own ON own.contact = m.contact
      INNER JOIN (SELECT contact, cid FROM contacts_current FINAL WHERE ${of}) AS into ON into.contact = m.survivor ORDER BY m.contact`,
    bindings.params,
  );
  const erased = await erasedCids(postgres, account.number);
  const rows = erased.flatMap(({ version, cids }) =>
    timeOfVersion(version) > since.asOf ? cids.map((cid): StagedCell[] => [cid, "erased", null]) : [],
  );
  if (rows.length > 0) await part.insertRows(each(rows));
}

async function* each<Row>(rows: readonly Row[]): AsyncGenerator<Row> {
  yield* rows;
}
