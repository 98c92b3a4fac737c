import type { AccountHooks } from "@headwater/accounts/accounts/accountHooks";
import { linkParameterBounds } from "@headwater/contracts";
import { pointerStep } from "@headwater/kernel";
import { z } from "zod";
import type { RoutePorts } from "../ports.ts";
import type { ContentPart } from "../prepare/prepareContent.ts";
import { recallSends } from "../sends/recallSends.ts";
import { checkWithoutIncludes } from "./prepareParts.ts";

const written = z.object({ messaging: z.object({ linkParameters: z.record(z.string(), z.unknown()) }) });

/** Checks the Liquid of link parameters, and plans claimed sends again when the hours of an account change. */
export function createAccountHooks({ renders }: Pick<RoutePorts, "renders">): AccountHooks {
  return {
    checkChanges: (account, changes) => checkLinkParameters(account, changes, renders),
    async sendHoursChanged(transaction, account) {
      await recallSends(transaction, account, "quiet-hours");
    },
  };
}

/** Checks the Liquid of link parameters. Their other rules are those of the settings. @throws HeadwaterError 422 `VALIDATION_ERROR` with all mistakes. */
async function checkLinkParameters(
  account: number,
  changes: Readonly<Record<string, unknown>>,
  renders: RoutePorts["renders"],
): Promise<void> {
  const parts = partsOf(changes);
  if (parts.length === 0) return;
  await checkWithoutIncludes(account, { parts, message: "A link parameter may name no include." }, { renders });
}

function partsOf(changes: Readonly<Record<string, unknown>>): ContentPart[] {
  const { data } = written.safeParse(changes);
  const { count, nameCharacters, valueCharacters } = linkParameterBounds;
  return Object.entries(data?.messaging.linkParameters ?? {})
    .slice(0, count)
    .flatMap(([name, text]) =>
      typeof text === "string" && text.length <= valueCharacters && name.length <= nameCharacters
        ? [{ path: `/messaging/linkParameters/${pointerStep(name)}`, text, kind: "plain" as const }]
        : [],
    );
}
