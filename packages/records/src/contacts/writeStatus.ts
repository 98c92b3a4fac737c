import type { Version } from "@headwater/contracts";
import type { ChannelState, SubscribeStatus } from "./model.ts";
import { firstUnsubscribe } from "./subscriptionTimestamps.ts";

/** Writes the subscription status of a channel. `superseded`: a write of the same kind that is as new or newer is there. */
export function writeStatus(
  state: ChannelState,
  status: SubscribeStatus,
  force: boolean,
  version: Version,
): "written" | "superseded" {
  if (status === "unsubscribed") {
    const first = firstUnsubscribe(state);
    const isLater = state.unsubscribed === undefined || state.unsubscribed < version;
    if (isLater) state.unsubscribed = version;
    setFirstUnsubscribe(state, first === undefined || version < first ? version : first);
    if (!isLater) return "superseded";
  } else if (status === "subscribed" && force) {
    if (state.forced !== undefined && state.forced >= version) return "superseded";
    state.forced = version;
  } else if (status === "subscribed") {
    // The first plain subscribe is kept: the earliest is the same in every order of arrival.
    if (state.subscribed === undefined || version < state.subscribed) state.subscribed = version;
  } else if (status === "pending") {
    if (state.pending === undefined || version < state.pending) state.pending = version;
  }
  return "written";
}

/** Sets the first unsubscribe of a channel whose last one is set. */
export function setFirstUnsubscribe(state: ChannelState, first: Version | undefined): void {
  if (first === undefined || first === state.unsubscribed) delete state.firstUnsubscribed;
  else state.firstUnsubscribed = first;
}
