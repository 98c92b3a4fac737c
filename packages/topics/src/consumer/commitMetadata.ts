const GENERATION = /^generation=(\d{1,9})$/;

/** Returns what stands beside a commit: which log of the partition was read. */
export function metadataOf(generation: number | undefined): string | null {
  return generation === undefined ? null : `generation=${generation}`;
}

/** @returns undefined for commits of versions that did not note it, and of other programs. */
export function generationOf(metadata: string | null): number | undefined {
  const [, generation] = GENERATION.exec(metadata ?? "") ?? [];
  return generation === undefined ? undefined : Number(generation);
}
