/** Brokers that hold a partition, the preferred leader first. */
export interface PartitionReplicas {
  readonly partition: number;
  readonly replicas: readonly number[];
}

export interface ReplicasWanted {
  /** Replicas that each partition should have at least. */
  readonly replicas: number;
  /** Ids of the brokers that are alive. */
  readonly brokers: readonly number[];
}

/**
 * Adds brokers to partitions that have too few replicas, those with the fewest replicas of the topic first. Nothing is moved or taken away. A
 * partition that has a replica on a broker that is away is left alone: nobody knows whether the others can be copied from.
 * @returns the partitions that change, each with all its replicas.
 */
export function addReplicas(
  partitions: readonly PartitionReplicas[],
  wanted: ReplicasWanted,
): readonly PartitionReplicas[] {
  const load = new Map(wanted.brokers.map((broker) => [broker, 0]));
  const count = (broker: number) => load.set(broker, (load.get(broker) ?? 0) + 1);
  for (const { replicas } of partitions) for (const broker of replicas) count(broker);
  const changed: PartitionReplicas[] = [];
  for (const { partition, replicas } of partitions) {
    const isComplete = replicas.length >= wanted.replicas;
    if (isComplete || !replicas.every((broker) => wanted.brokers.includes(broker))) continue;
    const free = wanted.brokers
      .filter((broker) => !replicas.includes(broker))
      .toSorted((left, right) => (load.get(left) ?? 0) - (load.get(right) ?? 0) || left - right);
    const added = free.slice(0, wanted.replicas - replicas.length);
    for (const broker of added) count(broker);
    if (added.length > 0) changed.push({ partition, replicas: [...replicas, ...added] });
  }
  return changed;
}
