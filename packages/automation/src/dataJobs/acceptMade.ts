import type { Account } from "@headwater/contracts";
import { type Answer, mayHoldForbidden } from "@headwater/http";
import type { Item, Items } from "@headwater/intake/body/readItems";
import { type AcceptPorts, acceptItems } from "@headwater/intake/entry/acceptItems";
import type { CallOptions } from "@headwater/intake/entry/callOptions";
import type { RequestStamp } from "@headwater/intake/entry/entries";
import { createJudgingTurns } from "@headwater/intake/entry/judgingTurns";
import { createReceiptSeal } from "@headwater/intake/entry/receipts";
import { createContactactivities } from "@headwater/intake/operations/createContactactivities/createContactactivities";
import { subjectOf } from "@headwater/intake/operations/jsonSchema";
import type { InternalOperation } from "@headwater/intake/operations/operation";
import { upsertContact } from "@headwater/intake/operations/upsertContact/upsertContact";
import { upsertOrder } from "@headwater/intake/operations/upsertOrder/upsertOrder";
import { upsertSupplementsRecords } from "@headwater/intake/operations/upsertSupplementsRecords/upsertSupplementsRecords";
import type { Sliced } from "@headwater/kernel";
import { topicNamed } from "@headwater/topics";
import type { MadeRecord } from "./compileMapping.ts";
import type { Target } from "./dataJob.ts";
import type { DataJobPorts } from "./ports.ts";

/** Targets whose records go into the log. */
export type LoggedTarget = Exclude<Target["type"], "products" | "export">;

/** Operation of intake whose bodies the records of a target are. */
export const operationsOfTargets: Readonly<Record<LoggedTarget, InternalOperation>> = {
  contacts: upsertContact,
  activities: createContactactivities,
  orders: upsertOrder,
  supplement: upsertSupplementsRecords,
};

export function isLogged(type: Target["type"]): type is LoggedTarget {
  return type !== "products" && type !== "export";
}

/** Returns a made record as intake takes it: one of a supplement has the key of its table. */
export function toItem(value: unknown, { type, key }: Target): unknown {
  return type === "supplement" ? { ...Object(value), supplement: key } : value;
}

const TOPIC = "intake.records";

/** Returns the ports by which what was made is accepted as if it were sent to intake. */
export function createAcceptPorts({
  producer,
  secret,
  clock,
}: Pick<DataJobPorts, "producer" | "secret" | "clock">): AcceptPorts {
  return {
    partitions: topicNamed(TOPIC).partitions,
    sealReceipt: createReceiptSeal(TOPIC, secret, clock),
    turns: createJudgingTurns(),
    append: (operation, append) => producer.append({ topic: TOPIC, subject: subjectOf(operation), ...append }),
  };
}

export interface MadeItems {
  readonly made: readonly MadeRecord[];
  readonly target: Target & { readonly type: LoggedTarget };
  readonly account: Account;
  readonly scopes: readonly string[];
  readonly options: CallOptions;
  readonly stamp: RequestStamp;
}

const ANSWER = { status: 200, lead: '"success":true,"message":"The valid records are in the log.",' };

/** Hands what was made to the operation of its target. @throws HeadwaterError as `acceptItems`. */
export function acceptMade(acceptPorts: AcceptPorts, { made, target, ...call }: MadeItems): Promise<Answer> {
  return acceptItems(acceptPorts, {
    ...call,
    operation: operationsOfTargets[target.type],
    isBatch: true,
    bytes: made.reduce((sum, record) => sum + (record?.length ?? 0), 0),
    form: ANSWER,
    traceparent: undefined,
    read: () => itemsOf(made, target),
  });
}

/** Records that are parsed between two stops. */
const RECORDS_PER_STEP = 64;
const BYTES_PER_STEP = 512 * 1024;

function* itemsOf(made: readonly MadeRecord[], target: Target): Sliced<Items> {
  const items: Item[] = [];
  let isSuspicious = false;
  let bytes = 0;
  for (const record of made) {
    bytes += record?.length ?? 0;
    if (items.length % RECORDS_PER_STEP === 0 || bytes > BYTES_PER_STEP) yield;
    if (bytes > BYTES_PER_STEP) bytes = 0;
    isSuspicious ||= record !== undefined && mayHoldForbidden(record);
    items.push(
      record === undefined ? { kind: "tooLarge" } : { kind: "value", value: toItem(JSON.parse(record), target) },
    );
  }
  return { kind: "items", items, isSuspicious, unknownMembers: [] };
}
