import type { Version } from "./version.ts";

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** A member and the version of its last write. `value` null is a tombstone: it was removed. */
export interface Written {
  readonly value: Json;
  readonly version: Version;
}
