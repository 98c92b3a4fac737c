import type { Answer } from "@headwater/http";
import { notFoundPage } from "../pages/unsubscribePage.ts";

const HTML = "text/html; charset=utf-8";
/** Nothing is loaded or run, nobody puts the page into a frame, and no other site learns the token. */
const PAGE_HEADERS = {
  "Content-Type": HTML,
  "Cache-Control": "no-store",
  "Referrer-Policy": "no-referrer",
  "X-Robots-Tag": "noindex",
  "Content-Security-Policy":
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
};

export function page(status: number, text: string, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, text, headers: { ...PAGE_HEADERS, ...headers } };
}

/** Answers tokens that were cut, changed or made for another purpose. */
export function notFound(): Answer {
  return page(404, notFoundPage());
}

/** A mail loads pictures, styles and fonts from wherever it says; it runs nothing, is in no frame, and is no page of this host. */
const MESSAGE_POLICY = [
  ...["default-src 'none'", "img-src https: http: data:", "style-src 'unsafe-inline' https:", "font-src https: data:"],
  ...["media-src https:", "form-action 'none'", "frame-ancestors 'none'", "base-uri 'none'"],
  "sandbox allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation",
].join("; ");

/** Shows a message as it was sent. */
export function messageView(text: string, mediaType: "text/html" | "text/plain"): Answer {
  const own = { "Content-Type": `${mediaType}; charset=utf-8`, "Content-Security-Policy": MESSAGE_POLICY };
  return page(200, text, { ...own, "X-Content-Type-Options": "nosniff" });
}

/** Redirects to the target of a link, in the ASCII form that a header can hold. */
export function redirect(url: string): Answer {
  const target = URL.parse(url);
  if (target === null) return notFound();
  const headers = { Location: target.href, "Content-Type": "text/plain", "Cache-Control": "no-store" };
  return {
    status: 302,
    text: "",
    headers: { ...headers, "Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex" },
  };
}

const PIXEL = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");

/** A transparent picture of one point. */
export function pixel(): Answer {
  const headers = { "Content-Type": "image/gif", "Content-Length": String(PIXEL.length), "Cache-Control": "no-store" };
  return { status: 200, stream: pixelBytes(), headers };
}

async function* pixelBytes() {
  yield PIXEL;
}

/** An answer for programs and for what is refused before a route runs: no page, and no JSON. */
export function plainText(status: number, text: string, headers: Readonly<Record<string, string>> = {}): Answer {
  const own = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store", "X-Robots-Tag": "noindex" };
  return { status, text: `${text}\n`, headers: { ...own, ...headers } };
}
