import { trackingLimits } from "./trackingLimits.ts";

const HTTP = /^https?:\/\/[^\s/]/i;
/** Browsers drop them from addresses. */
const LINE_ENDS = /[\t\r\n]/g;

/** Returns the address of a link as a browser would open it; undefined when it leads to no page of the web or is too long. */
export function targetOf(href: string): string | undefined {
  const url = href.trim().replaceAll(LINE_ENDS, "");
  if (!HTTP.test(url) || !url.isWellFormed() || URL.parse(url) === null) return undefined;
  return Buffer.byteLength(url) <= trackingLimits.urlBytes ? url : undefined;
}

/** Adds parameters to the query of an address; one that it has already stays as it is. Nothing else of it changes. */
export function withParameters(url: string, parameters: Readonly<Record<string, string>>): string {
  const [, base = url, query = "", fragment = ""] = /^([^?#]*)(\?[^#]*)?(#[\s\S]*)?$/.exec(url) ?? [];
  const known = new URLSearchParams(query);
  const added = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (!known.has(name) && value !== "") added.append(name, value);
  }
  if (added.size === 0) return url;
  const joint = query === "" ? "?" : query.endsWith("?") || query.endsWith("&") ? "" : "&";
  const whole = `${base}${query}${joint}${added}${fragment}`;
  return Buffer.byteLength(whole) <= trackingLimits.urlBytes ? whole : url;
}
