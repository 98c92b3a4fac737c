import type { Command } from "commander";
import type { CallOf } from "../call.ts";
import { addGroup, addLeaf } from "./command.ts";
import { ingestBatch } from "./ingestBatch.ts";
import { ingestSend } from "./ingestSend.ts";
import { ingestStatus } from "./ingestStatus.ts";

export function addIngest(program: Command, callOf: CallOf): void {
  const ingest = addGroup(program, "ingest", "Send records to intake and track their outcome.");
  for (const leaf of [ingestSend, ingestBatch, ingestStatus]) addLeaf(ingest, leaf, callOf);
}
