import { type OnceCall, runOnce } from "@headwater/api/idempotency/runOnce";
import { etagOf } from "@headwater/api/writing/ifMatch";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import { type Answer, type Route, refusal } from "@headwater/http";
import { z } from "zod";
import type { RoutePorts } from "../../ports.ts";
import { insertInclude } from "../includes.ts";
import { INCLUDE_BYTES_MAX, includeKey, includeMembers, includeWritten, versionOfInclude } from "../includeView.ts";
import { checkInclude, checkIncludesOf } from "../settleInclude.ts";

const body = z.object({ key: includeKey, ...includeMembers });
type NewInclude = z.output<typeof body>;

const requestExample = {
  key: "footer-2026",
  content: "<p>Unsubscribe: {{ unsubscribe_link }}</p>",
  name: "Footer",
  tags: ["legal"],
};

/** Throws 422 `VALIDATION_ERROR` for mistakes of the content, `KEY_MUST_BE_UNIQUE`; of two calls that come at once with one key one makes it. */
async function createIncludeOnce(
  call: OnceCall,
  { key, content, name = null, description = null, tags = null }: NewInclude,
  ports: Pick<RoutePorts, "clock" | "postgres" | "renders">,
): Promise<Answer> {
  const account = call.caller.account.number;
  const include = { account, key, content, name, description, tags };
  const includes = await checkInclude(include, content, ports);
  return runOnce(ports.postgres, call, async (transaction) => {
    if (!(await insertInclude(transaction, include, ports.clock.nowMs()))) throw keyTaken(key);
    await checkIncludesOf(transaction, include, includes);
    const body = { success: true, key };
    return { answer: { status: 201, body, headers: { ETag: etagOf(versionOfInclude(include)) } }, kept: body };
  });
}

function keyTaken(key: string) {
  const message = `An include with the key ${JSON.stringify(key)} already exists.`;
  return refusal("KEY_MUST_BE_UNIQUE", message, { details: [{ path: "/key", code: "bad_value", message }] });
}

export function createInclude(ports: Pick<RoutePorts, "clock" | "postgres" | "renders">): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/includes",
    operationId: "createInclude",
    summary: "Creates an include. Its key is unique within the account and cannot be changed.",
    tags: ["includes"],
    answers: {
      201: {
        description: "The include was created.",
        schema: includeWritten,
        example: { success: true, key: requestExample.key },
      },
    },
    scope: "includes:write",
    target: "key",
    body,
    bodyBytesMax: INCLUDE_BYTES_MAX,
    requestExample,
    handler: ({ body: include, once }) => createIncludeOnce(once, include, ports),
  });
}
