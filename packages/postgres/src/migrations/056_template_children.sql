-- Days and hours of templates that were sent: the children that the list of batch messages shows. `channel`, `tags` and `settings` are those of
-- the template when the first send was stored; a template that is still there is read itself. `ends_at` is the end of the day or hour.
-- Times are milliseconds since 1970.
CREATE TABLE template_children (
  account int NOT NULL,
  id text COLLATE "C" NOT NULL,
  mdt_id text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  channel text COLLATE "C" NOT NULL,
  tags text[],
  settings text NOT NULL,
  created_at bigint NOT NULL,
  ends_at bigint NOT NULL,
  PRIMARY KEY (account, id)
);
CREATE INDEX template_children_created ON template_children (account, created_at, id);
CREATE INDEX template_children_template ON template_children (account, mdt_id);

-- Sends of before: a day is as long as the longest one, since its zone is not known here.
INSERT INTO template_children (account, id, mdt_id, key, channel, tags, settings, created_at, ends_at)
  SELECT s.account, s.message, t.mdt_id, t.key, t.channel, t.tags, t.settings, min(s.created_at), min(s.created_at) + 90000000
  FROM sends s JOIN automation_templates t ON t.account = s.account AND t.mdt_id = split_part(s.message, ':', 1)
  WHERE s.kind = 'a' GROUP BY s.account, s.message, t.mdt_id, t.key, t.channel, t.tags, t.settings
  ON CONFLICT DO NOTHING;
