import type { Session } from "@headwater/postgres/connection/session";
import { z } from "zod";
import { readFrozenMessages } from "../../batchMessages/frozenMessages.ts";
import { freezeTemplate } from "../../frozen/freezeTemplate.ts";
import { type FrozenMessage, readFrozenMessage } from "../../frozen/frozenMessage.ts";
import { includesOf } from "../../frozen/templateContent.ts";
import { readIncludeContents } from "../../includes/includeUses.ts";
import type { StoredSend } from "../../sends/sendRow.ts";
import { readWants, type SendWant } from "../../sends/wants.ts";
import { readTemplate } from "../../templates/templates.ts";

const named = z.record(z.string(), z.unknown());

/** Message of a send with what its call added. */
export interface ViewedMessage {
  readonly message: FrozenMessage;
  readonly mergeData: Readonly<Record<string, unknown>>;
  /** The activity that it was sent for. */
  readonly event?: Readonly<Record<string, unknown>>;
}

/** Reads what a send said. Undefined once it is no longer kept: calls of templates are for as long as they have sends that are open. */
export async function readViewedMessage(session: Session, send: StoredSend): Promise<ViewedMessage | undefined> {
  if (send.kind === "b") {
    const [row] = await readFrozenMessages(session, send.account, [send.message]);
    return row === undefined ? undefined : { message: variantOf(readFrozenMessage(row.frozen), send), mergeData: {} };
  }
  const [want] =
    send.want === null ? [] : await readWants(session, send.account, { ids: [send.want], attachmentBytesMax: 0 });
  if (want === undefined) return undefined;
  const frozen = want.frozen === null ? await templateOf(session, want) : readFrozenMessage(want.frozen);
  const message = frozen && variantOf(frozen, send);
  const event = want.event === null ? {} : { event: named.parse(JSON.parse(want.event)) };
  return message && { message, mergeData: named.parse(JSON.parse(want.mergeData)), ...event };
}

function variantOf(frozen: FrozenMessage, { variant }: StoredSend): FrozenMessage {
  const chosen = frozen.experiment?.variants.find(({ name }) => name === variant);
  return chosen === undefined ? frozen : { ...frozen, content: chosen.content };
}

async function templateOf(session: Session, want: SendWant): Promise<FrozenMessage | undefined> {
  const template = want.template === null ? undefined : await readTemplate(session, want.account, want.template);
  const content = want.isDraft ? (template?.draft ?? template?.published) : template?.published;
  if (template === undefined || content === undefined || content === null) return undefined;
  const contents = await readIncludeContents(session, want.account, includesOf(content));
  return freezeTemplate(template, content, Object.fromEntries(contents.map((one) => [one.key, one.content])));
}
