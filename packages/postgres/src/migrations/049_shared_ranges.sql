-- A claim may be shared: several partitions' ranges under one token, which end together or are detached one by one.
ALTER TABLE stream_offsets ADD COLUMN pending_shared boolean NOT NULL DEFAULT false;
