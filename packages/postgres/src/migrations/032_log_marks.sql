-- By what the frame before next_offset is known again, in every group: a log that lost its tail has grown past it again and holds another
-- frame there. `held_why` says that it does: then nothing is read until the log is adopted.
ALTER TABLE stream_offsets ADD last_print text, ADD last_epoch int, ADD held_since timestamptz, ADD held_why text;
