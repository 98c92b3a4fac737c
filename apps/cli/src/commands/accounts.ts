import type { Command } from "commander";
import type { CallOf } from "../call.ts";
import { accountsCanonicalize } from "./accountsCanonicalize.ts";
import { accountsCreate } from "./accountsCreate.ts";
import { accountsGet } from "./accountsGet.ts";
import { accountsLs } from "./accountsLs.ts";
import { accountsSet } from "./accountsSet.ts";
import { addGroup, addLeaf } from "./command.ts";

export function addAccounts(program: Command, callOf: CallOf): void {
  const accounts = addGroup(program, "accounts", "Create accounts, and read and write their settings.");
  for (const leaf of [accountsCreate, accountsLs, accountsGet, accountsSet, accountsCanonicalize])
    addLeaf(accounts, leaf, callOf);
}
