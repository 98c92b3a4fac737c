import { Failure } from "./failure.mjs";

const NODE_MAJOR_MIN = 20;
const SYSTEMS = new Set(["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"]);

/**
 * @typedef {object} Platform
 * @property {string} system "linux", "darwin", …
 * @property {string} architecture "x64", "arm64", …
 * @property {boolean} isMusl a Linux whose C library is musl: the stores' binaries want glibc
 * @property {string} nodeVersion "20.11.0"
 */

/**
 * Ends with a Failure on a Node that is too old, or on a system that the pinned Node and the stores are not built for.
 * @param {Platform} platform
 */
export function checkPlatform({ system, architecture, isMusl, nodeVersion }) {
  if (Number(nodeVersion.split(".")[0]) < NODE_MAJOR_MIN) {
    throw new Failure(
      `this is Node ${nodeVersion} and Headwater starts from Node ${NODE_MAJOR_MIN} on: install a later one.`,
    );
  }
  if (SYSTEMS.has(`${system}-${architecture}`) && !isMusl) return;
  throw new Failure(
    `Headwater runs on Linux with glibc and on macOS, each x64 or arm64, and this is ${system} ${architecture}` +
      `${isMusl ? " with musl" : ""}: run it on one of those, or in a container of one.`,
  );
}

/** @returns {Platform} */
export function thisPlatform() {
  const { platform: system, arch: architecture, versions } = process;
  return { system, architecture, isMusl: system === "linux" && !hasGlibc(), nodeVersion: versions.node };
}

function hasGlibc() {
  const report = process.report?.getReport();
  const header = typeof report === "object" && "header" in report ? report.header : undefined;
  return header?.glibcVersionRuntime !== undefined;
}
