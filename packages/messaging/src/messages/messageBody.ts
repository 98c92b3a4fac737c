import { storableText } from "@headwater/api/paging/query";
import { messageData } from "@headwater/contracts";
import type { BodyWarning } from "@headwater/http";
import type { ErrorDetail } from "@headwater/kernel";
import { z } from "zod";
import { messageLimits } from "../limits.ts";
import type { ContentPart } from "../prepare/prepareContent.ts";

/** Limit of a body that holds a message. */
export const MESSAGE_BODY_BYTES_MAX = 6 * 1024 * 1024;

const header = storableText(messageLimits.headerCharacters).refine((text) => !/\p{Cc}/u.test(text), {
  message: "has line breaks or other control characters",
  params: { code: "bad_value" },
});
const emailHeader = header.describe("Required for email.");
const content = storableText(messageLimits.contentBytes).min(1);

/** The content of a message, by channel. */
export const messageShape = z.object({
  headers: z
    .object({
      ...{ subject: emailHeader, fromEmail: emailHeader, fromDesc: emailHeader },
      replyEmail: header.nullable().describe("Required for batch messages by email."),
      from: header.describe("Not for email."),
    })
    .partial()
    .optional(),
  content: z
    .object({ "text/html": content, "text/mjml": content, "text/plain": content, "application/json": content })
    .partial(),
  data: messageData.describe("Records that are loaded for the contact, as Liquid reads them under `data`.").optional(),
});
export type Message = z.output<typeof messageShape>;

/** Address that gets each email as well. */
export const bcc = z.email({ pattern: z.regexes.html5Email }).max(320).nullable();

type MediaType = keyof Message["content"];

/** Parts of a channel's messages: headers and contents that are needed, and those that may be there. */
interface ChannelParts {
  readonly headers: readonly (keyof NonNullable<Message["headers"]>)[];
  readonly needed: readonly (keyof NonNullable<Message["headers"]>)[];
  /** One of them is needed. */
  readonly content: readonly MediaType[];
  readonly beside: readonly MediaType[];
}

const NEEDED = ["subject", "fromEmail", "fromDesc"] as const;
const EMAIL_PARTS: ChannelParts = {
  headers: [...NEEDED, "replyEmail"],
  needed: NEEDED,
  content: ["text/html", "text/mjml"],
  beside: ["text/plain"],
};
const SMS_PARTS: ChannelParts = { headers: ["from"], needed: [], content: ["text/plain"], beside: [] };
const OTHER_PARTS: ChannelParts = { headers: ["from"], needed: [], content: ["application/json"], beside: [] };

function partsOf(channel: string): ChannelParts {
  if (channel === "email") return EMAIL_PARTS;
  return channel === "sms" ? SMS_PARTS : OTHER_PARTS;
}

/** A body that may name the channel of its message: a change of a message need not. */
interface ChannelMessage {
  readonly channel?: string | undefined;
  readonly message?: Message | null | undefined;
}

/** Warns of headers and contents that messages of the channel do not have. */
export function messageWarnings({ channel, message }: ChannelMessage): BodyWarning[] {
  if (channel === undefined || message === undefined || message === null) return [];
  const { headers, content: contents, beside } = partsOf(channel);
  const known: ReadonlySet<string> = new Set([...headers, ...contents, ...beside]);
  const input = [
    ...namesIn(message.headers).map((name) => ({ name, path: `${AT}/headers/${name}` })),
    ...namesIn(message.content).map((name) => ({ name, path: pathOf(name) })),
  ];
  return input
    .filter(({ name }) => !known.has(name))
    .map(({ name, path }) => {
      const text = `Messages of the channel ${JSON.stringify(channel)} have no \`${name}\`: it was ignored.`;
      return { path, code: "unknown_member", message: text };
    });
}

/** Returns the names of the members that say something. */
function namesIn(members: object = {}): string[] {
  return Object.entries(members).flatMap(([name, value]) => (value === undefined || value === null ? [] : [name]));
}

/** Members of a message that its channel has; of others `messageWarnings` warns. */
export interface ReadMessage {
  readonly message: Message;
  /** Every text of it that holds Liquid. */
  readonly parts: readonly ContentPart[];
  readonly problems: readonly ErrorDetail[];
}

const AT = "/message";
const EMAIL = /^[^\s@<>"]{1,64}@[^\s@<>"]{1,255}$/;

/** Header of emails that templates may leave out and batch messages may not. */
export const BATCH_HEADER = "replyEmail";

/** Reads a message of a channel. @param alsoNeeded header that is needed besides those of the channel, where the channel has it. */
export function readMessage(channel: string, provided: Message, alsoNeeded?: typeof BATCH_HEADER): ReadMessage {
  const { headers: names, needed: always, content: contents, beside } = partsOf(channel);
  const needed = names.filter((name) => always.includes(name) || name === alsoNeeded);
  const headers = names.flatMap((name) => {
    const text = provided.headers?.[name];
    return typeof text === "string" ? [{ name, text, path: `${AT}/headers/${name}`, kind: "plain" as const }] : [];
  });
  const media = [...contents, ...beside].flatMap((type) => {
    const text = provided.content[type];
    return text === undefined ? [] : [{ name: type, text, path: pathOf(type), kind: kindOf(type) }];
  });
  const missing = needed.filter((name) => (provided.headers?.[name] ?? "").trim() === "");
  const bodies = contents.filter((type) => provided.content[type] !== undefined);
  const [first = "text/plain", second] = contents;
  const problems = [
    ...missing.map((name) => problem(`${AT}/headers/${name}`, "required", `\`headers.${name}\` is required.`)),
    ...headers.flatMap(({ name, text, path }) => wrongAddress(name, text, path)),
    ...(bodies.length === 0 ? [problem(pathOf(first), "required", `\`content["${first}"]\` is required.`)] : []),
    ...(bodies.length > 1 && second !== undefined
      ? [problem(pathOf(second), "not_allowed", `\`${first}\` and \`${second}\` cannot be given together.`)]
      : []),
  ];
  const asMembers = (all: readonly { readonly name: string; readonly text: string }[]) =>
    Object.fromEntries(all.map(({ name, text }) => [name, text]));
  const message = {
    ...(headers.length > 0 && { headers: asMembers(headers) }),
    content: asMembers(media),
    ...(provided.data !== undefined && provided.data.length > 0 && { data: provided.data }),
  };
  return { message, parts: [...headers, ...media].map(({ path, text, kind }) => ({ path, text, kind })), problems };
}

function kindOf(type: MediaType): ContentPart["kind"] {
  if (type === "text/html") return "html";
  return type === "text/mjml" ? "mjml" : "plain";
}

function pathOf(type: string): string {
  return `${AT}/content/${type.replace("/", "~1")}`;
}

/** Headers with Liquid are checked when they are rendered. */
function wrongAddress(name: string, text: string, path: string): ErrorDetail[] {
  const isAddress = name === "fromEmail" || (name === "replyEmail" && text !== "");
  if (!isAddress || text === "" || /\{[{%]/.test(text) || EMAIL.test(text)) return [];
  return [problem(path, "bad_value", `\`headers.${name}\` is not an email address.`)];
}

function problem(path: string, code: string, message: string): ErrorDetail {
  return { path, code, message };
}
