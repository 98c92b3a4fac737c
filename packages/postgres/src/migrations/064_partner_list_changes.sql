-- Hashes of the names under which partners changed their lists: a change that comes again within 72 h is not made again.
CREATE TABLE intake.partner_list_changes (
  account int NOT NULL,
  partner text COLLATE "C" NOT NULL,
  name_hash text COLLATE "C" NOT NULL,
  made_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account, partner, name_hash)
);
CREATE INDEX partner_list_changes_age ON intake.partner_list_changes USING brin (made_at);
