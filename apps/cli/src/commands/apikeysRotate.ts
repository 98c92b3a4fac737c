import { z } from "zod";
import { createKey } from "../keys/createKey.ts";
import { accountOption, addAccount, addKeyDetails, detailsOf, keyDetails } from "../keys/options.ts";
import { addDryRun, parseWith } from "../options.ts";
import type { LeafCommand } from "./command.ts";

const schema = z.object({
  graceHours: z.coerce.number().int().min(0).optional(),
  ...keyDetails,
  ...accountOption,
});

export const apikeysRotate: LeafCommand = {
  usage: "rotate <id>",
  summary: "Create a replacement for a key, which expires after a grace period. Name, scopes and addresses are copied.",
  examples: ["headwater apikeys rotate 65f0c0ffee65f0c0ffee0001", "headwater apikeys rotate 65f0c0ff… --grace-hours 1"],
  options: (command) =>
    addAccount(addKeyDetails(addDryRun(command))).option(
      "--grace-hours <hours>",
      "how long the old one stays valid, 0 to 720; default 24",
    ),
  async run(call, [id = ""], input) {
    const { account, graceHours, ...details } = parseWith(schema, input);
    const grace = graceHours === undefined ? {} : { graceHours };
    await createKey(call, account, { rotates: id, ...grace, ...detailsOf(details) });
  },
};
