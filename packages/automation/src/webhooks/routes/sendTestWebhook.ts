import { storableText } from "@headwater/api/paging/query";
import { defineRoute, type Route, refusal } from "@headwater/http";
import { isSuccess, postSigned } from "@headwater/jobs/notices/postSigned";
import { newJobId } from "@headwater/kernel";
import type { RoutePorts } from "@headwater/messaging/ports";
import { z } from "zod";
import { bodyOf } from "../delivery.ts";
import { webhooks } from "../postgres.ts";
import { openSecrets } from "../secrets.ts";

const shape = z.strictObject({
  ok: z.boolean(),
  status: z.number().int().nullable().describe("Null: nobody answered within 15 seconds."),
  ms: z.number().int(),
  id: z.string().describe("The `webhook-id` of the call."),
  error: z.string().optional(),
});

export function sendTestWebhook({
  postgres,
  clock,
  sealer,
  outbound,
}: Pick<RoutePorts, "postgres" | "clock" | "sealer" | "outbound">): Route {
  return defineRoute({
    method: "POST",
    path: "/v2/webhooks/{id}/test",
    operationId: "sendTestWebhook",
    summary: "Posts an event of type `webhook.test` to a webhook, and answers what came of it.",
    description: "The call is signed like every other, and is not tried again. A disabled webhook may be tested.",
    tags: ["webhooks"],
    answers: {
      200: {
        description: "The outcome of the call.",
        schema: shape,
        example: { ok: true, status: 204, ms: 41, id: "msg_65f0c0ffee65f0c0ffee00f2" },
      },
      404: { description: "RECORD_NOT_FOUND: no webhook has this id." },
    },
    auth: "basic",
    scope: "webhooks:write",
    rateClass: "write",
    params: z.strictObject({ id: storableText(1_024) }),
    handler: async ({ params: { id: webhook }, caller: { account } }) => {
      const stored = await webhooks.read(postgres, { account: account.number, key: webhook });
      if (stored === undefined) throw refusal("RECORD_NOT_FOUND", "No webhook has this id.");
      const at = clock.nowMs();
      const id = `msg_${newJobId()}`;
      const secrets = sealer && openSecrets(stored, { accountId: account.id, nowMs: at, sealer });
      if (secrets === undefined) throw new Error("the secret of a webhook cannot be opened");
      const data = JSON.stringify({ id: webhook });
      const body = bodyOf({ type: "webhook.test", at, data, isTruncated: false });
      const post = { url: stored.url, id, body, secrets, account: account.number };
      const { status, ms, error } = await postSigned(post, { outbound, clock });
      const outcome = { ok: isSuccess(status), status: status ?? null, ms, id };
      return { status: 200, body: { ...outcome, ...(error !== undefined && { error }) } };
    },
  });
}
