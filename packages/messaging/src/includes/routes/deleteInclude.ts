import { successExample, successShape } from "@headwater/api/answers/success";
import { type OnceCall, runOnce } from "@headwater/api/idempotency/runOnce";
import { expectVersion } from "@headwater/api/writing/ifMatch";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import { type Answer, type Route, refusal } from "@headwater/http";
import type { RoutePorts } from "../../ports.ts";
import * as includes from "../includes.ts";
import { type IncludeUser, setIncludesUsed, usersOfInclude } from "../includeUses.ts";
import { includeParams, versionOfInclude } from "../includeView.ts";

/** More are not named; the include is in use all the same. */
const USERS_NAMED_MAX = 100;

/** Throws 404 `RECORD_NOT_FOUND`, 409 `VERSION_CONFLICT`, 422 `INCLUDE_IN_USE` with its users. */
function deleteIncludeOnce(
  call: OnceCall,
  { key, ifMatch }: { readonly key: string; readonly ifMatch: string | undefined },
  { postgres }: Pick<RoutePorts, "postgres">,
): Promise<Answer> {
  const include = { account: call.caller.account.number, key };
  return runOnce(postgres, call, async (transaction) => {
    const known = await includes.lockInclude(transaction, include);
    if (known === undefined) throw refusal("RECORD_NOT_FOUND", "No include has this key.");
    expectVersion(ifMatch, versionOfInclude(known));
    const users = await usersOfInclude(transaction, include, USERS_NAMED_MAX);
    if (users.length > 0) throw inUse(users);
    await setIncludesUsed(transaction, { account: include.account, kind: "include", userId: key }, []);
    await includes.deleteInclude(transaction, include);
    const body = { success: true };
    return { answer: { status: 200, body }, kept: body };
  });
}

const USER_NAMES = {
  batchmessage: "batch message",
  automationtemplate: "automation template",
  include: "include",
} as const;

function inUse(users: readonly IncludeUser[]) {
  const details = users.map(({ kind, userId }) => ({
    path: "",
    code: "not_allowed",
    message: `The ${USER_NAMES[kind]} ${userId} uses it.`,
  }));
  return refusal("INCLUDE_IN_USE", "Messages use this include.", { details });
}

export function deleteInclude(ports: Pick<RoutePorts, "postgres">): Route {
  return defineWriteRoute({
    method: "DELETE",
    path: "/v2/includes/{key}",
    operationId: "deleteInclude",
    summary: "Deletes an unused include.",
    description: "An include in use is a 422 INCLUDE_IN_USE, and `details` names the messages, templates and includes.",
    tags: ["includes"],
    answers: {
      200: { description: "The include is deleted.", schema: successShape, example: successExample },
      404: { description: "RECORD_NOT_FOUND: no include has this key." },
      422: { description: "INCLUDE_IN_USE or IDEMPOTENCY_KEY_REUSED" },
    },
    scope: "includes:write",
    target: "key",
    params: includeParams,
    ifMatch: true,
    handler: ({ params: { key }, once, header }) =>
      deleteIncludeOnce(once, { key, ifMatch: header("if-match") }, ports),
  });
}
