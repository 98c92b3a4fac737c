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

const context = { settings: defaultSettings, accountId: "a".repeat(24), nowMs: 0, bodyHash: "b" };
/** Names that the senders have for the id of a list; the first of a body. */
const LIST_ID = /"(cohortId|groupId|audience_id|(?<="segment":\{")id)":("[^"]*"|\d+)/;

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
      const { parts } = endpoint.map(endpoint.body.parse(withoutAbsent(endpoint.sample)), context);
      expect(parts.filter((part) => part.kind === "refused" && part.verdict === "rejected")).toEqual([]);
      for (const part of parts) {
        if (part.kind === "item") expect(pushOperations).toContain(part.operation);
      }
    },
  );

  test.each(
    partnerEndpoints.flatMap((endpoint) => {
      const spoilt = JSON.stringify(endpoint.sample).replace(LIST_ID, (_, name: string) => `"${name}":"a\\u0000"`);
      return spoilt === JSON.stringify(endpoint.sample) ? [] : [[endpoint.path, endpoint, spoilt] as const];
    }),
  )("%s looks up no list whose id cannot be stored", (_path, endpoint, spoilt) => {
    const parsed = endpoint.body.safeParse(withoutAbsent(JSON.parse(spoilt)));
    if (!parsed.success) return;
    const { parts } = endpoint.map(parsed.data, context);
    expect(parts.filter((part) => part.kind === "refused" && part.verdict === "rejected")).toHaveLength(1);
    expect(JSON.stringify(parts.filter(({ kind }) => kind === "item"))).not.toContain("u0000");
  });

  test("has lists at seven endpoints", () => {
    const bodies = partnerEndpoints.map(({ sample }) => JSON.stringify(sample));
    expect(bodies.filter((text) => LIST_ID.test(text))).toHaveLength(7);
  });
});
