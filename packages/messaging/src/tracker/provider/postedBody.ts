import { isDeeperThan } from "@headwater/kernel";
import type { JSONValue } from "@jmespath-community/jmespath";

/** Bytes that a provider may post at once. */
export const POSTED_BYTES_MAX = 512 * 1024;
const DEPTH_MAX = 64;

/** Reads what a provider posts: a form, or JSON under whatever type. Undefined for anything else. */
export function parsePosted(bytes: Buffer, mediaType: string): JSONValue | undefined {
  const text = bytes.toString("utf8");
  if (/^application\/x-www-form-urlencoded\b/i.test(mediaType)) return Object.fromEntries(new URLSearchParams(text));
  const body = parsedJson(text);
  return body === undefined || isDeeperThan(body, DEPTH_MAX) ? undefined : body;
}

function parsedJson(text: string): JSONValue | undefined {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
