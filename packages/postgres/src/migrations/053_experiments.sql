-- Experiments of batch messages. Chunks that wait are those outside of a champion's test, until it was decided. `experiment` is JSON text
-- of what was learnt: the decision, which is stored once, or the weights in force.
ALTER TABLE send_chunks ADD COLUMN waits boolean NOT NULL DEFAULT false;
ALTER TABLE batch_messages ADD COLUMN experiment text;
