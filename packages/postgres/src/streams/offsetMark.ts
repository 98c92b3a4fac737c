/** Mark by which the frame before an offset is recognised. */
export interface OffsetMark {
  readonly print: string;
  /** Leader epoch its batch was written under; null where it is unknown. */
  readonly epoch: number | null;
}

/** A time from which on a partition's offsets are those of another log. */
export interface Loss {
  readonly generation: number;
  /** All below it was applied before. */
  readonly appliedTo: number;
  readonly lostFrom: number;
  /** First offset that is not lost, where the log itself is the same; null where it is another one. */
  readonly lostTo: number | null;
  /** Append time of the first record of the other log. */
  readonly startsAt: number;
}

/** Losses of the row that is named `o`, the oldest first; null for most partitions. */
export const SELECT_LOSSES = `(SELECT json_agg(json_build_object('generation', l.generation, 'appliedTo', applied_to, 'lostFrom', lost_from,
    'lostTo', lost_to, 'startsAt', starts_at) ORDER BY l.generation)
  FROM losses l WHERE l.topic = o.topic AND l.partition = o.partition)`;

/** @param losses JSON, or null when there are none. */
export function parseLosses(losses: string | null): readonly Loss[] {
  return losses === null ? [] : JSON.parse(losses);
}
