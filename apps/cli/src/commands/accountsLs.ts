import { listAccounts } from "@headwater/accounts/accounts/accounts";
import { InvalidArgumentError } from "commander";
import { z } from "zod";
import { toView } from "../accounts/document.ts";
import { parseWith } from "../options.ts";
import { showRows } from "../output/show.ts";
import type { LeafCommand } from "./command.ts";

const schema = z.object({ limit: z.number().optional() });

export const accountsLs: LeafCommand = {
  usage: "ls",
  summary: "List accounts in order of creation.",
  examples: [
    "headwater accounts ls",
    "headwater accounts ls -o ndjson",
    "headwater accounts ls -o csv --fields accountId,name",
  ],
  options: (command) => command.option("--limit <n>", "at most so many", parseCount),
  async run(call, _args, input) {
    const { limit } = parseWith(schema, input);
    const accounts = await call.connections.withPostgres((postgres) => listAccounts(postgres));
    const rows = accounts.slice(0, limit).map(toView);
    showRows(call, ["accountId", "name", "timezone", "currency"], rows);
  },
};

function parseCount(typed: string): number {
  if (/^[1-9]\d{0,8}$/.test(typed)) return Number(typed);
  throw new InvalidArgumentError("It is a whole number from 1.");
}
