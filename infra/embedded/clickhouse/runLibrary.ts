import * as ffi from "node:ffi";

/**
 * Runs ClickHouse's command line inside this process: `runLibrary.ts LIBRARY clickhouse ARGUMENT...`. It returns only when the
 * command has ended; until then this thread is inside the library, and no JavaScript runs (signals keep their default effect).
 * chdb.h: `struct local_result_v2 * query_stable_v2(int argc, char ** argv)`; its error text is the pointer at byte 48.
 */
const ERROR_TEXT_AT = 48;
const POINTER_BYTES = 8;

const [library, ...args] = process.argv.slice(2);
if (library === undefined || args.length === 0) throw new Error("usage: runLibrary.ts LIBRARY clickhouse ARGUMENT...");

const { functions } = ffi.dlopen(library, {
  query_stable_v2: { arguments: ["int32", "pointer"], return: "pointer" },
});
const strings = args.map((arg) => Buffer.from(`${arg}\0`));
const argv = Buffer.alloc(POINTER_BYTES * (strings.length + 1));
for (const [index, string] of strings.entries())
  argv.writeBigUInt64LE(ffi.getRawPointer(string), index * POINTER_BYTES);

const result: unknown = functions.query_stable_v2(strings.length, ffi.getRawPointer(argv));
if (typeof result !== "bigint") throw new Error("ClickHouse's answer is a pointer");
const error = ffi.getUint64(result, ERROR_TEXT_AT);
console.error(error === 0n ? "ClickHouse ended by itself" : ffi.toString(error));
process.exitCode = 1;
