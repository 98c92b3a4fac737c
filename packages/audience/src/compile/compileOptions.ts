export interface CompileOptions {
  /** The account's number. */
  readonly account: number;
  /** UTC milliseconds; left out for the present. */
  readonly asOf?: number;
  /** Meaning of a past `asOf`: the state recorded by then, or today's contacts with the events before it. */
  readonly basis: "recorded" | "event";
  /** IANA name as `canonicalTimezone` spells it. */
  readonly timezone: string;
  /** UTC milliseconds of the service's clock. */
  readonly now: number;
  /** True when the account has merged contacts; false spares the resolution of their numbers. */
  readonly hasMerges: boolean;
  readonly currency: string;
  readonly explain?: boolean;
  readonly sampleSize?: number;
  /** The number of a contact, of which each node says whether it holds it, and what it looked at. */
  readonly contact?: number;
  readonly page?: NumbersPage;
  /** Asks for the time zones that the contacts name: in places, and in the attribute of this name. */
  readonly zones?: { readonly attribute: string | undefined };
  readonly eligibleFor?: { readonly channel: string; readonly classification: "promotional" | "transactional" };
}

/** Contact numbers of one page, in order. */
export interface NumbersPage {
  readonly direction: "asc" | "desc";
  /** The last number of the page before. */
  readonly after?: number | undefined;
  /**
   * The farthest number that is looked at: rows between it and `after` alone are read, so the page may be short, and `count` is of
   * what was looked at. Left out: all are looked at.
   */
  readonly until?: number | undefined;
  readonly skip: number;
  readonly rowsMax: number;
}
