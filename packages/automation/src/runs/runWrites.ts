import { type Account, partitionOf } from "@headwater/contracts";
import { addContactsToList } from "@headwater/intake/operations/addContactsToList/addContactsToList";
import { removeContactsFromList } from "@headwater/intake/operations/removeContactsFromList/removeContactsFromList";
import { upsertContact } from "@headwater/intake/operations/upsertContact/upsertContact";
import { validateItem } from "@headwater/intake/operations/validateItem";
import { wantIdOf } from "@headwater/kernel";
import type { Transaction } from "@headwater/postgres/connection/session";
import { intakePayload } from "@headwater/postgres/outbox/intakePayload";
import { appendOutbox } from "@headwater/postgres/outbox/outbox";
import { takeOutboxPositions } from "@headwater/records/contacts/sequences";
import { topicNamed } from "@headwater/topics";
import type { Node } from "../orchestrations/orchestration.ts";
import type { TaskContext, TaskEnd, TaskPorts, Write } from "./taskContext.ts";

const operations = { upsertContact, addContactsToList, removeContactsFromList } as const;
const TOPIC = "intake.records";

/**
 * Returns what a transformation writes, as items that intake takes: they go through the same door as any other, so the same rules hold for them. They
 * start nothing, and make no contact.
 */
export async function writesOf(
  { set, key }: Extract<Node, { type: "transformation" }>["config"],
  context: TaskContext,
  ports: TaskPorts,
): Promise<TaskEnd> {
  if (set === undefined) return { result: "refused", reason: `The data job ${key} cannot be run by a step.` };
  const attributes = await renderAttributes(set.attributes ?? {}, context, ports);
  if (typeof attributes === "string") return { result: "refused", reason: attributes };
  const identifiers = { cID: context.cid ?? "" };
  const contact = { identifiers, attributes, canBeCreated: false, canBeUpdated: true };
  const listed = (listName: string) => ({ identifiers: [identifiers], listName, suppressTriggers: true });
  const writes: Write[] = [
    ...(Object.keys(attributes).length > 0
      ? [{ operation: "upsertContact" as const, item: { ...contact, suppressTriggers: true } }]
      : []),
    ...(set.lists?.add ?? []).map((list) => ({ operation: "addContactsToList" as const, item: listed(list) })),
    ...(set.lists?.remove ?? []).map((list) => ({ operation: "removeContactsFromList" as const, item: listed(list) })),
  ];
  const wrong = writes.flatMap(({ operation, item }) => {
    const verdict = validateItem(operations[operation], context.account, item, {
      nowMs: ports.clock.nowMs(),
      scopes: [],
    });
    return verdict.kind === "rejected" ? [verdict.code] : [];
  });
  return wrong[0] === undefined
    ? { result: "ok", writes }
    : { result: "refused", reason: `The write is refused: ${wrong[0]}` };
}

/** Renders the texts among values; others are taken as they are. @returns a message for what cannot be rendered. */
async function renderAttributes(
  attributes: Readonly<Record<string, unknown>>,
  { account, run, contact }: TaskContext,
  { renders }: TaskPorts,
): Promise<Record<string, unknown> | string> {
  const texts = Object.entries(attributes).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value] as const] : [],
  );
  const { event, extVars } = run.start;
  const { timezone, currency } = account.settings;
  // Numbers in place of names: these are the account's own, and may be those of members that every object has.
  const headers = Object.fromEntries(texts.map(([, text], index) => [String(index), text]));
  const rendered = await renders.render(account.id, {
    ...{ channel: "http", headers, includes: {}, timezone, currency },
    context: { ...extVars, contact, event, mergeData: extVars, extVars },
  });
  if (!("content" in rendered)) return "An attribute of the step cannot be rendered.";
  const values = new Map(texts.map(([name], index) => [name, rendered.headers[String(index)] ?? ""]));
  return Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, values.get(name) ?? value]));
}

interface Appending {
  readonly writes: readonly Write[];
  /** Id of the effect: its records have ids of it. */
  readonly task: string;
  readonly nowMs: number;
}

/**
 * Puts writes on their way to the log, in the transaction of the step that wants them. The relay may publish them twice: their ids follow from the
 * effect, and `keyed` makes the second one a duplicate.
 */
export async function appendWrites(
  transaction: Transaction,
  account: Account,
  { writes, task, nowMs }: Appending,
): Promise<void> {
  if (writes.length === 0) return;
  const { partitions } = topicNamed(TOPIC);
  const requestId = wantIdOf("write", account.number, task);
  const rows = writes.flatMap(({ operation, item }, index) => {
    const verdict = validateItem(operations[operation], account, item, { nowMs, scopes: [] });
    if (verdict.kind === "rejected") throw new Error(`a write of a run was refused: ${verdict.code}`);
    return verdict.records.map(({ identity, members }, element) => ({
      operation,
      sourcePartition: partitionOf(identity, partitions),
      text: JSON.stringify({ id: `${requestId}:${index}:${element}`, receivedAt: nowMs, keyed: true, ...members }),
    }));
  });
  const positions = await takeOutboxPositions(transaction, rows.length);
  const outbox = rows.map(({ operation, sourcePartition, text }, index) => ({
    position: positions[index] ?? 0,
    topic: TOPIC,
    sourcePartition,
    payload: intakePayload(account.id, [text], operation),
  }));
  await appendOutbox(transaction, outbox);
}
