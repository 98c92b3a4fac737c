import { isDeepStrictEqual } from "node:util";
import { type OnceCall, runOnce } from "@headwater/api/idempotency/runOnce";
import { etagOf, expectVersion } from "@headwater/api/writing/ifMatch";
import { defineWriteRoute } from "@headwater/api/writing/writeRoute";
import { type IdentifierName, sendHoursOf } from "@headwater/contracts";
import { type Answer, type Route, refusal } from "@headwater/http";
import type { ErrorDetail } from "@headwater/kernel";
import type { Transaction } from "@headwater/postgres/connection/session";
import { z } from "zod";
import type { RoutePorts } from "../../ports.ts";
import { documentExample, documentView, showAccount, writtenDocument } from "../accountDocument.ts";
import * as accounts from "../accounts.ts";
import { changedAccount, type WrittenAccount } from "../changedAccount.ts";

const NAMED_TWICE = { code: "bad_value", message: "The name is a duplicate." } as const;

const STAYS = {
  code: "not_allowed",
  message: "The account has contacts, so identifiers can only be appended; none can be removed, moved or changed.",
} as const;

const anything = z.unknown().optional();

/** Any of the document's members; what they may be is checked when the changes have gone into it. */
const body = z.looseObject(Object.fromEntries(Object.keys(documentView.shape).map((member) => [member, anything])));
/** The document as it is written, and as it is read and sent back. */
const warnsBy = z.union([writtenDocument, documentView]);
type AccountChanges = z.output<typeof body>;

const requestExample = {
  timezone: "Europe/London",
  currency: "GBP",
  partners: {
    subscriptionsync: { secrets: ["the secret that the billing tool shows"] },
    cohortsync: { canBeCreated: true },
  },
};

/**
 * Throws 409 `VERSION_CONFLICT`, 422 with the path of every wrong member. What changes nothing writes nothing. The `ETag` counts writes: a
 * hash of a document that holds secrets would let short ones be guessed.
 */
async function updateAccountOnce(
  call: OnceCall,
  { changes, ifMatch }: { readonly changes: AccountChanges; readonly ifMatch: string | undefined },
  { postgres, sealer, accountHooks }: Pick<RoutePorts, "postgres" | "sealer" | "accountHooks">,
): Promise<Answer> {
  const { number } = call.caller.account;
  await accountHooks.checkChanges(number, changes);
  return runOnce(postgres, call, async (transaction) => {
    const { account: before, version } = await accounts.lockAccountDocument(transaction, number);
    expectVersion(ifMatch, String(version));
    const written = changedAccount(before, changes, sealer);
    const isChanged = !isDeepStrictEqual(written, { name: before.name, settings: before.settings });
    if (isChanged) await store(transaction, { before, written }, accountHooks);
    const body = showAccount({ ...before, ...written });
    const headers = { ETag: etagOf(String(isChanged ? version + 1 : version)) };
    return { answer: { status: 200, body, headers }, kept: body, stored: showAccount(before) };
  });
}

interface Change {
  readonly before: OnceCall["caller"]["account"];
  readonly written: WrittenAccount;
}

async function store(
  transaction: Transaction,
  { before, written }: Change,
  { sendHoursChanged }: RoutePorts["accountHooks"],
): Promise<void> {
  const { identifiers } = before.settings;
  if (!isDeepStrictEqual(identifiers, written.settings.identifiers)) {
    const rules = { hasContacts: await accounts.hasContacts(transaction, before.number) };
    const details = wrongIdentifiers(identifiers, written.settings.identifiers, rules);
    if (details.length > 0)
      throw refusal("VALIDATION_ERROR", "This change of `identifiers` is not allowed.", { details });
  }
  await accounts.updateAccount(transaction, before.id, written);
  const isSameHours = isDeepStrictEqual(sendHoursOf(before.settings), sendHoursOf(written.settings));
  if (!isSameHours) await sendHoursChanged(transaction, before.number);
}

export function updateAccount(ports: Pick<RoutePorts, "postgres" | "sealer" | "accountHooks">): Route {
  return defineWriteRoute({
    method: "PUT",
    path: "/v2/account",
    operationId: "updateAccount",
    summary: "Updates the account's settings. Every process applies them within five seconds.",
    description:
      "Absent members stay unchanged, null restores the default, objects are merged, arrays are replaced. Only an operator can change `accountId` and `limits`. Once the account has contacts, `identifiers` can only be appended to: no name can be removed, moved or given another format. A secret may be sent back as it was read, `{set, last4}`; it stays unchanged. `storage` holds saved storages by the `savedKey` that exports and imports name; an entry with another `type` replaces the stored one. `messaging.linkParameters` holds up to 50 query parameters by name, each a Liquid text, that tracked links get unless they have them. `messaging.preferenceLists` names up to 20 lists that the unsubscribe page offers.",
    tags: ["account"],
    answers: { 200: { description: "The updated account.", schema: documentView, example: documentExample } },
    scope: "account:write",
    dryRun: "rolledBack",
    category: "System",
    body,
    warnsBy,
    requestExample,
    ifMatch: true,
    returnsStored: true,
    handler: ({ body: changes, once, header }) =>
      updateAccountOnce(once, { changes, ifMatch: header("if-match") }, ports),
  });
}

/**
 * Returns what is wrong with new identifier names. Once an account has contacts, its names are only added to, at the end: values are stored
 * in the form their name had, and the order of trial decides on which partition a contact's records are.
 */
export function wrongIdentifiers(
  before: readonly IdentifierName[],
  after: readonly IdentifierName[],
  { hasContacts }: { readonly hasContacts: boolean },
): ErrorDetail[] {
  const names = after.map(({ name }) => name);
  const twice = names.flatMap((name, index) => (names.indexOf(name) < index ? [wrong(index, NAMED_TWICE)] : []));
  if (!hasContacts) return twice;
  const changed = before.flatMap((entry, position) =>
    isDeepStrictEqual(entry, after[position]) ? [] : [wrong(position, STAYS)],
  );
  return [...twice, ...changed];
}

function wrong(place: number, what: Omit<ErrorDetail, "path">): ErrorDetail {
  return { path: `/identifiers/${place}`, ...what };
}
