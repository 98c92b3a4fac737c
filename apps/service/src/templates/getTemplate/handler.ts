import type { Account } from "@headwater/contracts";
import type { Answer } from "@headwater/http";
import { readTemplate } from "@headwater/stores/templates";
import type { StatsPorts } from "../../batchMessages/getBatchmessage/handler.ts";
import { readShownStats } from "../../messages/shownStats.ts";
import { pickFields } from "../../paging/listAnswer.ts";
import { etagOf } from "../../writing/ifMatch.ts";
import { TEMPLATE_MEMBERS, templateRecord, unknownTemplate, versionOfTemplate } from "../templateView.ts";

interface OneTemplate {
  readonly key: string;
  readonly fields: string | undefined;
  readonly signal: AbortSignal;
}

/** Throws 404 `RECORD_NOT_FOUND`, 400 for `fields` that there are not. */
export async function readOneTemplate(
  { key, fields, signal }: OneTemplate,
  account: Account,
  { postgres, clock, ...ports }: StatsPorts,
): Promise<Answer> {
  const pick = pickFields(fields, TEMPLATE_MEMBERS);
  const row = await readTemplate(postgres, account.number, key);
  if (row === undefined) throw unknownTemplate();
  const numbers = await readShownStats({ id: row.mdtId, account, fields, signal }, ports);
  return {
    status: 200,
    body: pick({ ...templateRecord(row, { account, nowMs: clock.nowMs() }), ...numbers }),
    headers: { ETag: etagOf(versionOfTemplate(row)) },
  };
}
