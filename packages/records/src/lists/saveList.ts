import { type OnceCall, runOnce } from "@headwater/api/idempotency/runOnce";
import { contentVersion, etagOf, expectVersion } from "@headwater/api/writing/ifMatch";
import { type Account, HIGHEST_VERSION } from "@headwater/contracts";
import { type Answer, refusal } from "@headwater/http";
import { startJob } from "@headwater/jobs/queue/startJob";
import type { Session, Transaction } from "@headwater/postgres/connection/session";
import { readAttribute } from "../attributes/attributeDefinitions.ts";
import type { RoutePorts } from "../ports.ts";
import type { ListBody, NewListBody } from "./listShape.ts";
import * as lists from "./lists.ts";

type Ports = Pick<RoutePorts, "postgres" | "clock">;

/** @throws HeadwaterError 422 `ACCOUNT_LISTS_EXCEEDED`, `NAME_MUST_BE_UNIQUE` for the name of a list (case does not count) or of an attribute. */
export function createList(once: OnceCall, { name, enhanced = false }: NewListBody, ports: Ports): Promise<Answer> {
  const { account } = once.caller;
  return runOnce(ports.postgres, once, async (transaction) => {
    await lists.lockNames(transaction, account.number);
    await refuseTaken(transaction, account, name);
    const list = { account: account.number, name, enhanced, createdAt: ports.clock.nowMs() };
    const id = await lists.insertList(transaction, list, account.settings.limits.listsPerAccount);
    if (id === undefined) throw tooManyLists(account);
    const kept = { success: true, id };
    return { kept, answer: { status: 201, body: kept } };
  });
}

function tooManyLists({ settings }: Account) {
  const message = `An account can have at most ${settings.limits.listsPerAccount} lists.`;
  return refusal("ACCOUNT_LISTS_EXCEEDED", message, { details: [{ path: "/name", code: "too_many", message }] });
}

interface ListChange {
  readonly listId: string;
  readonly body: ListBody;
  readonly ifMatch: string | undefined;
}

/** Returns the version of a list's definition, whoever is on the list; for its ETag. */
export function versionOfList({ name, enhanced }: Pick<lists.StoredList, "name" | "enhanced">): string {
  return contentVersion([name, enhanced]);
}

/** Members stay. @throws HeadwaterError 404 `ACCOUNT_LISTS_NOT_FOUND`, 409 `VERSION_CONFLICT`, 422 `NAME_MUST_BE_UNIQUE`. */
export function updateList(
  once: OnceCall,
  { listId, body, ifMatch }: ListChange,
  { postgres }: Ports,
): Promise<Answer> {
  const { account } = once.caller;
  return runOnce(postgres, once, async (transaction) => {
    await lists.lockNames(transaction, account.number);
    const list = await findList(transaction, account, listId);
    expectVersion(ifMatch, versionOfList(list));
    const { name = list.name, enhanced = list.enhanced } = body;
    if (name.toLowerCase() !== list.name.toLowerCase()) await refuseTaken(transaction, account, name);
    await lists.updateList(transaction, { ...list, name, enhanced });
    const kept = { success: true, id: list.id };
    const headers = { ETag: etagOf(versionOfList({ name, enhanced })) };
    const stored = { id: list.id, name: list.name, enhanced: list.enhanced };
    return { kept, stored, answer: { status: 200, body: kept, headers } };
  });
}

/** Its members stay contacts; a job removes the rows of their places. @throws HeadwaterError 404 `ACCOUNT_LISTS_NOT_FOUND`. */
export function deleteList(
  once: OnceCall,
  { listId, ifMatch }: Omit<ListChange, "body">,
  { postgres, clock, queue }: Pick<RoutePorts, "postgres" | "clock" | "queue">,
): Promise<Answer> {
  const { account, id: madeBy } = once.caller;
  return runOnce(postgres, once, async (transaction) => {
    await lists.lockNames(transaction, account.number);
    const found = await findList(transaction, account, listId);
    expectVersion(ifMatch, versionOfList(found));
    const { id: list } = found;
    await lists.deleteList(transaction, { account: account.number, id: list }, clock.nowMs());
    const jobId = await startJob(transaction, queue, {
      account: account.number,
      jobName: "ClearList",
      input: { list, version: HIGHEST_VERSION },
      metadata: { list },
      madeBy,
      nowMs: clock.nowMs(),
    });
    const kept = { success: true, jobId };
    return { kept, answer: { status: 200, body: kept } };
  });
}

/** The list of the id. @throws HeadwaterError 404 `ACCOUNT_LISTS_NOT_FOUND`. */
export async function findList(session: Session, account: Account, listId: string): Promise<lists.StoredList> {
  const id = readListId(listId);
  const [list] = id === undefined ? [] : await lists.loadListsById(session, [{ account: account.number, id }]);
  if (list === undefined) throw refusal("ACCOUNT_LISTS_NOT_FOUND", "No list has this id.");
  return list;
}

const LIST_ID_MAX = 2_147_483_647;

/** @returns undefined for what cannot be the id of a list. */
export function readListId(text: string): number | undefined {
  const id = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : undefined;
  return id !== undefined && id <= LIST_ID_MAX ? id : undefined;
}

async function refuseTaken(transaction: Transaction, { number: account }: Account, name: string): Promise<void> {
  const [list] = await lists.loadListsByName(transaction, [{ account, name }]);
  if (list !== undefined) throw taken("a list has it");
  if ((await readAttribute(transaction, { account, key: name })) !== undefined)
    throw taken("an attribute has this key");
}

function taken(why: string) {
  const message = `The name is taken: ${why}.`;
  return refusal("NAME_MUST_BE_UNIQUE", message, { details: [{ path: "/name", code: "not_allowed", message }] });
}
