/** Notes a mistake of a source, with its path below the source. */
export type AddProblem = (path: string, code: string, message: string, allowed?: readonly string[]) => undefined;
