import { readExperimentState } from "@headwater/contracts";
import { chooseAutomatedVariant } from "@headwater/domain/experiment";
import { freezeTemplate, includesOf, mailAttachments, readFrozenMessage } from "@headwater/messaging";
import { readIncludeContents } from "@headwater/stores/includes";
import type { Session } from "@headwater/stores/postgres";
import { readWants, type SendWant, type StoredSend } from "@headwater/stores/sends";
import { readTemplate, readTemplateExperiment, type StoredTemplate } from "@headwater/stores/templates";
import { z } from "zod";
import { wantedOf } from "./batchSource.ts";
import type { MessageSource, WantedMessage } from "./wantedMessage.ts";

const named = z.record(z.string(), z.unknown());

/** Finds what a want says to one of its sends; undefined when the template is gone. */
type WantedBy = (send: StoredSend) => WantedMessage | undefined;

/**
 * Creates the source of sends that a call wants: of a template, which is read with its includes as they are now, or a test of a batch
 * message, which is as it was at the call.
 */
export function createTemplateSource(session: Session): MessageSource {
  return {
    async load(account, sends) {
      const ids = [...new Set(sends.flatMap(({ want }) => (want === null ? [] : [want])))];
      const wants = await readWants(session, account, ids);
      const messages = await Promise.all(wants.map(async (want) => [want.id, await wantedBy(session, want)] as const));
      const byWant = new Map(messages);
      return new Map(
        sends.flatMap((send) => {
          const wanted = byWant.get(send.want ?? "")?.(send);
          return wanted === undefined ? [] : [[send, wanted] as const];
        }),
      );
    },
  };
}

async function wantedBy(session: Session, want: SendWant): Promise<WantedBy | undefined> {
  if (want.frozen !== null) {
    const frozen = readFrozenMessage(want.frozen);
    const mergeData = named.parse(JSON.parse(want.mergeData));
    return (send) => ({ ...wantedOf(send, frozen), mergeData });
  }
  return want.template === null ? undefined : messageOf(session, want, want.template);
}

async function messageOf(session: Session, want: SendWant, key: string): Promise<WantedBy | undefined> {
  const template = await readTemplate(session, want.account, key);
  const content = want.isDraft ? (template?.draft ?? template?.published) : template?.published;
  if (template === undefined || content === undefined || content === null) return undefined;
  const contents = await readIncludeContents(session, want.account, includesOf(content));
  const includes = Object.fromEntries(contents.map(({ key: include, content: text }) => [include, text]));
  const { experiment, ...message } = freezeTemplate(template, content, includes);
  const learnt = experiment === undefined || want.isDraft ? {} : await readLearnt(session, template);
  const wanted = {
    mergeData: named.parse(JSON.parse(want.mergeData)),
    isHeldOut: false,
    attachments: want.attachments === null ? [] : mailAttachments.parse(JSON.parse(want.attachments)),
    ...(want.event !== null && { event: named.parse(JSON.parse(want.event)) }),
  };
  return ({ message: id, contact, variant: known }) => {
    // Another template may have got the key of one that was deleted; ids of messages begin with the template's own.
    if (!id.startsWith(`${template.mdtId}:`)) return undefined;
    // A contact stands at one place for all days of the template.
    const placed = { message: template.mdtId, contact };
    const chosen = experiment?.variants.find(({ name }) => name === known);
    const variant = chosen ?? (experiment && chooseAutomatedVariant(experiment, learnt, placed));
    const content = variant?.content ?? message.content;
    return { ...wanted, message: { ...message, content }, variant: variant?.name ?? null };
  };
}

async function readLearnt(session: Session, template: Pick<StoredTemplate, "account" | "mdtId">) {
  const stored = await readTemplateExperiment(session, template);
  return readExperimentState(stored?.learnt ?? null);
}
