import { type Account, type ProductBody, partitionOf } from "@headwater/contracts";
import { findForbidden } from "@headwater/http";
import { addContactsToList } from "@headwater/intake/operations/addContactsToList/addContactsToList";
import { createContactactivities } from "@headwater/intake/operations/createContactactivities/createContactactivities";
import { removeContactsFromList } from "@headwater/intake/operations/removeContactsFromList/removeContactsFromList";
import { upsertContact } from "@headwater/intake/operations/upsertContact/upsertContact";
import { upsertOrder } from "@headwater/intake/operations/upsertOrder/upsertOrder";
import { upsertSupplementsRecords } from "@headwater/intake/operations/upsertSupplementsRecords/upsertSupplementsRecords";
import { validateItem } from "@headwater/intake/operations/validateItem";
import { classifyFailure, wantIdOf } from "@headwater/kernel";
import type { Transaction } from "@headwater/postgres/connection/session";
import { intakePayload } from "@headwater/postgres/outbox/intakePayload";
import { appendOutbox } from "@headwater/postgres/outbox/outbox";
import { takeOutboxPositions } from "@headwater/records/contacts/sequences";
import { topicNamed } from "@headwater/topics";
import { mapForStep, type StepRecords } from "../dataJobs/mapForStep.ts";
import { readMadeProduct } from "../dataJobs/products.ts";
import type { Node } from "../orchestrations/orchestration.ts";
import type { TaskContext, TaskEnd, TaskPorts, Write } from "./taskContext.ts";

const operations = {
  upsertContact,
  addContactsToList,
  removeContactsFromList,
  createContactactivities,
  upsertOrder,
  upsertSupplementsRecords,
} as const;
const TOPIC = "intake.records";

/**
 * Returns what a transformation writes, as items that intake takes: they go through the same door as any other, so the same rules hold for them. They
 * start nothing unless a mapping says so, and create no contact: one that was erased in the meantime stays away.
 */
export function writesOf(
  { set, key }: Extract<Node, { type: "transformation" }>["config"],
  context: TaskContext,
  ports: TaskPorts,
): Promise<TaskEnd> {
  return set === undefined ? mappedWrites(key ?? "", context, ports) : setWrites(set, context, ports);
}

type SetMembers = NonNullable<Extract<Node, { type: "transformation" }>["config"]["set"]>;

async function setWrites(set: SetMembers, context: TaskContext, ports: TaskPorts): Promise<TaskEnd> {
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
  return checked(writes, context, ports);
}

/** Returns the end of a step that writes, or the first reason for which a door refuses one of its items. */
function checked(writes: readonly Write[], { account }: TaskContext, { clock }: TaskPorts): TaskEnd {
  for (const { operation, item } of writes) {
    const result = validateItem(operations[operation], account, item, { nowMs: clock.nowMs(), scopes: [] });
    if (result.kind === "accepted") continue;
    const [first] = result.details;
    const at = first === undefined ? "" : ` at ${first.path || "/"}`;
    return { result: "refused", reason: `The write is refused: ${result.code}${at}` };
  }
  return { result: "ok", writes };
}

/** Has a data job map the contact, its event and the variables of the run. Too many mappings at a time are a reason to try again. */
async function mappedWrites(key: string, context: TaskContext, ports: TaskPorts): Promise<TaskEnd> {
  const { account, run, contact } = context;
  const { event, extVars } = run.start;
  const named = { account: account.number, key, input: { contact, event, extVars } };
  let mapped: StepRecords;
  try {
    mapped = await mapForStep(ports.postgres, named, ports.mapper);
  } catch (error) {
    if (classifyFailure(error) === "poison") throw error;
    return { result: "error", reason: error instanceof Error ? error.message : "The mapping did not run." };
  }
  if (mapped.kind === "failed") return { result: "refused", reason: mapped.error.message };
  const { target, records } = mapped;
  if (records.some((record) => findForbidden(record) !== undefined))
    return { result: "refused", reason: "The mapping makes text that cannot be stored." };
  if (target.type === "products") return productsOf(records);
  const operation = operationOf(target.type);
  return checked(
    records.map((record) => ({ operation, item: quiet(record) })),
    context,
    ports,
  );
}

type MadeBy = Exclude<Extract<StepRecords, { kind: "records" }>["target"]["type"], "products">;

function operationOf(target: MadeBy): Write["operation"] {
  switch (target) {
    case "contacts":
      return "upsertContact";
    case "activities":
      return "createContactactivities";
    case "orders":
      return "upsertOrder";
    case "supplement":
      return "upsertSupplementsRecords";
    case "export":
      throw new Error("a step has no records that are written to files");
  }
}

function productsOf(records: readonly unknown[]): TaskEnd {
  const products: ProductBody[] = [];
  for (const record of records) {
    const made = readMadeProduct(JSON.stringify(record));
    if (made.kind === "refused")
      return { result: "refused", reason: `The write is refused: ${made.code} at ${made.path || "/"}` };
    products.push(made.product);
  }
  return { result: "ok", products };
}

/** Lets a made record start nothing by itself, and create nobody. */
function quiet(record: unknown): object {
  const { contact, ...members }: Record<string, unknown> = { suppressTriggers: true, ...Object(record) };
  return { ...createsNobody(members), ...(contact !== undefined && { contact: createsNobody(contact) }) };
}

function createsNobody(value: unknown): object {
  const members: Record<string, unknown> = { ...Object(value) };
  return members.canBeCreated === true ? { ...members, canBeCreated: false } : members;
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
