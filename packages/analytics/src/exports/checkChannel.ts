import { channelsUnlessKnown } from "@headwater/audiences/criteria/knownNames";
import type { Account } from "@headwater/contracts";
import type { RoutePorts } from "../ports.ts";
import type { ExportRequest } from "./readExportRequest.ts";

/** Adds a problem for a channel that the account does not have: it would select nothing in silence. */
export async function checkChannel(
  { problems }: Pick<ExportRequest, "problems">,
  { account, channel }: { readonly account: Account; readonly channel: string | undefined },
  ports: Pick<RoutePorts, "clickHouse">,
): Promise<void> {
  const channels = channel && (await channelsUnlessKnown(account, channel, ports));
  if (channels) problems.add("/selected_channel", "unknown_reference", "The account has no such channel.", channels);
}
