import { type ExperimentState, readExperimentState } from "@headwater/contracts";
import type { Session } from "@headwater/postgres/connection/session";
import { z } from "zod";
import { mailAttachments } from "../../compose/attachments.ts";
import { chooseAutomatedVariant } from "../../experiments/chooseVariant.ts";
import { isInHoldout } from "../../experiments/stableShare.ts";
import { freezeTemplate } from "../../frozen/freezeTemplate.ts";
import { type FrozenMessage, readFrozenMessage } from "../../frozen/frozenMessage.ts";
import { includesOf } from "../../frozen/templateContent.ts";
import { readIncludeContents } from "../../includes/includeUses.ts";
import type { StoredSend } from "../../sends/sendRow.ts";
import { type ReadWant, readWants } from "../../sends/wants.ts";
import { readTemplateExperiment } from "../../templates/templateExperiments.ts";
import { readTemplate, type StoredTemplate } from "../../templates/templates.ts";
import { ATTACHMENTS_LOADED_MAX } from "../window/messageMemory.ts";
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
      const wants = await readWants(session, account, { ids, attachmentBytesMax: ATTACHMENTS_LOADED_MAX });
      const read = createTemplateReader(session, account);
      const messages = await Promise.all(wants.map(async (want) => [want.id, await wantedBy(want, read)] as const));
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

/** A template's message as it is now. */
interface ReadTemplate {
  readonly template: StoredTemplate;
  readonly frozen: FrozenMessage;
  readonly learnt: ExperimentState;
}

/** Reads a template; undefined when it is gone. */
type TemplateReader = (want: { readonly key: string; readonly isDraft: boolean }) => Promise<ReadTemplate | undefined>;

/** Creates a reader for one window, which reads each template once, whatever number of calls want it. */
function createTemplateReader(session: Session, account: number): TemplateReader {
  const known = new Map<string, ReturnType<TemplateReader>>();
  return ({ key, isDraft }) => {
    const name = `${isDraft} ${key}`;
    const reading = known.get(name) ?? readMessage(session, { account, key, isDraft });
    known.set(name, reading);
    return reading;
  };
}

async function readMessage(
  session: Session,
  { account, key, isDraft }: { readonly account: number; readonly key: string; readonly isDraft: boolean },
): Promise<ReadTemplate | undefined> {
  const template = await readTemplate(session, account, key);
  const content = isDraft ? (template?.draft ?? template?.published) : template?.published;
  if (template === undefined || content === undefined || content === null) return undefined;
  const contents = await readIncludeContents(session, account, includesOf(content));
  const includes = Object.fromEntries(contents.map(({ key: include, content: text }) => [include, text]));
  const frozen = freezeTemplate(template, content, includes);
  const learnt = frozen.experiment === undefined || isDraft ? {} : await readLearnt(session, template);
  return { template, frozen, learnt };
}

async function wantedBy(want: ReadWant, read: TemplateReader): Promise<WantedBy | undefined> {
  if (want.frozen !== null) {
    const frozen = readFrozenMessage(want.frozen);
    const mergeData = named.parse(JSON.parse(want.mergeData));
    return (send) => ({ ...wantedOf(send, frozen), mergeData });
  }
  const found = want.template === null ? undefined : await read({ key: want.template, isDraft: want.isDraft });
  return found && messageOf(want, found);
}

function messageOf(want: ReadWant, { template, frozen, learnt }: ReadTemplate): WantedBy {
  const { experiment, ...message } = frozen;
  const wanted = {
    mergeData: named.parse(JSON.parse(want.mergeData)),
    attachments: want.attachments === null ? [] : mailAttachments.parse(JSON.parse(want.attachments)),
    isTooMuch: want.isTooMuch,
    ...(want.event !== null && { event: named.parse(JSON.parse(want.event)) }),
  };
  return ({ message: id, contact, kind, variant: known }) => {
    // Another template may have got the key of one that was deleted; ids of messages begin with the template's own.
    if (!id.startsWith(`${template.mdtId}:`)) return undefined;
    // A contact stands at one position for all days of the template.
    const located = { message: template.mdtId, contact };
    const chosen = experiment?.variants.find(({ name }) => name === known);
    const variant = chosen ?? (experiment && chooseAutomatedVariant(experiment, learnt, located));
    const content = variant?.content ?? message.content;
    // An orchestration holds out contacts itself, and tests go to everybody.
    const isHeldOut = kind === "a" && isInHoldout(message.holdoutPercent, located);
    return { ...wanted, message: { ...message, content }, variant: variant?.name ?? null, isHeldOut };
  };
}

async function readLearnt(session: Session, template: Pick<StoredTemplate, "account" | "mdtId">) {
  const stored = await readTemplateExperiment(session, template);
  return readExperimentState(stored?.learnt ?? null);
}
