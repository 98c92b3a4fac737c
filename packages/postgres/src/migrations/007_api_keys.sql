-- Allow-lists, rotations and last use of keys; and a notification of every change that takes something away from a key.
ALTER TABLE intake.api_keys
  ADD COLUMN allow_ips text[],
  -- The key this one replaces.
  ADD COLUMN rotates text COLLATE "C" REFERENCES intake.api_keys (id),
  -- To the minute, and written seldom: each process gathers what it saw.
  ADD COLUMN last_used_at timestamptz;
CREATE INDEX api_keys_rotates ON intake.api_keys (rotates) WHERE rotates IS NOT NULL;

-- Processes that hold the key in memory drop it when they hear its hash. One that does not hear it asks again within a second.
CREATE FUNCTION intake.tell_changed_api_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('headwater_api_keys', OLD.hash);
  RETURN NULL;
END
$$;
CREATE TRIGGER api_key_changed
  AFTER DELETE OR UPDATE OF account, hash, scopes, expires_at, revoked_at, allow_ips ON intake.api_keys
  FOR EACH ROW EXECUTE FUNCTION intake.tell_changed_api_key();
