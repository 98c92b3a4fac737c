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

/** A parameter of tracked links, as it stands in a query. */
export interface EncodedParameter {
  readonly name: string;
  readonly text: string;
}

/** Encodes the parameters of tracked links; those without a value are left out. */
export function encodeParameters(parameters: Readonly<Record<string, string>>): EncodedParameter[] {
  const given = Object.entries(parameters).filter(([, value]) => value !== "");
  return given.map(([name, value]) => ({ name, text: new URLSearchParams([[name, value]]).toString() }));
}

/** Adds parameters to the query of an address; one that it has already stays as it is. Nothing else of it changes. */
export function withParameters(url: string, parameters: readonly EncodedParameter[]): string {
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
