import { join } from "node:path";
import type { Environment } from "@headwater/kernel";
import { z } from "zod";
import { configFolderOf, readJsonFile, writeJsonFile } from "./configFolder.ts";

/** Watermarks of the last good runs of exports, by profile and kind. */
export interface ExportMarks {
  read(key: string): string | undefined;
  keep(key: string, token: string): void;
}

const FILE = "exports.json";
const shape = z.record(z.string(), z.string());

/** Keeps them in the folder of a person's settings. */
export function storedMarks(env: Environment): ExportMarks {
  const folder = configFolderOf(env);
  const stored = () => readJsonFile(folder && join(folder, FILE), shape);
  return {
    read: (key) => stored()[key],
    keep: (key, token) => {
      if (folder !== undefined) writeJsonFile(folder, FILE, { ...stored(), [key]: token });
    },
  };
}

/** Keeps nothing: a run without `--since last` leaves those that go on alone. */
export const forgetfulMarks: ExportMarks = { read: () => undefined, keep: () => undefined };
