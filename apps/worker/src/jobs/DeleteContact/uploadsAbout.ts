import { timeOfVersion } from "@headwater/contracts";
import { HeadwaterError } from "@headwater/kernel";
import { deleteUpload, nextIdleUpload, type UploadOfAccount } from "@headwater/stores/imports";
import { textOfUpload } from "../../imports/source/stage.ts";
import type { JobPorts } from "../../runner/jobKind.ts";
import { CLOCKS_APART_MS, type Erased, SPEAKING } from "./traces.ts";

/** Longer than any identifier: one that stands across two chunks is seen whole. */
const OVERLAP_CHARACTERS = 1_024;

/**
 * Deletes the uploads of before the erasure that name the person and that no import is reading; those that one reads go a day after it.
 * What cannot be read as text says nothing of anybody.
 */
export async function deleteUploadsAbout(
  account: number,
  erased: Erased,
  { postgres, files, signal }: Pick<JobPorts, "files" | "postgres"> & { readonly signal: AbortSignal },
): Promise<void> {
  const until = timeOfVersion(erased.version) + CLOCKS_APART_MS;
  const names = namesPerson(erased);
  for (let after = ""; ; ) {
    const upload = await nextIdleUpload(postgres, { account, until, after });
    if (upload === undefined) return;
    after = upload.id;
    if (!(await isAbout(upload, names, { files, signal }))) continue;
    await files.remove(upload);
    await deleteUpload(postgres, upload);
  }
}

async function isAbout(
  upload: UploadOfAccount,
  names: (text: string) => boolean,
  { files, signal }: Pick<JobPorts, "files"> & { readonly signal: AbortSignal },
): Promise<boolean> {
  let before = "";
  try {
    for await (const chunk of textOfUpload(upload, { files })) {
      signal.throwIfAborted();
      const text = before + chunk.toLowerCase();
      if (names(text)) return true;
      before = text.slice(-OVERLAP_CHARACTERS);
    }
  } catch (error) {
    // Damaged, or a bomb: no import can read it either.
    if (!(error instanceof HeadwaterError)) throw error;
  }
  return false;
}

/** Addresses anywhere in the text; other identifiers, which may be numbers like many, as a value of their own. */
function namesPerson({ identifiers }: Erased): (text: string) => boolean {
  const parts = identifiers.map(({ name, value }) => {
    const text = RegExp.escape(value.toLowerCase());
    return SPEAKING.has(name) ? text : `(?:^|[\\s,;|:"'])${text}(?:$|[\\s,;|"'}\\]])`;
  });
  if (parts.length === 0) return () => false;
  const pattern = new RegExp(parts.join("|"), "m");
  return (text) => pattern.test(text);
}
