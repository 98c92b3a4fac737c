import { type Answer, type Call, defineOwnAuthRoute, definePublicRoute, type Route } from "@headwater/http";
import { isInfrastructure } from "@headwater/kernel";
import { appendOf, type NamedToken, wishOf } from "../events/messageEvent.ts";
import {
  askPage,
  REASON_CHARACTERS,
  subscribedPage,
  tryLaterPage,
  unsubscribedPage,
} from "../pages/unsubscribePage.ts";
import { notFound, page } from "./answers.ts";
import { tokenIn, tokenRoute } from "./tokenIn.ts";
import type { TrackerPorts } from "./trackerPorts.ts";

const PATH = "/t/u/{token}";
const KINDS = ["unsubscribe", "preferences"] as const;
const FORM_BYTES = 4 * 1024;
const RETRY_SECONDS = 30;
const FORMS = ["application/x-www-form-urlencoded", "multipart/form-data"];
const answers = { 404: { description: "The token was cut or changed.", mediaType: "text/html" } };

/** `GET /t/u/{token}`: asks; it changes nothing, for machines follow links. */
export function unsubscribePageRoute(ports: TrackerPorts): Route {
  return definePublicRoute({
    method: "GET",
    path: PATH,
    ...tokenRoute,
    operationId: "unsubscribePage",
    summary: "Shows the page that asks before it unsubscribes.",
    answers: { 200: { description: "The page.", mediaType: "text/html" }, ...answers },
    handler: (call) => {
      const token = tokenIn(ports.tokens, { call, kinds: KINDS });
      return token === undefined ? notFound() : page(200, askPage(token.names.channel));
    },
  });
}

/** `POST /t/u/{token}`: the page's form, and One-Click of RFC 8058. The same token unsubscribes as often as it is used. */
export function unsubscribeRoute(ports: TrackerPorts): Route {
  return defineOwnAuthRoute({
    method: "POST",
    path: PATH,
    operationId: "unsubscribe",
    summary: "Unsubscribes from the channel, or subscribes again with `action=undo`.",
    answers: {
      200: { description: "It is in the log.", mediaType: "text/html" },
      503: { description: "The log is unavailable.", mediaType: "text/html" },
      ...answers,
    },
    rateClass: "tracking",
    bodyRules: { bytesMax: FORM_BYTES, mediaTypes: [...FORMS, ""], parseErrorStatus: 400 },
    bodySchema: { type: "object", properties: { action: { type: "string" }, reason: { type: "string" } } },
    handler: (call) => run(ports, call),
  });
}

async function run(ports: TrackerPorts, call: Call): Promise<Answer> {
  const token = tokenIn(ports.tokens, { call, kinds: KINDS });
  if (token === undefined) return notFound();
  const { channel } = token.names;
  const form = formOf(call);
  const isUndo = form.get("action") === "undo";
  try {
    // Tests of a message unsubscribe nobody.
    if (token.type !== "t") await write(ports, { token, call, isUndo, reason: reasonOf(form) });
    return page(200, isUndo ? subscribedPage(channel) : unsubscribedPage(channel));
  } catch (error) {
    if (!isInfrastructure(error)) throw error;
    return page(503, tryLaterPage(), { "Retry-After": String(RETRY_SECONDS) });
  }
}

interface Posted {
  readonly token: NamedToken;
  readonly call: Call;
  readonly isUndo: boolean;
  readonly reason: string | undefined;
}

async function write({ producer }: TrackerPorts, { token, call, isUndo, reason }: Posted): Promise<void> {
  const { requestId, receivedAtMs: atMs } = call;
  await producer.append(wishOf({ token, status: isUndo ? "subscribed" : "unsubscribed", requestId, atMs }));
  const optout = isUndo ? undefined : appendOf([{ name: "optout", token, requestId, atMs, reason }]);
  if (optout !== undefined) await producer.append(optout);
}

/** A body in another form, as One-Click may send it, says nothing more than that it was posted. */
function formOf({ bytes, mediaType }: Call): URLSearchParams {
  return new URLSearchParams(mediaType === FORMS[0] ? bytes.toString("utf8") : "");
}

function reasonOf(form: URLSearchParams): string | undefined {
  const reason = (form.get("reason") ?? "").replaceAll(/\p{Cc}+/gu, " ").trim();
  return reason === "" ? undefined : reason.slice(0, REASON_CHARACTERS).toWellFormed();
}
