-- Event triggers of templates that are on and published: what a batch of records is compared with. `conditions` is JSON text.
CREATE TABLE event_triggers (
  account int NOT NULL,
  mdt_id text COLLATE "C" NOT NULL,
  action text COLLATE "C" NOT NULL,
  conditions text NOT NULL,
  PRIMARY KEY (account, mdt_id)
);

-- Activities that fitted a trigger, written with the offset of their batch. A sender makes a wanted send of each and takes `event`, JSON text,
-- away; the row stays as long as the log may be read again, so that the activity is sent for once.
CREATE TABLE triggered_events (
  account int NOT NULL,
  record_id text COLLATE "C" NOT NULL,
  mdt_id text COLLATE "C" NOT NULL,
  contact bigint NOT NULL,
  event text,
  at bigint NOT NULL,
  PRIMARY KEY (account, record_id, mdt_id)
);
CREATE INDEX triggered_events_waiting ON triggered_events (account, at) WHERE event IS NOT NULL;
CREATE INDEX triggered_events_at ON triggered_events (at);
CREATE INDEX triggered_events_contact ON triggered_events (account, contact);

-- The activity that a send of a template goes out for, as JSON text: Liquid reads it as `event`.
ALTER TABLE send_wants ADD COLUMN event text;
