import type { Account } from "@headwater/contracts";
import type { Answer } from "@headwater/http";
import { readBatchMessage } from "@headwater/stores/batchMessages";
import { countSendStates } from "@headwater/stores/sends";
import { pickFields } from "../../paging/listAnswer.ts";
import type { ServicePorts } from "../../ports.ts";
import { withSnapshot } from "../../reading/withSnapshot.ts";
import { etagOf } from "../../writing/ifMatch.ts";
import { deliveryOf } from "../delivery.ts";
import { MESSAGE_MEMBERS, messageRecord, unknownMessage, versionOfMessage } from "../messageView.ts";

/** Throws 404 `RECORD_NOT_FOUND`, 400 for `fields` that there are not. */
export async function readOneMessage(
  { id, fields }: { readonly id: string; readonly fields: string | undefined },
  account: Account,
  { postgres }: Pick<ServicePorts, "postgres">,
): Promise<Answer> {
  const pick = pickFields(fields, MESSAGE_MEMBERS);
  const { message, counts } = await withSnapshot(postgres, async (session) => {
    const found = await readBatchMessage(session, account.number, id);
    if (found === undefined) throw unknownMessage();
    const isKnown = found.audienceTotal !== null;
    const sends = isKnown ? await countSendStates(session, { account: account.number, message: id }) : [];
    return { message: found, counts: sends };
  });
  const delivery = deliveryOf(message, counts);
  return {
    status: 200,
    body: pick({ ...messageRecord(message, { account }), ...(delivery !== undefined && { delivery }) }),
    headers: { ETag: etagOf(versionOfMessage(message)) },
  };
}
