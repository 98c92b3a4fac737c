import type { Account } from "@headwater/contracts";
import type { Answer } from "@headwater/http";
import { readSupplementRecord } from "@headwater/stores";
import type { ServicePorts } from "../../ports.ts";
import { pickRecordFields, recordView, toReadRecord, unknownRecord } from "../../supplements/recordShape.ts";
import { expectTable } from "../../supplements/tableShape.ts";
import { etagOf } from "../../writing/ifMatch.ts";

interface Wanted {
  readonly key: string;
  readonly id: string;
  readonly fields: string | undefined;
}

/** Throws 404 `RECORD_NOT_FOUND`. */
export async function readOneRecord(
  { key, id, fields }: Wanted,
  { number: account }: Account,
  { postgres }: Pick<ServicePorts, "postgres">,
): Promise<Answer> {
  const table = await expectTable(postgres, account, key);
  const { id: supplement, clearedVersion } = table;
  const row = await readSupplementRecord(postgres, { account, supplement, clearedVersion }, id);
  if (row === undefined) throw unknownRecord();
  const headers = { ETag: etagOf(row.version) };
  return { status: 200, body: pickRecordFields(fields)(recordView(toReadRecord(row, table))), headers };
}
