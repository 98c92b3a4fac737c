import type { Account } from "@headwater/contracts";
import { type Answer, refusal } from "@headwater/http";
import { readInclude } from "@headwater/stores/includes";
import { pickFields } from "../../paging/listAnswer.ts";
import type { ServicePorts } from "../../ports.ts";
import { etagOf } from "../../writing/ifMatch.ts";
import { INCLUDE_MEMBERS, includeRecord, versionOfInclude } from "../includeView.ts";

/** Throws 404 `RECORD_NOT_FOUND`, 400 for unknown names in `fields`. */
export async function readOneInclude(
  { key, fields }: { readonly key: string; readonly fields: string | undefined },
  { number }: Account,
  { postgres }: Pick<ServicePorts, "postgres">,
): Promise<Answer> {
  const pick = pickFields(fields, INCLUDE_MEMBERS);
  const row = await readInclude(postgres, { account: number, key });
  if (row === undefined) throw refusal("RECORD_NOT_FOUND", "No include has this key.");
  return { status: 200, body: pick(includeRecord(row)), headers: { ETag: etagOf(versionOfInclude(row)) } };
}
