import { type OnceCall, runOnce } from "@headwater/api/idempotency/runOnce";
import { storableText } from "@headwater/api/paging/query";
import type { WritePorts } from "@headwater/api/ports";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import { identifierOfChannel } from "@headwater/contracts";
import type { Answer, Caller, Route } from "@headwater/http";
import { newSuppressionId } from "@headwater/kernel";
import { z } from "zod";
import { identifierWarnings } from "../../contacts/addressWarnings.ts";
import { suppress } from "../suppressions.ts";
import {
  addressText,
  channelName,
  suppressionReasons,
  suppressionWritten,
  targetOf,
  writtenExample,
} from "../suppressionView.ts";

const body = z.object({
  channel: channelName,
  address: addressText.nullish(),
  domain: storableText(253).min(1).nullish(),
  reason: z.enum(suppressionReasons).nullish().describe("Default `manual`, which holds for all messages."),
  note: storableText(1_024).nullish(),
});
type NewSuppression = z.output<typeof body>;

export function createSuppression(ports: WritePorts): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/suppressions",
    operationId: "createSuppression",
    summary: "Suppresses an address or a domain: it gets no message.",
    description:
      "`manual` and `hard-bounce` hold for all messages, `complaint` and `erased-unsubscribed` for promotional ones. A suppression survives the erasure of its contact and a new import. One that stands already is answered with its id.",
    tags: ["suppressions"],
    answers: {
      201: { description: "The address is suppressed.", schema: suppressionWritten, example: writtenExample },
    },
    scope: "suppressions:write",
    dryRun: "rolledBack",
    target: "id",
    body,
    warnsOf: suppressionWarnings,
    requestExample: { channel: "email", address: "grace@example.com", note: "asked by phone" },
    handler: ({ body: suppression, once }) => createSuppressionOnce(once, suppression, ports),
  });
}

/** Warns of an address that cannot be one of its channel: nothing is sent to it in any case. */
function suppressionWarnings({ channel, address }: NewSuppression, { account }: Caller) {
  const input = { path: "/address", name: identifierOfChannel(channel), value: address };
  return identifierWarnings([input], account.settings);
}

/** Throws 422 `VALIDATION_ERROR`. */
function createSuppressionOnce(
  call: OnceCall,
  provided: NewSuppression,
  { postgres, clock }: WritePorts,
): Promise<Answer> {
  const { account } = call.caller;
  const { channel, note = null } = provided;
  const reason = provided.reason ?? "manual";
  const target = targetOf(account, provided);
  return runOnce(postgres, call, async (transaction) => {
    const own = { account: account.number, channel, id: newSuppressionId() };
    const id = await suppress(transaction, { ...own, target, reason, note, nowMs: clock.nowMs() });
    const written = { success: true, id };
    return { answer: { status: 201, body: written }, kept: written };
  });
}
