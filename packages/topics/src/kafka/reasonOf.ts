const DEPTH_MAX = 16;
const PREFIX = /^(Connection error|Failed to connect): /;

/**
 * Returns the message of the innermost cause, which kafkajs wraps in several errors that only say that Kafka does not answer. It never holds
 * a secret. Undefined for an error without a cause.
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
