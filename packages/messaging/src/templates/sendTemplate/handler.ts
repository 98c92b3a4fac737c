import { type OnceCall, runOnce } from "@headwater/api/idempotency/runOnce";
import type { WritePorts } from "@headwater/api/ports";
import { withReceipt } from "@headwater/api/receipts";
import type { Answer } from "@headwater/http";
import { readStoreClock } from "@headwater/postgres/connection/storeClock";
import { retryOnConflict } from "@headwater/postgres/connection/writeConflict";
import { findTested, writeRecipients } from "./findRecipients.ts";
import { readRecipients } from "./recipients.ts";
import type { SendBody } from "./schema.ts";
import { answerOf, storeSends } from "./storeSends.ts";
import { templateCall } from "./templateCall.ts";
import { expectUnsubscribeLink, wantedTemplate } from "./wantedTemplate.ts";

export interface SendCall {
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
export function sendTemplateTo(once: OnceCall, { key, isTest, body }: SendCall, ports: WritePorts): Promise<Answer> {
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
      const { answer, kept } = answerOf(messagecontacts);
      const done = { requestId: once.requestId, accountId: account.id, nowMs, position };
      return { answer: withReceipt(answer, done, ports.secret), kept };
    }),
  );
}
