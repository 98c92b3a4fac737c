import type { Command } from "commander";
import type { CallOf } from "../call.ts";
import { addGroup, addLeaf } from "./command.ts";
import { deadlettersDiscard } from "./deadlettersDiscard.ts";
import { deadlettersGet } from "./deadlettersGet.ts";
import { deadlettersGroup } from "./deadlettersGroup.ts";
import { deadlettersLs } from "./deadlettersLs.ts";
import { deadlettersRedrive } from "./deadlettersRedrive.ts";
import { deadlettersRedrives } from "./deadlettersRedrives.ts";

/** They work on Postgres, as accounts do: dead letters of no account belong to operators, whom no API key stands for. */
export function addDeadletters(program: Command, callOf: CallOf): void {
  const deadLetters = addGroup(program, "deadletters", "List, redrive and discard rejected records.");
  const leaves = [
    deadlettersLs,
    deadlettersGroup,
    deadlettersGet,
    deadlettersRedrive,
    deadlettersRedrives,
    deadlettersDiscard,
  ];
  for (const leaf of leaves) addLeaf(deadLetters, leaf, callOf);
}
