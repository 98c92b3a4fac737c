import type { Client, Connection } from "pg";

const CHUNK_BYTES = 65_536;

/** Members of pg's connection that its types do not name. */
interface CopyConnection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** Writes rows by COPY, which pg knows the messages of and has no method for. */
export function copyIn(client: Client, sql: string, rows: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  client.query({
    submit: (connection: Connection) => connection.query(sql),
    handleCopyInResponse(connection: CopyConnection) {
      const bytes = Buffer.from(rows);
      for (let from = 0; from < bytes.length; from += CHUNK_BYTES) {
        connection.sendCopyFromChunk(bytes.subarray(from, from + CHUNK_BYTES));
      }
      connection.endCopyFrom();
    },
    handleCommandComplete: () => undefined,
    handleReadyForQuery: () => resolve(),
    handleError: (error: Error) => reject(error),
  });
  return promise;
}
