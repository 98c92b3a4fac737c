import type { Checked, Checking, ResourcePorts } from "@headwater/api/resources/resourceDefinition";
import { invalidTexts, keysOf, mistakesOfIncludes } from "../messages/includeMistakes.ts";
import { invalidContent, prepareParts } from "../messages/prepareParts.ts";
import type { RoutePorts } from "../ports.ts";
import { lockIncludes, setIncludesUsed } from "./includeUses.ts";
import type { StoredInclude } from "./postgres.ts";

type IncludePorts = ResourcePorts & Pick<RoutePorts, "renders">;

/**
 * Checks the content of an include, then, in the transaction that writes it, the includes that it names, and stores that it uses them.
 * Throws 422 `VALIDATION_ERROR` with every mistake by line and column, and for includes that do not exist, lead back to this one or go too
 * deep.
 */
export async function checkInclude(
  { content }: { readonly content?: string | undefined },
  { account, key, ports: { postgres, renders } }: Checking<IncludePorts>,
): Promise<Checked<StoredInclude> | undefined> {
  if (content === undefined) return undefined;
  const parts = [{ path: "/content", text: content, kind: "plain" }] as const;
  const { includes, mistakes } = await prepareParts(account, parts, { renders });
  if (mistakes.length > 0) throw await invalidTexts(postgres, { account, includes, own: key, mistakes });
  return {
    async complete(transaction) {
      await lockIncludes(transaction, account);
      const wrong = await mistakesOfIncludes(transaction, { account, includes, own: key });
      if (wrong.length > 0) throw invalidContent(wrong);
      await setIncludesUsed(transaction, { account, kind: "include", userId: key }, keysOf(includes));
      return {};
    },
  };
}
