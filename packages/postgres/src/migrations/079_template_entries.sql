-- When triggers of a template last sent to a contact, by the key of its entry (JSON text; empty without one). Only templates that do not send
-- to everybody again and again have some. `want` is that of the send.
CREATE TABLE template_entries (
  account int NOT NULL,
  mdt_id text COLLATE "C" NOT NULL,
  contact bigint NOT NULL,
  key text COLLATE "C" NOT NULL,
  want text COLLATE "C" NOT NULL,
  entered_at bigint NOT NULL,
  PRIMARY KEY (account, mdt_id, contact, key)
);
CREATE INDEX template_entries_contact ON template_entries (account, contact);
