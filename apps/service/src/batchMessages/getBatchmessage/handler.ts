import type { Account } from "@headwater/contracts";
import type { Answer } from "@headwater/http";
import { readBatchMessage } from "@headwater/stores/batchMessages";
import { pickFields } from "../../paging/listAnswer.ts";
import type { ServicePorts } from "../../ports.ts";
import { etagOf } from "../../writing/ifMatch.ts";
import { MESSAGE_MEMBERS, messageRecord, unknownMessage, versionOfMessage } from "../messageView.ts";

/** Throws 404 `RECORD_NOT_FOUND`, 400 for `fields` that there are not. */
export async function readOneMessage(
  { id, fields }: { readonly id: string; readonly fields: string | undefined },
  account: Account,
  { postgres }: Pick<ServicePorts, "postgres">,
): Promise<Answer> {
  const pick = pickFields(fields, MESSAGE_MEMBERS);
  const message = await readBatchMessage(postgres, account.number, id);
  if (message === undefined) throw unknownMessage();
  return {
    status: 200,
    body: pick(messageRecord(message, { account })),
    headers: { ETag: etagOf(versionOfMessage(message)) },
  };
}
