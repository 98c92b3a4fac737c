import type { Command } from "commander";
import type { CallOf } from "../call.ts";
import { apikeysCreate } from "./apikeysCreate.ts";
import { apikeysLs } from "./apikeysLs.ts";
import { apikeysRevoke } from "./apikeysRevoke.ts";
import { apikeysRotate } from "./apikeysRotate.ts";
import { addGroup, addLeaf } from "./command.ts";

export function addApikeys(program: Command, callOf: CallOf): void {
  const apikeys = addGroup(program, "apikeys", "List, create, rotate and revoke the keys of an account.");
  for (const leaf of [apikeysLs, apikeysCreate, apikeysRotate, apikeysRevoke]) addLeaf(apikeys, leaf, callOf);
}
