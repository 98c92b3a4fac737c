import type { PropertyOwner } from "../../parse/parseProperties.ts";

/** Records have the fields that their table was given. */
export const recordOwner: PropertyOwner = {
  called: "a record",
  fields: new Map(),
  nameOf: (_, segments) => ({ segments, type: "auto" }),
};
