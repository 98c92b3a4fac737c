import { mcIdOf } from "@headwater/messaging";
import type { MessageEvent } from "./messageEvent.ts";

/** A person does not open so many links of a message so quickly. */
const LINKS_OF_MACHINE = 3;
const HELD_MS = 2_000;
const HELD_MAX = 100_000;

/** Clicks of one send that came within the time for which the first of them is held. */
interface Held {
  readonly send: string;
  readonly untilMs: number;
  readonly clicks: MessageEvent[];
  isHiddenLink: boolean;
  /** Due after it. */
  next: Held | undefined;
}

/** Holds clicks for two seconds, so that the first of three quick ones is known as a machine's, too. */
export class HeldClicks {
  readonly #bySend = new Map<string, Held>();
  /** The first due and the last: a map whose first entries were deleted looks through their places each time. */
  #first: Held | undefined;
  #last: Held | undefined;
  readonly #release: (events: readonly MessageEvent[]) => void;
  #clicks = 0;

  constructor(release: (events: readonly MessageEvent[]) => void) {
    this.#release = release;
  }

  /** @param nowMs monotonic. */
  add(click: MessageEvent, nowMs: number): void {
    const held = this.#of(click, nowMs);
    held.clicks.push(click);
    this.#clicks += 1;
    if (this.#clicks > HELD_MAX) this.#releaseFirst();
  }

  /** The link that no person sees was followed: all clicks of this send are a machine's. */
  addHidden(visit: MessageEvent, nowMs: number): void {
    this.#of(visit, nowMs).isHiddenLink = true;
    if (this.#bySend.size > HELD_MAX) this.#releaseFirst();
  }

  /** Gives on what has been held long enough. */
  releaseDue(nowMs: number): void {
    while (this.#first !== undefined && this.#first.untilMs <= nowMs) this.#releaseFirst();
  }

  releaseAll(): void {
    while (this.#first !== undefined) this.#releaseFirst();
  }

  #of({ token }: MessageEvent, nowMs: number): Held {
    const send = mcIdOf(token) ?? "";
    const known = this.#bySend.get(send);
    if (known !== undefined) return known;
    const held: Held = { send, untilMs: nowMs + HELD_MS, clicks: [], isHiddenLink: false, next: undefined };
    this.#bySend.set(send, held);
    if (this.#last === undefined) this.#first = held;
    else this.#last.next = held;
    this.#last = held;
    return held;
  }

  #releaseFirst(): void {
    const held = this.#first;
    if (held === undefined) return;
    this.#first = held.next;
    if (held.next === undefined) this.#last = undefined;
    this.#bySend.delete(held.send);
    this.#clicks -= held.clicks.length;
    this.#release(judged(held));
  }
}

function judged({ clicks, isHiddenLink }: Held): MessageEvent[] {
  const links = new Set(clicks.map(({ token }) => token.link?.place)).size;
  const verdict = isHiddenLink ? "hidden-link" : links >= LINKS_OF_MACHINE ? "many-links" : undefined;
  return clicks.map((click) => ({ ...click, robot: click.robot ?? verdict }));
}
