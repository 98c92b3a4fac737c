import { type Answer, badEncoding, type Call, type Caller, notJson, refusal, runKeyed, textOf } from "@headwater/http";
import type { Sliced } from "@headwater/kernel";
import { type Items, type ItemsRead, readBatch, readLines, readSingle } from "../body/readItems.ts";
import type { Operation } from "../operations/operation.ts";
import { acceptItems } from "./acceptItems.ts";
import { tooLarge } from "./answers.ts";
import { type CallOptions, readCallOptions } from "./callOptions.ts";
import type { IntakePorts } from "./ports.ts";

export const NDJSON = "application/x-ndjson";
const NOTHING_ACCEPTED = { accepted: 0, rejected: 0, items: [] };
/** A body that cannot be parsed: 422 on intake, as for everything else that is wrong with one. */
export const PARSE_ERROR = { parseErrorStatus: 422 };
export const BATCH_PARSE_ERROR = { ...PARSE_ERROR, parseErrorExtra: NOTHING_ACCEPTED };

/** One route of one operation. */
export interface IntakeRoute {
  readonly operation: Operation;
  readonly isBatch: boolean;
  /** Method and path, the scope of an Idempotency-Key. */
  readonly name: string;
  readonly decimalMembers: ReadonlySet<string>;
}

/** Accepts one request: validates its items, writes their records to the log, and answers when the log has them. */
export function handleIntake(ports: IntakePorts, route: IntakeRoute, call: Call, caller: Caller): Promise<Answer> {
  const options = readCallOptions(call.query, route.isBatch);
  const key = call.header("idempotency-key");
  const run = { ports, route, call, caller, options };
  if (key === undefined || options.validateOnly) return handleOnce(run, call.requestId, false);
  return runKeyed(ports.idempotency, {
    call: { account: caller.account.number, route: route.name, key },
    body: call.bytes,
    requestId: call.requestId,
    run: (requestId) => handleOnce(run, requestId, true),
  });
}

interface Run {
  readonly ports: IntakePorts;
  readonly route: IntakeRoute;
  readonly call: Call;
  readonly caller: Caller;
  readonly options: CallOptions;
}

/** Runs one request under the id of its records. */
async function handleOnce(
  { ports, route, call, caller, options }: Run,
  requestId: string,
  isKeyed: boolean,
): Promise<Answer> {
  const { account, scopes } = caller;
  if (!options.validateOnly) ports.refuseWhenBehind(account.id);
  const { operation, isBatch } = route;
  return acceptItems(ports, {
    ...{ operation, isBatch, account, scopes, options },
    bytes: call.bytes.length,
    traceparent: call.traceparent,
    stamp: { requestId, receivedAtMs: call.receivedAtMs, isKeyed },
    read: () => readOrRefuse(route, call),
  });
}

function* readOrRefuse(route: IntakeRoute, call: Call): Sliced<Items> {
  const read = yield* readItems(route, call);
  if (read.kind !== "items") throw unreadable(read, route);
  return read;
}

function* readItems(
  { isBatch, operation, decimalMembers }: IntakeRoute,
  { bytes, mediaType }: Call,
): Sliced<ItemsRead> {
  const text = textOf(bytes);
  if (text === undefined) throw badEncoding(isBatch ? BATCH_PARSE_ERROR : PARSE_ERROR, "UTF-8").error;
  if (!isBatch) return readSingle(text, decimalMembers);
  const rules = { itemsMax: operation.batchItemsMax, decimalMembers };
  return yield* mediaType === NDJSON ? readLines(text, rules) : readBatch(text, rules);
}

function unreadable(read: Exclude<ItemsRead, { kind: "items" }>, { isBatch, operation }: IntakeRoute) {
  switch (read.kind) {
    case "tooMany":
      return tooLarge("items", operation.batchItemsMax);
    case "badEnvelope":
      return refusal("VALIDATION_ERROR", read.detail.message, { details: [read.detail], extra: NOTHING_ACCEPTED });
    case "notJson":
      return notJson(PARSE_ERROR.parseErrorStatus, isBatch ? NOTHING_ACCEPTED : {});
  }
}
