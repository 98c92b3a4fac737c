import type { HeadwaterError } from "@headwater/kernel";
import type pg from "pg";
import type { Session, Statement, Value } from "./session.ts";
import { valueTypes } from "./types.ts";

/** Decides whether a server may be used. */
export interface Admission {
  /** @throws HeadwaterError: the connection is closed, and who asked for it gets the error. */
  admit(session: Session): Promise<void>;
  /** Returns why no server may be used. */
  refusal(): HeadwaterError | undefined;
}

/** Returns the option of a pool that has every new connection checked before anything else is asked on it. */
export function admitting(admission: Admission | undefined): Pick<pg.PoolConfig, "onConnect"> {
  return admission === undefined ? {} : { onConnect: (client) => admission.admit(sessionOn(client)) };
}

/** Returns a session on a connection whose owner may read values in another way than the pools do. */
export function sessionOn(client: pg.ClientBase): Session {
  const run = ({ text }: Statement, values: readonly Value[] = []) =>
    client.query({ text, values: [...values], types: valueTypes });
  return {
    query: async (statement, values) => (await run(statement, values)).rows,
    execute: async (statement, values) => (await run(statement, values)).rowCount ?? 0,
  };
}
