import type { PartInclude } from "@headwater/messaging";
import { lockIncludes, setIncludesUsed } from "@headwater/stores/includes";
import type { Transaction } from "@headwater/stores/postgres";
import { keysOf, mistakesOfIncludes } from "../messages/includeMistakes.ts";
import { invalidContent, prepareParts } from "../messages/prepareParts.ts";
import type { ServicePorts } from "../ports.ts";

/** Checks the content of an include. @throws HeadwaterError 422 `VALIDATION_ERROR` with every mistake, by line and column. */
export async function checkInclude(
  account: number,
  content: string,
  ports: Pick<ServicePorts, "renders">,
): Promise<readonly PartInclude[]> {
  const { includes } = await prepareParts(account, [{ path: "/content", text: content, kind: "plain" }], ports);
  return includes;
}

/**
 * Checks the includes that an include names, and stores that it uses them. Runs in the transaction that writes it, before its rows.
 * @throws HeadwaterError 422 `VALIDATION_ERROR` for those that there are not, that lead back to it, or that go too deep.
 */
export async function checkIncludesOf(
  transaction: Transaction,
  { account, key }: { readonly account: number; readonly key: string },
  includes: readonly PartInclude[],
): Promise<void> {
  await lockIncludes(transaction, account);
  const mistakes = await mistakesOfIncludes(transaction, { account, includes, own: key });
  if (mistakes.length > 0) throw invalidContent(mistakes);
  await setIncludesUsed(transaction, { account, kind: "include", userId: key }, keysOf(includes));
}
