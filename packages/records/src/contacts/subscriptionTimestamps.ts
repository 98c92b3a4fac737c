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
export function lastWriteOf(state: ChannelState, name: TimestampName): Version | undefined {
  if (name === "unsubscribedAt") return state.unsubscribed;
  const { forced, subscribed } = state;
  return forced ?? (subscribed !== undefined && isRefused(state, subscribed) ? undefined : subscribed);
}

/** Returns whether a plain subscribe changed nothing, because the channel was unsubscribed before it. */
function isRefused(state: ChannelState, version: Version): boolean {
  const first = firstUnsubscribe(state);
  return first !== undefined && version > first;
}

export function firstUnsubscribe({ firstUnsubscribed, unsubscribed }: ChannelState): Version | undefined {
  return firstUnsubscribed ?? unsubscribed;
}

/**
 * Leaves the time of a plain subscribe out that an unsubscribe of before it, which is known since, has refused.
 * @param subscribed the plain subscribe of the channel that showed the time.
 */
export function withoutRefused(
  state: ChannelState,
  timestamp: Written | undefined,
  subscribed: Version | undefined,
): Written | undefined {
  if (timestamp === undefined || timestamp.version !== subscribed || !isOfWrite(timestamp)) return timestamp;
  return isRefused(state, subscribed) ? undefined : timestamp;
}

/** Sets what a channel shows, after the write or the merge that may have changed it. */
export function setSubscriptionTimestamp(
  state: ChannelState,
  name: TimestampName,
  timestamp: Written | undefined,
): void {
  if (timestamp !== undefined && timestamp === state[name]) return;
  const last = timestampOfLast(state, name);
  if (timestamp === undefined || (last !== undefined && isSame(last, timestamp))) delete state[name];
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
export function timestampBehind(
  state: ChannelState,
  known: Written | undefined,
  { name, version, isForced }: StatusWrite,
): Written | undefined {
  const isPlain = name === "subscribedAt" && !isForced;
  if (known === undefined) return isPlain && isRefused(state, version) ? undefined : timestampAt(version);
  const ended = endOf(state, name);
  if (ended !== undefined) {
    // A plain subscribe changes nothing of who unsubscribed before it; an earlier one than is known says since when it was so.
    const isFirst = isPlain && state.forced === undefined && !isRefused(state, version);
    if (!isFirst && (version < ended || isPlain)) return known;
    if (!isFirst && known.version < ended) return timestampAt(version);
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
