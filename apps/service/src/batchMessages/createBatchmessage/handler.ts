import type { Answer } from "@headwater/http";
import { newBatchMessageId } from "@headwater/kernel";
import { insertBatchMessage } from "@headwater/stores/batchMessages";
import { checkAndRunOnce, type OnceCall } from "../../idempotency/runOnce.ts";
import { etagOf } from "../../writing/ifMatch.ts";
import { changeMembers, type FormerMessage } from "../changedMessage.ts";
import { usualSettings } from "../messageMembers.ts";
import type { MessagePorts } from "../messagePorts.ts";
import { unsent, versionOfMessage, writtenBody } from "../messageView.ts";
import { settleMessage } from "../settleMessage.ts";
import type { NewMessage } from "./schema.ts";

/** Throws 422 `VALIDATION_ERROR` or `INVALID_AUDIENCE_RULES` with every mistake of a part. */
export function makeMessage(call: OnceCall, given: NewMessage, ports: MessagePorts): Promise<Answer> {
  const { account } = call.caller;
  return checkAndRunOnce(ports.postgres, call, {
    check: () => changeMembers(emptyMessage(given), given, { account, ports }),
    async write(transaction, { members, checked }) {
      const message = { account: account.number, id: newBatchMessageId(), ...members, ...unsent };
      await settleMessage(transaction, message, checked);
      await insertBatchMessage(transaction, message, ports.clock.nowMs());
      const body = writtenBody(message);
      return { answer: { status: 201, body, headers: { ETag: etagOf(versionOfMessage(message)) } }, kept: body };
    },
  });
}

function emptyMessage({ channel, classification }: NewMessage): FormerMessage {
  const settings = { ...usualSettings, classification, tests: [] };
  const nothing = { tags: null, transportId: null, audienceKey: null, criteria: null, lists: null };
  return { channel, settings, ...nothing, scheduleAt: null, content: null };
}
