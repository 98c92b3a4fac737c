import { existsSync, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { Failure } from "./failure.mjs";

const BYTES_PER_MB = 1_000_000;

/**
 * @typedef {object} DiskNeed
 * @property {string} folder may not exist yet; then its nearest parent counts
 * @property {number} bytes
 * @property {string} use "the packages"
 */

/**
 * Ends with a Failure where a file system has less free space than all that goes there needs.
 * @param {readonly DiskNeed[]} needs
 * @param {{statfs?: (folder: string) => {bavail: number, bsize: number}, deviceOf?: (folder: string) => number}} [disk]
 */
export function checkDiskSpace(needs, { statfs = statfsSync, deviceOf = (folder) => statSync(folder).dev } = {}) {
  /** @type {Map<number, {folder: string, bytes: number, uses: string[]}>} */
  const perDevice = new Map();
  for (const { folder, bytes, use } of needs.filter((need) => need.bytes > 0)) {
    const existing = nearestExisting(folder);
    const device = deviceOf(existing);
    const sum = perDevice.get(device) ?? { folder: existing, bytes: 0, uses: [] };
    perDevice.set(device, { folder: sum.folder, bytes: sum.bytes + bytes, uses: [...sum.uses, use] });
  }
  for (const { folder, bytes, uses } of perDevice.values()) {
    const { bavail, bsize } = statfs(folder);
    if (bavail * bsize >= bytes) continue;
    throw new Failure(
      `${inMb(bytes)} are needed under ${folder} for ${uses.join(", ")} and ${inMb(bavail * bsize)} are free: ` +
        "make room, or set HEADWATER_HOME and HEADWATER_CACHE to another disk.",
    );
  }
}

/** @param {string} folder @returns {string} */
function nearestExisting(folder) {
  return existsSync(folder) ? folder : nearestExisting(dirname(folder));
}

/** @param {number} bytes */
function inMb(bytes) {
  return `${Math.ceil(bytes / BYTES_PER_MB).toLocaleString("en-US")} MB`;
}
