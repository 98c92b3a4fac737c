import type { NewApiKeyBody } from "@headwater/contracts";
import type { Call } from "../call.ts";
import { showOne } from "../output/show.ts";
import { withKeyAdmin } from "./withKeyAdmin.ts";

/** Makes the key and shows it; with `--dry-run` what would be asked for. */
export async function createKey(call: Call, account: string | undefined, body: NewApiKeyBody): Promise<void> {
  if (call.options.dryRun) {
    call.terminal.say("Would ask for this key:");
    showOne(call, { ...body });
    return;
  }
  const created = await withKeyAdmin(call, account, (book) => book.make(body));
  const isVisible = "key" in created;
  call.terminal.say(
    isVisible
      ? "Store the key now: it is not shown again."
      : "The key was made, but its value was lost on the way: revoke it and make another.",
  );
  if (!isVisible) call.fail();
  showOne(call, created);
}
