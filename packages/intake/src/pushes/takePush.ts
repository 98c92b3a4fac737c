import { createHash } from "node:crypto";
import type { Account } from "@headwater/contracts";
import { type Answer, type Call, type Caller, mayHoldForbidden, refusal, runKeyed, textOf } from "@headwater/http";
import { HeadwaterError } from "@headwater/kernel";
import type { FrameEntry } from "@headwater/topics";
import { tooLarge } from "../entry/answers.ts";
import { isValidatedOnly } from "../entry/callOptions.ts";
import { type RequestStamp, toEntries } from "../entry/entries.ts";
import { limits } from "../entry/limits.ts";
import type { LoggedOperation } from "../operations/operation.ts";
import { setAside } from "../operations/setAside/setAside.ts";
import type { PartnerEndpoint } from "../partners/endpoint.ts";
import type { ItemPart, Part, PartnerList, Push, RefusedPart } from "../partners/push.ts";
import type { FoundList, PartnerLists } from "./partnerLists.ts";
import type { PartnerPorts } from "./ports.ts";
import { mapPush } from "./readPush.ts";
import { type ValidatedPush, validatePush } from "./validatePush.ts";

/** A page is its name: what it holds is not compared, for senders write the same page in other words when they retry. */
const ANY_BODY = Buffer.alloc(0);

export interface PushCall {
  readonly endpoint: PartnerEndpoint;
  readonly call: Call;
  readonly caller: Caller;
  /** The parsed body, not yet checked but for what authentication needed. */
  readonly value: unknown;
}

type Request = Pick<RequestStamp, "requestId" | "isKeyed">;

/**
 * Accepts one push: maps it, validates its parts, writes their records to the log, and answers when the log has them. A sender that calls with a
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
  const validated = await check(ports, { ...pushed, endpoint }, { push: { ...push, parts }, requestId });
  return pushVerdicts(validated, requestId);
}

function withoutMaking(part: Part): Part {
  return part.kind === "refused" || part.list === undefined ? part : { ...part, list: { ...part.list, isMade: false } };
}

async function check(
  ports: PartnerPorts,
  { endpoint, call, caller: { account, scopes }, value }: PushCall,
  { push, requestId }: { readonly push: Push; readonly requestId: string },
): Promise<ValidatedPush> {
  const parts = await resolveLists(ports.lists, { endpoint, account }, push.parts);
  return ports.turns.take(account.id, call.bytes.length, () =>
    validatePush(parts, {
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
  const checked = await check(ports, pushed, { push, requestId });
  const name = `${endpoint.partner}/${endpoint.name}`;
  ports.counts.items(name, checked.accepted, checked.refused);
  ports.counts.bytes(name, call.bytes.length);
  const stamp = { ...request, receivedAtMs: call.receivedAtMs };
  const receipt = await append(ports, { call, caller }, checked, stamp);
  const answer = push.answer?.({ listId }) ?? { requestId, receipt };
  const headers = { "Headwater-Receipt": receipt };
  const items = { accepted: checked.accepted, rejected: checked.refused };
  return { status: endpoint.statuses.accepted, body: answer, requestId, headers, items };
}

/** @returns the receipt over all operations, once every partition has acknowledged. */
async function append(
  ports: PartnerPorts,
  { call, caller: { account } }: Pick<PushCall, "call" | "caller">,
  { items }: ValidatedPush,
  stamp: RequestStamp,
): Promise<string> {
  const rules = { partitions: ports.partitions, recordsMax: limits.pushRecords };
  const created: { operation: Pick<LoggedOperation, "name">; entries: readonly FrameEntry[] }[] = [];
  for (const [operation, accepted] of items) {
    const entries = await ports.turns.follow(call.bytes.length, toEntries(accepted, stamp, rules));
    if (entries.kind === "tooLarge") throw tooLarge(entries.what, entries.max);
    created.push({ operation, entries: entries.entries });
  }
  // All of them are handed over before the first is waited for, in the order of the push: so they stand in a partition.
  const placements = await Promise.all(
    created.map(async ({ operation, entries }) => {
      const { traceparent } = call;
      const located = await ports.append(operation, { account: account.id, entries, traceparent });
      ports.counts.records(operation.name, entries.length);
      return located;
    }),
  );
  return ports.sealReceipt(stamp, account.id, placements.flat());
}

/** Answers the verdicts on the parts of a push that is not written: counts, warnings, and the reason of each part that would be refused. */
function pushVerdicts({ items, accepted, refused }: ValidatedPush, requestId: string): Answer {
  const rejected = (items.get(setAside) ?? []).flatMap(({ index, records }) =>
    records.map(({ members: { code, path, message } }) => ({ index, status: "rejected", code, message, path })),
  );
  const warnings = [...items.values()]
    .flat()
    .flatMap(({ index, warnings: ofItem }) => ofItem.map((warning) => ({ index, ...warning })))
    .slice(0, limits.warnings);
  return { status: 200, body: { requestId, valid: accepted, rejected: refused, items: rejected, warnings } };
}

interface Page {
  readonly endpoint: PartnerEndpoint;
  readonly call: Call;
  readonly caller: Caller;
  /** The sender's name of it. */
  readonly page: string;
}

/** Runs a page once: one that was written is answered again, and one that failed goes on under its first request's id. */
async function runPage(
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

/** Puts the list of ours into every part that is about a partner's list. Each list is looked up once a push. */
async function resolveLists(
  lists: PartnerLists,
  { endpoint, account }: { readonly endpoint: PartnerEndpoint; readonly account: Account },
  parts: readonly Part[],
): Promise<readonly Part[]> {
  const wanted = new Map<string, PartnerList>();
  for (const part of parts) {
    const list = part.kind === "item" ? part.list : undefined;
    if (list !== undefined && (list.isMade || !wanted.has(list.externalId))) wanted.set(list.externalId, list);
  }
  if (wanted.size === 0) return parts;
  const found = new Map<string, FoundList>();
  for (const list of wanted.values()) {
    found.set(list.externalId, await lists.resolve(account, endpoint.partner, list));
  }
  return parts.map((part) => (part.kind === "item" ? withList(part, found) : part));
}

function withList(part: ItemPart, lists: ReadonlyMap<string, FoundList>): Part {
  const found = part.list === undefined ? undefined : lists.get(part.list.externalId);
  if (found === undefined) return part;
  if (found.kind === "list" && found.isArchived) return notFed(part);
  if ("listId" in part.body) return part;
  const list = found.kind === "list" ? { listId: found.list } : { listName: found.name };
  return { ...part, body: { ...part.body, ...list } };
}

function notFed({ path, body }: ItemPart): RefusedPart {
  const message = "The list is archived and accepts no more members.";
  return { kind: "refused", verdict: "skipped", code: "VALIDATION_ERROR", path, part: body, message };
}
