import { PROCESS_NAMES } from "@headwater/postgres/processes/processes";
import type { Command } from "commander";
import { z } from "zod";
import type { Call, CallOf } from "../call.ts";
import { exitCodes } from "../failure.ts";
import { parseWith } from "../options.ts";
import { showRows } from "../output/show.ts";
import { checkAddresses } from "../status/addressesHealth.ts";
import { checkClickHouse } from "../status/clickHouseData.ts";
import { failedPart, isEveryPartHealthy, isKeyRefused, type PartStatus, unknownPart } from "../status/parts.ts";
import { checkProcesses } from "../status/processes.ts";
import { checkRelay } from "../status/relay.ts";
import { checkStoredAddresses } from "../status/storedAddresses.ts";
import { checkStreams, checkTopics, readGroupLags } from "../status/streams.ts";
import { addLeaf } from "./command.ts";

const names = z.string().transform((text) => text.split(",").map((name) => name.trim()));
const schema = z.object({
  offsets: z.boolean().default(false),
  without: names.pipe(z.array(z.enum(PROCESS_NAMES))).default([]),
});

export function addStatus(program: Command, callOf: CallOf): void {
  addLeaf(
    program,
    {
      usage: "status",
      summary:
        "Show the health of every part, process and consumer group; exit 1 if one is missing, held or stuck, 3 if the key is wrong.",
      examples: [
        "headwater status",
        "headwater status --without sender,tracker",
        "headwater status --offsets",
        "headwater status --json --fields part,state",
      ],
      options: (command) =>
        command
          .option("--offsets", "show each group's offset in each partition instead")
          .option("--without <processes>", "comma list of processes that this installation does not run"),
      run: async (call, _args, input) => {
        const { offsets, without } = parseWith(schema, input);
        await (offsets ? showOffsets(call) : showParts(call, without));
      },
    },
    callOf,
  );
}

async function showOffsets(call: Call): Promise<void> {
  const lags = await readGroupLags(call.connections);
  showRows(call, ["group", "topic", "partition", "nextOffset", "records", "seconds"], lags);
}

async function showParts(call: Call, without: readonly string[]): Promise<void> {
  const [addresses, clickhouse, processes, topics, groups, relay, stored] = await Promise.all([
    checkAddresses(call),
    checkClickHouse(call),
    call.addresses.POSTGRES_URL === undefined ? [unknownPart("processes")] : checkProcesses(call.connections, without),
    call.addresses.KAFKA_BROKERS === undefined ? [unknownPart("topics")] : checkTopics(call.connections),
    checkGroups(call),
    checkRelay(call),
    checkStoredAddresses(call),
  ]);
  const parts = [...addresses, clickhouse, ...processes, ...topics, ...groups, relay, stored];
  showRows(call, ["part", "state", "detail"], parts);
  if (!isEveryPartHealthy(parts)) call.fail(isKeyRefused(parts) ? exitCodes.auth : exitCodes.error);
}

async function checkGroups(call: Call): Promise<PartStatus[]> {
  const { KAFKA_BROKERS: brokers, POSTGRES_URL: postgres } = call.addresses;
  if (brokers === undefined || postgres === undefined) return [unknownPart("groups")];
  try {
    return await checkStreams(call.connections);
  } catch (error) {
    return [failedPart("groups", error)];
  }
}
