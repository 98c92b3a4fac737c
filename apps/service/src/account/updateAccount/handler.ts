import { isDeepStrictEqual } from "node:util";
import { sendHoursOf } from "@headwater/contracts";
import { type Answer, refusal } from "@headwater/http";
import { hasContacts, lockAccountDocument, updateAccount } from "@headwater/stores/accounts";
import type { Transaction } from "@headwater/stores/postgres";
import { recallSends } from "@headwater/stores/sends";
import { type OnceCall, runOnce } from "../../idempotency/runOnce.ts";
import type { ServicePorts } from "../../ports.ts";
import { etagOf, expectVersion } from "../../writing/ifMatch.ts";
import { showAccount } from "../accountDocument.ts";
import { changedAccount, type WrittenAccount } from "../changedAccount.ts";
import { checkLinkParameters } from "../checkLinkParameters.ts";
import { wrongIdentifiers } from "../identifierRules.ts";
import type { AccountChanges } from "./schema.ts";

/**
 * Throws 409 `VERSION_CONFLICT`, 422 with the place of every wrong member. What changes nothing writes nothing. The `ETag` counts writes: a
 * hash of a document that holds secrets would let short ones be guessed.
 */
export async function changeAccount(
  call: OnceCall,
  { changes, ifMatch }: { readonly changes: AccountChanges; readonly ifMatch: string | undefined },
  { postgres, renders, sealer }: Pick<ServicePorts, "postgres" | "renders" | "sealer">,
): Promise<Answer> {
  const { number } = call.caller.account;
  await checkLinkParameters(number, changes, renders);
  return runOnce(postgres, call, async (transaction) => {
    const { account: before, version } = await lockAccountDocument(transaction, number);
    expectVersion(ifMatch, String(version));
    const written = changedAccount(before, changes, sealer);
    const isChanged = !isDeepStrictEqual(written, { name: before.name, settings: before.settings });
    if (isChanged) await store(transaction, { before, written });
    const body = showAccount({ ...before, ...written });
    const headers = { ETag: etagOf(String(isChanged ? version + 1 : version)) };
    return { answer: { status: 200, body, headers }, kept: body };
  });
}

interface Change {
  readonly before: OnceCall["caller"]["account"];
  readonly written: WrittenAccount;
}

async function store(transaction: Transaction, { before, written }: Change): Promise<void> {
  const { identifiers } = before.settings;
  if (!isDeepStrictEqual(identifiers, written.settings.identifiers)) {
    const rules = { hasContacts: await hasContacts(transaction, before.number) };
    const details = wrongIdentifiers(identifiers, written.settings.identifiers, rules);
    if (details.length > 0)
      throw refusal("VALIDATION_ERROR", "This change of `identifiers` is not allowed.", { details });
  }
  await updateAccount(transaction, before.id, written);
  const isSameHours = isDeepStrictEqual(sendHoursOf(before.settings), sendHoursOf(written.settings));
  if (!isSameHours) await recallSends(transaction, before.number, "quiet-hours");
}
