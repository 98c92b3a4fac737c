import { freezeTemplate, includesOf, mailAttachments } from "@headwater/messaging";
import { readIncludeContents } from "@headwater/stores/includes";
import type { Session } from "@headwater/stores/postgres";
import { readWants, type SendWant, type StoredSend } from "@headwater/stores/sends";
import { readTemplate } from "@headwater/stores/templates";
import { z } from "zod";
import type { MessageSource, WantedMessage } from "./wantedMessage.ts";

const mergeData = z.record(z.string(), z.unknown());

/** Creates the source of sends that a call of a template wants. Template and includes are read as they are now. */
export function createTemplateSource(session: Session): MessageSource {
  return {
    async load(account, sends) {
      const ids = [...new Set(sends.flatMap(({ want }) => (want === null ? [] : [want])))];
      const wants = await readWants(session, account, ids);
      const messages = await Promise.all(wants.map(async (want) => [want.id, await messageOf(session, want)] as const));
      const byWant = new Map(messages);
      return new Map(sends.flatMap((send) => pairOf(send, byWant)));
    },
  };
}

function pairOf(
  send: StoredSend,
  byWant: ReadonlyMap<string, WantedMessage | undefined>,
): (readonly [StoredSend, WantedMessage])[] {
  const message = byWant.get(send.want ?? "");
  return message === undefined ? [] : [[send, message]];
}

async function messageOf(session: Session, want: SendWant): Promise<WantedMessage | undefined> {
  const template = await readTemplate(session, want.account, want.template);
  const content = want.isDraft ? (template?.draft ?? template?.published) : template?.published;
  if (template === undefined || content === undefined || content === null) return undefined;
  const contents = await readIncludeContents(session, want.account, includesOf(content));
  const includes = Object.fromEntries(contents.map(({ key, content: text }) => [key, text]));
  return {
    message: freezeTemplate(template, content, includes),
    mergeData: mergeData.parse(JSON.parse(want.mergeData)),
    variant: null,
    isHeldOut: false,
    attachments: want.attachments === null ? [] : mailAttachments.parse(JSON.parse(want.attachments)),
  };
}
