import type { IncomingHttpHeaders } from "node:http";
import type { HeadwaterError } from "@headwater/kernel";
import { refusal } from "../answers/refusal.ts";

/** v2: HTTP Basic with the key as user and a blank password. Intake: the header `x-api-key`. */
export type AuthScheme = "basic" | "apiKey";

/** @returns the key a request carries, undefined when there is none or it is malformed. */
export function keyOf(scheme: AuthScheme, headers: IncomingHttpHeaders): string | undefined {
  if (scheme === "apiKey") {
    const header = headers["x-api-key"];
    return typeof header === "string" && header !== "" ? header : undefined;
  }
  const [, encoded] = /^basic +([A-Za-z0-9+/_=-]{1,1024})$/i.exec(headers.authorization ?? "") ?? [];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, "base64").toString("utf8");
  return text.length > 1 && text.indexOf(":") === text.length - 1 ? text.slice(0, -1) : undefined;
}

export function authenticationFailed(scheme: AuthScheme): HeadwaterError {
  const message =
    scheme === "apiKey"
      ? "Send a valid API key in the header x-api-key."
      : "Send a valid API key as the user name of HTTP Basic, with a blank password.";
  const extra = scheme === "basic" ? { headers: { "WWW-Authenticate": 'Basic realm="headwater"' } } : {};
  return refusal("AUTHENTICATION_FAILED", message, { extra });
}

/** Returns, for routes that need no key, the scheme, when the header in which its key comes was sent. */
export function schemeSent(scheme: AuthScheme | undefined, headers: IncomingHttpHeaders): AuthScheme | undefined {
  if (scheme === undefined) return undefined;
  const sent = scheme === "apiKey" ? headers["x-api-key"] : headers.authorization;
  return sent === undefined ? undefined : scheme;
}
