import type { Version } from "@headwater/contracts";
import type { ChannelState, SubscribeStatus } from "./model.ts";

/** Writes the subscription status of a channel. `superseded`: a write of the same kind that is as new or newer is there. */
export function writeStatus(
  state: ChannelState,
  status: SubscribeStatus,
  force: boolean,
  version: Version,
): "written" | "superseded" {
  if (status === "unsubscribed") {
    if (state.unsubscribed !== undefined && state.unsubscribed >= version) return "superseded";
    state.unsubscribed = version;
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
