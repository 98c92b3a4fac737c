-- Names of the `zones_total` zones that any snapshot of the audience had: a zone that is done stays so when the message goes on.
ALTER TABLE batch_messages ADD COLUMN zones text[];
