import { type Answer, refusal } from "@headwater/http";
import { newAudienceId } from "@headwater/kernel";
import { insertAudience, lockAudiences, setAudiencesUsed } from "@headwater/stores/audiences";
import { type OnceCall, runOnce } from "../../idempotency/runOnce.ts";
import type { ServicePorts } from "../../ports.ts";
import { etagOf } from "../../writing/ifMatch.ts";
import { versionOfAudience } from "../audienceView.ts";
import { checkBeforeSaving, settleCriteria } from "../savedCriteria.ts";
import type { NewAudience } from "./schema.ts";

/** Throws 422 `INVALID_AUDIENCE_RULES`, `KEY_MUST_BE_UNIQUE`; of two calls that come at once with one key one makes it. */
export async function makeAudience(
  call: OnceCall,
  { key, name, criteria: input, description = null, tags = null }: NewAudience,
  { postgres, clickHouse, clock }: Pick<ServicePorts, "postgres" | "clickHouse" | "clock">,
): Promise<Answer> {
  const { account } = call.caller;
  const checked = await checkBeforeSaving(input, { account, named: key }, { postgres, clickHouse });
  return runOnce(postgres, call, async (transaction) => {
    await lockAudiences(transaction, account.number);
    const self = { id: newAudienceId(), key };
    const { criteria, lists, used } = await settleCriteria(checked, { account: account.number, self, transaction });
    const audience = { account: account.number, ...self, name, description, tags, criteria, lists };
    if (!(await insertAudience(transaction, audience, clock.nowMs()))) throw keyTaken(key);
    await setAudiencesUsed(transaction, audience, used);
    const body = { success: true, ...self };
    return { answer: { status: 201, body, headers: { ETag: etagOf(versionOfAudience(audience)) } }, kept: body };
  });
}

function keyTaken(key: string) {
  const message = `A saved audience with the key ${JSON.stringify(key)} already exists.`;
  return refusal("KEY_MUST_BE_UNIQUE", message, { details: [{ path: "/key", code: "bad_value", message }] });
}
