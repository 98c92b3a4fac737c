import { successExample, successShape } from "@headwater/api/answers/success";
import { type OnceCall, runOnce } from "@headwater/api/idempotency/runOnce";
import type { WritePorts } from "@headwater/api/ports";
import { expectVersion } from "@headwater/api/writing/ifMatch";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import { type Answer, type Route, refusal } from "@headwater/http";
import type { RoutePorts } from "../../ports.ts";
import * as audiences from "../audiences.ts";
import { type AudienceUser, setAudiencesUsed, usersOfAudience } from "../audienceUses.ts";
import { audienceParams, versionOfAudience } from "../audienceView.ts";

/** More are not named; the audience is in use all the same. */
const USERS_NAMED_MAX = 100;

/** Throws 404 `RECORD_NOT_FOUND`, 409 `VERSION_CONFLICT`, 422 `AUDIENCE_IN_USE` with its users. */
function deleteAudienceOnce(
  call: OnceCall,
  { named, ifMatch }: { readonly named: string; readonly ifMatch: string | undefined },
  { postgres }: Pick<RoutePorts, "postgres">,
): Promise<Answer> {
  const account = call.caller.account.number;
  return runOnce(postgres, call, async (transaction) => {
    await audiences.lockAudiences(transaction, account);
    const known = await audiences.lockAudience(transaction, account, named);
    if (known === undefined) throw refusal("RECORD_NOT_FOUND", "No saved audience has this key or id.");
    expectVersion(ifMatch, versionOfAudience(known));
    const users = await usersOfAudience(transaction, known, USERS_NAMED_MAX);
    if (users.length > 0) throw inUse(users);
    await setAudiencesUsed(transaction, known, []);
    await audiences.deleteAudience(transaction, known);
    const body = { success: true };
    return { answer: { status: 200, body }, kept: body };
  });
}

const USER_NAMES = {
  audience: "saved audience",
  batchmessage: "batch message",
  automationtemplate: "automation template",
  orchestration: "orchestration",
} as const;

function inUse(users: readonly AudienceUser[]) {
  const details = users.map(({ kind, userId }) => ({
    path: "",
    code: "not_allowed",
    message: `The ${USER_NAMES[kind]} ${userId} uses it.`,
  }));
  return refusal("AUDIENCE_IN_USE", "This audience is in use.", { details });
}

export function deleteAudience(ports: WritePorts): Route {
  return defineWriteRoute({
    method: "DELETE",
    path: "/v2/audiences/{key}",
    operationId: "deleteAudience",
    summary: "Deletes an unused saved audience by its key or id.",
    description:
      "An audience in use is a 422 AUDIENCE_IN_USE, and `details` names the audiences, messages and orchestrations.",
    tags: ["audiences"],
    answers: {
      200: { description: "The audience is deleted.", schema: successShape, example: successExample },
      404: { description: "RECORD_NOT_FOUND: no saved audience has this key or id." },
      422: { description: "AUDIENCE_IN_USE or IDEMPOTENCY_KEY_REUSED" },
    },
    scope: "audiences:write",
    target: "key",
    params: audienceParams,
    ifMatch: true,
    handler: ({ params: { key: named }, once, header }) =>
      deleteAudienceOnce(once, { named, ifMatch: header("if-match") }, ports),
  });
}
