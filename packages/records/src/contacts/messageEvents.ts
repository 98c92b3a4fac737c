import { type Account, parseMcId, parseTime, type shapes } from "@headwater/contracts";
import { type FoldEvent, memberChanged } from "../fold/foldEvents.ts";
import { boundPassed } from "./contactBounds.ts";
import type { ContactIndex, Origin } from "./contactIndex.ts";
import { type ChannelPaths, memberPaths } from "./memberPaths.ts";
import { addressOf, type Contact, isValidChannel, subscribeStatusOf } from "./model.ts";
import { isBouncedSoftly, setSoftBounces } from "./softBounces.ts";
import { suppressedAddress } from "./suppressedAddress.ts";
import { channelOf } from "./writeChannel.ts";
import { writeMembers } from "./writeMembers.ts";

/** Activities that change a channel of their contact, whoever reports them. */
const EFFECTIVE: ReadonlySet<string> = new Set(["optout", "complaint", "bounce", "open", "click"]);
const CHANNEL_NAME_CHARACTERS = 128;
const DAY_MS = 24 * 3_600_000;
const none: ReadonlySet<string> = new Set();

/** True for an activity whose contact has to be loaded: its fold reads and writes a channel. */
export function changesChannel({ name }: Pick<shapes.EventWrite, "name">): boolean {
  return EFFECTIVE.has(name);
}

/**
 * Lets an activity of a message have its effect on the channel that it names, else on that of the message (`email` where neither is known): an `optout` unsubscribes, a
 * `complaint` unsubscribes and suppresses for promotional messages, a hard `bounce` makes the address invalid and suppresses it, and soft
 * bounces on several days do so as well. An open or click of a person ends the count.
 */
export function applyMessageEvent(
  index: ContactIndex,
  contact: Contact,
  { event, origin }: { readonly event: shapes.EventWrite; readonly origin: Origin },
): readonly FoldEvent[] {
  const channel = channelNamed(event, origin);
  if (!changesChannel(event) || channel === undefined) return [];
  const changing: Changing = {
    index,
    contact,
    channel,
    origin,
    paths: memberPaths(origin.account.settings).channel(channel),
    changeEvents: [],
  };
  if (boundPassed(contact, { identifiers: [], channels: { [channel]: {} } }, origin) !== undefined) return [];
  apply(changing, event);
  return changing.changeEvents;
}

interface Changing {
  readonly index: ContactIndex;
  readonly contact: Contact;
  readonly channel: string;
  readonly origin: Origin;
  readonly paths: ChannelPaths;
  readonly changeEvents: FoldEvent[];
}

/** Returns the id of the message that an event is about, where its channel must be asked for: the event has an effect and names none. */
export function messageNamed(event: shapes.EventWrite, { id }: Pick<Account, "id">): string | undefined {
  if (!changesChannel(event)) return undefined;
  const { channel, mcID } = event.properties ?? {};
  if ((channel ?? null) !== null || typeof mcID !== "string") return undefined;
  const send = parseMcId(mcID);
  return send?.account === id ? send.message : undefined;
}

function channelNamed(event: shapes.EventWrite, { messageChannels, account }: Origin): string | undefined {
  const message = messageChannels && messageNamed(event, account);
  const sent = message === undefined ? undefined : messageChannels?.get(message);
  const channel = event.properties?.channel ?? sent ?? "email";
  const isName = typeof channel === "string" && channel !== "" && channel.length <= CHANNEL_NAME_CHARACTERS;
  return isName ? channel : undefined;
}

function apply(changing: Changing, event: shapes.EventWrite): void {
  const isSoft = event.properties?.bounceType === "soft";
  if (event.name === "optout") unsubscribe(changing);
  else if (event.name === "complaint") complain(changing);
  else if (event.name === "bounce" && isSoft) countSoftBounce(changing, event);
  else if (event.name === "bounce") bounceHard(changing);
  else if (event.device?.robot !== true) endSoftBounces(changing, event);
}

function unsubscribe({ index, contact, channel, origin, changeEvents }: Changing): void {
  const channels = { [channel]: { subscribeStatus: "unsubscribed" as const } };
  const rights = { forceSubscribe: false, restricted: none, given: [], held: none };
  writeMembers(index, contact, { attributes: {}, channels, geoEdits: new Map(), ...rights, changeEvents }, origin);
}

/** A forced subscribe of later has lifted the suppression already. */
function complain(changing: Changing): void {
  unsubscribe(changing);
  const state = channelOf(changing.contact, changing.channel);
  if (subscribeStatusOf(state) === "unsubscribed") suppress(changing, "complaint");
}

function suppress(
  { contact, channel, origin, paths, changeEvents }: Changing,
  because: "complaint" | "hard-bounce",
): void {
  const address = suppressedAddress(contact, { channel, identifier: paths.identifier }, origin);
  if (address === undefined) return;
  changeEvents.push({ kind: "suppression", channel, address, because, version: origin.version });
}

function bounceHard(changing: Changing): void {
  const { index, contact, channel, origin, paths, changeEvents } = changing;
  const state = channelOf(contact, channel);
  const address = addressOf(contact, channel, paths.identifier);
  if (address === undefined || (state.bounced !== undefined && state.bounced.version >= origin.version)) return;
  // An address that was written after the bounce is another one.
  if (state.address !== undefined && state.address.version > origin.version) return;
  const wasValid = isValidChannel(channel, state, address);
  state.bounced = { value: address, version: origin.version };
  delete state.softBounces;
  index.touched(contact);
  if (wasValid) memberChanged(changeEvents, contact, paths.valid, { value: false, version: origin.version });
  suppress(changing, "hard-bounce");
}

function countSoftBounce(changing: Changing, event: shapes.EventWrite): void {
  const state = channelOf(changing.contact, changing.channel);
  setSoftBounces(state, [...(state.softBounces ?? []), dayOf(changing, event)]);
  changing.index.touched(changing.contact);
  if (isBouncedSoftly(state, changing.origin.account.settings.messaging.softBounces)) bounceHard(changing);
}

function endSoftBounces(changing: Changing, event: shapes.EventWrite): void {
  const state = changing.contact.channels.get(changing.channel);
  if (state?.softBounces === undefined) return;
  const day = dayOf(changing, event);
  setSoftBounces(
    state,
    state.softBounces.filter((one) => one > day),
  );
  changing.index.touched(changing.contact);
}

function dayOf({ origin }: Changing, { time }: shapes.EventWrite): number {
  return Math.floor((parseTime(time, origin.account.settings.timezone) ?? 0) / DAY_MS);
}
