import { defaultSettings } from "@headwater/contracts";
import {
  type Answer,
  type Call,
  defineOwnAuthRoute,
  defineRawRoute,
  type JsonSchema,
  type Route,
} from "@headwater/http";
import { runAtOnce } from "@headwater/kernel";
import { z } from "zod";
import { pushQuery } from "../entry/callOptions.ts";
import { INTAKE_RATE_CLASS, keyHeaders } from "../entry/intakeRoutes.ts";
import { limits } from "../entry/limits.ts";
import type { PartnerEndpoint } from "../partners/endpoint.ts";
import { textAt } from "../partners/reading.ts";
import { accountParams, findByKey, findSigner, SCOPE } from "./authenticate.ts";
import type { PartnerPorts } from "./ports.ts";
import { pushAnswers } from "./pushAnswers.ts";
import { checkShape, checkType, parsePush } from "./readPush.ts";
import { type PushCall, takePush } from "./takePush.ts";

/** The route of a partner's endpoint, made from its definition alone: what is checked before what follows from its kind. */
export function partnerRoute(endpoint: PartnerEndpoint, ports: PartnerPorts): Route {
  const { auth } = endpoint;
  switch (auth.kind) {
    case "apiKey":
      return defineRawRoute({
        ...common(endpoint),
        auth: "apiKey",
        headers: keyHeaders,
        query: pushQuery,
        handler: (call, caller) => takeKnown(ports, { endpoint, call, caller }),
      });
    case "signature":
      return defineOwnAuthRoute({
        ...common(endpoint),
        caller: { kind: "signature", header: auth.header },
        params: accountParams,
        headers: z.object({ [auth.header]: z.string().describe(auth.headerSummary) }),
        async handler(call) {
          const caller = call.admit(await findSigner(endpoint, auth, { call, accounts: ports.accounts }));
          return takeKnown(ports, { endpoint, call, caller });
        },
      });
    case "bodyKey":
      return defineOwnAuthRoute({
        ...common(endpoint),
        caller: { kind: "body", path: auth.path },
        async handler(call) {
          const value = await parseInTurn(ports, { endpoint, call, flow: call.clientAddress ?? "" });
          checkType(endpoint, value);
          const caller = call.admit(await findByKey(ports.keys, textAt(value, auth.path), call.clientAddress));
          return takePush(ports, { endpoint, call, caller, value });
        },
      });
    case "none":
      return defineOwnAuthRoute({ ...common(endpoint), handler: (call) => answerAnybody(endpoint, call) });
  }
}

/** Accepts a push whose sender is known before it is parsed. */
async function takeKnown(ports: PartnerPorts, push: Omit<PushCall, "value">): Promise<Answer> {
  const { endpoint, call, caller } = push;
  return takePush(ports, { ...push, value: await parseInTurn(ports, { endpoint, call, flow: caller.account.id }) });
}

interface ParseCall extends Pick<PushCall, "endpoint" | "call"> {
  /** Holder of the turn: the account's, or the address's while the account is not known. */
  readonly flow: string;
}

function parseInTurn({ turns }: PartnerPorts, { endpoint, call, flow }: ParseCall): Promise<unknown> {
  return turns.take(flow, call.bytes.length, () => parsePush(endpoint, call.bytes));
}

/** Nobody is known and nothing is written: the protocol's answer alone. */
function answerAnybody(endpoint: PartnerEndpoint, call: Call): Answer {
  const value = runAtOnce(parsePush(endpoint, call.bytes));
  checkType(endpoint, value);
  const body = checkShape(endpoint, value);
  const push = endpoint.map(body, { settings: defaultSettings, accountId: "", bodyHash: "", nowMs: call.receivedAtMs });
  return { status: endpoint.statuses.accepted, body: push.answer?.({ listId: undefined }) ?? {} };
}

function common(endpoint: PartnerEndpoint) {
  const { partner, name, path, summary, statuses, sample, auth } = endpoint;
  return {
    method: "POST",
    path,
    operationId: `${partner}${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    summary,
    tags: [partner],
    scope: SCOPE,
    rateClass: INTAKE_RATE_CLASS,
    answers: pushAnswers(endpoint),
    bodyRules: {
      bytesMax: auth.kind === "none" ? limits.keylessBytes : limits.pushBytes,
      mediaTypes: ["application/json"],
      parseErrorStatus: statuses.badJson,
      wrongTypeCode: statuses.wrongType,
    },
    bodySchema: bodySchemaOf(endpoint),
    requestExample: sample,
  } as const;
}

function bodySchemaOf({ body, sentBody = body }: PartnerEndpoint): JsonSchema {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(sentBody, { io: "input", unrepresentable: "any" });
  return schema;
}
