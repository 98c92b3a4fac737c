import { expect, test } from "vitest";
import { withNullLists } from "./nullLists.ts";

/** Rows of the column `tags` as ClickHouse writes them: `[]`, `[NULL]` and `['x']` of `Array(Nullable(String))`. */
const written = Buffer.from(
  "UEFSMRUEFQoVChW54Z6mCzwVAhUAAAABAAAAeBUAFSAVIBXr8/ucAhwVBhUQFQYVBhxYAXgYAXgREQAAAAIAAAAGAAMAAAADJAABAgAmmgEcFQwZNQYAEBk4BHRhZ3MEbGlzdAdlbGVtZW50FQAWBhaSARaSASY4JggcWAF4GAF4EREATBYCGSYGABk2AgICAAAAFUAcHAAAHBwAABwcAAAAEAAAAAAAAAQABAAAABAAABAAAAAAAEAAAAAAQAAAAAIZEQIZGAF4GRgBeBUAABkcFjgVYhYAAAAVBBlMSAZzY2hlbWEVAgA1ABgEdGFncxUCFQZMPAAAADUEGARsaXN0FQIAFQwlAhgHZWxlbWVudCUATBwAAAAWBhkcGRwmmgEcFQwZNQYAEBk4BHRhZ3MEbGlzdAdlbGVtZW50FQAWBhaSARaSASY4JggcWAF4GAF4EREAJqYCFV4cFgIZJgYAGTYCAgIAABagAxUUFoQDFRwAFpIBFgYmCBaSAQAoSkNsaWNrSG91c2UgdmVyc2lvbiAyNi43LjIgKGJ1aWxkIGE2MTU2MzAzZGY2NWMzMDdiZGI4YjY2ZTllOWNjNTYzNzM0NmE2YjgpGRwcAAAA9wAAAFBBUjE=",
  "base64",
);

async function* chunksOf(bytes: Buffer, size: number) {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

async function rewritten(bytes: Buffer, { size = 7, lists = 1 } = {}): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of withNullLists(chunksOf(Buffer.from(bytes), size), lists)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

test("of the whole file two bytes are others: the list may be null, its elements may not", async () => {
  const file = await rewritten(written);
  const changed = [...file].flatMap((byte, at) => (byte === written[at] ? [] : [[written[at], byte]]));
  const [required, optional] = [0, 2];
  expect(changed).toEqual([
    [required, optional],
    [optional, required],
  ]);
  expect(file).toHaveLength(written.length);
});

test("a file whose schema is not the expected one is an error", async () => {
  await expect(rewritten(written, { lists: 2 })).rejects.toThrow("1 lists");
  await expect(rewritten(await rewritten(written))).rejects.toThrow("unknown schema");
  await expect(rewritten(written.subarray(0, 100))).rejects.toThrow();
});
