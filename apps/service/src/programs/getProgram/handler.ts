import type { Account } from "@headwater/contracts";
import type { Answer } from "@headwater/http";
import { readProgram } from "@headwater/stores/programs";
import { pickFields } from "../../paging/listAnswer.ts";
import type { ServicePorts } from "../../ports.ts";
import { etagOf } from "../../writing/ifMatch.ts";
import { PROGRAM_MEMBERS, programRecord, unknownProgram, versionOfProgram } from "../programView.ts";

/** Throws 404 `RECORD_NOT_FOUND`, 400 for unknown names in `fields`. */
export async function readOneProgram(
  { id, fields }: { readonly id: string; readonly fields: string | undefined },
  { number }: Account,
  { postgres }: Pick<ServicePorts, "postgres">,
): Promise<Answer> {
  const pick = pickFields(fields, PROGRAM_MEMBERS);
  const row = await readProgram(postgres, number, id);
  if (row === undefined) throw unknownProgram();
  return { status: 200, body: pick(programRecord(row)), headers: { ETag: etagOf(versionOfProgram(row)) } };
}
