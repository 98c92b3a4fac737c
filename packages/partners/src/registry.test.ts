import { readdirSync } from "node:fs";
import { join } from "node:path";
import { defaultSettings } from "@headwater/contracts";
import { describe, expect, test } from "vitest";
import { pushOperations } from "./push.ts";
import { withoutAbsent } from "./reading.ts";
import { partnerEndpoints } from "./registry.ts";

const folders = (path: string) =>
  readdirSync(path, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));

/** Folders of a partner that hold what its endpoints share, none today. */
const endpointFolders = folders(import.meta.dirname).flatMap((partner) =>
  folders(join(import.meta.dirname, partner)).map((name) => `${partner}/${name}`),
);

describe("the registry of partners' endpoints", () => {
  test("names every endpoint that has a folder, and nothing else", () => {
    expect(endpointFolders.length).toBeGreaterThan(10);
    expect(partnerEndpoints.map(({ partner, name }) => `${partner}/${name}`).toSorted()).toEqual(
      endpointFolders.toSorted(),
    );
  });

  test.each(partnerEndpoints.map((endpoint) => [endpoint.path, endpoint] as const))(
    "%s takes its own sample and refuses no part of it",
    (_path, endpoint) => {
      const context = { settings: defaultSettings, accountId: "a".repeat(24), nowMs: 0, bodyHash: "b" };
      const { parts } = endpoint.map(endpoint.body.parse(withoutAbsent(endpoint.sample)), context);
      expect(parts.filter((part) => part.kind === "aside" && part.verdict === "rejected")).toEqual([]);
      for (const part of parts) {
        if (part.kind === "item") expect(pushOperations).toContain(part.operation);
      }
    },
  );
});
