import { mailLimits } from "./mailLimits.ts";

/** Limits of connections. Whoever passes one is asked to come again later. */
export const serverLimits = {
  connections: 200,
  connectionsOfAddress: 20,
  /** Mails of one address a second, and at once. */
  mailsPerSecond: 5,
  mailsAtOnce: 200,
  connectionsPerSecond: 5,
  connectionsAtOnce: 100,
  recipients: 50,
  /** Unknown recipients after which a connection ends. */
  unknownRecipients: 10,
  /** Recipients beyond those of a mail after which a connection ends. */
  recipientsTooMany: 50,
  /** Unknown recipients of one address a second, and at once. */
  unknownPerSecond: 2,
  unknownAtOnce: 100,
  idleMs: 60_000,
  /** A connection that has got nothing done for so long gives way to one for which there is no slot. */
  givesWayMs: 10_000,
  /** Limit of what a client sends outside of its mails. */
  commandBytesPerSecond: 16_384,
  /** However busy it is. */
  connectionMs: 600_000,
  commandBytes: 2_048,
  /** A mail over its size is read to its end for the answer, but no further than this. */
  endlessBytes: 10 * mailLimits.mailBytes,
} as const;
