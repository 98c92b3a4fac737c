import type { Account } from "@headwater/contracts";
import type { Answer } from "@headwater/http";
import { shownSupplementRecord, toReadRecord } from "@headwater/projection";
import { readSupplementRecord } from "@headwater/stores/supplements";
import type { ServicePorts } from "../../ports.ts";
import { etagOf } from "../../writing/ifMatch.ts";
import { pickRecordFields, unknownRecord } from "../recordShape.ts";
import { unknownTable } from "../tableShape.ts";

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
  const row = await readSupplementRecord(postgres, { account, key, id });
  if (row === "no table") throw unknownTable();
  if (row === "no record") throw unknownRecord();
  const headers = { ETag: etagOf(row.version) };
  return { status: 200, body: pickRecordFields(fields)(shownSupplementRecord(toReadRecord(row, row))), headers };
}
