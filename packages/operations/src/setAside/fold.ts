import { type Folded, type FoldState, folded, rejected, skipped } from "@headwater/domain";
import type { RefusedPartRecord } from "./schema.ts";

/** The verdict was found by validation; here it is counted and kept. */
export function fold(_state: FoldState, { verdict, code, path, message }: RefusedPartRecord): Folded {
  return folded(verdict === "skipped" ? skipped("NOT_MAPPED") : rejected(code, path, message));
}
