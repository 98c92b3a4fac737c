import { accountOf } from "../accounts/accountBook.ts";
import { toView } from "../accounts/document.ts";
import { showOne } from "../output/show.ts";
import type { LeafCommand } from "./command.ts";

export const accountsGet: LeafCommand = {
  usage: "get <account>",
  summary: "Show an account by its id or name. Secrets show only their last four characters.",
  examples: ["headwater accounts get shop", "headwater accounts get shop --json --fields limits"],
  async run(call, [idOrName = ""]) {
    const account = await call.connections.withPostgres((postgres) => accountOf(postgres, idOrName));
    showOne(call, toView(account));
  },
};
