import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { ServiceDefinition } from "./definition.ts";
import { openDataFolder } from "./startServices.ts";

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "data-"));
});

afterEach(() => {
  rmSync(home, { recursive: true });
});

function definitionOf(version: string, prepare: (folder: string) => void = () => undefined): ServiceDefinition {
  return {
    name: "store",
    dataVersion: async () => version,
    fetch: async () => undefined,
    prepare: async (folder) => prepare(folder),
    launch: () => Promise.reject(new Error("not launched here")),
    isReady: async () => true,
  };
}

test("a new folder is prepared once and found again", async () => {
  const folder = await openDataFolder(
    home,
    definitionOf("Store 1", (created) => writeFileSync(join(created, "file"), "data")),
  );
  const never = definitionOf("Store 1", () => expect.unreachable());
  expect(await openDataFolder(home, never)).toBe(folder);
  expect(readFileSync(join(folder, "file"), "utf8")).toBe("data");
});

test("data of another version are refused in one sentence and stay as they are", async () => {
  const folder = await openDataFolder(
    home,
    definitionOf("Store 1", (built) => writeFileSync(join(built, "file"), "data")),
  );
  await expect(openDataFolder(home, definitionOf("Store 2"))).rejects.toThrow(
    /^the data in .*store were written by Store 1 and this Headwater runs Store 2: start with another HEADWATER_HOME, or /,
  );
  expect(existsSync(join(folder, "file"))).toBe(true);
});

test("a preparation that was broken off starts anew from an empty folder", async () => {
  const breaking = definitionOf("Store 1", (result) => {
    mkdirSync(join(result, "half"));
    throw new Error("killed");
  });
  await expect(openDataFolder(home, breaking)).rejects.toThrow("killed");
  const folder = await openDataFolder(
    home,
    definitionOf("Store 1", (made) => expect(existsSync(join(made, "half"))).toBe(false)),
  );
  expect(existsSync(folder)).toBe(true);
});
