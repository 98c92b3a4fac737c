import { type Answer, type ApiKey, badEncoding, type Call, notJson, refusal, runKeyed, textOf } from "@headwater/http";
import type { Sliced } from "@headwater/kernel";
import { type ItemsRead, readBatch, readLines, readSingle } from "../body/readItems.ts";
import type { Operation } from "../operations/operation.ts";
import {
  acceptedAnswer,
  type PreparedAnswer,
  prepareAnswer,
  refusedRequest,
  sortVerdicts,
  tooLarge,
  type Validated,
  verdictsAnswer,
} from "./answers.ts";
import { type CallOptions, readCallOptions } from "./callOptions.ts";
import { type RequestStamp, toEntries } from "./entries.ts";
import { limits } from "./limits.ts";
import type { IntakePorts } from "./ports.ts";
import { judge } from "./verdicts.ts";

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
export function handleIntake(ports: IntakePorts, route: IntakeRoute, call: Call, caller: ApiKey): Promise<Answer> {
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
  readonly caller: ApiKey;
  readonly options: CallOptions;
}

/**
 * Requests wait for the log by the thousand when it is behind: what they hold meanwhile is little, and nothing of their bodies, items and records, which
 * belong to `judgeAndWrite` alone.
 */
function handleOnce(run: Run, requestId: string, isKeyed: boolean): Promise<Answer> {
  const { ports } = run;
  const { name } = run.route.operation;
  const { id: account } = run.caller.account;
  const stamp = { requestId, receivedAtMs: run.call.receivedAtMs, isKeyed };
  return validateAndWrite(run, stamp).then(async (writing) => {
    if (writing.kind === "verdicts") return writing.answer;
    const { records, prepared } = writing;
    const placements = await writing.written;
    ports.counts.records(name, records);
    return acceptedAnswer(prepared, requestId, ports.sealReceipt(stamp, account, placements));
  });
}

type Writing =
  | { readonly kind: "verdicts"; readonly answer: Answer }
  | {
      readonly kind: "records";
      readonly records: number;
      readonly prepared: PreparedAnswer;
      /** Resolves once every partition has acknowledged. */
      readonly written: ReturnType<IntakePorts["append"]>;
    };

/** Hands the records over, and does not wait for the log. */
async function validateAndWrite(run: Run, stamp: RequestStamp): Promise<Writing> {
  const { ports, route, call, caller, options } = run;
  const { id: account } = caller.account;
  if (!options.validateOnly) ports.refuseWhenBehind(account);
  const validated = await ports.turns.take(account, call.bytes.length, () => validateBody(run));
  ports.counts.items(route.operation.name, validated.accepted.length, validated.rejected.length);
  if (options.validateOnly) {
    return { kind: "verdicts", answer: verdictsAnswer(validated, stamp.requestId, options.verbose) };
  }
  const isRefused = validated.accepted.length === 0 || (options.strict && validated.rejected.length > 0);
  if (isRefused) throw refusedRequest(validated, options.verbose);
  const rules = { partitions: ports.partitions, recordsMax: limits.records };
  const created = await ports.turns.follow(call.bytes.length, toEntries(validated.accepted, stamp, rules));
  if (created.kind === "tooLarge") throw tooLarge(created.what, created.max);
  const { entries } = created;
  const prepared = prepareAnswer(validated, options.verbose);
  const written = ports.append(route.operation, { account, entries, traceparent: call.traceparent });
  return { kind: "records", records: entries.length, prepared, written };
}

function* validateBody(run: Run): Sliced<Validated> {
  const { ports, route, call, caller } = run;
  const read = yield* readItems(route, call);
  if (read.kind !== "items") throw unreadable(read, route);
  yield;
  const verdicts = yield* judge(read, {
    operation: route.operation,
    account: caller.account,
    scopes: caller.scopes,
    nowMs: call.receivedAtMs,
    isLarge: call.bytes.length > limits.itemBytes,
  });
  ports.counts.bytes(route.operation.name, call.bytes.length);
  return sortVerdicts(verdicts, route.isBatch, read.unknownMembers);
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
