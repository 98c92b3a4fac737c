ALTER TABLE list_clears ADD COLUMN suppress_triggers boolean NOT NULL DEFAULT false;

-- Lists that were emptied by one call, whose members start runs some at a time, in the order of their numbers: behind `cursor`, members written
-- after `former_version`, the clear before it, and up to `version`. `position` is one in the outbox, of the transaction of the clear.
CREATE TABLE cleared_lists (
  account int NOT NULL,
  list int NOT NULL,
  version uuid NOT NULL,
  former_version uuid,
  position bigint NOT NULL,
  cursor bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (account, list, version)
);
-- Members of these whose rows were written again, or deleted, before it was their turn.
CREATE TABLE cleared_members (
  account int NOT NULL,
  list int NOT NULL,
  version uuid NOT NULL,
  contact bigint NOT NULL,
  PRIMARY KEY (account, list, version, contact)
);
CREATE INDEX cleared_members_contact ON cleared_members (account, contact);

CREATE FUNCTION note_cleared_list() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO cleared_lists (account, list, version, former_version, position)
    SELECT NEW.account, NEW.list, NEW.version,
      (SELECT max(version::text)::uuid FROM list_clears WHERE account = NEW.account AND list = NEW.list AND version < NEW.version),
      nextval('outbox_positions')
    WHERE EXISTS (SELECT FROM orchestrations
      WHERE account = NEW.account AND is_enabled AND version IS NOT NULL AND deleted_at IS NULL);
  RETURN NULL;
END $$;
-- An account without orchestrations pays one look-up for a clear.
CREATE TRIGGER list_clears_noted AFTER INSERT ON list_clears FOR EACH ROW
  WHEN (NOT NEW.suppress_triggers) EXECUTE FUNCTION note_cleared_list();
