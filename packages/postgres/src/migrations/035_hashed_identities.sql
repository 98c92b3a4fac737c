-- The three hashes of an address that senders use. pgcrypto may stand in any schema; indexes know no search path.
CREATE EXTENSION IF NOT EXISTS pgcrypto;
DO $$
DECLARE place text := (SELECT n.nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'pgcrypto');
BEGIN
  EXECUTE format('CREATE FUNCTION address_hashes(value text) RETURNS bytea[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS
    $body$ SELECT ARRAY[%1$I.digest(value, ''sha256''), %1$I.digest(value, ''sha1''), %1$I.digest(value, ''md5'')] $body$', place);
END $$;
