import type { RangeClaim, RangeStep, StoredRange } from "@headwater/postgres/streams/sharedRanges";
import type { OffsetKey, OpenOffset, PendingRange, StoredOffset } from "@headwater/postgres/streams/streamOffsets";

interface At {
  readonly topic: string;
  readonly partition: number;
}

interface PositionInLog {
  readonly offset: number;
  readonly place: number;
}

interface PoisonFound<Poison> {
  readonly nextOffset: number;
  readonly token: string | undefined;
  readonly claim: PendingRange;
  readonly poison: readonly Poison[];
}

const GENERATION = 1;

/** Progress of a sink in memory: what Postgres keeps in `stream_offsets` and `quarantined`. It passes `rangesContract`. */
export class MemoryRanges {
  readonly #group: string;
  readonly #rows = new Map<string, OpenOffset>();
  readonly #quarantined = new Set<string>();

  constructor(group: string) {
    this.#group = group;
  }

  async open(at: At & { readonly low: number }): Promise<OpenOffset> {
    return this.read(this.keyOf(at), at.low);
  }

  keyOf({ topic, partition }: At): OffsetKey {
    return { group: this.#group, topic, partition, generation: GENERATION };
  }

  async read(key: OffsetKey, firstOffset: number): Promise<OpenOffset> {
    const known = this.#rows.get(nameOf(key));
    if (known !== undefined) return known;
    const nothing = { lastRecordId: null, greatestTime: 0, outboxPosition: 0, pending: null, mark: null };
    const row = {
      ...key,
      ...nothing,
      nextOffset: firstOffset,
      windowFrom: firstOffset,
      seenAt: 0,
      heldWhy: null,
      losses: [],
    };
    this.#rows.set(nameOf(key), row);
    return row;
  }

  async replace(key: OffsetKey, oldToken: string, pending: PendingRange): Promise<boolean> {
    return this.#change(key, (row) => holds(row, oldToken, false), { pending });
  }

  async finish(
    key: OffsetKey,
    token: string,
    { lastRecordId, greatestTime, outboxPosition, mark }: Omit<StoredOffset, "nextOffset" | "windowFrom">,
  ): Promise<boolean> {
    const row = await this.read(key, 0);
    if (row.pending === null || !holds(row, token, false)) return false;
    return this.#change(key, () => true, {
      nextOffset: row.pending.to,
      lastRecordId,
      greatestTime: Math.max(row.greatestTime, greatestTime),
      outboxPosition: Math.max(row.outboxPosition, outboxPosition),
      mark: mark ?? null,
      pending: null,
    });
  }

  async claimShared(
    claims: readonly RangeClaim[],
    { token, transform }: Pick<PendingRange, "token" | "transform">,
  ): Promise<boolean> {
    return this.#changeAll(claims, isFree, ({ to }) => ({
      pending: { to, token, transform, attempt: 0, shared: true },
    }));
  }

  async detach(key: OffsetKey, token: string): Promise<boolean> {
    const { pending } = await this.read(key, 0);
    if (pending === null) return false;
    return this.#change(key, (row) => holds(row, token, true), { pending: { ...pending, shared: false } });
  }

  async finishShared(token: string, stored: readonly StoredRange[]): Promise<boolean> {
    return this.#changeAll(
      stored,
      (row) => holds(row, token, true),
      ({ seen }, row) => ({
        nextOffset: row.pending?.to ?? row.nextOffset,
        greatestTime: Math.max(row.greatestTime, seen.greatestTime),
        mark: seen.mark ?? null,
        pending: null,
      }),
    );
  }

  async advance(steps: readonly RangeStep[]): Promise<boolean> {
    return this.#changeAll(steps, isFree, ({ to: { nextOffset, greatestTime, mark } }, row) => ({
      nextOffset,
      greatestTime: Math.max(row.greatestTime, greatestTime),
      mark: mark ?? null,
    }));
  }

  /** Moves on from an offset to all of another row. */
  async move(key: OffsetKey, from: number, { mark, ...to }: StoredOffset): Promise<boolean> {
    return this.#change(key, (row) => row.nextOffset === from, { ...to, mark: mark ?? null });
  }

  async quarantine<Poison extends PositionInLog>(
    key: OffsetKey,
    { nextOffset, token, claim, poison }: PoisonFound<Poison>,
  ): Promise<readonly Poison[]> {
    const row = await this.read(key, 0);
    if (row.nextOffset !== nextOffset || row.pending?.token !== token) return [];
    this.#change(key, ({ pending }) => pending === null, { pending: claim });
    const fresh = poison.filter((one) => !this.isQuarantined(key, one));
    for (const one of fresh) this.#quarantined.add(positionOf(key, one));
    return fresh;
  }

  /** Returns whether the group leaves the position out. */
  isQuarantined(key: OffsetKey, position: PositionInLog): boolean {
    return this.#quarantined.has(positionOf(key, position));
  }

  async held(at: At, why: string | undefined): Promise<void> {
    this.#change(this.keyOf(at), () => true, { heldWhy: why ?? null });
  }

  async verified(at: At): Promise<void> {
    this.#change(this.keyOf(at), () => true, {});
  }

  #changeAll<Input extends { readonly key: OffsetKey }>(
    input: readonly Input[],
    isExpected: (row: OpenOffset, one: Input) => boolean,
    to: (one: Input, row: OpenOffset) => Partial<OpenOffset>,
  ): boolean {
    const changes = input.flatMap((one) => {
      const row = this.#rows.get(nameOf(one.key));
      return row !== undefined && isExpected(row, one) ? [{ key: one.key, to: to(one, row) }] : [];
    });
    if (changes.length < input.length) return false;
    for (const change of changes) this.#change(change.key, () => true, change.to);
    return true;
  }

  #change(key: OffsetKey, isExpected: (row: OpenOffset) => boolean, to: Partial<OpenOffset>): boolean {
    const row = this.#rows.get(nameOf(key));
    if (row === undefined || !isExpected(row)) return false;
    this.#rows.set(nameOf(key), { ...row, ...to });
    return true;
  }
}

function isFree(row: OpenOffset, { from }: { readonly from: number }): boolean {
  return row.nextOffset === from && row.pending === null;
}

function holds({ pending }: OpenOffset, token: string, shared: boolean): boolean {
  return pending?.token === token && pending.shared === shared;
}

function nameOf({ group, topic, generation, partition }: OffsetKey): string {
  return `${group}/${topic}/${generation}/${partition}`;
}

function positionOf(key: OffsetKey, { offset, place }: PositionInLog): string {
  return `${nameOf(key)}/${offset}/${place}`;
}
