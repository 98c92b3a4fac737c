import type { OffsetMark } from "@headwater/postgres/streams/offsetMark";

/** A partition whose log is another one from `firstOffset` on, and how its groups go on. */
export interface Adoption {
  readonly topic: string;
  readonly partition: number;
  readonly kind: "cut" | "retention";
  /** Generation of the log that is adopted; one above the former. */
  readonly generation: number;
  /** First offset of the log that is adopted. */
  readonly firstOffset: number;
  /** Append time of its first record, or of the adoption when it has none yet; milliseconds since 1970. */
  readonly startsAt: number;
  readonly groups: readonly AdoptedGroup[];
  /** Move of the relay's offset in the partition, while it still is that of the former log. Undefined where it is of the adopted one. */
  readonly published?: PublishedMove | undefined;
  /** True where change events were, or may have been, published that `history` can never read: ClickHouse lacks them. */
  readonly isHistoryLost?: boolean;
}

/** Next offset that the relay has marked as published, and the one that the adopted log gives next. */
export interface PublishedMove {
  readonly from: number;
  readonly to: number;
}

export interface AdoptedGroup {
  readonly group: string;
  readonly from: number;
  readonly to: number;
  /** Mark of the frame before `to`. */
  readonly mark: OffsetMark | null;
}
