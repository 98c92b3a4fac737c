import { equal, type Members, type ModelChannel, type ModelContact, membersOf, type Origin } from "./shapes.ts";

export interface Tally {
  changed: number;
  superseded: number;
  /** A channel's status is another than the one asked for. */
  statusKept: number;
}

interface Step {
  readonly origin: Origin;
  readonly tally: Tally;
}

/** Writes members one by one: a lower version never overwrites, an equal value only moves the version. */
export function writeAttributes(contact: ModelContact, write: Members, step: Step): void {
  const { origin, tally } = step;
  const { channels, ...attributes } = membersOf(write.attributes);
  for (const [name, value] of Object.entries(attributes)) {
    const before = contact.attributes.get(name);
    if (before !== undefined && before.version > origin.version) {
      tally.superseded++;
      continue;
    }
    if (!equal(before?.value ?? null, value)) tally.changed++;
    contact.attributes.set(name, { value, version: origin.version });
  }
  for (const [name, channel] of Object.entries(membersOf(channels))) {
    const known = contact.channels.get(name) ?? {};
    contact.channels.set(name, known);
    writeStatus(known, { wanted: membersOf(channel).subscribeStatus, isForced: write.forceSubscribe === true }, step);
  }
}

interface StatusWrite {
  readonly wanted: unknown;
  readonly isForced: boolean;
}

function writeStatus(channel: ModelChannel, { wanted, isForced }: StatusWrite, { origin, tally }: Step): void {
  const { version } = origin;
  const before = statusOf(channel);
  const isLater = (known: string | undefined) => known === undefined || known < version;
  let isSuperseded = false;
  if (wanted === "unsubscribed") {
    if (isLater(channel.unsubscribed)) channel.unsubscribed = version;
    else isSuperseded = true;
  } else if (wanted === "subscribed" && isForced) {
    if (isLater(channel.forced)) channel.forced = version;
    else isSuperseded = true;
  } else if (wanted === "subscribed" && (channel.subscribed === undefined || channel.subscribed > version)) {
    channel.subscribed = version;
  }
  const after = statusOf(channel);
  if (after !== wanted) tally.statusKept++;
  if (after !== before) tally.changed++;
  else if (isSuperseded) tally.superseded++;
}

/** An unsubscribe holds until a later forced subscribe. */
export function statusOf({ unsubscribed, forced, subscribed }: ModelChannel): string {
  if (unsubscribed !== undefined && (forced === undefined || forced < unsubscribed)) return "unsubscribed";
  return forced === undefined && subscribed === undefined ? "none" : "subscribed";
}
