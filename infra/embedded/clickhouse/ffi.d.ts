/** The part of Node 26's foreign function interface that is used here; @types/node does not have it yet. */
declare module "node:ffi" {
  interface Signature {
    readonly arguments: readonly string[];
    readonly return: string;
  }
  export function dlopen<Names extends string>(
    path: string,
    signatures: Readonly<Record<Names, Signature>>,
  ): { readonly functions: Readonly<Record<Names, (...args: unknown[]) => unknown>> };
  export function getRawPointer(buffer: Buffer): bigint;
  export function getUint64(pointer: bigint, offset: number): bigint;
  /** Reads a C string. */
  function readCString(pointer: bigint): string;

  export { readCString as toString };
}
