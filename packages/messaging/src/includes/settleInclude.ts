import type { Transaction } from "@headwater/postgres/connection/session";
import { invalidTexts, keysOf, mistakesOfIncludes } from "../messages/includeMistakes.ts";
import { invalidContent, prepareParts } from "../messages/prepareParts.ts";
import type { RoutePorts } from "../ports.ts";
import type { PartInclude } from "../prepare/prepareContent.ts";
import { lockIncludes, setIncludesUsed } from "./includeUses.ts";

interface IncludeKey {
  readonly account: number;
  readonly key: string;
}

/** Checks the content of an include. @throws HeadwaterError 422 `VALIDATION_ERROR` with every mistake, by line and column. */
export async function checkInclude(
  { account, key }: IncludeKey,
  content: string,
  { postgres, renders }: Pick<RoutePorts, "postgres" | "renders">,
): Promise<readonly PartInclude[]> {
  const parts = [{ path: "/content", text: content, kind: "plain" }] as const;
  const { includes, mistakes } = await prepareParts(account, parts, { renders });
  if (mistakes.length > 0) throw await invalidTexts(postgres, { account, includes, own: key, mistakes });
  return includes;
}

/**
 * Checks the includes that an include names, and stores that it uses them. Runs in the transaction that writes it, before its rows.
 * @throws HeadwaterError 422 `VALIDATION_ERROR` for those that there are not, that lead back to it, or that go too deep.
 */
export async function checkIncludesOf(
  transaction: Transaction,
  { account, key }: IncludeKey,
  includes: readonly PartInclude[],
): Promise<void> {
  await lockIncludes(transaction, account);
  const mistakes = await mistakesOfIncludes(transaction, { account, includes, own: key });
  if (mistakes.length > 0) throw invalidContent(mistakes);
  await setIncludesUsed(transaction, { account, kind: "include", userId: key }, keysOf(includes));
}
