import { webhookHeaders } from "@headwater/jobs/notices/postSigned";
import {
  type Clock,
  IMPOSSIBLE_REQUEST,
  OUTBOUND_REFUSED,
  type Outbound,
  type OutsideResponse,
  privateAddressRefused,
  requestOutside,
} from "@headwater/kernel";
import type { Delivered, Handover, OutgoingMail } from "../../frozen/handover.ts";
import type { SendOutcome } from "../../outcomes/classifyAnswer.ts";
import type { RenderedMessage, RenderRequest } from "../../render/renderMessage.ts";
import type { RenderProblem } from "../../renderer/renderProblem.ts";
import { answerText, ours } from "../answers.ts";
import { Slots } from "../slots.ts";
import { turnOf } from "../turnOf.ts";
import { envelopeOf } from "./envelope.ts";

/** Statuses that say that this message may be tried later. */
const LATER = new Set([408, 425, 429, 503]);

/** Statuses that ask for fewer requests. */
const SLOW_DOWN = new Set([429, 503]);

/** Statuses of a gateway that does not know what became of the request. */
const GATEWAY = new Set([502, 504]);

/** Statuses that are about the credentials, the address of the service, or how it is called: nothing of the message. */
const OURS = new Set([401, 402, 403, 404, 405, 406, 407, 410, 411, 415, 421, 426, 431]);

const TOO_LARGE = 413;

const ID_CHARACTERS = 256;

const STEPS_MAX = 16;

export interface HttpPorts {
  readonly outbound: Pick<Outbound, "httpAgent" | "httpsAgent">;
  readonly clock: Clock;
  /** Renders the transport's Liquid, in a thread that can be ended. */
  readonly render: (request: RenderRequest) => Promise<RenderedMessage | RenderProblem>;
  /** Secret that requests are signed with, as Standard Webhooks say; absent: they are not signed. */
  readonly signingSecret?: string;
}

const CONNECTIONS = 10;
const ANSWER_SECONDS = 600;
const ANSWER_BYTES = 65_536;
const later: SendOutcome = { kind: "deferred", slowsDown: false };

/** Posts each message to a service. A redirect is not followed. */
export function createHttpHandover(target: HttpTarget, ports: HttpPorts): Handover {
  const slots = new Slots(target.connections ?? CONNECTIONS);
  return {
    deliver: (mail, signal) => slots.run(() => post(mail, signal, { target, ports }), turnOf(mail)),
    close: () => slots.empty(),
  };
}

interface Way {
  readonly target: HttpTarget;
  readonly ports: HttpPorts;
}

async function post(mail: OutgoingMail, signal: AbortSignal, { target, ports }: Way): Promise<Delivered> {
  const envelope = envelopeOf(mail);
  const body = target.body === undefined ? JSON.stringify(envelope) : await renderBody(target.body, envelope, ports);
  if (body === undefined) return ours("The transport's body renders to no JSON.");
  const isClaimed = mail.isClaimed?.() ?? true;
  if (signal.aborted || !isClaimed) return { outcome: later };
  const waitMs = 1_000 * (target.answerTimeoutSeconds ?? ANSWER_SECONDS);
  let mayHaveLeft = false;
  try {
    const answer = await requestOutside(target.url, {
      method: "POST",
      body,
      headers: headersOf(envelope.id, body, { target, ports }),
      outbound: ports.outbound,
      signal: AbortSignal.any([signal, AbortSignal.timeout(waitMs)]),
      onStart: () => {
        mayHaveLeft = true;
      },
    });
    return await answered(answer, target);
  } catch (error) {
    return failed(error, target, mayHaveLeft);
  }
}

/** Returns undefined where the Liquid fails or renders to no JSON. */
async function renderBody(json: string, envelope: object, { render }: HttpPorts): Promise<string | undefined> {
  const fallback = { channel: "http", headers: {}, includes: {}, timezone: "UTC", currency: "USD" };
  const rendered = await render({ ...fallback, json, context: { ...envelope } });
  return "content" in rendered ? rendered.content["application/json"] : undefined;
}

function headersOf(id: string, body: string, { target, ports: { clock, signingSecret } }: Way) {
  const at = new Date(clock.nowMs());
  const signed = signingSecret !== undefined && webhookHeaders({ id, body, secrets: [signingSecret] }, at);
  return {
    "content-type": "application/json",
    "user-agent": "headwater",
    ...target.headers,
    "idempotency-key": id,
    ...signed,
  };
}

async function answered({ status, body }: OutsideResponse, target: HttpTarget): Promise<Delivered> {
  const text = await readStart(body);
  const said = answerText(text);
  const outcome = classifyStatus(status, target);
  const idPath = target.accepted?.idPath;
  const providerId = outcome.kind === "sent" && idPath !== undefined ? idAt(text, idPath) : undefined;
  return {
    outcome,
    code: status,
    ...(said !== "" && { text: said }),
    ...(providerId !== undefined && { providerId }),
  };
}

/** Reads the start of an answer. The status has said what counts: an answer that breaks off is as good. */
async function readStart(body: OutsideResponse["body"]): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body) {
      const read = Buffer.from(chunk);
      chunks.push(read);
      bytes += read.length;
      if (bytes >= ANSWER_BYTES) break;
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error;
  }
  return Buffer.concat(chunks).toString("utf8", 0, ANSWER_BYTES);
}

function failed(error: unknown, { idempotent = false }: HttpTarget, mayHaveLeft: boolean): Delivered {
  const code = error instanceof Error ? String(Reflect.get(error, "code") ?? "") : "";
  if (code === OUTBOUND_REFUSED) return ours(privateAddressRefused.transport);
  if (mayHaveLeft) return { outcome: lostOutcome(idempotent) };
  if (code !== IMPOSSIBLE_REQUEST) return { outcome: later };
  return ours(answerText(`The transport's settings make no request: ${error instanceof Error ? error.message : code}`));
}

/** Returns the id that stands at a path (`id`, `messages.0.id`) of a JSON answer; undefined where there is none. */
function idAt(text: string, path: string): string | undefined {
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
  for (const step of path.split(/[.[\]]+/, STEPS_MAX).filter((name) => name !== "")) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, step)) return undefined;
    found = Reflect.get(found, step);
  }
  if (typeof found !== "string" && typeof found !== "number") return undefined;
  return String(found).slice(0, ID_CHARACTERS);
}

/** Returns what the status of an answer means for the send. */
function classifyStatus(status: number, { accepted, idempotent = false }: HttpTarget): SendOutcome {
  const isAccepted = accepted?.statuses?.includes(status) ?? (status >= 200 && status < 300);
  if (isAccepted) return { kind: "sent" };
  if (LATER.has(status)) return { kind: "deferred", slowsDown: SLOW_DOWN.has(status) };
  if (GATEWAY.has(status)) return lostOutcome(idempotent);
  if (status >= 500) return { kind: "deferred", slowsDown: false };
  if (status < 400 || OURS.has(status)) return { kind: "transport-failure" };
  return { kind: "soft-bounce", bounce: status === TOO_LARGE ? "size" : "other" };
}

/** Outcome of a request that may have arrived and has no answer. */
function lostOutcome(idempotent: boolean): SendOutcome {
  return idempotent ? { kind: "deferred", slowsDown: false } : { kind: "unknown" };
}

/** Service that an HTTP transport hands its messages to. */
interface HttpTarget {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Liquid that renders to JSON; absent: our own envelope. */
  readonly body?: string;
  readonly accepted?: { readonly statuses?: readonly number[] | undefined; readonly idPath?: string | undefined };
  /** The service takes a message once for each `Idempotency-Key`. */
  readonly idempotent?: boolean;
  /** Requests of this process at a time, default 10. */
  readonly connections?: number;
  readonly answerTimeoutSeconds?: number;
}
