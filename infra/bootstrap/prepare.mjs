import { existsSync } from "node:fs";
import { join } from "node:path";
import { ensureApiClient } from "./apiClient.mjs";
import { checkDiskSpace } from "./disk.mjs";
import { ensureJava } from "./java.mjs";
import { ensurePackages, isInstalled } from "./packages.mjs";
import { cacheFolder, rootFolder } from "./places.mjs";
import { checkPlatform, thisPlatform } from "./platform.mjs";
import { kafkaFolder, registryFolder } from "./versions.mjs";

const MB = 1_000_000;
const PACKAGES_BYTES = 1_600 * MB;
const FETCHED_BYTES = 500 * MB;
const DATA_BYTES = 1_000 * MB;

/**
 * Everything that must hold before the pinned Node can go on: platform, disk, Java and Maven, packages, generated code. Ends with a Failure.
 * @param {{home?: string}} [wanted] `home` is where data will be written; without it no service will be started
 */
export async function prepare({ home } = {}) {
  checkPlatform(thisPlatform());
  const startsJava = home !== undefined && !(process.env.KAFKA_BROKERS && process.env.SCHEMA_REGISTRY_URL);
  const needsMaven = startsJava && !isFetched();
  checkDiskSpace([
    {
      folder: join(rootFolder, "node_modules"),
      bytes: isInstalled(rootFolder) ? 0 : PACKAGES_BYTES,
      use: "the packages",
    },
    { folder: cacheFolder(process.env), bytes: needsMaven ? FETCHED_BYTES : 0, use: "Kafka and the schema registry" },
    { folder: home ?? rootFolder, bytes: home === undefined ? 0 : DATA_BYTES, use: "the data" },
  ]);
  if (startsJava) ensureJava({ needsMaven });
  await ensurePackages(rootFolder);
  ensureApiClient(rootFolder);
}

/** Returns whether the cache holds both things that Maven fetches. */
function isFetched() {
  const cache = cacheFolder(process.env);
  return existsSync(join(cache, kafkaFolder)) && existsSync(join(cache, registryFolder));
}
