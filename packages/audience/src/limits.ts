/** Bounds of a criteria object; the numbers of the public table of limits. */
export const CRITERIA_LIMITS = {
  depthMax: 10,
  nodesMax: 200,
  valuesMax: 1_000,
  bytesMax: 65_536,
  regexCharactersMax: 256,
  actionCharactersMax: 40,
  /** Longest span of a window, in years; keeps every moment inside what the stores can hold. */
  spanYearsMax: 200,
} as const;
