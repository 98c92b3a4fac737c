import { type OnceCall, runOnce } from "@headwater/api/idempotency/runOnce";
import type { WritePorts } from "@headwater/api/ports";
import { etagOf } from "@headwater/api/writing/ifMatch";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import { type Answer, type ReadBody, type Route, readByHandler, refusal } from "@headwater/http";
import { newAudienceId } from "@headwater/kernel";
import { z } from "zod";
import type { RoutePorts } from "../../ports.ts";
import { insertAudience, lockAudiences } from "../audiences.ts";
import { setAudiencesUsed } from "../audienceUses.ts";
import {
  audienceExample,
  audienceKey,
  audienceMembers,
  audienceWritten,
  versionOfAudience,
  writtenExample,
} from "../audienceView.ts";
import { readAudienceBody } from "../readAudienceBody.ts";
import { settleCriteria } from "../savedCriteria.ts";

export const body = z.object({ key: audienceKey, ...audienceMembers });

const { key, name, tags, criteria } = audienceExample;
const requestExample = { key, name, tags, criteria };

/** Throws 422 `VALIDATION_ERROR`, `INVALID_AUDIENCE_RULES`, `KEY_MUST_BE_UNIQUE`; of two calls that come at once with one key one makes it. */
async function createAudienceOnce(
  call: OnceCall,
  sent: ReadBody<z.output<typeof body>>,
  { postgres, clickHouse, clock }: Pick<RoutePorts, "postgres" | "clickHouse" | "clock">,
): Promise<Answer> {
  const { account } = call.caller;
  const reading = { account, named: String(sent.given.key), ports: { postgres, clickHouse } };
  const { audience: wanted, checked } = await readAudienceBody(sent, reading);
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

export function createAudience(ports: WritePorts & Pick<RoutePorts, "clickHouse">): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/audiences",
    operationId: "createAudience",
    summary: "Saves an audience. Its key is unique within the account and cannot be changed.",
    description: "Lists are kept by id: a rename changes nothing. Invalid criteria are a 422 INVALID_AUDIENCE_RULES.",
    tags: ["audiences"],
    answers: { 201: { description: "The audience was saved.", schema: audienceWritten, example: writtenExample } },
    scope: "audiences:write",
    target: "key",
    body: readByHandler(body),
    requestExample,
    handler: ({ body: audience, once }) => createAudienceOnce(once, audience, ports),
  });
}
