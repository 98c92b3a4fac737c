/** Records of an account's contacts that wait in the outbox for an intake topic. */
export interface IntakePayload {
  /** 24 hex characters. */
  readonly account: string;
  /** JSON text of each record. */
  readonly records: readonly string[];
  /** Name of the operation; undefined for activities. */
  readonly operation?: string | undefined;
}

/** Returns the text of an outbox row with records for an intake topic. */
export function intakePayload(account: string, records: readonly string[], operation?: string): string {
  return JSON.stringify({ account, records, operation } satisfies IntakePayload);
}

/** @throws TypeError for a text that is no such row. */
export function readIntakePayload(payload: string): IntakePayload {
  const value: unknown = JSON.parse(payload);
  if (typeof value === "object" && value !== null && "account" in value && "records" in value) {
    const { account, records } = value;
    if (typeof account === "string" && Array.isArray(records) && records.every((one) => typeof one === "string")) {
      const operation = "operation" in value ? value.operation : undefined;
      return { account, records, ...(typeof operation === "string" && { operation }) };
    }
  }
  throw new TypeError("the row contains no records");
}
