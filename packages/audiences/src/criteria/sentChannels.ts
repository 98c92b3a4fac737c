import type { Account } from "@headwater/contracts";
import type { CriteriaPorts } from "./criteriaPorts.ts";

/** Channels that are searched for at a time. */
const CHANNELS_MAX = 50;
const NAME_CHARACTERS_MAX = 300;

const statement = `SELECT DISTINCT JSONExtractString(properties, 'channel') AS channel FROM activities
  WHERE account = {account: UInt32} AND action = 'message-sent' AND message != '' AND message_type != 't'
    AND position(properties, '"channel"') > 0
    AND channel IN {wanted: Array(String)} LIMIT {most: UInt32}`;

/** Reads which of the channels messages were sent on: systems that report their sends may name others than contacts have. */
export async function readSentChannels(
  account: Account,
  channels: readonly string[],
  { clickHouse }: Pick<CriteriaPorts, "clickHouse">,
): Promise<string[]> {
  const wanted = [...new Set(channels)].filter((name) => name.length <= NAME_CHARACTERS_MAX).slice(0, CHANNELS_MAX);
  const rows = await clickHouse.query<{ channel: string }>(statement, {
    account: account.number,
    wanted,
    most: wanted.length,
  });
  return rows.map(({ channel }) => channel);
}
