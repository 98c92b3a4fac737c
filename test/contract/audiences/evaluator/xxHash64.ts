const [P1, P2, P3, P4, P5] = [
  11400714785074694791n,
  14029467366897019727n,
  1609587929392839161n,
  9650029242287828579n,
  2870177450012600261n,
] as const;
const word = (value: bigint) => BigInt.asUintN(64, value);
const rotate = (value: bigint, bits: bigint) => word((value << bits) | (value >> (64n - bits)));
const round = (stream: bigint, input: bigint) => word(rotate(word(stream + input * P2), 31n) * P1);

/** The hash of the published algorithm with the seed 0. */
export function xxHash64(bytes: Buffer): bigint {
  let at = 0;
  let hash: bigint = P5;
  if (bytes.length >= 32) {
    const streams = [word(P1 + P2), P2, 0n, word(-P1)];
    for (; at + 32 <= bytes.length; at += 32) {
      for (const [index, lane] of streams.entries())
        streams[index] = round(lane, bytes.readBigUInt64LE(at + index * 8));
    }
    hash = word(streams.reduce((sum, lane, index) => sum + rotate(lane, [1n, 7n, 12n, 18n][index] ?? 0n), 0n));
    for (const lane of streams) hash = word((hash ^ round(0n, lane)) * P1 + P4);
  }
  hash = word(hash + BigInt(bytes.length));
  for (; at + 8 <= bytes.length; at += 8) {
    hash = word(rotate(hash ^ round(0n, bytes.readBigUInt64LE(at)), 27n) * P1 + P4);
  }
  for (; at + 4 <= bytes.length; at += 4) {
    hash = word(rotate(hash ^ word(BigInt(bytes.readUInt32LE(at)) * P1), 23n) * P2 + P3);
  }
  for (; at < bytes.length; at += 1) hash = word(rotate(hash ^ word(BigInt(bytes.readUInt8(at)) * P5), 11n) * P1);
  hash = word((hash ^ (hash >> 33n)) * P2);
  hash = word((hash ^ (hash >> 29n)) * P3);
  return hash ^ (hash >> 32n);
}
