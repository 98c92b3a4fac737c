/** Facts that stand next to a commit. */
export interface CommitNote {
  /** Number of the partition's log that was read. */
  readonly generation?: number | undefined;
  /** Postgres that the results are stored in: `<system identifier>/<object id of the database>`. */
  readonly store?: string | undefined;
}

const NOTE = /^(?:generation=(\d{1,9}))?;?(?:store=(\d{1,20}(?:\/\d{1,10})?))?$/;

export function metadataOf({ generation, store }: CommitNote): string | null {
  const parts = [
    ...(generation === undefined ? [] : [`generation=${generation}`]),
    ...(store === undefined ? [] : [`store=${store}`]),
  ];
  return parts.length === 0 ? null : parts.join(";");
}

/** Returns what is noted; nothing for commits of versions that did not note it, and of other programs. */
export function noteOf(metadata: string | null): CommitNote {
  const [, generation, store] = NOTE.exec(metadata ?? "") ?? [];
  return { generation: generation === undefined ? undefined : Number(generation), store };
}
