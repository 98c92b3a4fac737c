/** Begins the names of all staging tables of jobs; the job and the attempt follow, and the part. */
export const STAGING_PREFIX = "export_staging_";
