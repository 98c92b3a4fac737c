-- Templates of automated messages. `settings`, `published` and `draft` are JSON text: members beside the content, and the content with
-- what was made of it when it was saved. `published` is null until the first publishing, `draft` where there is no newer one.
CREATE TABLE automation_templates (
  account int NOT NULL,
  key text COLLATE "C" NOT NULL,
  mdt_id text COLLATE "C" NOT NULL,
  channel text COLLATE "C" NOT NULL,
  tags text[],
  transport_id text COLLATE "C",
  settings text NOT NULL,
  published text,
  draft text,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (account, key),
  UNIQUE (account, mdt_id),
  FOREIGN KEY (account, transport_id) REFERENCES transports (account, id)
);
CREATE INDEX automation_templates_created ON automation_templates (account, created_at, key);
CREATE INDEX automation_templates_transport ON automation_templates (account, transport_id) WHERE transport_id IS NOT NULL;

-- Includes use includes as well.
ALTER TABLE include_uses DROP CONSTRAINT include_uses_kind_check;
ALTER TABLE include_uses ADD CONSTRAINT include_uses_kind_check CHECK (kind IN ('batchmessage', 'automationtemplate', 'include'));
CREATE INDEX include_uses_user ON include_uses (account, kind, user_id);
