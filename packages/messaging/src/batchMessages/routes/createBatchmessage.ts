import { checkAndRunOnce, type OnceCall } from "@headwater/api/idempotency/runOnce";
import { etagOf } from "@headwater/api/writing/ifMatch";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import type { Answer, Route } from "@headwater/http";
import { newBatchMessageId } from "@headwater/kernel";
import { z } from "zod";
import { MESSAGE_BODY_BYTES_MAX, messageWarnings } from "../../messages/messageBody.ts";
import { createBatchMessage } from "../batchMessages.ts";
import { checkMembers, type FormerMessage } from "../changedMessage.ts";
import { defaultSettings, messageMembers } from "../messageMembers.ts";
import type { MessagePorts } from "../messagePorts.ts";
import {
  contentExample,
  messageExample,
  messageWritten,
  unsent,
  versionOfMessage,
  writtenBody,
  writtenExample,
} from "../messageView.ts";
import { resolveMessage } from "../resolveMessage.ts";

const body = z.object(messageMembers);
type NewMessage = z.output<typeof body>;

const { channel, classification, name, tags, audience } = messageExample;
const requestExample = { channel, classification, name, tags, audience, message: contentExample };

/** Throws 422 `VALIDATION_ERROR` or `INVALID_AUDIENCE_RULES` with every mistake of a part. */
function createMessage(call: OnceCall, input: NewMessage, ports: MessagePorts): Promise<Answer> {
  const { account } = call.caller;
  return checkAndRunOnce(ports.postgres, call, {
    check: () => checkMembers(emptyMessage(input), input, { account, ports }),
    async write(transaction, { members, checked }) {
      const message = { account: account.number, id: newBatchMessageId(), ...members, ...unsent };
      await resolveMessage(transaction, message, checked);
      await createBatchMessage(transaction, message, ports.clock.nowMs());
      const body = writtenBody(message);
      return { answer: { status: 201, body, headers: { ETag: etagOf(versionOfMessage(message)) } }, kept: body };
    },
  });
}

function emptyMessage({ channel, classification }: NewMessage): FormerMessage {
  const settings = { ...defaultSettings, classification, tests: [] };
  const nothing = { tags: null, transportId: null, audienceKey: null, criteria: null, lists: null };
  return { channel, settings, ...nothing, scheduleAt: null, content: null };
}

export function createBatchmessage(ports: MessagePorts): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/batchmessages",
    operationId: "createBatchmessage",
    summary: "Creates a draft of a batch message.",
    description:
      "Mistakes of the content are reported with `line` and `column`, those of the audience as `INVALID_AUDIENCE_RULES`. Nothing is sent before `/send`.",
    tags: ["batchmessages"],
    answers: {
      201: { description: "The draft was created.", schema: messageWritten, example: writtenExample },
      422: { description: "VALIDATION_ERROR, INVALID_AUDIENCE_RULES or IDEMPOTENCY_KEY_REUSED" },
    },
    scope: "batchmessages:write",
    dryRun: "rolledBack",
    target: "id",
    body,
    warnsOf: messageWarnings,
    bodyBytesMax: MESSAGE_BODY_BYTES_MAX,
    requestExample,
    handler: ({ body: message, once }) => createMessage(once, message, ports),
  });
}
