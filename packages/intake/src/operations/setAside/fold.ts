import type { FoldState } from "@headwater/records/fold/foldState";
import { type Folded, folded, rejected, skipped } from "@headwater/records/fold/outcome";
import type { RefusedPartRecord } from "./schema.ts";

/** The verdict was found by validation; here it is counted and kept. */
export function fold(_state: FoldState, { verdict, code, path, message }: RefusedPartRecord): Folded {
  return folded(verdict === "skipped" ? skipped("NOT_MAPPED") : rejected(code, path, message));
}
