import { type ExportWatermark, type JobInput, parseMessageId, shapes, streamOfTopic } from "@headwater/contracts";
import type { Bindings } from "../bindings.ts";

type Input = Pick<
  JobInput<"ExportEvents">,
  "actions" | "timeframe" | "message" | "channel" | "since" | "until" | "watermark"
>;

export interface EventScope {
  /** The account's number. */
  readonly account: number;
  readonly input: Input;
  /** SQL of a condition on the number that a row was written with; "" for none. */
  readonly which: string;
}

const KEY = "account, action, contact, time, uid";
const MEMBERS = [
  "record",
  "ingested",
  "mc_id",
  "message",
  "properties",
  "geo_city",
  "geo_country",
  "geo_lat",
  "geo_lon",
  "device",
  "lane",
  "topic_generation",
  "partition",
  "log_offset",
  "place",
] as const;

/** Hash of a key. Keys with the same one are only read as if they were copies of each other: none is lost. */
const HASH = "cityHash64(action, contact, time, uid)";

/**
 * Compiles a SELECT of activities, one row each: its first copy. Of those that were first seen at or above `since` and below `until`, however
 * often they came again: a copy below `since` keeps an activity out, wherever its others are. Nearly all have one copy, and are read as
 * they lie; only the others are grouped. That takes a snapshot that all parts of the statement share, as those of `ClickHouseBulk` do.
 */
export function eventRowsSql({ account, input, which }: EventScope, bindings: Bindings): string {
  const own = bindings.bind("UInt64", account);
  const where = [`account = ${own}`, ...conditions(input, own, bindings), ...(which === "" ? [] : [which])];
  const rows = `FROM activities WHERE ${where.join(" AND ")}`;
  const until = belowSql(input.until ?? input.watermark, bindings);
  const since = input.since === undefined ? "0" : belowSql(input.since, bindings);
  const copied = `(SELECT ${HASH} AS hash ${rows} GROUP BY hash HAVING count() > 1)`;
  const members = MEMBERS.map((name, index) => `first.${index + 1} AS ${name}`);
  return `SELECT action, contact, time, uid, ${MEMBERS.join(", ")}
    ${rows} AND ${until} AND NOT ${since} AND ${HASH} NOT IN ${copied}
    UNION ALL SELECT action, contact, time, uid, ${members.join(", ")} FROM (
      SELECT ${KEY}, argMax(tuple(${MEMBERS.join(", ")}), seniority) AS first, max(${until}) AS in_until, max(${since}) AS in_since
      ${rows} AND ${HASH} IN ${copied} GROUP BY ${KEY}
    ) WHERE in_until = 1 AND in_since = 0`;
}

/** Returns whether a row's position in the log is below a watermark; a partition that it does not know was empty then. */
function belowSql({ offsets }: ExportWatermark, { bind }: Bindings): string {
  const marks = Object.entries(offsets).map(([key, next]) => {
    const [topic = "", generation = "", partition = ""] = key.split("/");
    return { key: streamOfTopic(topic) * 65_536 + Number(partition), generation: Number(generation), next };
  });
  const keys = bind(
    "Array(UInt64)",
    marks.map(({ key }) => key),
  );
  const generations = bind(
    "Array(UInt64)",
    marks.map(({ generation }) => generation),
  );
  const ends = bind(
    "Array(UInt64)",
    marks.map(({ next }) => next),
  );
  const at = `indexOf(${keys}, toUInt64(lane) * 65536 + partition)`;
  return `(toUInt64(topic_generation), log_offset) < (${generations}[${at}], ${ends}[${at}])`;
}

function conditions(input: Input, account: string, bindings: Bindings): string[] {
  const { actions, timeframe, message } = input;
  const { bind, moment: instant } = bindings;
  const where: string[] = [];
  if (actions === "custom") where.push(`action NOT IN ${bind("Array(String)", [...shapes.reservedActions])}`);
  else if (actions !== undefined) where.push(`action IN ${bind("Array(String)", actions)}`);
  if (timeframe !== undefined) where.push(`time >= ${instant(timeframe.from)}`, `time < ${instant(timeframe.to)}`);
  const named = parseMessageId(message?.id ?? "");
  if (named !== undefined) where.push(`message = ${bind("String", named.message)}`);
  if (named?.period !== undefined) where.push(`message_period = ${bind("String", named.period)}`);
  if (message?.type !== undefined)
    where.push(`message_type IN ${bind("Array(String)", [message.type, message.type.slice(0, 1)])}`);
  if (input.channel !== undefined) where.push(channelSql(input.channel, account, bindings));
  return where;
}

/** An activity says its channel, or its message's send does. */
function channelSql(channel: string, account: string, { bind }: Bindings): string {
  const said = `JSONExtractString(properties, 'channel') = ${bind("String", channel)}`;
  return `(${said} OR (message != '' AND message IN (
    SELECT message FROM activities WHERE account = ${account} AND action = 'message-sent' AND ${said})))`;
}
