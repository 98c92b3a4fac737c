import type { Account } from "@headwater/contracts";
import type { Answer } from "@headwater/http";
import { readTemplate } from "@headwater/stores/templates";
import { pickFields } from "../../paging/listAnswer.ts";
import type { ServicePorts } from "../../ports.ts";
import { etagOf } from "../../writing/ifMatch.ts";
import { TEMPLATE_MEMBERS, templateRecord, unknownTemplate, versionOfTemplate } from "../templateView.ts";

/** Throws 404 `RECORD_NOT_FOUND`, 400 for `fields` that there are not. */
export async function readOneTemplate(
  { key, fields }: { readonly key: string; readonly fields: string | undefined },
  account: Account,
  { postgres, clock }: Pick<ServicePorts, "clock" | "postgres">,
): Promise<Answer> {
  const pick = pickFields(fields, TEMPLATE_MEMBERS);
  const row = await readTemplate(postgres, account.number, key);
  if (row === undefined) throw unknownTemplate();
  return {
    status: 200,
    body: pick(templateRecord(row, { account, nowMs: clock.nowMs() })),
    headers: { ETag: etagOf(versionOfTemplate(row)) },
  };
}
