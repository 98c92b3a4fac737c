-- Which list of ours stands for a partner's: found by the partner's own id, so that a renamed one does not make a second list.
CREATE TABLE intake.partner_lists (
  account int NOT NULL,
  partner text COLLATE "C" NOT NULL,
  external_id text COLLATE "C" NOT NULL,
  list int NOT NULL,
  archived_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account, partner, external_id)
);
CREATE INDEX partner_lists_list ON intake.partner_lists (account, list);
