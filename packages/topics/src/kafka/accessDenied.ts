/** A right that Kafka's authorizer may refuse: an operation on a topic, a group or the cluster. */
export interface KafkaRight {
  readonly operation:
    | "Create"
    | "Describe"
    | "DescribeConfigs"
    | "Alter"
    | "AlterConfigs"
    | "Read"
    | "Write"
    | "Delete";
  readonly resource: "topic" | "group" | "cluster";
  /** Not used for the cluster, which has one name. */
  readonly name?: string | undefined;
}

const CAUSES_MAX = 16;
const DENIALS: ReadonlySet<unknown> = new Set([
  "TOPIC_AUTHORIZATION_FAILED",
  "GROUP_AUTHORIZATION_FAILED",
  "CLUSTER_AUTHORIZATION_FAILED",
]);

/** Kafka's authorizer refuses the right that a call needs. Kafka does not say to which principal: it is the one that this process signs in as. */
export class KafkaAccessDenied extends Error {
  override readonly name = "KafkaAccessDenied";

  constructor(right: KafkaRight) {
    super(sentenceOf(right));
  }
}

function sentenceOf({ operation, resource, name = "" }: KafkaRight): string {
  const what = resource === "cluster" ? "the cluster" : `the ${resource} ${name}`;
  const option = resource === "cluster" ? "--cluster" : `--${resource} ${name}`;
  const command = `kafka-acls.sh --bootstrap-server <broker> --add --allow-principal User:<user> --operation ${operation} ${option}`;
  return `Kafka does not allow ${operation} on ${what}. Grant it: ${command}`;
}

/** Returns whether Kafka refused a call because a right is missing. Of several errors of one call, one is enough. */
export function isDenied(error: unknown): boolean {
  for (let cause = error, depth = 0; cause instanceof Error && depth < CAUSES_MAX; depth++) {
    if (DENIALS.has(Reflect.get(cause, "type")) || errorsOf(cause).some(isDenied)) return true;
    cause = cause.cause ?? Reflect.get(cause, "originalError");
  }
  return false;
}

/** Returns the errors that kafkajs gathers of the parts of a call. */
export function errorsOf(error: unknown): readonly unknown[] {
  const errors: unknown = error instanceof Error ? Reflect.get(error, "errors") : undefined;
  return Array.isArray(errors) ? errors : [];
}

/** Makes a call; a refusal becomes the sentence that names the right. @throws KafkaAccessDenied, and what the call throws otherwise. */
export async function withRight<Answer>(
  right: KafkaRight | (() => Promise<KafkaRight>),
  call: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await call();
  } catch (error) {
    if (!isDenied(error)) throw error;
    throw new KafkaAccessDenied(typeof right === "function" ? await right() : right);
  }
}

/** Finds the missing right among the causes of an error; undefined where something else is wrong. */
export function accessDeniedIn(error: unknown): KafkaAccessDenied | undefined {
  for (let cause = error, depth = 0; cause instanceof Error && depth < CAUSES_MAX; depth++) {
    if (cause instanceof KafkaAccessDenied) return cause;
    cause = cause.cause;
  }
  return undefined;
}
