import { type Sliced, withoutTrailing } from "@headwater/kernel";
import type { TextLink } from "../render/toTextPart.ts";
import { trackingLimits } from "./trackingLimits.ts";
import type { SendKey, SendNames, TokenKind, TrackedLink, TrackedSend } from "./trackingToken.ts";
import type { TrackingTokens } from "./trackingTokens.ts";
import { walkHtml } from "./walkHtml.ts";

const HTTP = /^https?:\/\/[^\s/]/i;

/** Browsers drop them from addresses. */
const LINE_ENDS = /[\t\r\n]/g;

/** A send with the means to make its tokens. */
export interface SendTracking {
  readonly send: TrackedSend;
  readonly tokens: TrackingTokens;
  /** Base of all links: `https://t.example.com`. */
  readonly trackingUrl: string;
  /** Milliseconds since 1970 at which the message is composed. */
  readonly nowMs: number;
}

/** Links that contents name: `{{ links.unsubscribe }}`. */
export interface MessageLinks {
  readonly unsubscribe: string;
  readonly preferences: string;
  readonly view: string;
}

/** Returns the links that a content may hold. They are put into the context before it is rendered. */
export function messageLinks(tracking: SendTracking): MessageLinks {
  const link = createLinks(tracking);
  return { unsubscribe: link("unsubscribe"), preferences: link("preferences"), view: link("view") };
}

export interface MessageToTrack extends SendTracking {
  /** Rendered, with `messageLinks` in it. */
  readonly html?: string | undefined;
  readonly text?: string | undefined;
  /** Addresses in the text where it was made from the HTML; all others are found in it. */
  readonly textLinks?: readonly TextLink[] | undefined;
  readonly trackLinks: boolean;
  readonly trackOpens: boolean;
  /** Rendered parameters of the account that are added to tracked links. */
  readonly linkParameters?: Readonly<Record<string, string>> | undefined;
  /** Pattern of the transport with `{token}` before the @. */
  readonly returnPath?: string | undefined;
}

export interface TrackedMessage {
  readonly html: string | undefined;
  readonly text: string | undefined;
  /** Links that lead over the tracker, in order of their positions. */
  readonly links: readonly TrackedLink[];
  readonly listUnsubscribe: { readonly url: string; readonly mailto?: string };
  /** Envelope sender to which reports come back. */
  readonly returnPath: string | undefined;
}

/**
 * Lets the links of a rendered message lead over the tracker and adds the pixel. All other bytes stay as they are. A message may be large,
 * so the work runs in slices.
 */
export function* trackMessage(message: MessageToTrack): Sliced<TrackedMessage> {
  const { html, text, textLinks, returnPath } = message;
  const positions = new LinkPositions(message);
  const tracked = {
    html: html === undefined ? undefined : yield* trackHtml(html, message, positions),
    text: text === undefined ? undefined : yield* trackText(text, { links: textLinks ?? [], places: positions }),
  };
  const mailto = returnPath && addressFor(returnPath, message, "unsubscribe");
  return {
    ...tracked,
    links: positions.all,
    listUnsubscribe: { url: createLinks(message)("unsubscribe"), ...(mailto && { mailto }) },
    returnPath: returnPath && addressFor(returnPath, message, "return"),
  };
}

const pathOfKind: Readonly<Record<Exclude<TokenKind, "return">, string>> = {
  open: "o",
  click: "c",
  hidden: "c",
  unsubscribe: "u",
  preferences: "u",
  view: "v",
};

/** Returns the maker of a send's links. */
function createLinks({ send, tokens, trackingUrl, nowMs }: SendTracking) {
  const base = withoutTrailing(trackingUrl, "/");
  const key = keyOf(send);
  const names = namesOf(send, nowMs);
  return (kind: Exclude<TokenKind, "return">, link?: TrackedLink): string =>
    `${base}/t/${pathOfKind[kind]}/${tokens.seal({ kind, ...key, names, link })}`;
}

function keyOf({ account, message, type, contact, n }: TrackedSend): SendKey {
  return { account: account.number, contact: contact.number, message, type, n };
}

function namesOf({ account, contact, channel, variant }: TrackedSend, nowMs: number): SendNames {
  return { accountId: account.id, cID: contact.cID, channel, variant, composedAt: Math.floor(nowMs / 1_000) };
}

/** A token in an address has no names, for 64 characters are all that may stand before the @. */
function addressFor(pattern: string, { send, tokens }: SendTracking, kind: "return" | "unsubscribe"): string {
  return pattern.replace("{token}", () => tokens.seal({ kind, ...keyOf(send) }));
}

/** Numbers the tracked links of a message and makes their addresses. */
class LinkPositions {
  readonly all: TrackedLink[] = [];
  readonly #byUrl = new Map<string, string>();
  readonly #left = new Set<string>();
  readonly #message: MessageToTrack;
  readonly #base: string;
  readonly #link: ReturnType<typeof createLinks>;
  readonly #parameters: readonly EncodedParameter[];
  #charactersLeft: number = trackingLimits.addedCharacters;

  constructor(message: MessageToTrack) {
    this.#message = message;
    this.#parameters = encodeParameters(message.linkParameters ?? {});
    this.#base = `${withoutTrailing(message.trackingUrl, "/")}/t/`;
    this.#link = createLinks(message);
  }

  /** Returns the tracked address of a link, or undefined for one that is left as it is. */
  add(href: string, name?: string): string | undefined {
    const target = this.#message.trackLinks ? targetOf(href) : undefined;
    if (target === undefined || target.startsWith(this.#base) || this.all.length >= trackingLimits.links)
      return undefined;
    const url = withParameters(target, this.#parameters);
    const shortName = name?.toWellFormed().slice(0, trackingLimits.linkNameCharacters).toWellFormed();
    const link = { place: this.all.length + 1, url, ...(shortName !== undefined && { name: shortName }) };
    const tracked = this.#fitting(this.#link("click", link));
    if (tracked === undefined) return undefined;
    this.all.push(link);
    if (!this.#byUrl.has(target)) this.#byUrl.set(target, tracked);
    return tracked;
  }

  /** Leaves a link alone wherever else the message has it, unless it is tracked elsewhere. */
  leave(href: string): void {
    const target = targetOf(href);
    if (target !== undefined) this.#left.add(target);
  }

  /** Returns the tracked address of a link; one that the message has already keeps its place, or is left alone as there. */
  again(href: string): string | undefined {
    const target = targetOf(href);
    if (target === undefined) return undefined;
    const known = this.#byUrl.get(target);
    if (known !== undefined) return this.#fitting(known);
    return this.#left.has(target) ? undefined : this.add(href);
  }

  /** Returns an address, or undefined where the message has no space left for it. */
  #fitting(tracked: string): string | undefined {
    if (tracked.length > this.#charactersLeft) {
      this.#charactersLeft = 0;
      return undefined;
    }
    this.#charactersLeft -= tracked.length;
    return tracked;
  }
}

function* trackHtml(html: string, message: MessageToTrack, places: LinkPositions): Sliced<string> {
  const { links, bodyEnd } = yield* walkHtml(html, message.trackLinks ? trackingLimits.links : 0);
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end, href, name, isLeft } of links) {
    yield;
    if (isLeft) places.leave(href);
    const tracked = isLeft ? undefined : places.add(href, name);
    if (tracked === undefined) continue;
    pieces.push(html.slice(at, start), tracked);
    at = end;
  }
  const insertAt = Math.max(at, bodyEnd);
  return [...pieces, html.slice(at, insertAt), endOfBody(message), html.slice(insertAt)].join("");
}

/** The pixel, and a link that no person sees: whoever follows it is a machine. */
function endOfBody(message: MessageToTrack): string {
  const link = createLinks(message);
  const hidden = `<a href="${link("hidden")}" style="display:none" tabindex="-1" aria-hidden="true" rel="nofollow"></a>`;
  const pixel = `<img src="${link("open")}" width="1" height="1" alt="" style="display:block;border:0">`;
  return `${message.trackLinks ? hidden : ""}${message.trackOpens ? pixel : ""}`;
}

/** An address in a text, with the brackets that open and close in it. */
const TEXT_LINK = /https?:\/\/(?:[^\s<>"[\]{}]|\[[^\s<>"[\]{}]{0,200}\]|\{[^\s<>"[\]{}]{0,200}\})+/gi;
const CLOSING = ".,;:!?'";

interface TextTracking {
  readonly links: readonly TextLink[];
  readonly places: LinkPositions;
}

function* trackText(text: string, { links, places }: TextTracking): Sliced<string> {
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end } of links) {
    const address = text.slice(start, end);
    pieces.push(yield* trackFound(text.slice(at, start), places), places.again(address) ?? address);
    at = end;
  }
  return [...pieces, yield* trackFound(text.slice(at), places)].join("");
}

function* trackFound(text: string, places: LinkPositions): Sliced<string> {
  const pieces: string[] = [];
  let at = 0;
  for (const { 0: found, index } of text.matchAll(TEXT_LINK)) {
    yield;
    const url = found.slice(0, endOfUrl(found));
    pieces.push(text.slice(at, index), places.again(url) ?? url);
    at = index + url.length;
  }
  return [...pieces, text.slice(at)].join("");
}

/** An address ends before what closes a sentence, and before a bracket that was opened in front of it. */
function endOfUrl(found: string): number {
  let open = 0;
  for (const one of found) open += one === "(" ? 1 : one === ")" ? -1 : 0;
  let end = found.length;
  for (; end > 0; end -= 1) {
    const last = found[end - 1] ?? "";
    if (last === ")" && open < 0) open += 1;
    else if (!CLOSING.includes(last)) return end;
  }
  return end;
}

/** Returns the address of a link as a browser would open it; undefined when it leads to no page of the web or is too long. */
export function targetOf(href: string): string | undefined {
  const url = href.trim().replaceAll(LINE_ENDS, "");
  if (!HTTP.test(url) || !url.isWellFormed() || URL.parse(url) === null) return undefined;
  return Buffer.byteLength(url) <= trackingLimits.urlBytes ? url : undefined;
}

/** A parameter of tracked links, as it stands in a query. */
interface EncodedParameter {
  readonly name: string;
  readonly text: string;
}

/** Encodes the parameters of tracked links; those without a value are left out. */
function encodeParameters(parameters: Readonly<Record<string, string>>): EncodedParameter[] {
  const input = Object.entries(parameters).filter(([, value]) => value !== "");
  return input.map(([name, value]) => ({ name, text: new URLSearchParams([[name, value]]).toString() }));
}

/** Adds parameters to the query of an address; one that it has already stays as it is. Nothing else of it changes. */
function withParameters(url: string, parameters: readonly EncodedParameter[]): string {
  if (parameters.length === 0) return url;
  const [, base = url, query = "", fragment = ""] = /^([^?#]*)(\?[^#]*)?(#[\s\S]*)?$/.exec(url) ?? [];
  const known = new URLSearchParams(query);
  let added = "";
  for (const { name, text } of parameters) {
    if (known.has(name)) continue;
    added += added === "" ? text : `&${text}`;
    if (added.length > trackingLimits.urlBytes) return url;
  }
  if (added === "") return url;
  const joint = query === "" ? "?" : query.endsWith("?") || query.endsWith("&") ? "" : "&";
  const whole = `${base}${query}${joint}${added}${fragment}`;
  return Buffer.byteLength(whole) <= trackingLimits.urlBytes ? whole : url;
}
