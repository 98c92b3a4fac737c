import { timestampOfVersion, type Version, type Written } from "@headwater/contracts";
import type { ChannelState } from "./model.ts";

/** Names of the times since which a channel is subscribed or unsubscribed. */
export type TimestampName = "subscribedAt" | "unsubscribedAt";
export const timestampNames = ["subscribedAt", "unsubscribedAt"] as const satisfies readonly TimestampName[];

/**
 * Returns the time a channel shows: the one that was given, else that of the write since which it is so. A sender that repeats every night
 * what it knows moves nothing.
 */
export function subscriptionTimestamp(state: ChannelState, name: TimestampName): Written | undefined {
  return state[name] ?? timestampOfLast(state, name);
}

function timestampOfLast(state: ChannelState, name: TimestampName): Written | undefined {
  const version = lastWriteOf(state, name);
  return version === undefined ? undefined : timestampAt(version);
}

/** Its time stands for a timestamp that the state does not keep, for then nothing else was written since. */
export function lastWriteOf(
  { unsubscribed, forced, subscribed }: ChannelState,
  name: TimestampName,
): Version | undefined {
  return name === "unsubscribedAt" ? unsubscribed : (forced ?? subscribed);
}

/** Sets what a channel shows, after the write or the merge that may have changed it. */
export function setSubscriptionTimestamp(
  state: ChannelState,
  name: TimestampName,
  timestamp: Written | undefined,
): void {
  if (timestamp === undefined || timestamp === state[name]) return;
  const last = timestampOfLast(state, name);
  if (last !== undefined && isSame(last, timestamp)) delete state[name];
  else state[name] = timestamp;
}

function isSame(left: Written, right: Written): boolean {
  return left.version === right.version && left.value === right.value;
}

export interface StatusWrite {
  readonly name: TimestampName;
  readonly version: Version;
  readonly isForced: boolean;
}

/**
 * The timestamp behind a write of the status.
 * @param known before it.
 */
export function timestampBehind(state: ChannelState, known: Written | undefined, write: StatusWrite): Written {
  const { name, version, isForced } = write;
  if (known === undefined) return timestampAt(version);
  const ended = endOf(state, name);
  if (ended !== undefined) {
    // A plain subscribe changes nothing of who unsubscribed before it.
    if (version < ended || (name === "subscribedAt" && !isForced)) return known;
    if (known.version < ended) return timestampAt(version);
  }
  return isOfWrite(known) && version < known.version ? timestampAt(version) : known;
}

/** Joins the times of two channels that become one: the one given later, else the earlier since the last time it was the other way. */
export function joinedTimestamp(
  joined: ChannelState,
  name: TimestampName,
  sides: readonly [Written | undefined, Written | undefined],
): Written | undefined {
  const [left, right] = sides;
  if (left === undefined || right === undefined) return left ?? right;
  const [earlier, later] = left.version < right.version ? [left, right] : [right, left];
  if (!isOfWrite(earlier) || !isOfWrite(later)) return later;
  const ended = endOf(joined, name);
  return ended === undefined || earlier.version > ended ? earlier : later;
}

/** The last write that made it the other way. */
function endOf({ forced, unsubscribed }: ChannelState, name: TimestampName): Version | undefined {
  return name === "unsubscribedAt" ? forced : unsubscribed;
}

function timestampAt(version: Version): Written {
  return { value: timestampOfVersion(version), version };
}

/** Nobody gave it. */
function isOfWrite({ value, version }: Written): boolean {
  return value === timestampOfVersion(version);
}
