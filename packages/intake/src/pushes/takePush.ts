import { createHash } from "node:crypto";
import { type Answer, type ApiKey, type Call, mayHoldForbidden, runKeyed, textOf } from "@headwater/http";
import type { FrameEntry } from "@headwater/topics";
import { tooLarge } from "../entry/answers.ts";
import { isValidatedOnly } from "../entry/callOptions.ts";
import { type RequestStamp, toEntries } from "../entry/entries.ts";
import { limits } from "../entry/limits.ts";
import type { LoggedOperation } from "../operations/operation.ts";
import type { PartnerEndpoint } from "../partners/endpoint.ts";
import type { Part, Push } from "../partners/push.ts";
import { type JudgedPush, judgePush } from "./judgePush.ts";
import type { PartnerPorts } from "./ports.ts";
import { pushVerdicts } from "./pushVerdicts.ts";
import { mapPush } from "./readPush.ts";
import { resolveLists } from "./resolveLists.ts";
import { runPage } from "./runPage.ts";

export interface PushCall {
  readonly endpoint: PartnerEndpoint;
  readonly call: Call;
  readonly caller: ApiKey;
  /** The parsed body, not yet looked at but for what authentication needed. */
  readonly value: unknown;
}

type Request = Pick<RequestStamp, "requestId" | "isKeyed">;

/**
 * Accepts one push: maps it, judges its parts, writes their records to the log, and answers when the log has them. A sender that calls with a
 * key of the account has what callers of intake have: `Idempotency-Key` and `validateOnly`.
 */
export async function takePush(ports: PartnerPorts, pushed: PushCall): Promise<Answer> {
  const { endpoint, call, caller } = pushed;
  const once = { requestId: call.requestId, isKeyed: false };
  if (endpoint.auth.kind !== "apiKey") return take(ports, pushed, once);
  if (isValidatedOnly(call.query)) return validate(ports, pushed);
  const key = call.header("idempotency-key");
  if (key === undefined) return take(ports, pushed, once);
  return runKeyed(ports.idempotency, {
    call: { account: caller.account.number, route: `POST ${endpoint.path}`, key },
    body: call.bytes,
    requestId: call.requestId,
    run: (requestId) => take(ports, pushed, { requestId, isKeyed: true }),
  });
}

async function take(ports: PartnerPorts, pushed: PushCall, request: Request): Promise<Answer> {
  const { endpoint, call, caller } = pushed;
  ports.refuseWhenBehind(caller.account.id);
  const push = await map(ports, pushed);
  const { page } = push;
  if (page === undefined) return write(ports, pushed, push, request);
  return runPage(ports, { endpoint, call, caller, page }, (requestId) =>
    write(ports, pushed, push, { requestId, isKeyed: true }),
  );
}

function map(ports: PartnerPorts, { endpoint, call, caller: { account }, value }: PushCall): Promise<Push> {
  const { settings, id: accountId } = account;
  const bodyHash = createHash("sha256").update(accountId).update(call.bytes).digest("hex");
  const context = { settings, accountId, bodyHash, nowMs: call.receivedAtMs };
  return ports.turns.take(accountId, call.bytes.length, () => mapPush(endpoint, value, context));
}

/** Answers the verdicts on a push's parts. Nothing is written, and no list is made. */
async function validate(ports: PartnerPorts, pushed: PushCall): Promise<Answer> {
  const { isOneItem: _, ...endpoint } = pushed.endpoint;
  const push = await map(ports, pushed);
  const parts = push.parts.map(withoutMaking);
  const { requestId } = pushed.call;
  const judged = await judge(ports, { ...pushed, endpoint }, { push: { ...push, parts }, requestId });
  return pushVerdicts(judged, requestId);
}

function withoutMaking(part: Part): Part {
  return part.kind === "refused" || part.list === undefined ? part : { ...part, list: { ...part.list, isMade: false } };
}

async function judge(
  ports: PartnerPorts,
  { endpoint, call, caller: { account, scopes }, value }: PushCall,
  { push, requestId }: { readonly push: Push; readonly requestId: string },
): Promise<JudgedPush> {
  const parts = await resolveLists(ports.lists, { endpoint, account }, push.parts);
  return ports.turns.take(account.id, call.bytes.length, () =>
    judgePush(parts, {
      endpoint,
      account,
      scopes,
      requestId,
      name: push.name,
      nowMs: call.receivedAtMs,
      isSuspicious: mayHoldForbidden(textOf(call.bytes) ?? ""),
      body: value,
    }),
  );
}

async function write(ports: PartnerPorts, pushed: PushCall, push: Push, request: Request): Promise<Answer> {
  const { endpoint, call, caller } = pushed;
  const listId = push.listChange && (await ports.lists.change(caller.account, endpoint.partner, push.listChange));
  const { requestId } = request;
  const judged = await judge(ports, pushed, { push, requestId });
  const name = `${endpoint.partner}/${endpoint.name}`;
  ports.counts.items(name, judged.accepted, judged.refused);
  ports.counts.bytes(name, call.bytes.length);
  const stamp = { ...request, receivedAtMs: call.receivedAtMs };
  const receipt = await append(ports, { call, caller }, judged, stamp);
  const answer = push.answer?.({ listId }) ?? { requestId, receipt };
  const headers = { "Headwater-Receipt": receipt };
  const items = { accepted: judged.accepted, rejected: judged.refused };
  return { status: endpoint.statuses.accepted, body: answer, requestId, headers, items };
}

/** @returns the receipt over all operations, once every partition has acknowledged. */
async function append(
  ports: PartnerPorts,
  { call, caller: { account } }: Pick<PushCall, "call" | "caller">,
  { items }: JudgedPush,
  stamp: RequestStamp,
): Promise<string> {
  const rules = { partitions: ports.partitions, recordsMax: limits.pushRecords };
  const made: { operation: Pick<LoggedOperation, "name">; entries: readonly FrameEntry[] }[] = [];
  for (const [operation, accepted] of items) {
    const entries = await ports.turns.follow(call.bytes.length, toEntries(accepted, stamp, rules));
    if (entries.kind === "tooLarge") throw tooLarge(entries.what, entries.max);
    made.push({ operation, entries: entries.entries });
  }
  // All of them are handed over before the first is waited for, in the order of the push: so they stand in a partition.
  const placements = await Promise.all(
    made.map(async ({ operation, entries }) => {
      const { traceparent } = call;
      const placed = await ports.append(operation, { account: account.id, entries, traceparent });
      ports.counts.records(operation.name, entries.length);
      return placed;
    }),
  );
  return ports.sealReceipt(stamp, account.id, placements.flat());
}
