/** Limits of tracking. */
export const trackingLimits = {
  /** Links of a message that are tracked; those past it lead to their targets by themselves. */
  links: 2_000,
  /** A longer address is left as it is. */
  urlBytes: 4_096,
  linkNameCharacters: 128,
  /** Characters that tracked addresses add to a message; links past it lead to their targets by themselves. */
  addedCharacters: 1024 * 1024,
  linkParameters: 50,
} as const;
