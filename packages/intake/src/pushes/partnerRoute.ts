import { randomBytes } from "node:crypto";
import { type Account, defaultSettings } from "@headwater/contracts";
import {
  type Answer,
  type Call,
  type Caller,
  defineOwnAuthRoute,
  defineRawRoute,
  type JsonSchema,
  type KeyCache,
  type Route,
} from "@headwater/http";
import { runAtOnce } from "@headwater/kernel";
import { z } from "zod";
import { pushQuery } from "../entry/callOptions.ts";
import { verdictsOf } from "../entry/intakeAnswers.ts";
import { INTAKE_RATE_CLASS, keyHeaders } from "../entry/intakeRoutes.ts";
import { limits } from "../entry/limits.ts";
import type { PartnerEndpoint } from "../partners/endpoint.ts";
import { textAt } from "../partners/reading.ts";
import type { Signature } from "../partners/signature.ts";
import type { AccountCache } from "./accountCache.ts";
import type { PartnerPorts } from "./ports.ts";
import { checkShape, checkType, parsePush } from "./readPush.ts";
import { type PushCall, takePush } from "./takePush.ts";

const SCOPE = "intake";

/** A secret that nobody knows: an unknown account costs the same work and gets the same answer. */
const NOBODYS = randomBytes(32).toString("hex");

const accountParams = z.object({ accountId: z.string() });

const text = { type: "string" };

const error = { $ref: "#/components/schemas/Error" };

const taken: JsonSchema = {
  type: "object",
  required: ["requestId", "receipt"],
  properties: { requestId: text, receipt: text },
};

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

/** Answers of a partner's endpoint, for the document. */
function pushAnswers({ statuses, auth, sampleAnswer }: PartnerEndpoint) {
  const example = sampleAnswer ?? { requestId: "VbZpV7JM0BOAzyAfVMfg", receipt: "eyJyIjoi….kTqB2w" };
  return {
    [statuses.accepted]: {
      description:
        "Written to the log. The receipt, also in the header Headwater-Receipt, tracks the outcome of the records.",
      schema: sampleAnswer === undefined ? taken : { type: "object" },
      example,
    },
    ...(auth.kind === "apiKey" ? { 200: verdictsOf } : {}),
    [statuses.badJson]: { description: "INVALID_JSON_PROVIDED", schema: error },
    [statuses.badShape]: {
      description: "VALIDATION_ERROR, or INVALID_JSON_PROVIDED where both use this status",
      schema: error,
    },
    ...(auth.kind === "none" ? {} : { 401: { description: "AUTHENTICATION_FAILED", schema: error } }),
    ...(statuses.wrongType === "NOT_ACCEPTABLE" ? { 406: { description: "NOT_ACCEPTABLE", schema: error } } : {}),
  };
}

/** Finds who signed the push: the account of the path, if the signature was made with a secret of it. */
async function findSigner(
  { partner }: PartnerEndpoint,
  signature: Signature,
  { call, accounts }: { readonly call: Call; readonly accounts: AccountCache },
): Promise<Caller | undefined> {
  const { accountId } = accountParams.parse(call.params);
  const account = await accounts.byId(accountId, call.clientAddress);
  const [first = NOBODYS, second = first] = account === undefined ? [] : signature.secretsOf(account.settings);
  const isRight = signature.isRight({
    header: call.header(signature.header),
    bytes: call.bytes,
    secrets: [first, second],
    settings: account?.settings ?? defaultSettings,
    nowMs: call.receivedAtMs,
  });
  return isRight && account !== undefined && first !== NOBODYS ? signer(partner, account) : undefined;
}

/** A signature stands for the whole account; its calls are counted for themselves. */
function signer(partner: string, account: Account): Caller {
  return { kind: "key", id: `${partner}:${account.id}`, name: partner, account, scopes: [SCOPE] };
}

/** Finds the owner of the key that a body holds. */
async function findByKey(
  keys: KeyCache,
  key: string | undefined,
  address: string | undefined,
): Promise<Caller | undefined> {
  return key === undefined ? undefined : keys.find(key, address);
}
