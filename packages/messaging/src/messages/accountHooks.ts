import type { AccountHooks } from "@headwater/accounts/accounts/accountHooks";
import type { RoutePorts } from "../ports.ts";
import { recallSends } from "../sends/recallSends.ts";
import { checkLinkParameters } from "./checkLinkParameters.ts";

/** Checks the Liquid of link parameters, and plans claimed sends again when the hours of an account change. */
export function createAccountHooks({ renders }: Pick<RoutePorts, "renders">): AccountHooks {
  return {
    checkChanges: (account, changes) => checkLinkParameters(account, changes, renders),
    async sendHoursChanged(transaction, account) {
      await recallSends(transaction, account, "quiet-hours");
    },
  };
}
