import { type Answer, definePublicRoute, type Route } from "@headwater/http";
import { isInfrastructure } from "@headwater/kernel";
import type { NamedToken } from "../events/messageEvent.ts";
import { goneMessagePage, tryLaterPage } from "../pages/unsubscribePage.ts";
import { messageView, notFound, page } from "../routes/answers.ts";
import { tokenIn, tokenRoute } from "../routes/tokenIn.ts";
import type { TrackerPorts } from "../routes/trackerPorts.ts";
import type { RenderView } from "./renderView.ts";

const RETRY_SECONDS = 30;

export interface ViewPorts extends Pick<TrackerPorts, "tokens"> {
  readonly renderView: RenderView;
}

/** `GET /t/v/{token}`: the message in a browser, as its contact got it. */
export function viewRoute({ tokens, renderView }: ViewPorts): Route {
  return definePublicRoute({
    method: "GET",
    path: "/t/v/{token}",
    ...tokenRoute,
    operationId: "viewMessage",
    summary: "Shows a message as its contact got it.",
    answers: {
      200: { description: "The message.", mediaType: "text/html" },
      404: { description: "The token was cut or changed, or the message is no longer kept.", mediaType: "text/html" },
      503: { description: "The store or the threads that render are busy or unavailable.", mediaType: "text/html" },
    },
    handler: (call) => {
      const token = tokenIn(tokens, { call, kinds: ["view"] });
      return token === undefined ? notFound() : show(token, renderView);
    },
  });
}

async function show(token: NamedToken, renderView: RenderView): Promise<Answer> {
  try {
    const content = await renderView(token);
    const { "text/html": html, "text/plain": text } = content ?? {};
    if (html !== undefined) return messageView(html, "text/html");
    return text === undefined ? page(404, goneMessagePage()) : messageView(text, "text/plain");
  } catch (error) {
    if (!isInfrastructure(error)) throw error;
    return page(503, tryLaterPage(), { "Retry-After": String(RETRY_SECONDS) });
  }
}
