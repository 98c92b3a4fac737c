import type { Postgres } from "@headwater/postgres/connection/postgres";
import { GATE_CLASS } from "../jobs/gates.ts";

/** Gates of sends: before an intent is stored, and before an outcome is. */
export const INTENT_GATE = "sends intent";
export const OUTCOME_GATE = "sends outcome";

/** Milliseconds of Postgres' clock. An intent notes them while it has its contact locked. */
export const STORE_MS = "floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint";
const NOTE_INTENT = `INSERT INTO noted_intents VALUES (NEW.message, NEW.contact, ${STORE_MS});`;
const gate = (
  name: string,
  text: string,
  note = "",
) => `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    PERFORM pg_advisory_xact_lock_shared(${GATE_CLASS}, hashtext('${text}'));
    ${note}
    RETURN NEW;
  END $$`;
const trigger = (name: string, condition: string, what: string) =>
  `CREATE TRIGGER ${name} BEFORE UPDATE OF state ON sends FOR EACH ROW WHEN (${condition}) EXECUTE FUNCTION ${what}()`;
const BEGINS = "NEW.state = 'sending' AND OLD.state <> 'sending'";

/** Makes every intent and every outcome pass a lock of its name before it is stored, and notes when each intent was made. */
export async function installSendGates(postgres: Postgres): Promise<void> {
  const texts = [
    "CREATE TABLE noted_intents (message text, contact bigint, at bigint)",
    gate("intent_gate", INTENT_GATE, NOTE_INTENT),
    gate("outcome_gate", OUTCOME_GATE),
    trigger("intent_gate", BEGINS, "intent_gate"),
    trigger("outcome_gate", "OLD.state = 'sending' AND NEW.owner IS NULL", "outcome_gate"),
  ];
  for (const text of texts) await postgres.execute({ text });
}

/** Takes the stored intent away: the row of a send that is under way looks as if nobody had begun. */
export async function forgetIntents(postgres: Postgres): Promise<void> {
  await postgres.execute({
    text: `CREATE FUNCTION forget_intent() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        NEW.state := OLD.state; NEW.first_at := OLD.first_at; RETURN NEW;
      END $$`,
  });
  await postgres.execute({ text: trigger("forget_intent", BEGINS, "forget_intent") });
}
