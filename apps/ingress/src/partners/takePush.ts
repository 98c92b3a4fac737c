import { createHash } from "node:crypto";
import { type Answer, type ApiKey, type Call, mayHoldForbidden, textOf } from "@headwater/http";
import type { LoggedOperation } from "@headwater/operations";
import type { PartnerEndpoint, Push } from "@headwater/partners";
import type { FrameEntry } from "@headwater/topics";
import { tooLarge } from "../intake/answers.ts";
import { type RequestStamp, toEntries } from "../intake/entries.ts";
import { limits } from "../limits.ts";
import { type JudgedPush, judgePush } from "./judgePush.ts";
import type { PartnerPorts } from "./ports.ts";
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

/** Accepts one push: maps it, judges its parts, writes their records to the log, and answers when the log has them. */
export async function takePush(ports: PartnerPorts, pushed: PushCall): Promise<Answer> {
  const { endpoint, call, caller, value } = pushed;
  ports.refuseWhenBehind(caller.account.id);
  const { settings, id: accountId } = caller.account;
  const bodyHash = createHash("sha256").update(accountId).update(call.bytes).digest("hex");
  const context = { settings, accountId, bodyHash, nowMs: call.receivedAtMs };
  const push = await ports.turns.take(accountId, call.bytes.length, () => mapPush(endpoint, value, context));
  const { page } = push;
  if (page === undefined) return write(ports, pushed, push, { requestId: call.requestId, isKeyed: false });
  return runPage(ports, { endpoint, call, caller, page }, (requestId) =>
    write(ports, pushed, push, { requestId, isKeyed: true }),
  );
}

async function write(
  ports: PartnerPorts,
  { endpoint, call, caller, value }: PushCall,
  push: Push,
  request: Pick<RequestStamp, "requestId" | "isKeyed">,
): Promise<Answer> {
  const { account, scopes } = caller;
  const listId = push.listChange && (await ports.lists.change(account, endpoint.partner, push.listChange));
  const parts = await resolveLists(ports.lists, { endpoint, account }, push.parts);
  const { requestId } = request;
  const judged = await ports.turns.take(account.id, call.bytes.length, () =>
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
