/**
 * Returns whether the compact JSON text of a value has more than `bytesMax` bytes. It checks no more than the container in which that
 * shows, and walks without recursion, so that neither size nor depth costs more than the bound.
 */
export function hasLongerJson(value: unknown, bytesMax: number): boolean {
  const open: unknown[] = [value];
  let bytes = 0;
  while (open.length > 0 && bytes <= bytesMax) {
    const inner = open.pop();
    if (Array.isArray(inner)) {
      bytes += bytesBetween(inner.length);
      // Each element has a byte at least.
      if (bytes + inner.length > bytesMax) return true;
      for (const element of inner) open.push(element);
    } else if (typeof inner === "object" && inner !== null) {
      const names = Object.keys(inner);
      bytes += bytesBetween(names.length);
      if (bytes + names.length > bytesMax) return true;
      for (const name of names) {
        bytes += textBytes(name) + 1;
        open.push(Reflect.get(inner, name));
      }
    } else {
      bytes += textBytes(inner);
    }
  }
  return bytes > bytesMax;
}

/** Returns the bytes of a container's brackets and commas. */
function bytesBetween(members: number): number {
  return 2 + Math.max(0, members - 1);
}

function textBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? "");
}
