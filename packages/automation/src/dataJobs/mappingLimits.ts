/** Bounds of a mapping and of what it makes. */
export const mappingLimits = {
  expressionCharacters: 1_024,
  /** Mappings in an array. */
  mappings: 20,
  /** Members of `to`. */
  members: 500,
  pathCharacters: 512,
  /** Entries of a table. */
  entries: 1_000,
  textCharacters: 4_096,
  /** The mapping as JSON. */
  bytes: 64 * 1024,
  /** One made record as JSON. */
  recordBytes: 256 * 1024,
} as const;
