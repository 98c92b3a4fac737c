import { z } from "zod";
import { confirm } from "../confirm.ts";
import { accountOption, addAccount } from "../keys/options.ts";
import { withKeyAdmin } from "../keys/withKeyAdmin.ts";
import { addDryRun, addYes, parseWith } from "../options.ts";
import { showOne } from "../output/show.ts";
import type { LeafCommand } from "./command.ts";

const schema = z.object(accountOption);

export const apikeysRevoke: LeafCommand = {
  usage: "revoke <id>",
  summary: "Revoke a key for good. Every process rejects it within a second.",
  examples: [
    "headwater apikeys revoke 65f0c0ffee65f0c0ffee0001 --yes",
    "headwater apikeys revoke 65f0… --account shop",
  ],
  options: (command) => addAccount(addYes(addDryRun(command))),
  async run(call, [id = ""], input) {
    const { account } = parseWith(schema, input);
    if (call.options.dryRun) {
      call.terminal.say(`Would revoke ${id}.`);
      return;
    }
    if (!(await confirm(call, `Revoke the key ${id}?`))) return;
    await withKeyAdmin(call, account, (book) => book.revoke(id));
    showOne(call, { id, revoked: true });
  },
};
