import { isDeepStrictEqual } from "node:util";
import { checkAndRunOnce, type OnceCall } from "@headwater/api/idempotency/runOnce";
import { etagOf, expectVersion } from "@headwater/api/writing/ifMatch";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import { type Answer, type Route, refusal } from "@headwater/http";
import { retryOnConflict, WriteConflict } from "@headwater/postgres/connection/writeConflict";
import { readAlertsView } from "../../messages/alerts.ts";
import { MESSAGE_BODY_BYTES_MAX, messageWarnings } from "../../messages/messageBody.ts";
import { lockBatchMessage, readBatchMessage, type StoredBatchMessage, updateBatchMessage } from "../batchMessages.ts";
import { checkMembers, inputMembers, type MembersInput } from "../changedMessage.ts";
import type { MessagePorts } from "../messagePorts.ts";
import {
  messageParams,
  messageRecord,
  messageWritten,
  unknownMessage,
  versionOfMessage,
  writtenBody,
  writtenExample,
} from "../messageView.ts";
import { findStatusOfChild } from "../refuseChild.ts";
import { resolveMessage } from "../resolveMessage.ts";
import { readMessageSettings } from "../storedMessage.ts";

const body = inputMembers;
const requestExample = { name: "Summer sale, second try", schedule: "2027-06-01T09:00:00Z" };

interface MessageChange {
  readonly id: string;
  readonly changes: MembersInput;
  readonly ifMatch: string | undefined;
}

/**
 * Throws 404 `RECORD_NOT_FOUND`, 409 `VERSION_CONFLICT`, 422 `MESSAGE_NOT_DRAFT`, `VALIDATION_ERROR` or `INVALID_AUDIENCE_RULES`.
 * Changes of others that came meanwhile are met again from the beginning: only `ifMatch` makes them a conflict.
 */
function updateMessage(call: OnceCall, { id, changes, ifMatch }: MessageChange, ports: MessagePorts): Promise<Answer> {
  const { account } = call.caller;
  return retryOnConflict(() =>
    checkAndRunOnce(ports.postgres, call, {
      async check() {
        const found = await readBatchMessage(ports.postgres, account.number, id);
        const status =
          found?.status ??
          (await findStatusOfChild(ports.postgres, { account: account.number, id, nowMs: ports.clock.nowMs() }));
        if (status !== undefined) expectDraft({ status });
        if (found === undefined) throw unknownMessage();
        const former = { ...found, settings: readMessageSettings(found) };
        return { found, ...(await checkMembers(former, changes, { account, ports })) };
      },
      async write(transaction, { found, members, checked }) {
        const known = await lockBatchMessage(transaction, account.number, id);
        if (known === undefined) throw unknownMessage();
        expectVersion(ifMatch, versionOfMessage(known));
        expectDraft(known);
        // The members were checked as a whole, with those that the body left out.
        if (known.updatedAt !== found.updatedAt) throw new WriteConflict("the message was changed meanwhile");
        const changed = { ...known, ...members };
        await resolveMessage(transaction, changed, checked);
        const nowMs = Math.max(ports.clock.nowMs(), known.updatedAt + 1);
        if (!isDeepStrictEqual(changed, known)) await updateBatchMessage(transaction, changed, nowMs);
        const body = writtenBody(changed);
        const answer = { status: 200, body, headers: { ETag: etagOf(versionOfMessage(changed)) } };
        const watched = { account: account.number, ids: call.readOnly?.members.length ? [id] : [] };
        const alertsOf = await readAlertsView(transaction, watched, ports);
        return { answer, kept: body, stored: { ...messageRecord(known, { account }), ...alertsOf(id) } };
      },
    }),
  );
}

function expectDraft({ status }: Pick<StoredBatchMessage, "status">): void {
  if (status === "draft") return;
  throw refusal("MESSAGE_NOT_DRAFT", `The message is ${status}. Only a draft can be updated.`);
}

export function updateBatchmessage(ports: MessagePorts): Route {
  return defineWriteRoute({
    method: "PUT",
    path: "/v2/batchmessages/{id}",
    operationId: "updateBatchmessage",
    summary: "Updates a draft of a batch message.",
    description:
      "Absent members stay; `null` removes one, or gives it its usual value. `message` and `tests` are replaced as a whole. `audience` takes the place of `audience-key`, and the other way round.",
    tags: ["batchmessages"],
    answers: {
      200: { description: "The updated draft.", schema: messageWritten, example: writtenExample },
      404: { description: "RECORD_NOT_FOUND: no batch message has this id." },
      422: { description: "MESSAGE_NOT_DRAFT, VALIDATION_ERROR or INVALID_AUDIENCE_RULES" },
    },
    scope: "batchmessages:write",
    dryRun: "rolledBack",
    target: "id",
    params: messageParams,
    body,
    warnsOf: messageWarnings,
    bodyBytesMax: MESSAGE_BODY_BYTES_MAX,
    requestExample,
    ifMatch: true,
    returnsStored: true,
    handler: ({ params: { id }, body: changes, once, header }) =>
      updateMessage(once, { id, changes, ifMatch: header("if-match") }, ports),
  });
}
