import type { NewApiKeyBody } from "@headwater/contracts";
import type { Row } from "../output/formats.ts";

/** The keys of one account, through the API or in the database itself. */
export interface KeyAdmin {
  /** Lists the keys that were not revoked, in the order they were made. */
  list(): Promise<readonly Row[]>;
  /** @returns the record with `key`, the value that is shown this once. */
  make(body: NewApiKeyBody): Promise<Row>;
  revoke(id: string): Promise<void>;
}
