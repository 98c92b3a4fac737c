import { z } from "zod";
import { accountOption, addAccount } from "../keys/options.ts";
import { withKeyAdmin } from "../keys/withKeyAdmin.ts";
import { parseWith } from "../options.ts";
import { showRows } from "../output/show.ts";
import type { LeafCommand } from "./command.ts";

const schema = z.object(accountOption);

export const apikeysLs: LeafCommand = {
  usage: "ls",
  summary: "List active keys, without their values.",
  examples: ["headwater apikeys ls", "headwater apikeys ls --account shop -o csv --fields id,name,lastUsedAt"],
  options: addAccount,
  async run(call, _args, input) {
    const { account } = parseWith(schema, input);
    const rows = await withKeyAdmin(call, account, (book) => book.list());
    showRows(call, ["id", "name", "prefix", "scopes", "expiresAt", "lastUsedAt"], rows);
  },
};
