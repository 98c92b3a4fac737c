/**
 * The version of a write: 32 lower-case hex characters whose text order is the order of
 * (time, stream, partition, offset, position in the frame). The last write wins, whatever partition it came through.
 */
export type Version = string;

export const ZERO_VERSION: Version = "0".repeat(32);
/** No version is above it. */
export const HIGHEST_VERSION: Version = "f".repeat(32);

/** Streams order topics inside one millisecond. A new generation of a topic takes a stream of its own. */
export const lanes = { "intake.records": 1, "intake.bulk": 2, v2: 255 } as const;

export interface LogPosition {
  readonly lane: number;
  readonly partition: number;
  readonly offset: number;
  readonly place: number;
}

const POSITION_DIGITS = 3;
const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, "0");

/** @param timeMs milliseconds since 1970: the greater of the broker's append time and all before it in the partition. */
export function versionOf(timeMs: number, at: LogPosition): Version {
  return frameVersionPrefix(timeMs, at) + hex(at.place, POSITION_DIGITS);
}

/** All of a version but the position: shared by the records of one frame. */
export function frameVersionPrefix(timeMs: number, at: Omit<LogPosition, "place">): string {
  return hex(timeMs, 11) + hex(at.lane, 2) + hex(at.partition, 4) + hex(at.offset, 12);
}

/** Returns where the record of a version stands: the inverse of `versionOf`. */
export function positionOfVersion(version: Version): LogPosition {
  const part = (from: number, to: number) => Number.parseInt(version.slice(from, to), 16);
  return { lane: part(11, 13), partition: part(13, 17), offset: part(17, 29), place: part(29, 32) };
}

/** Returns the version of the record so many positions before this one in its frame; that of the frame's first record where there is none. */
export function versionPositionsBefore(version: Version, positions: number): Version {
  const position = Number.parseInt(version.slice(-POSITION_DIGITS), 16);
  return version.slice(0, -POSITION_DIGITS) + hex(Math.max(position - positions, 0), POSITION_DIGITS);
}

let lastVersion: Version = ZERO_VERSION;
let lastTimeMs = 0;

/** Milliseconds since 1970 of the write. The last answer is kept: a record asks for each of its members. */
export function timeOfVersion(version: Version): number {
  if (version !== lastVersion) {
    lastTimeMs = Number.parseInt(version.slice(0, 11), 16);
    lastVersion = version;
  }
  return lastTimeMs;
}

let lastTimestampMs = 0;
let lastTimestamp = new Date(0).toISOString();

/** ISO timestamp of the write. The last answer is kept: the records of a frame share it. */
export function timestampOfVersion(version: Version): string {
  const timeMs = timeOfVersion(version);
  if (timeMs !== lastTimestampMs) {
    lastTimestamp = new Date(timeMs).toISOString();
    lastTimestampMs = timeMs;
  }
  return lastTimestamp;
}

/** The greatest version below one. */
export function versionBefore(version: Version): Version {
  return (BigInt(`0x${version}`) - 1n).toString(16).padStart(version.length, "0");
}

export function isVersion(text: string): boolean {
  return /^[0-9a-f]{32}$/.test(text);
}

/** uuid text as Postgres prints it -> version. */
export function versionFromUuid(uuid: string): Version {
  return uuid.replaceAll("-", "");
}
