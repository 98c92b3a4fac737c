const DEPTH_MAX = 16;
const PREFIX = /^(Connection error|Failed to connect): /;

/**
 * Returns why Kafka does not answer, out of the causes of the error that says only that: the innermost, which kafkajs wraps in several. It
 * never holds a secret. Undefined where there is no cause.
 */
export function reasonOf(error: unknown): string | undefined {
  let reason: string | undefined;
  let cause = causeOf(error);
  for (let depth = 0; depth < DEPTH_MAX && cause instanceof Error; depth++) {
    reason = cause.message.replace(PREFIX, "");
    cause = causeOf(cause);
  }
  return reason;
}

function causeOf(error: unknown): unknown {
  return error instanceof Error ? (error.cause ?? Reflect.get(error, "originalError")) : undefined;
}
