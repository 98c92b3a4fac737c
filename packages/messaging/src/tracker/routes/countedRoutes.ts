import { definePublicRoute, type Route, type TypedCall } from "@headwater/http";
import type { MessageEvent, NamedToken } from "../events/messageEvent.ts";
import { robotOf } from "../events/robots.ts";
import { notFound, pixel, redirect } from "./answers.ts";
import { tokenIn, tokenRoute } from "./tokenIn.ts";
import type { TrackerPorts } from "./trackerPorts.ts";

const answers = { 404: { description: "The token was cut or changed.", mediaType: "text/html" } };

/** `GET /t/o/{token}`: the pixel. */
export function openRoute(ports: TrackerPorts): Route {
  return definePublicRoute({
    method: "GET",
    path: "/t/o/{token}",
    ...tokenRoute,
    operationId: "trackOpen",
    summary: "Counts an open and answers a pixel.",
    answers: { 200: { description: "The pixel.", mediaType: "image/gif" }, ...answers },
    handler: (call) => {
      const token = tokenIn(ports.tokens, { call, kinds: ["open"] });
      if (token === undefined) return notFound();
      if (token.type !== "t") ports.queue.add([eventOf("open", token, call)]);
      return pixel();
    },
  });
}

/** `GET /t/c/{token}`: the redirect, whatever becomes of its event. */
export function clickRoute(ports: TrackerPorts): Route {
  return definePublicRoute({
    method: "GET",
    path: "/t/c/{token}",
    ...tokenRoute,
    operationId: "trackClick",
    summary: "Redirects to the target of a link and counts the click.",
    answers: {
      302: { description: "To the target." },
      204: { description: "The link that no person sees." },
      ...answers,
    },
    handler: (call) => {
      const token = tokenIn(ports.tokens, { call, kinds: ["click", "hidden"] });
      if (token === undefined) return notFound();
      const { link, kind, type } = token;
      if (kind === "click" && link === undefined) return notFound();
      if (type !== "t") ports.clicks.add(eventOf("click", token, call), ports.clock.monotonicMs());
      return link === undefined ? { status: 204 } : redirect(link.url);
    },
  });
}

type Visitor = Pick<TypedCall<unknown, unknown, unknown>, "requestId" | "receivedAtMs" | "method" | "header">;

function eventOf(name: "open" | "click", token: NamedToken, call: Visitor): MessageEvent {
  const { requestId, receivedAtMs: atMs, method } = call;
  const visit = { method, atMs, header: (header: string) => call.header(header) };
  return { name, token, requestId, atMs, robot: robotOf(visit, token.names.composedAt) };
}
