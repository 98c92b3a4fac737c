import { z } from "zod";
import { createKey } from "../keys/createKey.ts";
import { accountOption, addAccount, addKeyDetails, detailsOf, keyDetails } from "../keys/options.ts";
import { addDryRun, parseWith } from "../options.ts";
import type { LeafCommand } from "./command.ts";

const schema = z.object({ name: z.string(), ...keyDetails, scopes: keyDetails.scopes.unwrap(), ...accountOption });

export const apikeysCreate: LeafCommand = {
  usage: "create",
  summary: "Create a key. Its value is shown only once: only its hash is stored.",
  examples: [
    "headwater apikeys create --name backend --scopes intake",
    "headwater apikeys create --name report --scopes orders:read,contacts:read --expires 2027-01-01 --allow-ip 203.0.113.0/24",
    "headwater apikeys create --name sender --scopes intake,message-events --account shop --json",
  ],
  options: (command) => addAccount(addKeyDetails(addDryRun(command))).requiredOption("--name <name>", "key name"),
  async run(call, _args, input) {
    const { account, name, ...details } = parseWith(schema, input);
    await createKey(call, account, { name, ...detailsOf(details) });
  },
};
