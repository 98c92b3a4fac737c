/** A location that an export's files are written to. Names are plain file names; `open` replaces no file of another export. */
export interface Destination {
  /**
   * Connects and signs in.
   * @throws HeadwaterError `STORAGE_CONNECTION_ERROR`: not retriable when it was refused, retriable when nobody answered.
   */
  check(signal: AbortSignal): Promise<void>;
  /** Begins a file. Repeating it after a kill writes the file again: nobody sees it before it is finished. */
  open(name: string, signal: AbortSignal): Promise<Upload>;
  /** Removes what writers left of a file that they did not finish; a finished one stays. */
  discard(name: string, signal: AbortSignal): Promise<void>;
}

/** A file that is being written; whoever opened it ends it with `finish` or `abort`. */
export interface Upload {
  /** Resolves when the destination can take more. */
  write(chunk: Uint8Array): Promise<void>;
  /** The file is there under its name, whole. */
  finish(): Promise<LocatedFile>;
  /** Nothing of it is left, unless the destination does not answer within `ABORT_TIMEOUT_MS`: then `discard` removes it later. */
  abort(): Promise<void>;
}

/** Time that an upload may take to be given up: a canceled job ends within 5 s, of which one or two pass before its worker knows. */
export const ABORT_TIMEOUT_MS = 2_500;

/** Facts of a file once it is there. */
export interface LocatedFile {
  /** Its id in the store of files that are kept here: the job links to it, and an erasure deletes it. */
  readonly keptId?: string;
}
