-- The message that `mc_id` names (`account:message[:period]:type:contact:n`, read from both ends; MC_ID_PATTERN of contracts), empty
-- where it names none. The server works it out, for old rows too; those are written down in the background.
ALTER TABLE activities ADD COLUMN IF NOT EXISTS message LowCardinality(String) MATERIALIZED if(mc_id = '', '', extractGroups(mc_id, '^([^:]+):([\\s\\S]+?)(?::(d[0-9]{6}|h[0-9]{8}))?:([^:]+):([^:]+):([^:]+)$')[2]);
ALTER TABLE activities ADD COLUMN IF NOT EXISTS message_period LowCardinality(String) MATERIALIZED if(mc_id = '', '', extractGroups(mc_id, '^([^:]+):([\\s\\S]+?)(?::(d[0-9]{6}|h[0-9]{8}))?:([^:]+):([^:]+):([^:]+)$')[3]);
ALTER TABLE activities ADD COLUMN IF NOT EXISTS message_type LowCardinality(String) MATERIALIZED if(mc_id = '', '', extractGroups(mc_id, '^([^:]+):([\\s\\S]+?)(?::(d[0-9]{6}|h[0-9]{8}))?:([^:]+):([^:]+):([^:]+)$')[4]);
ALTER TABLE activities MATERIALIZE COLUMN message;
ALTER TABLE activities MATERIALIZE COLUMN message_period;
ALTER TABLE activities MATERIALIZE COLUMN message_type;
-- An order names its message by `mcID`, else by `msID`, the id of a batch message. `mc_id` is empty where the former names none.
ALTER TABLE orders_current ADD COLUMN IF NOT EXISTS mc_id String MATERIALIZED if(match(JSONExtractString(document, 'mcID'), '^([^:]+):([\\s\\S]+?)(?::(d[0-9]{6}|h[0-9]{8}))?:([^:]+):([^:]+):([^:]+)$'), JSONExtractString(document, 'mcID'), '');
ALTER TABLE orders_current ADD COLUMN IF NOT EXISTS ms_id String MATERIALIZED if(mc_id = '', JSONExtractString(document, 'msID'), '');
ALTER TABLE orders_current ADD COLUMN IF NOT EXISTS message LowCardinality(String) MATERIALIZED multiIf(mc_id != '', extractGroups(mc_id, '^([^:]+):([\\s\\S]+?)(?::(d[0-9]{6}|h[0-9]{8}))?:([^:]+):([^:]+):([^:]+)$')[2], ms_id != '', extractGroups(ms_id, '^([\\s\\S]+?)(?::(d[0-9]{6}|h[0-9]{8}))?$')[1], '');
ALTER TABLE orders_current ADD COLUMN IF NOT EXISTS message_period LowCardinality(String) MATERIALIZED multiIf(mc_id != '', extractGroups(mc_id, '^([^:]+):([\\s\\S]+?)(?::(d[0-9]{6}|h[0-9]{8}))?:([^:]+):([^:]+):([^:]+)$')[3], ms_id != '', extractGroups(ms_id, '^([\\s\\S]+?)(?::(d[0-9]{6}|h[0-9]{8}))?$')[2], '');
ALTER TABLE orders_current ADD COLUMN IF NOT EXISTS message_type LowCardinality(String) MATERIALIZED multiIf(mc_id != '', extractGroups(mc_id, '^([^:]+):([\\s\\S]+?)(?::(d[0-9]{6}|h[0-9]{8}))?:([^:]+):([^:]+):([^:]+)$')[4], ms_id != '', 'b', '');
ALTER TABLE orders_current MATERIALIZE COLUMN mc_id;
ALTER TABLE orders_current MATERIALIZE COLUMN ms_id;
ALTER TABLE orders_current MATERIALIZE COLUMN message;
ALTER TABLE orders_current MATERIALIZE COLUMN message_period;
ALTER TABLE orders_current MATERIALIZE COLUMN message_type;
