import { constants, createWriteStream, statSync } from "node:fs";
import { access } from "node:fs/promises";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Row } from "@headwater/api-client";
import type { Call } from "../call.ts";
import { usageError } from "../failure.ts";
import { isMembers } from "../requests/readInput.ts";

const OWNER_ONLY = 0o600;

interface Link {
  readonly name: string;
  readonly url: string;
}

/** Refuses a folder where no file can be written: before the job is started, not when its files are ready. */
export async function checkLocation(out: string): Promise<void> {
  try {
    const found = statSync(out, { throwIfNoEntry: false });
    if (found?.isDirectory() === true) throw new Error("it is a folder");
    await access(found === undefined ? dirname(out) : out, constants.W_OK);
  } catch (cause) {
    throw usageError(`${out} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}

/** Streams a job's files to a file, or to standard output, one behind the other; those about who is gone have a file of their own. */
export async function downloadFiles(call: Call, job: Row, out: string | undefined): Promise<void> {
  const files = linksOf(job);
  const rows = files.filter(({ name }) => !isGone(name));
  for (const [index, file] of rows.entries()) await download(call, file, { out, isFirst: index === 0 });
  for (const file of files.filter(({ name }) => isGone(name))) {
    if (out === undefined)
      call.terminal.say(`${file.name} lists the contacts that left, were merged or erased: ${file.url}`);
    else await download(call, file, { out: `${out}.gone`, isFirst: true });
  }
  if (out !== undefined) call.terminal.say(`Written to ${out}.`);
}

function isGone(name: string): boolean {
  return /-gone[.-]/.test(name);
}

function linksOf({ metadata }: Row): Link[] {
  const files = isMembers(metadata) && Array.isArray(metadata.files) ? metadata.files : [];
  return files.flatMap((file: unknown) => {
    if (!isMembers(file) || typeof file.url !== "string") return [];
    return [{ name: typeof file.name === "string" ? file.name : "", url: file.url }];
  });
}

async function download(
  call: Call,
  { url }: Link,
  { out, isFirst }: { readonly out: string | undefined; readonly isFirst: boolean },
): Promise<void> {
  const bytes = Readable.fromWeb(await call.service().download(url));
  if (out !== undefined) {
    return pipeline(bytes, createWriteStream(out, { flags: isFirst ? "w" : "a", mode: OWNER_ONLY }));
  }
  for await (const chunk of bytes) {
    call.terminal.outBytes(chunk);
    await call.terminal.drained();
  }
}
