/** Limits of incoming mail: nobody who can reach the port has a key. */
export const mailLimits = {
  /** A report may hold the whole mail that it is about. */
  mailBytes: 10 * 1024 * 1024,
  /** Part of a mail that is read. A report says what happened before it shows the mail that it is about. */
  headBytes: 128 * 1024,
  /** Parsing takes its time by lines: so many take about 30 ms at worst. */
  headLines: 2_000,
  headersBytes: 32 * 1024,
  nesting: 20,
  /** Recipients of one report that are checked. */
  reported: 100,
  /** Addresses in the headers of a mail, and tokens in the mail that a complaint holds. */
  addresses: 50,
  localCharacters: 100,
  textCharacters: 200,
  /** Mails that one poll of a mailbox takes. */
  mailsOfPoll: 100,
  /** A search answers with all unseen mails in one line: about 200,000 of them. */
  mailboxLineBytes: 2 * 1024 * 1024,
} as const;
