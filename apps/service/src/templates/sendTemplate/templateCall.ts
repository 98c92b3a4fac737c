import type { Account } from "@headwater/contracts";
import type { SendBody } from "./schema.ts";
import type { StoredCall } from "./storeSends.ts";
import type { WantedTemplate } from "./wantedTemplate.ts";

export interface TemplateCall extends Pick<StoredCall, "account" | "isTest" | "nowMs"> {
  readonly template: WantedTemplate;
  /** Key of the template. */
  readonly key: string;
  readonly body: SendBody;
}

/** Returns what a call of a template stores. */
export function templateCall({ template, key, body, account, isTest, nowMs }: TemplateCall): StoredCall {
  const { mergeData = {}, extVars = {}, attachments } = body;
  const want = {
    ...{ template: key, isDraft: isTest, frozen: null },
    mergeData: JSON.stringify({ ...extVars, ...mergeData }),
    attachments: attachments === undefined || attachments.length === 0 ? null : JSON.stringify(attachments),
  };
  return {
    ...{ account, isTest, nowMs, want },
    message: template.message,
    messageId: messageIdOf(template, account, nowMs),
  };
}

/** Returns the id of a template's message of the day or hour, in the account's time zone. */
function messageIdOf({ mdtId, aggregation }: WantedTemplate, { settings }: Account, nowMs: number): string {
  const format = new Intl.DateTimeFormat("en-GB", {
    ...{
      timeZone: settings.timezone,
      hourCycle: "h23",
      year: "2-digit",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
    },
  });
  const parts = new Map(format.formatToParts(nowMs).map(({ type, value }) => [type, value]));
  const at = (...names: readonly Intl.DateTimeFormatPartTypes[]) => names.map((name) => parts.get(name) ?? "").join("");
  const period = aggregation === "daily" ? `d${at("year", "month", "day")}` : `h${at("year", "month", "day", "hour")}`;
  return `${mdtId}:${period}`;
}
