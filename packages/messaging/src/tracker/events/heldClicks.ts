import { mcIdOf } from "../../tracking/trackingToken.ts";
import type { MessageEvent } from "./messageEvent.ts";
import type { RobotReason } from "./robots.ts";

/** A person does not open so many links of a message so quickly. */
const LINKS_OF_MACHINE = 3;
const HELD_MS = 2_000;
const HELD_MAX = 100_000;

/** A click that waits for what the other clicks of its send say about it; without a link it is one on the hidden link. */
interface Held {
  readonly click: MessageEvent;
  readonly send: SendClicks;
  readonly untilMs: number;
  verdict: RobotReason | undefined;
  /** Due after it. */
  next: Held | undefined;
}

/** Clicks of one send that are held: those of the last two seconds. */
interface SendClicks {
  readonly key: string;
  readonly held: Set<Held>;
  /** Number of times that each link is among them, by its place. */
  readonly links: Map<number, number>;
  hiddenLinks: number;
}

/** Holds each click for two seconds, so that the first of three quick ones is known as a machine's, too. */
export class HeldClicks {
  readonly #bySend = new Map<string, SendClicks>();
  /** The first due and the last: a map whose first entries were deleted looks through their places each time. */
  #first: Held | undefined;
  #last: Held | undefined;
  readonly #release: (events: readonly MessageEvent[]) => void;
  #size = 0;

  constructor(release: (events: readonly MessageEvent[]) => void) {
    this.#release = release;
  }

  /** @param nowMs monotonic. */
  add(click: MessageEvent, nowMs: number): void {
    this.releaseDue(nowMs);
    const held = this.#hold(click, nowMs);
    const { send } = held;
    const had = resultOf(send);
    enter(held);
    const result = resultOf(send);
    held.verdict = result;
    if (result !== had) for (const other of send.held) other.verdict = result;
    if (this.#size > HELD_MAX) this.#releaseFirst();
  }

  /** Gives on what has been held long enough. */
  releaseDue(nowMs: number): void {
    while (this.#first !== undefined && this.#first.untilMs <= nowMs) this.#releaseFirst();
  }

  releaseAll(): void {
    while (this.#first !== undefined) this.#releaseFirst();
  }

  #hold(click: MessageEvent, nowMs: number): Held {
    const key = mcIdOf(click.token) ?? "";
    const send = this.#bySend.get(key) ?? { key, held: new Set(), links: new Map(), hiddenLinks: 0 };
    this.#bySend.set(key, send);
    const held: Held = { click, send, untilMs: nowMs + HELD_MS, verdict: undefined, next: undefined };
    if (this.#last === undefined) this.#first = held;
    else this.#last.next = held;
    this.#last = held;
    this.#size += 1;
    return held;
  }

  #releaseFirst(): void {
    const held = this.#first;
    if (held === undefined) return;
    this.#first = held.next;
    if (held.next === undefined) this.#last = undefined;
    this.#size -= 1;
    leave(held);
    if (held.send.held.size === 0) this.#bySend.delete(held.send.key);
    this.#release([{ ...held.click, robot: held.click.robot ?? held.verdict }]);
  }
}

/** No person sees the hidden link: whoever follows it is a machine, and so is whoever follows links next to it. */
function resultOf({ links, hiddenLinks }: SendClicks): RobotReason | undefined {
  if (hiddenLinks > 0) return "hidden-link";
  return links.size >= LINKS_OF_MACHINE ? "many-links" : undefined;
}

function enter(held: Held): void {
  const { click, send } = held;
  send.held.add(held);
  const position = click.token.link?.place;
  if (position === undefined) send.hiddenLinks += 1;
  else send.links.set(position, (send.links.get(position) ?? 0) + 1);
}

function leave(held: Held): void {
  const { click, send } = held;
  send.held.delete(held);
  const place = click.token.link?.place;
  if (place === undefined) {
    send.hiddenLinks -= 1;
    return;
  }
  const others = (send.links.get(place) ?? 1) - 1;
  if (others === 0) send.links.delete(place);
  else send.links.set(place, others);
}
