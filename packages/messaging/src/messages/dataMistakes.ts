import type { MessageDataSource } from "@headwater/contracts";
import type { ErrorDetail } from "@headwater/kernel";
import type { Session } from "@headwater/postgres/connection/session";
import { loadSupplements } from "@headwater/records/supplements/supplements";

/** Finds tables of records that a message names and that do not exist. */
export async function mistakesOfData(
  session: Session,
  account: number,
  sources: readonly MessageDataSource[] = [],
): Promise<ErrorDetail[]> {
  const named = sources.flatMap((source, index) =>
    source.source === "supplement" ? [{ key: source.key, place: index }] : [],
  );
  const keys = [...new Set(named.map(({ key }) => key))];
  const known = new Set(
    (
      await loadSupplements(
        session,
        keys.map((key) => ({ account, key })),
      )
    ).map(({ key }) => key),
  );
  return named.flatMap(({ key, place: position }) => {
    const message = `There is no supplement ${JSON.stringify(key)}.`;
    return known.has(key) ? [] : [{ path: `/message/data/${position}/key`, code: "unknown_reference", message }];
  });
}
