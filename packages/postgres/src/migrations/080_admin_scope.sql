-- `read` and `write` no longer cover the routes that administer an account. Stored keys keep exactly what they could do, as narrow scopes;
-- none gets the word `admin`. `scopes_version`: null where a process of an earlier version wrote the row, whose words mean the former
-- rights. The trigger gives such keys their narrow scopes as they are stored, however long those processes still run.
ALTER TABLE intake.api_keys ADD COLUMN scopes_version smallint;

CREATE FUNCTION intake.scopes_before_admin(scopes text[]) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT scopes || ARRAY(
    SELECT s.scope FROM unnest(
      ARRAY['read', 'read', 'write', 'write', 'write', 'write'],
      ARRAY['accountmonitorexport:read', 'apikeys:read', 'account:write', 'apikeys:write', 'transports:write', 'webhooks:write']
    ) AS s (broad, scope)
    WHERE s.broad = ANY (scopes) AND s.scope <> ALL (scopes)
    ORDER BY s.scope)
$$;

-- A key that replaces another takes its scopes over, so it gets no more than that one has.
CREATE FUNCTION intake.widen_former_scopes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM intake.api_keys k WHERE k.id = NEW.rotates AND k.account = NEW.account AND k.scopes = NEW.scopes) THEN
    NEW.scopes := intake.scopes_before_admin(NEW.scopes);
  END IF;
  NEW.scopes_version := 2;
  RETURN NEW;
END
$$;
CREATE TRIGGER api_keys_former_scopes BEFORE INSERT ON intake.api_keys
  FOR EACH ROW WHEN (NEW.scopes_version IS NULL) EXECUTE FUNCTION intake.widen_former_scopes();

UPDATE intake.api_keys SET scopes = intake.scopes_before_admin(scopes), scopes_version = 2;
