import { storableText } from "@headwater/api/paging/query";
import { defineResource } from "@headwater/api/resources/defineResource";
import type { ResourcePorts, Writing } from "@headwater/api/resources/resourceDefinition";
import { HIGHEST_VERSION, shapes } from "@headwater/contracts";
import { type Route, refusal } from "@headwater/http";
import { startJob } from "@headwater/jobs/queue/startJob";
import type { Transaction } from "@headwater/postgres/connection/session";
import { z } from "zod";
import { readAttribute } from "../attributes/postgres.ts";
import type { RoutePorts } from "../ports.ts";
import { countMembersOf, listNameKey, lists, loadListsByName, lockNames } from "./lists.ts";
import { clearAccountlist } from "./routes/clearAccountlist.ts";
import { countAccountlist } from "./routes/countAccountlist.ts";

type ListPorts = ResourcePorts & Pick<RoutePorts, "queue">;

const body = z.object({ name: shapes.listTarget.listName.unwrap(), enhanced: z.boolean().optional() });

/** Counting reads every membership of the lists. */
const COUNTED_PER_PAGE_MAX = 25;

const plainRoutes = defineResource({
  resource: "accountlists",
  noun: "list",
  table: lists,
  shape: z.strictObject({ id: z.number().int(), name: z.string(), enhanced: z.boolean() }),
  example: { id: 1, name: "vip", enhanced: false },
  toRecord: ({ id, name, enhanced }) => ({ id, name, enhanced }),
  // Whoever is on the list.
  versioned: ({ name, enhanced }) => [name, enhanced],
  // Text, so that what is not a number is an unknown list.
  keyShape: storableText(64),
  unknownCode: "ACCOUNT_LISTS_NOT_FOUND",
  list: {
    operationId: "listAccountlists",
    summary: "Lists contact lists.",
    description: "Counts of members are shown where `fields` names `count`, of up to 25 lists of a page.",
    sorts: { id: "id", name: "nameKey" },
    filters: { name: storableText(512) },
    counted: {
      members: { count: z.number().int().describe("Contacts on the list; where `fields` names it.") },
      perPageMax: COUNTED_PER_PAGE_MAX,
      async read(session, account, rows) {
        const ids = rows.map(({ id }) => id);
        const counts = await countMembersOf(session, account, ids);
        return ids.map((id) => ({ count: counts.get(id) ?? 0 }));
      },
    },
  },
  get: { operationId: "getAccountlist", summary: "Returns a list.", fields: false },
  create: {
    operationId: "createAccountlist",
    summary: "Creates a list.",
    body,
    requestExample: { name: "spring-2026", enhanced: true },
    limit: { code: "ACCOUNT_LISTS_EXCEEDED", path: "/name", max: ({ limits }) => limits.listsPerAccount },
    async toMembers({ name, enhanced = false }, _, { account, transaction }) {
      await lockNames(transaction, account);
      await refuseTaken(transaction, account, name);
      return { name, enhanced };
    },
  },
  update: {
    operationId: "updateAccountlist",
    summary: "Renames a list, or shows or hides its join dates.",
    body: body.partial(),
    requestExample: { enhanced: false },
    async toMembers({ name, enhanced }, stored, { account, transaction }) {
      if (name !== undefined && listNameKey(name) !== stored.nameKey) await refuseTaken(transaction, account, name);
      return { name: name ?? stored.name, enhanced: enhanced ?? stored.enhanced };
    },
  },
  delete: {
    operationId: "deleteAccountlist",
    summary: "Deletes a list. Its contacts are kept.",
    answer: { members: { jobId: z.string() }, example: { jobId: "65f0c0ffee65f0c0ffee0001" } },
    release: deleteMemberships,
  },
});

/** Refuses the name of another list, whatever its case, or of an attribute. */
async function refuseTaken(transaction: Transaction, account: number, name: string): Promise<void> {
  const [list] = await loadListsByName(transaction, [{ account, name }]);
  if (list !== undefined) throw taken("a list has it");
  if ((await readAttribute(transaction, { account, key: name })) !== undefined)
    throw taken("an attribute has this key");
}

function taken(why: string) {
  const message = `The name is taken: ${why}.`;
  return refusal("NAME_MUST_BE_UNIQUE", message, { details: [{ path: "/name", code: "not_allowed", message }] });
}

/** Starts the job that deletes the rows of the list's members, who stay contacts. */
async function deleteMemberships({ transaction, account, key, caller, ports, nowMs }: Writing<ListPorts>) {
  const list = Number(key);
  const jobId = await startJob(transaction, ports.queue, {
    account,
    jobName: "ClearList",
    input: { list, version: HIGHEST_VERSION },
    metadata: { list },
    madeBy: caller.id,
    nowMs,
  });
  return { jobId };
}

export function accountlistRoutes(ports: ListPorts): Route[] {
  return [...plainRoutes(ports), countAccountlist(ports), clearAccountlist(ports)];
}
