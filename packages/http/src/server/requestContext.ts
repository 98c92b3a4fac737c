import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline, Readable } from "node:stream";
import { type HeadwaterError, injectTraceparent, type Span } from "@headwater/kernel";
import type { Answer } from "../answers/answer.ts";
import { FREE_ANSWER_BYTES } from "../answers/answerBudget.ts";
import { toErrorAnswer } from "../answers/errorAnswer.ts";
import type { BodyCharge } from "../body/bodyBudget.ts";
import type { Caller } from "../guards/caller.ts";
import { rateHeaders } from "../guards/rateHeaders.ts";
import type { RateState } from "../guards/rateLimiter.ts";
import type { Route } from "../routes/route.ts";
import type { ServerParts } from "./serverParts.ts";

/** A client that takes nothing of a streamed answer for so long is given up. */
const STREAM_IDLE_MS = 60_000;

/** One request and its answer: all that is written to a client goes through `answer` and has the same headers. */
export class RequestContext {
  readonly requestId: string;
  readonly receivedAtMs: number;
  readonly #parts: ServerParts;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #route: string;
  readonly #startedMs: number;
  readonly #span: Span | undefined;
  #rate: RateState;
  #charge: BodyCharge | undefined;
  #identified: { readonly caller: Caller; readonly route: Route } | undefined;
  #isOver = false;

  constructor(parts: ServerParts, request: IncomingMessage, response: ServerResponse, route: string, rate: RateState) {
    this.#parts = parts;
    this.#request = request;
    this.#response = response;
    this.#route = route;
    this.#rate = rate;
    this.#startedMs = parts.clock.monotonicMs();
    this.receivedAtMs = parts.clock.nowMs();
    this.requestId = parts.newRequestId();
    this.#span = parts.access.begin(route, request.method ?? "", textHeader(request.headers.traceparent));
    parts.load.inFlight += 1;
  }

  /** Trace context for what the request sets off elsewhere; undefined when it is not sampled. */
  get traceparent(): string | undefined {
    return this.#span && injectTraceparent(this.#span);
  }

  /** The headers of the answer show this state of the caller's bucket. */
  limited(rate: RateState): void {
    this.#rate = rate;
  }

  /** Says whose call it is, whether or not it is let in. */
  identified(caller: Caller, route: Route): void {
    this.#identified = { caller, route };
  }

  /** Keeps the charge for the body, and gives it back when the request is over. */
  holds(charge: BodyCharge): void {
    this.#charge = charge;
  }

  fail(error: unknown): void {
    const request = { requestId: this.requestId, route: this.#route };
    this.#parts.logFailure(error, request, this.#response.destroyed);
    this.answer(this.#parts.errorAnswer(toErrorAnswer(error, this.requestId)));
  }

  answer(answer: Answer): void {
    const { status, body, stream, text = JSON.stringify(body ?? {}), headers, requestId = this.requestId } = answer;
    if (stream !== undefined) {
      this.#stream(stream, answer);
      return;
    }
    if (this.#isOver) return;
    const refusal = this.#hold(text);
    if (refusal !== undefined) {
      this.fail(refusal);
      return;
    }
    this.#finish();
    const isEmpty = status === 204 || status === 304;
    if (!this.#response.destroyed) {
      this.#write(status, isEmpty ? undefined : text, requestId, headers);
      if (!this.#request.complete) this.#parts.discard(this.#request);
    }
    this.#observe(status);
    this.#report(answer);
  }

  /** Charges the large answer of a read. What a write has done is answered in any case. @returns why there is no capacity for it. */
  #hold(text: string): HeadwaterError | undefined {
    if (text.length <= FREE_ANSWER_BYTES || this.#request.method !== "GET" || this.#response.destroyed)
      return undefined;
    const caller = this.#identified?.caller.account.number;
    const holder = String(caller ?? this.#parts.peers.clientNetwork(this.#request));
    return this.#parts.answers.hold(holder, Buffer.byteLength(text), this.#response);
  }

  #report({ status, body, items }: Answer): void {
    if (this.#identified === undefined || this.#parts.onAnswer === undefined) return;
    const code = status < FIRST_ERROR ? undefined : codeIn(body);
    const { requestId, receivedAtMs } = this;
    const clientAddress = () => this.#parts.peers.clientAddress(this.#request);
    this.#parts.onAnswer({ ...this.#identified, status, code, items, requestId, receivedAtMs, clientAddress });
  }

  #observe(status: number): void {
    this.#parts.access.observe({
      route: this.#route,
      method: this.#request.method ?? "",
      status,
      seconds: (this.#parts.clock.monotonicMs() - this.#startedMs) / 1_000,
      span: this.#span,
    });
  }

  /** It counts as being answered until its last byte. What fails on the way can only be shown by breaking off. */
  #stream(stream: NonNullable<Answer["stream"]>, { status, headers, requestId = this.requestId }: Answer): void {
    if (this.#isOver) return;
    const response = this.#response;
    if (response.destroyed) {
      this.gone();
      return;
    }
    this.#closeWhenStopping();
    response.writeHead(status, this.#headers(undefined, requestId, headers));
    response.setTimeout(STREAM_IDLE_MS, () => response.destroy());
    pipeline(Readable.from(stream, { objectMode: false }), response, (error) => {
      if (error) this.#parts.logger.warn({ err: error, requestId, route: this.#route }, "streamed response aborted");
      if (this.#finish()) this.#observe(status);
    });
  }

  /** The client hung up before there was an answer. */
  gone(): void {
    if (!this.#finish()) return;
    this.#parts.access.aborted(this.#route);
    this.#span?.end();
  }

  #finish(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    this.#parts.load.inFlight -= 1;
    this.#charge?.release();
    return true;
  }

  /** A header that Node refuses, a defect of the route, must not leave the client without an answer. */
  #write(status: number, text: string | undefined, requestId: string, headers: Answer["headers"]): void {
    try {
      this.#closeWhenStopping();
      this.#response.writeHead(status, this.#headers(text, requestId, headers));
      this.#response.end(text);
    } catch (error) {
      this.#parts.logger.error({ err: error, requestId, route: this.#route }, "writing the response failed");
      this.#response.destroy();
    }
  }

  /** Node then says `Connection: close` and closes behind the answer; a connection kept alive would hold up the stop. */
  #closeWhenStopping(): void {
    if (this.#parts.load.isStopping) this.#response.shouldKeepAlive = false;
  }

  #headers(text: string | undefined, requestId: string, more: Answer["headers"]): string[] {
    const headers = rateHeaders(this.#rate, this.receivedAtMs);
    headers.push("X-Request-Id", requestId);
    if (text !== undefined) {
      headers.push(
        "Content-Type",
        "application/json; charset=utf-8",
        "Content-Length",
        String(Buffer.byteLength(text)),
      );
    }
    if (more !== undefined) {
      for (const name in more) setHeader(headers, name, more[name] ?? "");
    }
    return headers;
  }
}

/** A header that the answer brings takes the place of the one every answer has. */
function setHeader(headers: string[], name: string, value: string): void {
  const wanted = name.toLowerCase();
  for (let index = 0; index < headers.length; index += 2) {
    if (headers[index]?.toLowerCase() !== wanted) continue;
    headers[index + 1] = value;
    return;
  }
  headers.push(name, value);
}

const FIRST_ERROR = 400;

function codeIn(body: unknown): string {
  const { code } = { code: undefined, ...Object(body) };
  return typeof code === "string" ? code : "";
}

function textHeader(value: string | string[] | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}
