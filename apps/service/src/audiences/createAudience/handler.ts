import { type Answer, refusal } from "@headwater/http";
import { newAudienceId } from "@headwater/kernel";
import { insertAudience, lockAudiences, setAudiencesUsed } from "@headwater/stores/audiences";
import type { z } from "zod";
import { type OnceCall, runOnce } from "../../idempotency/runOnce.ts";
import type { ServicePorts } from "../../ports.ts";
import { etagOf } from "../../writing/ifMatch.ts";
import { versionOfAudience } from "../audienceView.ts";
import { type anyBody, readAudienceBody } from "../readAudienceBody.ts";
import { settleCriteria } from "../savedCriteria.ts";
import { body } from "./schema.ts";

/** Throws 422 `VALIDATION_ERROR`, `INVALID_AUDIENCE_RULES`, `KEY_MUST_BE_UNIQUE`; of two calls that come at once with one key one makes it. */
export async function makeAudience(
  call: OnceCall,
  given: z.output<typeof anyBody>,
  { postgres, clickHouse, clock }: Pick<ServicePorts, "postgres" | "clickHouse" | "clock">,
): Promise<Answer> {
  const { account } = call.caller;
  const reading = { account, named: String(given.key), ports: { postgres, clickHouse } };
  const { audience: wanted, checked } = await readAudienceBody(body, given, reading);
  if (checked === undefined) throw new Error("a new audience has criteria");
  const { key, name, description = null, tags = null } = wanted;
  return runOnce(postgres, call, async (transaction) => {
    await lockAudiences(transaction, account.number);
    const self = { id: newAudienceId(), key };
    const { criteria, lists, used } = await settleCriteria(checked, { account: account.number, self, transaction });
    const audience = { account: account.number, ...self, name, description, tags, criteria, lists };
    if (!(await insertAudience(transaction, audience, clock.nowMs()))) throw keyTaken(key);
    await setAudiencesUsed(transaction, audience, used);
    const made = { success: true, ...self };
    return { answer: { status: 201, body: made, headers: { ETag: etagOf(versionOfAudience(audience)) } }, kept: made };
  });
}

function keyTaken(key: string) {
  const message = `A saved audience with the key ${JSON.stringify(key)} already exists.`;
  return refusal("KEY_MUST_BE_UNIQUE", message, { details: [{ path: "/key", code: "bad_value", message }] });
}
