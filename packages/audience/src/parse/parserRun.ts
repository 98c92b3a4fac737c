import type { CriteriaContext } from "./context.ts";
import type { ListNames } from "./listNames.ts";
import type { Problems } from "./problems.ts";

/** One run of the parser. */
export interface Parse {
  readonly context: CriteriaContext;
  readonly problems: Problems;
  readonly seen: { nodes: number; lists?: ListNames };
}
