import { type OnceCall, runOnce } from "@headwater/api/idempotency/runOnce";
import type { WritePorts } from "@headwater/api/ports";
import { withReceipt } from "@headwater/api/receipts";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import type { Answer, Route } from "@headwater/http";
import { readStoreClock } from "@headwater/postgres/connection/storeClock";
import { retryOnConflict } from "@headwater/postgres/connection/writeConflict";
import { childMessage } from "../../batchMessages/childMessage.ts";
import { MESSAGE_BODY_BYTES_MAX } from "../../messages/messageBody.ts";
import { invalidContent } from "../../messages/prepareParts.ts";
import { entryKeyOf } from "../entry.ts";
import { findTested, writeRecipients } from "../findRecipients.ts";
import { readRecipients, recipientWarnings } from "../recipients.ts";
import { type SendBody, sendBody, sendExample, sentExample, sentShape, testBody } from "../sendBody.ts";
import { acceptedIn, answerOf, type StoredCall, storeSends } from "../storeSends.ts";
import { templateParams } from "../templateView.ts";
import { expectUnsubscribeLink, type WantedTemplate, wantedTemplate } from "../wantedTemplate.ts";

const shared = {
  method: "POST",
  tags: ["automationtemplates"],
  scope: "automationtemplates:write",
  dryRun: { class: "checked", starts: ({ body }: Answer) => acceptedIn(body) },
  target: "key",
  params: templateParams,
  requestExample: sendExample,
  bodyBytesMax: MESSAGE_BODY_BYTES_MAX,
} as const;

const answers = {
  200: { description: "A verdict for each recipient.", schema: sentShape, example: sentExample },
  404: { description: "RECORD_NOT_FOUND: no template has this key." },
  422: { description: "TEMPLATE_NOT_PUBLISHED, TRANSPORT_REQUIRED, MERGE_CONFLICT or VALIDATION_ERROR" },
};

export function sendTemplate(ports: WritePorts): Route {
  return defineWriteRoute({
    ...shared,
    path: "/v2/automationtemplates/{key}/send",
    operationId: "sendTemplate",
    summary: "Sends the published content of a template to up to 100 recipients.",
    description:
      "`accepted: true` means that the message is stored to be sent, before the answer. Unknown addresses create contacts without a subscription: transactional messages go out to them, promotional ones do not (`not-subscribed`). Members of a recipient that are no identifiers are written as attributes; the header `Headwater-Receipt` can be passed to reads as `after`. A template whose `triggers.api.enabled` is false refuses with 422.",
    answers,
    body: sendBody,
    warnsOf: recipientWarnings,
    handler: ({ params: { key }, body, once }) => sendTemplateTo(once, { key, isTest: false, body }, ports),
  });
}

export function sendTemplateDraft(ports: WritePorts): Route {
  return defineWriteRoute({
    ...shared,
    path: "/v2/automationtemplates/{key}/senddraft",
    operationId: "sendTemplatedraft",
    summary: "Sends the draft of a template as a test, without one the published content, to up to 20 recipients.",
    description:
      "A test leaves no activities and counts nowhere; suppressions hold. Nothing is written of the recipients, and an unknown address gets the message of an empty contact.",
    answers,
    body: testBody,
    handler: ({ params: { key }, body, once }) => sendTemplateTo(once, { key, isTest: true, body }, ports),
  });
}

interface SendCall {
  readonly key: string;
  /** The draft is sent, as a test: nothing is written of the recipients. */
  readonly isTest: boolean;
  readonly body: SendBody;
}

/**
 * Stores a template's message to be sent to each recipient; contacts are created and written in the same transaction, and the answer
 * has the receipt of that. Throws 404 `RECORD_NOT_FOUND`, 422 `TEMPLATE_NOT_PUBLISHED`, `TRANSPORT_REQUIRED`, `VALIDATION_ERROR`, and as a
 * write of a contact.
 */
function sendTemplateTo(once: OnceCall, { key, isTest, body }: SendCall, ports: WritePorts): Promise<Answer> {
  const { account } = once.caller;
  const transacted: Pick<WritePorts["postgres"], "transaction"> = {
    transaction: (run) => ports.postgres.transaction(run, { keyLookupsOnly: true }),
  };
  return retryOnConflict(() =>
    runOnce(transacted, once, async (transaction) => {
      const nowMs = await readStoreClock(transaction);
      const template = await wantedTemplate(transaction, account, { key, isDraft: isTest });
      const { channel } = template.message;
      const named = readRecipients(body, { account, channel });
      const finding = { account, channel, named, nowMs, requestId: once.requestId };
      const stored = templateCall({ account, template, key, isTest, body, nowMs });
      if (isTest) return answerOf(await storeSends(transaction, stored, await findTested(transaction, finding)));
      const { found, position } = await writeRecipients(transaction, finding);
      const messagecontacts = await storeSends(transaction, stored, found);
      // Whoever is not sent to needs no way out: the answer says why.
      if (messagecontacts.some(({ accepted }) => accepted)) expectUnsubscribeLink(account, template.message);
      const { answer, kept: existing } = answerOf(messagecontacts);
      const done = { requestId: once.requestId, accountId: account.id, nowMs, position };
      return { answer: withReceipt(answer, done, ports.secret), kept: existing };
    }),
  );
}

interface TemplateCall extends Pick<StoredCall, "account" | "isTest" | "nowMs"> {
  readonly template: WantedTemplate;
  /** Key of the template. */
  readonly key: string;
  readonly body: SendBody;
}

/** Returns what a call of a template stores. Throws 422 `VALIDATION_ERROR` for attachments of a channel that carries none. */
function templateCall({ template, key, body, account, isTest, nowMs }: TemplateCall): StoredCall {
  const { mergeData = {}, extVars = {}, attachments = [] } = body;
  if (attachments.length > 0 && template.message.channel !== "email") {
    throw invalidContent([{ path: "/attachments", code: "not_allowed", message: "Only email carries attachments." }]);
  }
  const data = { ...extVars, ...mergeData };
  const want = {
    ...{ template: key, isDraft: isTest, frozen: null, event: null },
    mergeData: JSON.stringify(data),
    attachments: attachments.length === 0 ? null : JSON.stringify(attachments),
  };
  const { mdtId, aggregation, entry } = template;
  const { id, endsAt } = childMessage({ mdtId, aggregation, timezone: account.settings.timezone }, nowMs);
  return {
    ...{ account, isTest, nowMs, want },
    message: template.message,
    messageId: id,
    ...(!isTest && { child: { mdtId, endsAt }, entry: { mdtId, rules: entry, key: entryKeyOf(entry, data) } }),
  };
}
