import { readAccountDocument } from "@headwater/accounts/accounts/accounts";
import type { OnceCall } from "@headwater/api/idempotency/runOnce";
import { destinationProblems, isStoredHere } from "../storage/chooseDestination.ts";
import { readNotices } from "../storage/chooseNotices.ts";
import type { ExportRequest } from "./readExportRequest.ts";
import type { ExportPorts } from "./startExport.ts";

/** Adds what is wrong with the destination and the notices, so that one refusal names it next to all else. Nothing is connected. */
export async function addOutsideProblems(
  { given: input, problems }: Pick<ExportRequest, "given" | "problems">,
  { caller }: OnceCall,
  ports: Pick<ExportPorts, "postgres" | "sealer" | "canMail">,
): Promise<void> {
  const { destination, confirmEmail, jobStatusWebhookUrl } = input;
  if (isStoredHere(destination) && !confirmEmail && !jobStatusWebhookUrl) return;
  // The key's cache may not know yet what the account saved just now.
  const { account } = await readAccountDocument(ports.postgres, caller.account.number);
  const notices = readNotices(input, account, ports);
  const found = [...destinationProblems(destination, { account, sealer: ports.sealer }), ...notices.problems];
  for (const { path, code, message, allowed } of found) problems.add(path, code, message, allowed);
}
