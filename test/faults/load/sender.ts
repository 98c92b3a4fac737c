import { Agent, request as httpRequest } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { IntakeRequest } from "./requests.ts";

/** Proof that senders keep: an answer 202 for each. */
export interface Accepted {
  readonly requestId: string;
  readonly receipt: string;
  readonly records: number;
}

export type SenderCounts = {
  accepted: number;
  /** Calls whose sender hung up and let it be. */
  abandoned: number;
  /** Calls made again, for whatever reason. */
  retries: number;
  hungUp: number;
  unavailable: number;
  inProgress: number;
  broken: number;
};

export interface Sender {
  readonly accepted: Accepted[];
  readonly counts: SenderCounts;
  /** Answers that should never come. */
  readonly unexpected: string[];
  send(request: IntakeRequest): Promise<void>;
  close(): void;
}

const RETRY_MS = 300;
const ATTEMPTS_MAX = 600;
const ANSWER_TIMEOUT_MS = 40_000;

type Answer =
  | { readonly kind: "answer"; readonly status: number; readonly body: string }
  | { readonly kind: "hungUp" }
  | { readonly kind: "broken" };

export interface SenderOptions {
  readonly apiKey: string;
  /** Port to send to; asked for every attempt. */
  readonly port: () => number;
}

/** Sends until a 202 is in hand: a retry carries the same Idempotency-Key, or is a call of its own where there is none. */
export function createSender({ apiKey, port }: SenderOptions): Sender {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const accepted: Accepted[] = [];
  const unexpected: string[] = [];
  const counts = { accepted: 0, abandoned: 0, retries: 0, hungUp: 0, unavailable: 0, inProgress: 0, broken: 0 };
  /** @returns whether the call is done. */
  const take = (request: IntakeRequest, answer: Answer): boolean => {
    if (answer.kind !== "answer") {
      counts[answer.kind]++;
      return false;
    }
    if (answer.status === 202) {
      const { requestId, receipt } = toReceipted(answer.body);
      accepted.push({ requestId, receipt, records: request.records });
      counts.accepted++;
      return true;
    }
    if (answer.status === 503) counts.unavailable++;
    else if (answer.status === 409) counts.inProgress++;
    else unexpected.push(`${request.path}: ${answer.status} ${answer.body.slice(0, 300)}`);
    return answer.status !== 503 && answer.status !== 409;
  };
  return {
    accepted,
    counts,
    unexpected,
    async send(request) {
      for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
        const hangsUpAfterMs = attempt === 0 ? request.hangsUpAfterMs : undefined;
        const answer = await post({ agent, port: port(), apiKey, request, hangsUpAfterMs });
        if (take(request, answer)) return;
        if (answer.kind === "hungUp" && request.key === undefined) {
          counts.abandoned++;
          return;
        }
        counts.retries++;
        await sleep(RETRY_MS);
      }
      unexpected.push(`${request.path}: no 202 after ${ATTEMPTS_MAX} attempts`);
    },
    close: () => agent.destroy(),
  };
}

interface Post {
  readonly agent: Agent;
  readonly port: number;
  readonly apiKey: string;
  readonly request: IntakeRequest;
  readonly hangsUpAfterMs: number | undefined;
}

function post({ agent, port, apiKey, request, hangsUpAfterMs }: Post): Promise<Answer> {
  const { promise, resolve } = Promise.withResolvers<Answer>();
  const call = httpRequest({
    host: "127.0.0.1",
    port,
    agent,
    path: request.path,
    method: "POST",
    timeout: ANSWER_TIMEOUT_MS,
    headers: {
      "content-type": "application/json",
      "x-api-key": apiKey,
      ...(request.key === undefined ? {} : { "idempotency-key": request.key }),
    },
  });
  call.on("error", () => resolve({ kind: "broken" }));
  call.on("timeout", () => call.destroy(new Error("no answer")));
  call.on("response", (response) => {
    let body = "";
    response.setEncoding("utf8");
    response.on("data", (text: string) => {
      body += text;
    });
    response.on("error", () => resolve({ kind: "broken" }));
    response.on("end", () => resolve({ kind: "answer", status: response.statusCode ?? 0, body }));
  });
  call.end(request.body, () => {
    if (hangsUpAfterMs === undefined) return;
    setTimeout(() => {
      resolve({ kind: "hungUp" });
      call.destroy();
    }, hangsUpAfterMs);
  });
  return promise;
}

function toReceipted(body: string): { requestId: string; receipt: string } {
  const parsed: unknown = JSON.parse(body);
  if (typeof parsed !== "object" || parsed === null) throw new Error(`a 202 without a body: ${body}`);
  if (!("requestId" in parsed && "receipt" in parsed)) throw new Error(`a 202 without a receipt: ${body}`);
  return { requestId: String(parsed.requestId), receipt: String(parsed.receipt) };
}
