import { childMessage } from "../../batchMessages/childMessage.ts";
import { invalidContent } from "../../messages/prepareParts.ts";
import type { SendBody } from "./schema.ts";
import type { StoredCall } from "./storeSends.ts";
import type { WantedTemplate } from "./wantedTemplate.ts";

export interface TemplateCall extends Pick<StoredCall, "account" | "isTest" | "nowMs"> {
  readonly template: WantedTemplate;
  /** Key of the template. */
  readonly key: string;
  readonly body: SendBody;
}

/** Returns what a call of a template stores. Throws 422 `VALIDATION_ERROR` for attachments of a channel that carries none. */
export function templateCall({ template, key, body, account, isTest, nowMs }: TemplateCall): StoredCall {
  const { mergeData = {}, extVars = {}, attachments = [] } = body;
  if (attachments.length > 0 && template.message.channel !== "email") {
    throw invalidContent([{ path: "/attachments", code: "not_allowed", message: "Only email carries attachments." }]);
  }
  const want = {
    ...{ template: key, isDraft: isTest, frozen: null, event: null },
    mergeData: JSON.stringify({ ...extVars, ...mergeData }),
    attachments: attachments.length === 0 ? null : JSON.stringify(attachments),
  };
  const { mdtId, aggregation } = template;
  const { id, endsAt } = childMessage({ mdtId, aggregation, timezone: account.settings.timezone }, nowMs);
  return {
    ...{ account, isTest, nowMs, want },
    message: template.message,
    messageId: id,
    ...(!isTest && { child: { mdtId, endsAt } }),
  };
}
