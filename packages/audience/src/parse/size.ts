/** Returns whether the JSON text of `input` is longer than `bytesMax`. Walks without recursion, so that depth cannot exhaust the stack. */
export function isLargerThan(input: unknown, bytesMax: number): boolean {
  const open: unknown[] = [input];
  let bytes = 0;
  while (open.length > 0 && bytes <= bytesMax) {
    const value = open.pop();
    if (Array.isArray(value)) {
      bytes += 2 + Math.max(0, value.length - 1);
      for (const element of value) open.push(element);
    } else if (typeof value === "object" && value !== null) {
      const entries = Object.entries(value);
      bytes += 2 + Math.max(0, entries.length - 1);
      for (const [name, member] of entries) {
        bytes += textBytes(name) + 1;
        open.push(member);
      }
    } else {
      bytes += textBytes(value);
    }
  }
  return bytes > bytesMax;
}

function textBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? "");
}
