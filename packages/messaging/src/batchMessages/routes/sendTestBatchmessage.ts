import { type OnceCall, runOnce } from "@headwater/api/idempotency/runOnce";
import { storableText } from "@headwater/api/paging/query";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import type { Account } from "@headwater/contracts";
import { type Answer, type Route, refusal } from "@headwater/http";
import { pointerStep } from "@headwater/kernel";
import type { Transaction } from "@headwater/postgres/connection/session";
import { readStoreClock } from "@headwater/postgres/connection/storeClock";
import { retryOnConflict } from "@headwater/postgres/connection/writeConflict";
import { z } from "zod";
import { type FrozenMessage, frozenMessageShape } from "../../frozen/frozenMessage.ts";
import { readIncludeContents } from "../../includes/includeUses.ts";
import { invalidContent } from "../../messages/prepareParts.ts";
import type { RoutePorts } from "../../ports.ts";
import { findTested } from "../../templates/findRecipients.ts";
import { type NamedRecipient, readRecipient } from "../../templates/recipients.ts";
import { sendLimits, sentExample, sentShape } from "../../templates/sendBody.ts";
import { acceptedIn, answerOf, storeSends } from "../../templates/storeSends.ts";
import { readBatchMessage, type StoredBatchMessage } from "../batchMessages.ts";
import { readFrozenMessages } from "../frozenMessages.ts";
import { messageParams, unknownMessage } from "../messageView.ts";
import { refuseChild } from "../refuseChild.ts";
import { includesOfMessage, readMessageContent, readMessageSettings } from "../storedMessage.ts";
import { callsAllowed, isFinalMessage } from "../transitions.ts";
import { freezeMessage, outwardTransport, problemOfDomain } from "./sendBatchmessage.ts";

const value = z.union([storableText(1_024).min(1), z.number().int()]);

const body = z
  .record(z.string().min(1).max(1_024), z.array(value).max(sendLimits.testRecipients))
  .refine((named) => Object.values(named).some((values) => values.length > 0), {
    message: "must name somebody",
    params: { code: "required" },
  })
  .refine((named) => Object.values(named).flat().length <= sendLimits.testRecipients, {
    message: `names more than ${sendLimits.testRecipients} recipients`,
    params: { code: "too_many" },
  });
type TestBody = z.output<typeof body>;

const requestExample = { email: ["grace@example.com"] };

const answerShape = sentShape;
const [entry] = sentExample.messagecontacts;
const cID = "65f0c0ffee65f0c0ffee0001";
const answerExample = {
  ...sentExample,
  messagecontacts: [{ ...entry, mcID: `65f0c0ffee65f0c0ffee0100:65f0c0ffee65f0c0ffee00e1:t:${cID}:2` }],
};

interface TestCall {
  readonly id: string;
  readonly recipients: TestBody;
}

/** The first number of a contact belongs to the send of the message itself. */
const FIRST_TEST = 2;

/**
 * Stores a message to be sent as a test. Throws 404 `RECORD_NOT_FOUND`, 409 `INVALID_STATE_TRANSITION` for a message that is over, 422
 * `TRANSPORT_REQUIRED`, `VALIDATION_ERROR`.
 */
function testMessage(
  once: OnceCall,
  { id, recipients }: TestCall,
  { postgres, clock }: Pick<RoutePorts, "clock" | "postgres">,
): Promise<Answer> {
  const { account } = once.caller;
  return retryOnConflict(() =>
    runOnce(postgres, once, async (transaction) => {
      const { number } = account;
      await refuseChild(transaction, { account: number, id, call: "sendtest", nowMs: clock.nowMs() });
      const stored = await readBatchMessage(transaction, number, id);
      if (stored === undefined) throw unknownMessage();
      if (isFinalMessage(stored.status)) throw isOver(stored);
      const message = await frozenForTest(transaction, account, stored);
      const named = readTested(recipients, account, message.channel);
      const nowMs = await readStoreClock(transaction);
      const finding = { account, channel: message.channel, named, nowMs, requestId: once.requestId };
      const found = await findTested(transaction, finding);
      const existing = { template: null, isDraft: true, frozen: JSON.stringify(message), mergeData: "{}", event: null };
      const want = { ...existing, attachments: null };
      const call = { account, messageId: id, message, isTest: true, want, firstNumber: FIRST_TEST };
      return answerOf(await storeSends(transaction, { ...call, nowMs }, found));
    }),
  );
}

function isOver({ status: from }: StoredBatchMessage) {
  return refusal("INVALID_STATE_TRANSITION", `A message that is ${from} is not sent as a test.`, {
    extra: { from, allowed: callsAllowed(from) },
  });
}

/** Returns the message as it would be sent now; one that has begun stays as it was. */
async function frozenForTest(
  transaction: Transaction,
  of: Account,
  message: StoredBatchMessage,
): Promise<FrozenMessage> {
  const { account, id, status, content } = message;
  const transport = await outwardTransport(transaction, message);
  if (content === null)
    throw invalidContent([{ path: "/message", code: "required", message: "`message` is required." }]);
  if (status === "processing" || status === "paused") {
    const [begun] = await readFrozenMessages(transaction, account, [id]);
    const text: unknown = JSON.parse(begun?.frozen ?? "null");
    if (text !== null) return frozenMessageShape.parse(text);
  }
  const domain = problemOfDomain(readMessageSettings(message), of);
  if (domain !== undefined) throw invalidContent([domain]);
  const checked = { content: readMessageContent(content), transportId: transport.id, goal: undefined };
  const frozen = freezeMessage(message, checked);
  const contents = await readIncludeContents(transaction, account, includesOfMessage(content));
  return { ...frozen, includes: Object.fromEntries(contents.map(({ key, content: include }) => [key, include])) };
}

/** Returns the recipients in the body's order. */
function readTested(recipients: TestBody, account: Account, channel: string): NamedRecipient[] {
  return Object.entries(recipients).flatMap(([name, values]) =>
    values.map((value, index) => {
      const at = `/${pointerStep(name)}/${index}`;
      return readRecipient({ [name]: value }, { at, valueAt: at, account, channel, identifyBy: undefined });
    }),
  );
}

export function sendTestBatchmessage(ports: Pick<RoutePorts, "clock" | "postgres">): Route {
  return defineWriteRoute({
    method: "PUT",
    path: "/v2/batchmessages/{id}/sendtest",
    operationId: "sendTestBatchmessage",
    summary: "Sends a batch message as a test to up to 20 recipients.",
    description:
      'The body names recipients by an identifier: `{email: ["grace@example.com"]}`. A test leaves no activities and counts nowhere; suppressions hold. Nothing is written of the recipients, and an unknown address gets the message of an empty contact. A message that has begun is sent as it was frozen.',
    tags: ["batchmessages"],
    answers: {
      200: { description: "A verdict for each recipient.", schema: answerShape, example: answerExample },
      404: { description: "RECORD_NOT_FOUND: no batch message has this id." },
      409: { description: "INVALID_STATE_TRANSITION: the message is over." },
      422: { description: "TRANSPORT_REQUIRED or VALIDATION_ERROR" },
    },
    scope: "batchmessages:write",
    dryRun: { class: "checked", starts: ({ body }) => acceptedIn(body) },
    target: "id",
    params: messageParams,
    body,
    requestExample,
    handler: ({ params: { id }, body: recipients, once }) => testMessage(once, { id, recipients }, ports),
  });
}
