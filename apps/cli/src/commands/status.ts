import type { Command } from "commander";
import { z } from "zod";
import type { Call, CallOf } from "../call.ts";
import { exitCodes } from "../failure.ts";
import { parseWith } from "../options.ts";
import { showRows } from "../output/show.ts";
import { lookAtAddresses } from "../status/addressesHealth.ts";
import { lookAtClickHouse } from "../status/clickHouseData.ts";
import { isEveryPartHealthy, isKeyRefused, look, type PartStatus, unknownPart } from "../status/parts.ts";
import { lookAtRelay } from "../status/relay.ts";
import { lookAtTopics, readLags, toGroupStatus } from "../status/streams.ts";
import { addLeaf } from "./command.ts";

const schema = z.object({ offsets: z.boolean().default(false) });

export function addStatus(program: Command, callOf: CallOf): void {
  addLeaf(
    program,
    {
      usage: "status",
      summary:
        "Show the health of every part and the lag of the consumers; exit 1 if something is wrong, 3 if the key is.",
      examples: ["headwater status", "headwater status --offsets", "headwater status --json --fields part,state"],
      options: (command) => command.option("--offsets", "show each group's offset in each partition instead"),
      run: async (call, _args, given) => (parseWith(schema, given).offsets ? showOffsets(call) : showParts(call)),
    },
    callOf,
  );
}

async function showOffsets(call: Call): Promise<void> {
  const lags = await readLags(call.connections);
  showRows(call, ["group", "topic", "partition", "nextOffset", "end", "lag"], lags);
}

async function showParts(call: Call): Promise<void> {
  const [addresses, clickhouse, topics, groups, relay] = await Promise.all([
    lookAtAddresses(call),
    lookAtClickHouse(call),
    call.addresses.KAFKA_BROKERS === undefined ? [unknownPart("topics")] : lookAtTopics(call.connections),
    lookAtGroups(call),
    lookAtRelay(call),
  ]);
  const parts = [...addresses, clickhouse, ...topics, ...groups, relay];
  showRows(call, ["part", "state", "detail"], parts);
  if (!isEveryPartHealthy(parts)) call.fail(isKeyRefused(parts) ? exitCodes.auth : exitCodes.error);
}

async function lookAtGroups(call: Call): Promise<PartStatus[]> {
  const { KAFKA_BROKERS: brokers, POSTGRES_URL: postgres } = call.addresses;
  if (brokers === undefined || postgres === undefined) return [unknownPart("groups")];
  try {
    return toGroupStatus(await readLags(call.connections));
  } catch (error) {
    return [await look("groups", () => Promise.reject(error))];
  }
}
