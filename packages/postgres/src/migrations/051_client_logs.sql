-- Exports of the account log carry the name under which clients look for them.
UPDATE jobs SET name = 'ExportClientsLogs' WHERE name = 'ExportLog';
