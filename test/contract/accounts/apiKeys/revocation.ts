import { expect } from "vitest";

const WITHIN_MS = 1_000;
const WAIT = { timeout: 20_000, interval: 0 };

/**
 * Uses a key without a pause while it is revoked. Fails when a use that began more than a second after the revocation had been
 * written was let through by any of the positions, or when one of them never refuses.
 */
export async function expectRefusedWithinASecond(
  uses: readonly (() => Promise<number>)[],
  revoke: () => Promise<unknown>,
): Promise<void> {
  const lastAccepted = uses.map(() => Number.NEGATIVE_INFINITY);
  const round = () =>
    Promise.all(
      uses.map(async (use, index) => {
        const beganAtMs = performance.now();
        const status = await use();
        if (status !== 401) lastAccepted[index] = beganAtMs;
        return status;
      }),
    );
  expect((await round()).filter((status) => status >= 300)).toEqual([]);
  await revoke();
  const revokedAtMs = performance.now();
  await expect.poll(async () => (await round()).every((status) => status === 401), WAIT).toBe(true);
  for (const beganAtMs of lastAccepted) expect(beganAtMs - revokedAtMs).toBeLessThanOrEqual(WITHIN_MS);
}
