import type { Account } from "@headwater/contracts";
import type { Answer } from "@headwater/http";
import type { Sliced } from "@headwater/kernel";
import type { Items } from "../body/readItems.ts";
import type { InternalOperation } from "../operations/operation.ts";
import {
  type AcceptedForm,
  acceptedAnswer,
  type PreparedAnswer,
  prepareAnswer,
  refusedRequest,
  sortVerdicts,
  tooLarge,
  type Validated,
  verdictsAnswer,
} from "./answers.ts";
import type { CallOptions } from "./callOptions.ts";
import { type RequestStamp, toEntries } from "./entries.ts";
import { limits } from "./limits.ts";
import type { IntakePorts } from "./ports.ts";
import { judge } from "./verdicts.ts";

/** Items of one operation that an account sends together. */
export interface ItemsToAccept {
  readonly operation: InternalOperation;
  readonly isBatch: boolean;
  readonly account: Account;
  /** Scopes of the caller's key. */
  readonly scopes: readonly string[];
  readonly options: CallOptions;
  /** Size of the body: large ones wait for their turn, and are validated in slices. */
  readonly bytes: number;
  /** Form of the answer, where it is not that of an intake route. */
  readonly form?: AcceptedForm;
  readonly traceparent: string | undefined;
  readonly stamp: RequestStamp;
  /** Reads the items. What it throws is the answer. */
  readonly read: () => Sliced<Items>;
}

export type AcceptPorts = Pick<IntakePorts, "partitions" | "sealReceipt" | "turns" | "append"> &
  Partial<Pick<IntakePorts, "counts">>;

/**
 * Validates items, writes the records of those that are valid to the log, and answers when the log has them: 200 with the verdicts where
 * nothing is to be written.
 *
 * Requests wait for the log by the thousand when it is behind: what they hold until then is little, and nothing of their bodies, items and
 * records, which belong to `validateAndWrite` alone.
 * @throws HeadwaterError 422 when no item is valid, or one is not and `strict` is set; 413; 503.
 */
export function acceptItems(ports: AcceptPorts, items: ItemsToAccept): Promise<Answer> {
  const { stamp, form } = items;
  const { name } = items.operation;
  const { id: account } = items.account;
  return validateAndWrite(ports, items).then(async (writing) => {
    if (writing.kind === "verdicts") return writing.answer;
    const { records, prepared } = writing;
    const placements = await writing.written;
    ports.counts?.records(name, records);
    const receipt = ports.sealReceipt(stamp, account, placements);
    return acceptedAnswer(prepared, { requestId: stamp.requestId, receipt }, form);
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
async function validateAndWrite(ports: AcceptPorts, items: ItemsToAccept): Promise<Writing> {
  const { operation, account, options, bytes, traceparent, stamp } = items;
  const validated = await ports.turns.take(account.id, bytes, () => validateItems(items));
  ports.counts?.bytes(operation.name, bytes);
  ports.counts?.items(operation.name, validated.accepted.length, validated.rejected.length);
  if (options.validateOnly) {
    return { kind: "verdicts", answer: verdictsAnswer(validated, stamp.requestId, options.verbose) };
  }
  const isRefused = validated.accepted.length === 0 || (options.strict && validated.rejected.length > 0);
  if (isRefused) throw refusedRequest(validated, options.verbose);
  const rules = { partitions: ports.partitions, recordsMax: limits.records };
  const created = await ports.turns.follow(bytes, toEntries(validated.accepted, stamp, rules));
  if (created.kind === "tooLarge") throw tooLarge(created.what, created.max);
  const { entries } = created;
  const prepared = prepareAnswer(validated, options.verbose);
  const written = ports.append(operation, { account: account.id, entries, traceparent });
  return { kind: "records", records: entries.length, prepared, written };
}

function* validateItems(items: ItemsToAccept): Sliced<Validated> {
  const { operation, isBatch, account, scopes, bytes, stamp } = items;
  const read = yield* items.read();
  yield;
  const verdicts = yield* judge(read, {
    ...{ operation, account, scopes, nowMs: stamp.receivedAtMs },
    isLarge: bytes > limits.itemBytes,
  });
  return sortVerdicts(verdicts, isBatch, read.unknownMembers);
}
