-- Sends of templates whose entry names an audience: each is held until it is known whether its contact is in it. `want` and `contact` are those of
-- the send, `key` that of the entry. Nobody else answers one before `claimed_until`, by the clock of Postgres.
CREATE TABLE template_entry_questions (
  account int NOT NULL,
  want text COLLATE "C" NOT NULL,
  contact bigint NOT NULL,
  mdt_id text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  asked_at bigint NOT NULL,
  claimed_until bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (account, want, contact)
) WITH (autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX template_entry_questions_asked ON template_entry_questions (asked_at);
CREATE INDEX template_entry_questions_contact ON template_entry_questions (account, contact);
