import type { OperationId, QueryValue, ServiceClient } from "@headwater/api-client";

/** An option of one command, and where its value goes in the request. */
export interface ApiOption {
  /** Flags as commander reads them: `--email <address>`; without a value the flag stands for true. */
  readonly flags: string;
  readonly about: string;
  /** A parameter of the query. */
  readonly query?: string;
  /** A member of the body, dotted for one within another. */
  readonly member?: string;
  /** Turns the typed text into the value to send; default the text itself. @throws HeadwaterError `USAGE`. */
  readonly value?: (typed: string) => unknown;
  /** Turns each typed text into a parameter of its own, for options that may be repeated. */
  readonly pair?: (typed: string) => readonly [string, QueryValue];
  /** Closed set of values. */
  readonly choices?: readonly string[];
}

/** Ids of records that people name otherwise, and how the API finds them. */
export interface IdOf {
  readonly isId: (typed: string) => boolean;
  /** @throws HeadwaterError `RECORD_NOT_FOUND`. */
  readonly find: (service: Pick<ServiceClient, "call">, typed: string) => Promise<string>;
}

/**
 * A command that is one operation of the API. What kind of command it is, the operation says: a list has a cursor, a read is
 * another GET, and the rest are writes.
 */
export interface ApiLeaf {
  /** Its name and arguments as commander reads them: `get <order>`. The first arguments are the path's values. */
  readonly usage: string;
  readonly summary: string;
  readonly examples: readonly string[];
  readonly operation: OperationId;
  /** The operation where it depends on arguments or options; `operation` defines what options there are. */
  readonly operationFor?: (args: readonly string[], provided: object) => OperationId;
  readonly options?: readonly ApiOption[];
  /** Finds the id that the first argument stands for, where the path takes nothing else. */
  readonly idOf?: IdOf;
  /** Columns of a list's table and CSV. */
  readonly columns?: readonly string[];
  /** Member that holds the rows of a read that is a list all the same, such as an answer's `values`. */
  readonly rowsIn?: string;
  /** Turns arguments into query parameters next to the path's values. */
  readonly query?: (args: readonly string[]) => Readonly<Record<string, QueryValue>>;
  readonly body?: (args: readonly string[]) => Readonly<Record<string, unknown>>;
  /** Members of the body where neither the file nor an option says them. */
  readonly defaults?: (args: readonly string[]) => Readonly<Record<string, unknown>>;
  /** The body may come from a file too; `needed` refuses a call that says nothing. */
  readonly input?: "needed" | "optional";
  /** Question asked before it is done; without one the command can be undone. */
  readonly confirm?: (args: readonly string[]) => string;
}
