import { readFileSync } from "node:fs";
import { erasureCheckOf, HeadwaterError, type Logger } from "@headwater/kernel";
import { postgresFailure } from "@headwater/postgres/connection/failures";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import type { Session } from "@headwater/postgres/connection/session";

const readStatement = {
  name: "erasure_secret_read",
  text: `SELECT encode(secret, 'hex') AS secret, check_value AS "check" FROM erasure_secret`,
};
const lockStatement = {
  name: "erasure_secret_lock",
  text: `SELECT encode(secret, 'hex') AS secret, check_value AS "check", EXISTS (SELECT FROM erased_identifiers) AS used
    FROM erasure_secret FOR UPDATE`,
};
const moveStatement = {
  name: "erasure_secret_move",
  text: "UPDATE erasure_secret SET secret = NULL, check_value = $1",
};

/** One of both is there: the secret itself, or what verifies one from outside. */
interface Stored {
  readonly secret: string | null;
  readonly check: string | null;
}

const HEX = /^(?:[0-9a-f]{2}){32,}$/i;

/**
 * The secret of `HEADWATER_ERASURE_SECRET_FILE`: 32 bytes or more, as hex.
 * @throws HeadwaterError `CONFIG_INVALID`, without what stands in the file.
 */
export function readErasureSecretFile(path: string | undefined): Buffer | undefined {
  if (path === undefined) return undefined;
  const text = readFileSync(path, "utf8").trim();
  if (!HEX.test(text)) throw invalid("HEADWATER_ERASURE_SECRET_FILE must hold 64 or more hex digits.");
  return Buffer.from(text, "hex");
}

/**
 * Reads the key of the hashes of erased identifiers: the secret that the process was given, else the one in Postgres.
 * @throws HeadwaterError `CONFIG_INVALID` when it is not the one that the stored hashes were made with.
 */
export async function readErasureSecret(session: Session): Promise<Buffer> {
  const [stored] = await session.query<{ secret: string | null; check: string | null }>(readStatement);
  if (stored === undefined) throw new Error("erasure_secret has its row from the migration");
  const input = session.erasureSecret;
  if (input !== undefined && isThe(input, stored)) return input;
  if (input !== undefined) throw invalid(WRONG);
  if (stored.secret === null) throw invalid(NOT_PRESENT);
  return Buffer.from(stored.secret, "hex");
}

/**
 * Resolves the secret at the start of a process: takes it out of Postgres when the process was given it, and refuses one that is another.
 * While no hash is stored any secret may be begun with. With Postgres away nothing is refused: each use checks again.
 * @throws HeadwaterError `CONFIG_INVALID`.
 */
export async function ensureErasureSecret(postgres: Postgres, logger: Logger): Promise<void> {
  try {
    if (await moveOutside(postgres)) logger.info("the erasure secret is now stored outside of Postgres");
  } catch (error) {
    if (postgresFailure(error) !== "unavailable") throw error;
    logger.warn({ err: error }, "erasure secret not checked: Postgres unavailable");
  }
}

function moveOutside(postgres: Postgres): Promise<boolean> {
  return postgres.transaction(async (transaction) => {
    const provided = transaction.erasureSecret;
    const [stored] = await transaction.query<{ secret: string | null; check: string | null; used: boolean }>(
      lockStatement,
    );
    if (stored === undefined) throw new Error("erasure_secret has its row from the migration");
    if (provided === undefined && stored.secret === null) throw invalid(NOT_PRESENT);
    if (provided === undefined) return false;
    const mayBegin = stored.secret !== null && !stored.used;
    if (!isThe(provided, stored) && !mayBegin) throw invalid(WRONG);
    if (stored.secret !== null) await transaction.execute(moveStatement, [erasureCheckOf(provided)]);
    return stored.secret !== null;
  });
}

function isThe(received: Buffer, { secret, check }: Stored): boolean {
  return check === null ? secret === received.toString("hex") : check === erasureCheckOf(received);
}

const WRONG = "The secret in HEADWATER_ERASURE_SECRET_FILE does not match the hashes of erased identifiers.";
const NOT_PRESENT =
  "HEADWATER_ERASURE_SECRET_FILE is not set, but erased identifiers were hashed with an external secret.";

function invalid(publicMessage: string): HeadwaterError {
  return new HeadwaterError({ code: "CONFIG_INVALID", status: 500, publicMessage });
}
