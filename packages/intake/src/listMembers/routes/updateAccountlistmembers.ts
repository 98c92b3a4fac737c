import { runLogged } from "@headwater/api/idempotency/runLogged";
import type { OnceCall } from "@headwater/api/idempotency/runOnce";
import type { WritePorts } from "@headwater/api/ports";
import { RECEIPT } from "@headwater/api/receipts";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import { lanes, sealReceipt, shapes } from "@headwater/contracts";
import { type Answer, atPath, type Route, refusal } from "@headwater/http";
import { runInSlices } from "@headwater/kernel";
import { lists } from "@headwater/records/lists/lists";
import { noSuchList } from "@headwater/records/lists/routes/clearAccountlist";
import { topicNamed } from "@headwater/topics";
import { z } from "zod";
import { type RequestStamp, toEntries } from "../../entry/entries.ts";
import { subjectOf } from "../../operations/jsonSchema.ts";
import type { RoutePorts } from "../../ports.ts";
import { type ListItem, type MemberChanges, readMembers } from "../listMembers.ts";

const TOPIC = "intake.records";
const CONTACTS_MAX = shapes.bounds.contactsPerListBody;
const BODY_BYTES_MAX = 1024 * 1024;

const params = z.strictObject({ id: z.string() });
const contacts = z
  .array(shapes.identifiers)
  .max(CONTACTS_MAX)
  .optional()
  .meta({ description: "Identifiers of contacts, as intake takes them." });
const body = z
  .object({
    add: contacts,
    remove: contacts,
    canBeCreated: z
      .boolean()
      .optional()
      .meta({ description: "Contacts of `add` that do not exist are created. Default: they are rejected." }),
  })
  .superRefine(({ add = [], remove = [] }, context) => {
    const issue = (code: string, message: string) =>
      context.addIssue({ code: "custom", path: ["add"], message, params: { code } });
    if (add.length + remove.length === 0) issue("required", "Name at least one contact in `add` or `remove`.");
    if (add.length + remove.length > CONTACTS_MAX)
      issue("too_many", `\`add\` and \`remove\` can name at most ${CONTACTS_MAX} contacts together.`);
  });

const warning = z.looseObject({ path: z.string(), code: z.string(), message: z.string() });
const acceptedAnswer = z.strictObject({
  requestId: z.string(),
  receipt: z.string(),
  added: z.number().int(),
  removed: z.number().int(),
  warnings: z.array(warning).optional(),
});
const acceptedExample = { requestId: "VbZsDdSkFIHQqU5ESHo7", receipt: "eyJ2IjoxfQ.c2lnbmF0dXJl", added: 2, removed: 1 };
const requestExample = {
  add: [{ email: "ada@example.com" }, { customer_id: 17850 }],
  remove: [{ email: "bob@example.com" }],
};

type Ports = WritePorts & Pick<RoutePorts, "logger" | "producer">;

interface MembersCall {
  readonly listId: string;
  readonly changes: MemberChanges;
  readonly once: OnceCall;
  /** Milliseconds since 1970. */
  readonly receivedAtMs: number;
}

/**
 * Writes the same records as intake's list operations do, once for an `Idempotency-Key`.
 * Throws 404 `ACCOUNT_LISTS_NOT_FOUND`, 422 with the paths of this body, 503 with Kafka or Postgres away.
 */
async function updateMembers({ listId, changes, once, receivedAtMs }: MembersCall, ports: Ports): Promise<Answer> {
  const { account, scopes } = once.caller;
  const list = await lists.read(ports.postgres, { account: account.number, key: listId });
  if (list === undefined) throw noSuchList();
  return runLogged(ports, once, async (requestId, isKeyed) => {
    const read = readMembers(changes, { account, listId: list.id }, { nowMs: receivedAtMs, scopes });
    if (read.kind === "refused") {
      const [first] = read.details;
      const message = first === undefined ? "The contacts are invalid." : atPath(first.path, first.message);
      throw refusal("VALIDATION_ERROR", message, { details: read.details });
    }
    const stamp = { requestId, receivedAtMs, isKeyed };
    const written = await Promise.all(read.items.map((item) => writeItem(item, stamp, account.id, ports)));
    const sealed = {
      ...{ requestId, accountId: account.id, receivedAt: receivedAtMs, ackedAt: ports.clock.nowMs() },
      parts: written.flat(),
    };
    const receipt = sealReceipt(sealed, ports.secret);
    const warnings = read.items.flatMap((item) => item.warnings);
    const countOf = (member: ListItem["member"]) =>
      read.items.find((item) => item.member === member)?.records.length ?? 0;
    const accepted = {
      ...{ requestId, receipt, added: countOf("add"), removed: countOf("remove") },
      ...(warnings.length > 0 && { warnings }),
    };
    const answer = { status: 202, body: accepted, headers: { [RECEIPT]: receipt } };
    return { ...answer, repeat: answer };
  });
}

/** Writes the records of one operation. Resolves when the log has them. */
async function writeItem(
  { index, operation, records }: ListItem,
  stamp: RequestStamp,
  account: string,
  { producer }: Pick<Ports, "producer">,
) {
  const rules = { partitions: topicNamed(TOPIC).partitions, recordsMax: CONTACTS_MAX };
  const item = { kind: "accepted", index, records, warnings: [] } as const;
  const created = await runInSlices(toEntries([item], stamp, rules));
  if (created.kind === "tooLarge") throw new Error("a bounded body has bounded records");
  const { entries } = created;
  const placements = await producer.append({ topic: TOPIC, subject: subjectOf(operation), account, entries });
  return placements.map(({ topic: _, ...at }) => ({ lane: lanes[TOPIC], ...at }));
}

export function updateAccountlistmembers(ports: Ports): Route {
  return defineWriteRoute({
    method: "PUT",
    path: "/v2/accountlists/{id}/members",
    operationId: "updateAccountlistmembers",
    summary: "Puts up to 1,000 contacts on a list and takes contacts off it.",
    description:
      "A 202 confirms that all of it is in the log. It is applied asynchronously, as intake's list operations are: the receipt, which is in the header `Headwater-Receipt` as well, tracks each contact (index 0 is `add`, 1 is `remove`) and can be passed to reads as `after`. A body with one invalid contact is refused as a whole.",
    tags: ["accountlists"],
    answers: {
      202: { description: "The changes are in the log.", schema: acceptedAnswer, example: acceptedExample },
      404: { description: "ACCOUNT_LISTS_NOT_FOUND: no list has this id." },
      503: { description: "SERVICE_UNAVAILABLE, with Retry-After: the log is unavailable. Send the call again." },
    },
    scope: "accountlists:write",
    dryRun: "checked",
    target: "id",
    params,
    body,
    bodyBytesMax: BODY_BYTES_MAX,
    requestExample,
    handler: ({ params: { id: listId }, body: changes, once, receivedAtMs }) =>
      updateMembers({ listId, changes, once, receivedAtMs }, ports),
  });
}
