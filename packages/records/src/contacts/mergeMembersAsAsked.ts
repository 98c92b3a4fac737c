import { type ContactMergeOptions, identifierOfChannel } from "@headwater/contracts";
import type { FoldEvent } from "../fold/foldEvents.ts";
import type { ContactIndex, Origin, Side } from "./contactIndex.ts";
import { mergeExplicitly } from "./explicitMerge.ts";
import { showInstead } from "./identifierHistory.ts";
import { membersChanged } from "./memberEvents.ts";
import { membersView } from "./membersView.ts";
import { addressOf, type ChannelState, type Contact, subscribeStatusOf } from "./model.ts";

export type MergeSides = Pick<ContactMergeOptions, "attributes" | "email_channels" | "sms_channels" | "push_channels">;

interface Pair {
  readonly source: Contact;
  readonly destination: Contact;
}

/** A channel of both contacts as it was before they were joined. */
interface ChannelBefore {
  readonly name: string;
  readonly sides: Readonly<
    Record<Side, { readonly state: ChannelState | undefined; readonly address: string | undefined }>
  >;
}

/**
 * An explicit merge of the contacts' own members in which the caller says for each group whose word counts.
 */
export function mergeMembersAsAsked(index: ContactIndex, pair: Pair, sides: MergeSides, origin: Origin): FoldEvent[] {
  const [email, sms, push] = ["email", "sms", "push"].map((name) => channelBefore(pair, name));
  const joined = mergeExplicitly(index, { ...pair, attributes: sides.attributes }, origin);
  const { destination } = pair;
  const view = membersView(destination, origin.version);
  if (email !== undefined) applyWinner(index, destination, { ...email, winner: sides.email_channels }, origin);
  if (sms !== undefined) applyWinner(index, destination, { ...sms, winner: sides.sms_channels }, origin);
  if (push !== undefined && sides.push_channels === "ignore") restore(destination, push);
  index.touched(destination);
  return [...joined, ...membersChanged(destination, view, origin.version)];
}

function channelBefore({ source, destination }: Pair, name: string): ChannelBefore {
  const sideOf = (contact: Contact) => {
    const state = contact.channels.get(name);
    return { state: state && { ...state }, address: addressOf(contact, name, identifierOfChannel(name)) };
  };
  return { name, sides: { sourceContact: sideOf(source), destinationContact: sideOf(destination) } };
}

/** Leaves the channel joined where the winner has no address. */
function applyWinner(
  index: ContactIndex,
  destination: Contact,
  { name, sides, winner }: ChannelBefore & { readonly winner: Side },
  origin: Origin,
): void {
  const { version } = origin;
  const { state, address } = sides[winner];
  if (address === undefined) return;
  const channel = withUnsubscribe(state, destination.channels.get(name));
  destination.channels.set(name, { ...channel, address: { value: address, version } });
  const identifier = identifierOfChannel(name);
  const values = destination.identifiers.get(identifier) ?? [];
  const value = values.find((one) => one === address || one === address.toLowerCase());
  if (value !== undefined) showInstead(index, destination, { name: identifier, value }, origin);
}

/** Restores the channel as though the source had none, except that the source's unsubscribe holds. */
function restore(destination: Contact, { name, sides }: ChannelBefore): void {
  const channel = withUnsubscribe(sides.destinationContact.state, destination.channels.get(name));
  if (channel === undefined) destination.channels.delete(name);
  else destination.channels.set(name, channel);
}

/**
 * Returns the channel of one side. Its subscription is the joined one where that is unsubscribed: an unsubscribe holds whichever side has
 * it, until a later forced subscribe.
 */
function withUnsubscribe(state: ChannelState | undefined, joined: ChannelState | undefined): ChannelState | undefined {
  if (joined === undefined || subscribeStatusOf(joined) !== "unsubscribed") return state;
  const { address: _, bounced: __, softBounces: ___, ...subscription } = joined;
  const { address, bounced, softBounces } = state ?? {};
  return {
    ...subscription,
    ...(address && { address }),
    ...(bounced && { bounced }),
    ...(softBounces && { softBounces }),
  };
}
