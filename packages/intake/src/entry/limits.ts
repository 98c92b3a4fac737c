const KIB = 1024;
const MIB = 1024 * KIB;

/** Bounds of one intake request, as the specification sets them. */
export const limits = {
  singleBytes: 256 * KIB,
  /** One item of a batch, as compact JSON. */
  itemBytes: 256 * KIB,
  batchBytes: 10 * MIB,
  records: 10_000,
  /** A partner's push: the sender chooses how many contacts a page has. */
  pushBytes: 10 * MIB,
  /** A push that anybody may send. */
  keylessBytes: 16 * KIB,
  pushRecords: 100_000,
  bytesWritten: 32 * MIB,
  /** Warnings an answer names; a batch with more of them says the same thing again. */
  warnings: 1_000,
} as const;
