/**
 * A query about what was locked: its answer must not be older than the locks. The first one goes along with `loadRows`, as its `last`; whoever
 * asks again has locked more rows meanwhile, and gets a new one.
 */
export class BehindLocks<Result> {
  readonly #query: () => Promise<Result>;
  #queued: Promise<Result> | undefined;

  constructor(query: () => Promise<Result>) {
    this.#query = query;
  }

  /** Sends the query behind the locks that were asked for before. */
  queue(): Promise<Result> {
    this.#queued = this.#query();
    return this.#queued;
  }

  /** Returns the queued answer once, then new ones. */
  next(): Promise<Result> {
    const answer = this.#queued ?? this.#query();
    this.#queued = undefined;
    return answer;
  }
}
