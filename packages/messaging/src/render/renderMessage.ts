import { pointerStep } from "@headwater/kernel";
import { LiquidError } from "liquidjs";
import { messageLimits } from "../limits.ts";
import type { FilterDefaults } from "../liquid/filters.ts";
import { liquidMessage } from "../liquid/mistakes.ts";
import type { OnLiquidWarning } from "../liquid/warning.ts";
import { trackingLimits } from "../tracking/trackingLimits.ts";
import { type CachedEngine, ParsedContents } from "./parsedContents.ts";
import { type TextLink, type TextPart, toTextPart } from "./toTextPart.ts";
import { checkHtml, type RenderWarning, Warnings } from "./warnings.ts";

const GSM_BASIC = new Set(
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà",
);

/** Characters that take two places (3GPP TS 23.038). */
const GSM_EXTENDED = new Set("^{}\\[~]|€\f");

/** A message as it is rendered for a contact. */
export interface RenderRequest extends FilterDefaults {
  readonly channel: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Liquid of the parameters of tracked links, by name. */
  readonly linkParameters?: Readonly<Record<string, string>>;
  /** Prepared HTML: MJML compiled, CSS inlined. */
  readonly html?: string;
  readonly text?: string;
  readonly json?: string;
  /** Contents of includes by key. */
  readonly includes: Readonly<Record<string, string>>;
  readonly context: Readonly<Record<string, unknown>>;
  /** Link that promotional mail must hold. */
  readonly unsubscribe?: string;
}

export interface RenderedMessage {
  readonly headers: Readonly<Record<string, string>>;
  /** Bodies by media type. */
  readonly content: Readonly<Record<string, string>>;
  /** Addresses in the plain text where it was made from the HTML. */
  readonly textLinks?: readonly TextLink[];
  /** Values of the parameters of tracked links; those without a value are empty. */
  readonly linkParameters: Readonly<Record<string, string>>;
  readonly warnings: readonly RenderWarning[];
  /** Short messages that an sms takes. */
  readonly segments?: number;
}

/** A content that cannot be rendered for this contact. */
export class RenderFailure extends Error {
  readonly path: string;
  readonly line: number | undefined;
  readonly column: number | undefined;
  /** The message is one of Liquid, which may repeat values of the contact. */
  readonly holdsValues: true | undefined;
  constructor(message: string, { path, line, column, holdsValues }: FailurePath) {
    super(message);
    this.path = path;
    this.line = line;
    this.column = column;
    this.holdsValues = holdsValues;
  }
}

interface FailurePath {
  readonly path: string;
  readonly line?: number;
  readonly column?: number;
  readonly holdsValues?: true;
}

const CONTENT = "/message/content";
const EMAIL = /^[^\s@<>"]{1,64}@[^\s@<>"]{1,255}$/;

/** Engine of a render, with what is called for values that are left out. */
interface Rendering {
  readonly engine: CachedEngine;
  readonly onWarning?: OnLiquidWarning;
}

/**
 * Renders one message for one contact. @throws RenderFailure with the path of the part and the place of the mistake.
 * @param parsed what was parsed before.
 */
export function renderMessage(request: RenderRequest, parsed = new ParsedContents()): RenderedMessage {
  const { channel, html, text, json } = request;
  const warnings = new Warnings();
  const onWarning: OnLiquidWarning = ({ code, message }) => warnings.add(code, message);
  const plain: Rendering = { engine: parsed.engine({ ...request, escapes: false }), onWarning };
  const headers = renderHeaders(request, plain);
  const content: Record<string, string> = {};
  let created: TextPart | undefined;
  if (html !== undefined) {
    const escaping = { engine: parsed.engine({ ...request, escapes: true }), onWarning };
    const rendered = renderPart(escaping, html, request.context, `${CONTENT}/text~1html`);
    if (rendered.trim() === "")
      throw new RenderFailure("The content renders to nothing.", { path: `${CONTENT}/text~1html` });
    checkHtml(rendered, request.unsubscribe, warnings);
    content["text/html"] = rendered;
    if (text === undefined) created = toTextPart(rendered);
    if (created !== undefined) content["text/plain"] = created.text;
  }
  if (text !== undefined) content["text/plain"] = renderPart(plain, text, request.context, `${CONTENT}/text~1plain`);
  if (json !== undefined) content["application/json"] = renderJson(plain, json, request);
  const sms = channel === "sms" ? content["text/plain"] : undefined;
  const linkParameters = renderLinkParameters(request, plain.engine);
  return {
    headers,
    content,
    linkParameters,
    warnings: warnings.all,
    ...(created !== undefined && { textLinks: created.links }),
    ...(sms !== undefined && { segments: smsSegments(sms) }),
  };
}

/** A parameter whose value is missing, or longer than any address, is left out: a link leads to its target without it. */
function renderLinkParameters({ linkParameters = {}, context }: RenderRequest, engine: CachedEngine) {
  const rendered = Object.entries(linkParameters).map(([name, text]) => {
    const path = `/messaging/linkParameters/${name}`;
    const value = oneLine(renderPart({ engine }, text, context, path));
    return [name, value.length <= trackingLimits.urlBytes ? value : ""] as const;
  });
  return Object.fromEntries(rendered);
}

function renderHeaders({ headers, context, channel }: RenderRequest, rendering: Rendering): Record<string, string> {
  const rendered = Object.entries(headers).map(([name, text]) => {
    const path = `/message/headers/${name}`;
    const value = oneLine(renderPart(rendering, text, context, path));
    if (value.length > messageLimits.headerCharacters) {
      throw new RenderFailure(`A header has at most ${messageLimits.headerCharacters} characters.`, { path });
    }
    const isAddress = channel === "email" && (name === "fromEmail" || (name === "replyEmail" && value !== ""));
    if (isAddress && !EMAIL.test(value)) throw new RenderFailure("The value renders to no email address.", { path });
    return [name, value] as const;
  });
  return Object.fromEntries(rendered);
}

/** CR, LF and their like never reach a header. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
}

function renderJson(rendering: Rendering, json: string, { context }: RenderRequest): string {
  const path = `${CONTENT}/application~1json`;
  const rendered = renderPart(rendering, json, context, path);
  try {
    JSON.parse(rendered);
    return rendered;
  } catch {
    throw new RenderFailure("The content renders to no JSON.", { path });
  }
}

function renderPart(rendering: Rendering, text: string, context: object, path: string): string {
  const rendered = run(rendering, text, context, path);
  if (Buffer.byteLength(rendered) <= messageLimits.renderedBytes) return rendered;
  throw new RenderFailure(`The content renders to more than ${messageLimits.renderedBytes} bytes.`, { path });
}

function run({ engine, onWarning }: Rendering, text: string, context: object, path: string): string {
  try {
    return engine.render(text, context, onWarning);
  } catch (error) {
    throw failureOf(error, path);
  }
}

/** Returns the failure at the path of its mistake: in the part, or in the include that the part names, directly or by another one. */
function failureOf(error: unknown, path: string): RenderFailure {
  const token = LiquidError.is(error) ? error.token : undefined;
  const [line, column] = token?.getPosition() ?? [];
  const lineAndColumn = { ...(line !== undefined && { line }), ...(column !== undefined && { column }) };
  const position = { ...lineAndColumn, holdsValues: true } as const;
  const include = token?.file;
  const message = liquidMessage(error);
  if (include === undefined) return new RenderFailure(message, { path, ...position });
  const text = `In the include ${JSON.stringify(include)}: ${message}`;
  return new RenderFailure(text, { path: `/includes/${pointerStep(include)}/content`, ...position });
}

/** Returns in how many short messages a text goes out: 160 or 153 characters of GSM-7 each, else 70 or 67 of UCS-2. */
function smsSegments(text: string): number {
  const characters = [...text];
  const isGsm = characters.every((one) => GSM_BASIC.has(one) || GSM_EXTENDED.has(one));
  const lengths = characters.map((one) => (isGsm ? (GSM_EXTENDED.has(one) ? 2 : 1) : one.length));
  const [single, part] = isGsm ? [160, 153] : [70, 67];
  if (lengths.reduce((sum, length) => sum + length, 0) <= single) return 1;
  let segments = 1;
  let used = 0;
  for (const length of lengths) {
    // A character of two places is never cut in two.
    if (used + length > part) {
      segments += 1;
      used = 0;
    }
    used += length;
  }
  return segments;
}
