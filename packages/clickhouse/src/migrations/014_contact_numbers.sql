-- Contact numbers are sorted, so their differences are stored: that reads faster. Parts that are there keep their form until they merge.
ALTER TABLE activities MODIFY COLUMN contact UInt64 CODEC(Delta, LZ4);
ALTER TABLE contacts_current MODIFY COLUMN contact UInt64 CODEC(Delta, LZ4);
ALTER TABLE contact_fields_current MODIFY COLUMN contact UInt64 CODEC(Delta, LZ4);
ALTER TABLE contact_fields_history MODIFY COLUMN contact UInt64 CODEC(Delta, LZ4);
ALTER TABLE memberships_current MODIFY COLUMN contact UInt64 CODEC(Delta, LZ4);
ALTER TABLE memberships_history MODIFY COLUMN contact UInt64 CODEC(Delta, LZ4);
