import { Parser } from "htmlparser2";
import { messageLimits } from "../limits.ts";

export const renderWarningCodes = [
  "missing_value",
  "not_a_date",
  "unknown_zone",
  "object_in_text",
  "unknown_link",
  "clipped",
  "no_unsubscribe_link",
] as const;

/** Something about a rendered message that its author may want to mend. */
export interface RenderWarning {
  readonly code: (typeof renderWarningCodes)[number];
  readonly message: string;
  /** Number of times. */
  readonly count: number;
}

/** Elements whose text nobody sees. */
const UNSEEN = new Set(["head", "script", "style", "template", "title"]);
/** Links to a page, or to an anchor in the mail. */
const PAGE_LINK = /^(?:https?:\/\/[^\s/]|#)/i;
const SCHEME = /^([a-z][a-z0-9+.-]{1,30}):\S/i;
/** Schemes of links that lead nowhere from a mail; those of pages need a host. */
const NO_APP: ReadonlySet<string> = new Set([
  "http",
  "https",
  "javascript",
  "vbscript",
  "data",
  "file",
  "blob",
  "about",
]);

/** Returns whether a link leads to a page, to an anchor, or to an app, as `mailto:`, `sms:` and `whatsapp:` do. */
function leadsSomewhere(link: string): boolean {
  if (PAGE_LINK.test(link)) return true;
  const scheme = SCHEME.exec(link)?.[1]?.toLowerCase();
  return scheme !== undefined && !NO_APP.has(scheme);
}

/** Collects the warnings of one render. Each code has a limit of its own, so that none hides another. */
export class Warnings {
  readonly #found = new Map<string, { code: RenderWarning["code"]; message: string; count: number }>();
  readonly #shown = new Map<RenderWarning["code"], number>();

  add(code: RenderWarning["code"], message: string): void {
    const known = this.#found.get(message);
    if (known !== undefined) {
      known.count += 1;
      return;
    }
    const view = this.#shown.get(code) ?? 0;
    if (view >= messageLimits.warningsShown) return;
    this.#shown.set(code, view + 1);
    this.#found.set(message, { code, message, count: 1 });
  }

  get all(): readonly RenderWarning[] {
    return [...this.#found.values()];
  }
}

/**
 * Notes what is wrong with rendered HTML. @param unsubscribe the link that promotional mail must hold, if it must: mailboxes make one of its
 * address in a text, too.
 */
export function checkHtml(html: string, unsubscribe: string | undefined, warnings: Warnings): void {
  const links: string[] = [];
  const unseen: string[] = [];
  let isVisible = false;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (UNSEEN.has(name)) unseen.push(name);
      if ((name === "a" || name === "area") && attributes.href !== undefined) links.push(attributes.href.trim());
    },
    ontext(text) {
      isVisible ||= unseen.length === 0 && unsubscribe !== undefined && text.includes(unsubscribe);
    },
    onclosetag(name) {
      if (UNSEEN.has(name)) unseen.pop();
    },
  });
  parser.end(html);
  for (const link of links) {
    if (!leadsSomewhere(link))
      warnings.add("unknown_link", `A link leads nowhere: ${JSON.stringify(link.slice(0, 200))}.`);
  }
  if (Buffer.byteLength(html) > messageLimits.clippedBytes) {
    warnings.add("clipped", "The HTML is over 102 KB: some mailboxes cut it off.");
  }
  if (unsubscribe !== undefined && !isVisible && !links.some((link) => link.startsWith(unsubscribe))) {
    warnings.add("no_unsubscribe_link", "The message has no unsubscribe link: use {{ links.unsubscribe }}.");
  }
}
