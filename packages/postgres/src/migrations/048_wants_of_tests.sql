-- Tests of batch messages are wants too: they keep the message as it stood when the test was asked for, as JSON text. Wants of templates
-- have none and name their template.
ALTER TABLE send_wants ALTER COLUMN template DROP NOT NULL;
ALTER TABLE send_wants ADD COLUMN frozen text;
