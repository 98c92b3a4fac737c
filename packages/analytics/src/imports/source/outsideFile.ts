import type { OutsideSource } from "@headwater/contracts";
import type { SourceFile } from "@headwater/jobs/sources/openSource";

/** A file outside, read and complete. */
export interface OutsideFile {
  /** The part that the job keeps: no secret. */
  readonly kept: OutsideSource;
  readonly secrets: Readonly<Record<string, string>>;
  readonly file: SourceFile;
  readonly path: string;
}
