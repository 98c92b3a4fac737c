-- Who wrote an entry (`key`, `person`, `assistant`; null: nobody, or an earlier version) and the names of the members that were sent, never
-- their values. `tx`: number of the transaction, ordered as those of the outbox; null in entries of before. The worker seals entries in the
-- order of their commits: all whose transactions are below the horizon of a snapshot, so that none can come behind its seal.
ALTER TABLE account_log
  ADD COLUMN actor_kind text COLLATE "C",
  ADD COLUMN members text[],
  ADD COLUMN tx bigint;
ALTER TABLE account_log ALTER COLUMN tx SET DEFAULT outbox_xid(pg_current_xact_id())::text::bigint;
CREATE INDEX account_log_tx ON account_log (tx) WHERE tx IS NOT NULL;

-- Each seal is a MAC over the digests of its entries, [from_tx, to_tx), and over the seal before it, under a key that is not in this database.
-- `ids`, `ats` and `digests` name the entry that was changed or taken away. `system` and `timeline` show where a backup was put back.
CREATE TABLE account_log_seals (
  number bigint PRIMARY KEY,
  sealed_at bigint NOT NULL,
  from_tx bigint NOT NULL,
  to_tx bigint NOT NULL,
  -- Of its newest entry, milliseconds since 1970.
  last_at bigint NOT NULL,
  ids text[] NOT NULL,
  ats bigint[] NOT NULL,
  digests text[] NOT NULL,
  -- The MAC and the time of the seal before it.
  previous text COLLATE "C" NOT NULL,
  previous_at bigint NOT NULL,
  key_id text COLLATE "C" NOT NULL,
  system text COLLATE "C" NOT NULL,
  timeline int NOT NULL,
  mac text COLLATE "C" NOT NULL
);

-- Entries and seals are never changed. Housekeeping, which says so in its transaction, deletes sealed entries of whole days that are over for
-- 400 days, and the seals of nothing younger.
CREATE FUNCTION account_log_kept_from() RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT (floor(extract(epoch FROM now()) / 86400)::bigint - 400) * 86400000
$$;
CREATE FUNCTION refuse_account_log_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE is_old boolean := false;
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('headwater.housekeeping', true) = 'account_log' THEN
    IF TG_TABLE_NAME = 'account_log' THEN
      is_old := OLD.at < account_log_kept_from()
        AND (OLD.tx IS NULL OR OLD.tx < (SELECT max(s.to_tx) FROM account_log_seals s));
    ELSE
      is_old := OLD.last_at < account_log_kept_from();
    END IF;
  END IF;
  IF is_old THEN RETURN OLD; END IF;
  RAISE EXCEPTION 'entries of the account log and their seals are never changed' USING ERRCODE = 'insufficient_privilege';
END
$$;
CREATE TRIGGER account_log_append_only BEFORE UPDATE OR DELETE ON account_log
  FOR EACH ROW EXECUTE FUNCTION refuse_account_log_change();
CREATE TRIGGER account_log_never_truncated BEFORE TRUNCATE ON account_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_account_log_change();
CREATE TRIGGER account_log_seals_append_only BEFORE UPDATE OR DELETE ON account_log_seals
  FOR EACH ROW EXECUTE FUNCTION refuse_account_log_change();
CREATE TRIGGER account_log_seals_never_truncated BEFORE TRUNCATE ON account_log_seals
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_account_log_change();
