import { createHash } from "node:crypto";
import { type Answer, type ApiKey, type Call, refusal, runKeyed } from "@headwater/http";
import { HeadwaterError } from "@headwater/kernel";
import type { PartnerEndpoint } from "../partners/endpoint.ts";
import type { PartnerPorts } from "./ports.ts";

export interface Page {
  readonly endpoint: PartnerEndpoint;
  readonly call: Call;
  readonly caller: ApiKey;
  /** The sender's name of it. */
  readonly page: string;
}

/** A page is its name: what it holds is not compared, for senders write the same page in other words when they retry. */
const ANY_BODY = Buffer.alloc(0);

/** Runs a page once: one that was written is answered again, and one that failed goes on under its first request's id. */
export async function runPage(
  { idempotency }: PartnerPorts,
  { endpoint, call, caller, page }: Page,
  run: (requestId: string) => Promise<Answer>,
): Promise<Answer> {
  const key = createHash("sha256").update(page).digest("hex");
  const route = `POST ${endpoint.path}`;
  try {
    return await runKeyed(idempotency, {
      call: { account: caller.account.number, route, key },
      body: ANY_BODY,
      requestId: call.requestId,
      run,
    });
  } catch (error) {
    if (!(error instanceof HeadwaterError) || error.code !== "IDEMPOTENCY_IN_PROGRESS") throw error;
    // The protocol has no 409: the sender comes again, and finds the answer.
    throw refusal("SERVICE_UNAVAILABLE", "This page is already being processed. Retry later.", {
      retryAfterSeconds: 1,
    });
  }
}
