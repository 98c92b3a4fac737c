import type { OperationId, QueryValue } from "@headwater/api-client";

/** An option of one command, and where its value goes in the request. */
export interface ApiOption {
  /** As commander reads them: `--email <address>`; without a value it stands for true. */
  readonly flags: string;
  readonly about: string;
  /** A parameter of the query. */
  readonly query?: string;
  /** A member of the body, dotted for one within another. */
  readonly member?: string;
  /** What was typed as the value to send; default the text itself. @throws HeadwaterError `USAGE`. */
  readonly value?: (typed: string) => unknown;
  /** May be typed several times, each with a parameter of its own. */
  readonly pair?: (typed: string) => readonly [string, QueryValue];
  /** Closed set of values. */
  readonly choices?: readonly string[];
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
  /** The operation where it depends on the arguments; `operation` tells what options there are. */
  readonly operationFor?: (args: readonly string[]) => OperationId;
  readonly options?: readonly ApiOption[];
  /** Of a list's table and CSV. */
  readonly columns?: readonly string[];
  /** Where the rows of a read are that is a list all the same, such as an answer's `values`. */
  readonly rowsIn?: string;
  /** What the arguments say beside the path's values. */
  readonly query?: (args: readonly string[]) => Readonly<Record<string, QueryValue>>;
  readonly body?: (args: readonly string[]) => Readonly<Record<string, unknown>>;
  /** Members of the body where neither the file nor an option says them. */
  readonly defaults?: (args: readonly string[]) => Readonly<Record<string, unknown>>;
  /** The body may come from a file too; `needed` refuses a call that says nothing. */
  readonly input?: "needed" | "optional";
  /** What is asked before it is done; its absence says that it can be taken back. */
  readonly confirm?: (args: readonly string[]) => string;
}
