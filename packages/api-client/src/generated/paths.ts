// Generated from the service's OpenAPI document by `npm run generate -w @headwater/api-client`.
export interface paths {
  readonly "/v2/health": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Whether the service lives; a key that is sent is checked. */
    readonly get: operations["getHealth"];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v2/receipts/{receipt}": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** What became of accepted work; `wait` seconds for its end. */
    readonly get: operations["getReceipt"];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v2/accounting": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * What became of every accepted record, by hour and operation.
     * @description `accepted` is counted from the log, the others where they are stored; `balanced` is false when a line's sums differ, for then a record was lost or dealt with twice.
     */
    readonly get: operations["getAccounting"];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v2/freshness": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** How far each consumer group and both stores are behind, in records and seconds. */
    readonly get: operations["getFreshness"];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v2/audiencecount": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** How many contacts match a criteria object. */
    readonly post: operations["countAudience"];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v2/account": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** The account's settings. Of secrets the last four characters are shown. */
    readonly get: operations["getAccount"];
    /**
     * Changes the account's settings. Every process knows them within five seconds.
     * @description Members that are absent stay, null is the default, objects go into one another, arrays replace. `accountId` and `limits` are the operator's. Once the account has contacts, `identifiers` are only added to, at the end: no name is removed, moved or given another format. A secret may be written back as it was read, `{set, last4}`: it stays.
     */
    readonly put: operations["updateAccount"];
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v2/contacts": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Contacts in the order in which they were created.
     * @description Searched by `attributes[key]`, `list`, `lastModified[…]`, and counted by `return_count`, the answer comes from ClickHouse and has `asOf`; else it is what is stored now. All filters must hold.
     */
    readonly get: operations["listContacts"];
    readonly put?: never;
    /**
     * Creates a contact, or writes to the one that its keys find.
     * @description A contact is found by its primary keys, then by the keys of `identifyBy`. Absent members are left, `null` removes one, `{add, remove}` edits an array. Nothing is written when a part of it cannot be: an address that another contact has is 422 `MERGE_CONFLICT` unless `mergeOptions` let both be merged.
     */
    readonly post: operations["createContact"];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v2/contacts/{primary_key}": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** One contact by its cID, a primary value or `name:value`. */
    readonly get: operations["getContact"];
    /**
     * Writes to a contact.
     * @description Absent members are left, `null` removes one, `{add, remove}` edits an array. Nothing is written when a part of it cannot be.
     */
    readonly put: operations["updateContact"];
    readonly post?: never;
    /**
     * Erases a contact with all that is its own.
     * @description It is gone at once for reads; with the receipt of the header `Headwater-Receipt` as `after` for counts and searches as well. The job removes what is stored of it in refused records, kept answers, files, activities and history. Records of before that come late do not bring it back; later ones make a new contact. Kafka forgets by retention, within 7 days.
     */
    readonly delete: operations["deleteContact"];
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v2/contacts/{primary_key}/unsubscribe/{channel}": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    /** Unsubscribes a contact from a channel; who is unsubscribed already stays so. */
    readonly put: operations["unsubscribeContact"];
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v2/contacts/{primary_key}/history": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * What changed of a contact, when and by which record, the newest first.
     * @description `by.id` of a `record` is its place in the log, `topic/partition/offset/place`: ids of records are not kept with the history. `redrive` names the record that was refused or parked at first, `merge` and `split` the one that asked for it. Of a merge the changes are what it overwrote of this contact, and `contacts.<cID>` is what the other one was. Members the record itself wrote stand beside them.
     */
    readonly get: operations["listContacthistory"];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v2/contacts/merge": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Merges one contact into another, by a job.
     * @description The destination survives, and both cIDs and all identifiers find it from then on. `options` says for each group whose word counts where both have something; what only one has is kept. Orders or events that are ignored stay with a contact of their own, which nobody is found by. The job's `metadata.done` says what was done.
     */
    readonly post: operations["mergeContacts"];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v2/contacts/{primary_key}/downloadprofile": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Writes everything that is known of one contact to a file, by a job.
     * @description Its members and identifiers, lists, orders, cart, supplement records, merges, activities and the history of its members; `exportType` `jsonl` (one entry a line) or `json`. The job waits until ClickHouse has what was stored when it began. Its `metadata.files` holds size, checksum, counts, whether it is complete, and a link that is valid for 24 hours.
     */
    readonly post: operations["downloadContactprofile"];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v2/contacts/split": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Moves channels of a contact into one of its own; undoes the merge that brought them.
     * @description When a contact that was merged into this one had an address of every channel that is named, the latest such merge is undone: that contact lives again under its own cID as it was, with its identifiers, lists, orders and activities; this one gets back what the merge overwrote, and keeps what was written since. Otherwise the channels become a new contact. The header `Headwater-Receipt` can be given to reads as `after`.
     */
    readonly post: operations["splitContact"];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v2/contacts/{primary_key}/cart": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** The cart of a contact; without items when it is empty or has expired. */
    readonly get: operations["getCart"];
    /** Writes members of the cart; with `cartitems` they are all its lines. */
    readonly put: operations["updateCart"];
    /** Sets the cart of a contact, in the place of the one before. */
    readonly post: operations["setCart"];
    /** Empties the cart. */
    readonly delete: operations["clearCart"];
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v2/contacts/{primary_key}/cartitems": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** Adds a product to the cart: quantities of a line sum, its other members are the newest. */
    readonly post: operations["addCartitem"];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v2/contacts/{primary_key}/cartitems/{productID}/{qty}": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    readonly post?: never;
    /**
     * Takes a quantity of a product out of the cart.
     * @description Without a `sku` from the lines of the product in order of `sku`. A line below 1 goes; more than there is is no error.
     */
    readonly delete: operations["removeCartitem"];
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v2/contacts/{primary_key}/cartitems/{productID}/{qty}/{sku}": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    readonly post?: never;
    /**
     * Takes a quantity of a line out of the cart.
     * @description Without a `sku` from the lines of the product in order of `sku`. A line below 1 goes; more than there is is no error.
     */
    readonly delete: operations["removeCartitemOfSku"];
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v2/contactactivities": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Activities, by contact, action, message and time. */
    readonly get: operations["listContactactivities"];
    readonly put?: never;
    /**
     * Logs an activity of a contact; webhooks of other systems may call it.
     * @description 201 says that the log has it. It is applied a moment later, as activities of intake are: the receipt in the header `Headwater-Receipt` follows it, and can be given to reads as `after`. One whose contact is unknown waits a minute for it and is rejected then.
     */
    readonly post: operations["createContactactivity"];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v2/accountlists": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Contact lists. */
    readonly get: operations["listAccountlists"];
    readonly put?: never;
    /** Makes a list. */
    readonly post: operations["createAccountlist"];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v2/accountlists/{id}": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** One list. */
    readonly get: operations["getAccountlist"];
    /** Renames a list, or says whether its join dates are shown. */
    readonly put: operations["updateAccountlist"];
    readonly post?: never;
    /** Deletes a list; its members stay contacts. */
    readonly delete: operations["deleteAccountlist"];
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v2/accountlists/{id}/count": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** How many contacts are on the list now. */
    readonly get: operations["countAccountlist"];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v2/accountlists/{id}/clear": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    /**
     * Takes everybody off a list; the contacts stay.
     * @description The list is empty with this answer. The job removes what is stored of the members it had.
     */
    readonly put: operations["clearAccountlist"];
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v2/accountcontactattributes": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Definitions of contact attributes, in order of key. */
    readonly get: operations["listAttributes"];
    readonly put?: never;
    /**
     * Declares an attribute: also one that came up with a write.
     * @description From then on values are checked and read as the type, at `/api` and here. `notCast` counts the contacts that have a value which cannot be read so: it reads as missing.
     */
    readonly post: operations["createAttribute"];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v2/accountcontactattributes/{key}": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** One definition. */
    readonly get: operations["getAttribute"];
    /** Changes a definition; one of type `auto` may get a type. */
    readonly put: operations["updateAttribute"];
    readonly post?: never;
    /** Forgets a definition. Values that contacts have stay, and are read as they came. */
    readonly delete: operations["deleteAttribute"];
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v2/accountcontactattributes/{key}/values": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** The most frequent values of an attribute, and how many contacts have none. */
    readonly get: operations["listAttributevalues"];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v2/orders": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Orders, by contact and time of purchase. */
    readonly get: operations["listOrders"];
    readonly put?: never;
    /**
     * Adds an order of a contact.
     * @description The contact is named by `cID`, `email` or `identifiers`. Items create and update the products they name a moment later. A total that is given is kept; else it is computed when every item has a price.
     */
    readonly post: operations["createOrder"];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v2/orders/{id}": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** One order by its orderID. */
    readonly get: operations["getOrder"];
    /**
     * Changes an order: members that are absent stay, null removes, items replace all items.
     * @description With `cID`, `email` or `identifiers` the order becomes that contact's.
     */
    readonly put: operations["updateOrder"];
    readonly post?: never;
    /** Deletes an order. What was written before never brings it back; a later record or POST makes it anew. */
    readonly delete: operations["deleteOrder"];
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v2/supplements": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Supplement tables, by key. */
    readonly get: operations["listSupplements"];
    readonly put?: never;
    /**
     * Makes a table for records of any kind.
     * @description Fields that are indexed have a type, and records are filtered and sorted by them. With `contactObject` each record carries the `email` or `cID` of a contact and belongs to it; with `autogenerateIDs` the table makes the ids of its records.
     */
    readonly post: operations["createSupplement"];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v2/supplements/{key}": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * One supplement table.
     * @description `lastDataUpdate` is exact to the second.
     */
    readonly get: operations["getSupplement"];
    /**
     * Changes the name and the indexes of a table.
     * @description `indexes` are all that there shall be: those that are not named are dropped. A new one is ready at once in a small table; in a large one it is built while records are written, `state` tells, and filters on it are answered with 409 meanwhile.
     */
    readonly put: operations["updateSupplement"];
    readonly post?: never;
    /**
     * Deletes a table with its records.
     * @description Records that intake takes for it are refused from now on. Another table may have its key.
     */
    readonly delete: operations["deleteSupplement"];
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v2/supplements/{key}/clear": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    /**
     * Takes all records out of a table.
     * @description The table is empty with this answer: what intake took before does not come back, even when it is applied later. The job removes what is stored of the records.
     */
    readonly put: operations["clearSupplement"];
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v2/supplements/{key}/records": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Records of a table, by indexed fields.
     * @description `field=v` and `field[gt|gte|lt|lte|eq]=v` filter by an indexed field: numbers as numbers, dates as times, strings by their bytes, of an array whether it holds the value, of a geo value its members (`home.city=Rome`, `home.loc.lat[gt]=41`). `sort_by` is `id` or an indexed string, number or date; without it records are in the order of the first range that filters them, else of ids. Records without the field come last. Where filters leave out many records a page may hold fewer than `per_page`: `next_cursor` is null at the end alone.
     */
    readonly get: operations["listSupplementrecords"];
    readonly put?: never;
    /**
     * Adds a record to a table.
     * @description Fields are free; those that are indexed have the type of their index. The header `Headwater-Receipt` can be given to reads as `after`.
     */
    readonly post: operations["createSupplementrecord"];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v2/supplements/{key}/records/{id}": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * One record of a table.
     * @description A record of a contact object has the `cID` of the contact that it belongs to now.
     */
    readonly get: operations["getSupplementrecord"];
    /**
     * Changes fields of a record.
     * @description Fields that are absent stay as they are, `null` removes one.
     */
    readonly put: operations["updateSupplementrecord"];
    readonly post?: never;
    /**
     * Deletes a record.
     * @description What intake took before does not bring it back, even when it is applied later.
     */
    readonly delete: operations["deleteSupplementrecord"];
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v2/products": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Products, in the order they were made. */
    readonly get: operations["listProducts"];
    readonly put?: never;
    /**
     * Adds products or changes them: one, or an array of up to 500, all or nothing.
     * @description Members that are absent stay, null removes. What is declared here stands above what orders and carts say of the product, whatever their times.
     */
    readonly post: operations["createProducts"];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v2/products/{productID}": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** One product by its id. */
    readonly get: operations["getProduct"];
    /** Changes a product: members that are absent stay, null removes. */
    readonly put: operations["updateProduct"];
    readonly post?: never;
    /** Deletes a product. Orders keep their items; one that is written later makes it anew. */
    readonly delete: operations["deleteProduct"];
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v2/includes": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Includes, in the order they were made.
     * @description A page holds at most 16 MiB of content: it ends early when it would hold more, and `next_cursor` goes on. Without content (`fields=key,name`) it is always full.
     */
    readonly get: operations["listIncludes"];
    readonly put?: never;
    /** Makes an include. Its key is unique in the account and stays as it is. */
    readonly post: operations["createInclude"];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v2/includes/{key}": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** One include by its key. */
    readonly get: operations["getInclude"];
    /** Changes an include: members that are absent stay, null removes. */
    readonly put: operations["updateInclude"];
    readonly post?: never;
    /**
     * Deletes an include that no message uses.
     * @description While messages use it, it is 422 INCLUDE_IN_USE, and `details` names them.
     */
    readonly delete: operations["deleteInclude"];
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v2/jobs": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Jobs of the last 60 days, the latest first; redrives of dead letters are among them. */
    readonly get: operations["listJobs"];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v2/jobs/{id}": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** How far one job is; `Retry-After` says when to ask again. */
    readonly get: operations["getJob"];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v2/jobs/{id}/rejections": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Rows of a job's source that were refused, for 7 days.
     * @description With `Accept: application/x-ndjson` or `text/csv` all of them as a file, whatever the page.
     */
    readonly get: operations["listJobrejections"];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v2/jobs/{id}/cancel": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    /** Ends a job between two of its steps; what was done stays. */
    readonly put: operations["cancelJob"];
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v2/files/{id}": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * A file that a job wrote, by the link its job shows; kept 30 days.
     * @description The link is signed and valid for 24 hours; no key is needed. `Range` with one range of bytes is answered 206.
     */
    readonly get: operations["getFile"];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v2/apikeys": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Keys of the account that were not revoked, never their values. */
    readonly get: operations["listApikeys"];
    readonly put?: never;
    /** Makes a key, or one in the place of another. Its value is shown in this answer alone. */
    readonly post: operations["createApikey"];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v2/apikeys/{id}": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    readonly post?: never;
    /** Revokes a key at once. */
    readonly delete: operations["deleteApikey"];
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v2/deadletters": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Rejected records, or with `group=code` their causes; the open ones unless `status` says otherwise. */
    readonly get: operations["listDeadletters"];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v2/deadletters/{id}": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** One rejected record with its payload, cause, origin and history. */
    readonly get: operations["getDeadletter"];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v2/deadletters/redrive": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /**
     * Writes a selection of rejected records to the log again, optionally patched; each once.
     * @description Each becomes a new record with the version of its original, so it never overwrites what was written later. The job's `metadata.receipt` follows the new records to their end.
     */
    readonly post: operations["redriveDeadletters"];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly "/v2/deadletters/discard": {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** Closes a selection of rejected records without writing them, with a reason. */
    readonly post: operations["discardDeadletters"];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
}
export interface components {
  schemas: {
    readonly Error: {
      readonly code: string;
      readonly message: string;
      readonly requestId: string;
      readonly details?: readonly {
        /** @description JSON pointer */
        readonly path: string;
        readonly code: string;
        readonly message: string;
        readonly allowed?: readonly string[];
      }[];
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export interface operations {
  readonly getHealth: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description It does. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "status": "ok"
           *     }
           */
          readonly "application/json": {
            /** @constant */
            readonly status: "ok";
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly getReceipt: {
    readonly parameters: {
      readonly query?: {
        readonly after?: string;
        readonly wait?: number;
        readonly cursor?: string;
      };
      readonly header?: never;
      readonly path: {
        readonly receipt: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Outcomes so far. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "state": "partly_rejected",
           *       "records": {
           *         "applied": 98,
           *         "skipped": 1,
           *         "rejected": 1,
           *         "parked": 0,
           *         "pending": 0
           *       },
           *       "skips": {
           *         "UNCHANGED": 1
           *       },
           *       "warnings": {},
           *       "rejections": [
           *         {
           *           "index": 7,
           *           "path": "/contact",
           *           "code": "CONTACTS_CONTACT_NOT_FOUND",
           *           "message": "No contact has this identifier."
           *         }
           *       ],
           *       "next": null
           *     }
           */
          readonly "application/json": {
            /** @enum {string} */
            readonly state: "pending" | "applied" | "partly_rejected" | "rejected";
            readonly records: {
              readonly applied: number;
              readonly skipped: number;
              readonly rejected: number;
              readonly parked: number;
              readonly pending: number;
            };
            readonly skips: {
              readonly [key: string]: number;
            };
            readonly warnings: {
              readonly [key: string]: number;
            };
            readonly rejections: readonly {
              readonly index: number;
              readonly path: string;
              readonly code: string;
              readonly message: string;
            }[];
            readonly next: string | null;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly getAccounting: {
    readonly parameters: {
      readonly query?: {
        readonly after?: string;
        readonly from?: string;
        readonly to?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The hours asked for. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "from": "2026-01-09T22:00:00.000Z",
           *       "to": "2026-01-09T23:00:00.000Z",
           *       "data": [
           *         {
           *           "hour": "2026-01-09T22:00:00.000Z",
           *           "operation": "upsertContact",
           *           "accepted": 1000,
           *           "applied": 980,
           *           "skipped": 15,
           *           "rejected": 4,
           *           "parked": 0,
           *           "pending": 1
           *         }
           *       ],
           *       "balanced": true
           *     }
           */
          readonly "application/json": {
            readonly from: string;
            readonly to: string;
            readonly data: readonly {
              readonly hour: string;
              readonly operation: string;
              readonly accepted: number;
              readonly applied: number;
              readonly skipped: number;
              readonly rejected: number;
              readonly parked: number;
              readonly pending: number;
            }[];
            readonly balanced: boolean;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly getFreshness: {
    readonly parameters: {
      readonly query?: {
        readonly after?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Lags as of now. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "topic": "intake.records",
           *           "group": "state",
           *           "records": 0,
           *           "seconds": 0
           *         },
           *         {
           *           "topic": "intake.records",
           *           "group": "activities",
           *           "records": 120,
           *           "seconds": 0.31
           *         }
           *       ],
           *       "postgres": {
           *         "seconds": 0
           *       },
           *       "clickhouse": {
           *         "seconds": 0.31
           *       }
           *     }
           */
          readonly "application/json": {
            readonly data: readonly {
              readonly topic: string;
              readonly group: string;
              readonly records: number;
              readonly seconds: number;
            }[];
            readonly postgres: {
              readonly seconds: number;
            };
            readonly clickhouse: {
              readonly seconds: number;
            };
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly countAudience: {
    readonly parameters: {
      readonly query?: {
        readonly after?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "and": [
         *         {
         *           "list": "vip",
         *           "op": "in"
         *         },
         *         {
         *           "order": true,
         *           "count": {
         *             "op": "gte",
         *             "value": 2
         *           },
         *           "within": {
         *             "last": {
         *               "n": 30,
         *               "unit": "day"
         *             }
         *           }
         *         }
         *       ]
         *     }
         */
        readonly "application/json": {
          readonly [key: string]: unknown;
        };
      };
    };
    readonly responses: {
      /** @description The number. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "count": 412,
           *       "asOf": "2026-01-09T22:47:12.000Z",
           *       "exact": true,
           *       "options": {
           *         "asOf": "2026-01-09T22:47:12.000Z",
           *         "basis": "recorded",
           *         "timezone": "UTC"
           *       }
           *     }
           */
          readonly "application/json": {
            readonly count: number;
            readonly asOf: string;
            readonly exact: boolean;
            readonly explain?: readonly {
              readonly path: string;
              readonly count: number;
              readonly leftOut?: readonly {
                readonly code: string;
                readonly count: number;
              }[];
            }[];
            readonly sample?: readonly string[];
            readonly options: {
              readonly asOf: string;
              /** @enum {string} */
              readonly basis: "recorded" | "event";
              readonly timezone: string;
              readonly eligibleFor?: {
                readonly channel: string;
                readonly classification: string;
              };
            };
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly getAccount: {
    readonly parameters: {
      readonly query?: {
        readonly after?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The account. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "accountId": "65f0c0ffee65f0c0ffee00aa",
           *       "name": "shop",
           *       "timezone": "Europe/London",
           *       "currency": "GBP",
           *       "identifiers": [
           *         {
           *           "name": "cID",
           *           "kind": "primary",
           *           "format": "string"
           *         },
           *         {
           *           "name": "email",
           *           "kind": "primary",
           *           "format": "email"
           *         },
           *         {
           *           "name": "phone",
           *           "kind": "secondary",
           *           "format": "phone"
           *         },
           *         {
           *           "name": "customer_id",
           *           "kind": "secondary",
           *           "format": "string"
           *         },
           *         {
           *           "name": "anonymousId",
           *           "kind": "secondary",
           *           "format": "string"
           *         }
           *       ],
           *       "strictAttributes": false,
           *       "strictLists": false,
           *       "features": {
           *         "merge": true
           *       },
           *       "retention": {},
           *       "limits": {
           *         "intakePerSecond": 20000,
           *         "readPerSecond": 50,
           *         "writePerSecond": 25,
           *         "jobStartPerSecond": 2,
           *         "audienceCountPerSecond": 5
           *       },
           *       "partners": {
           *         "cohortsync": {
           *           "canBeCreated": false
           *         },
           *         "cdpsync": {
           *           "identities": {}
           *         },
           *         "pipeline": {
           *           "canBeCreated": true,
           *           "aliases": {}
           *         },
           *         "listsync": {
           *           "canBeCreated": false,
           *           "ageSecondsMax": 86400
           *         },
           *         "subscriptionsync": {
           *           "customerIdKey": "customer_id"
           *         }
           *       }
           *     }
           */
          readonly "application/json": {
            /** @default UTC */
            readonly timezone: string;
            /** @default USD */
            readonly currency: string;
            /**
             * @default [
             *       {
             *         "name": "cID",
             *         "kind": "primary",
             *         "format": "string"
             *       },
             *       {
             *         "name": "email",
             *         "kind": "primary",
             *         "format": "email"
             *       },
             *       {
             *         "name": "phone",
             *         "kind": "secondary",
             *         "format": "phone"
             *       },
             *       {
             *         "name": "customer_id",
             *         "kind": "secondary",
             *         "format": "string"
             *       },
             *       {
             *         "name": "anonymousId",
             *         "kind": "secondary",
             *         "format": "string"
             *       }
             *     ]
             */
            readonly identifiers: readonly {
              readonly name: string;
              /** @enum {string} */
              readonly kind: "primary" | "secondary";
              /** @enum {string} */
              readonly format: "email" | "phone" | "string";
            }[];
            /** @default false */
            readonly strictAttributes: boolean;
            /** @default false */
            readonly strictLists: boolean;
            /**
             * @default {
             *       "merge": true
             *     }
             */
            readonly features: {
              /** @default true */
              readonly merge: boolean;
            };
            /** @default {} */
            readonly retention: {
              readonly activitiesDays?: number;
            };
            readonly limits: {
              /** @default 20000 */
              readonly intakePerSecond: number;
              /** @default 50 */
              readonly readPerSecond: number;
              /** @default 25 */
              readonly writePerSecond: number;
              /** @default 2 */
              readonly jobStartPerSecond: number;
              /** @default 5 */
              readonly audienceCountPerSecond: number;
            };
            readonly partners: {
              /**
               * @default {
               *       "canBeCreated": false
               *     }
               */
              readonly cohortsync: {
                /** @default false */
                readonly canBeCreated: boolean;
                readonly identifier?: string;
              };
              readonly listsync: {
                readonly secrets?: readonly {
                  /** @constant */
                  readonly set: true;
                  readonly last4: string;
                }[];
                readonly identifier?: string;
                /** @default false */
                readonly canBeCreated: boolean;
                /** @default 86400 */
                readonly ageSecondsMax: number;
              };
              /**
               * @default {
               *       "identities": {}
               *     }
               */
              readonly cdpsync: {
                /** @default {} */
                readonly identities: {
                  readonly [key: string]: string;
                };
                readonly canBeCreated?: boolean;
              };
              readonly subscriptionsync: {
                readonly secrets?: readonly {
                  /** @constant */
                  readonly set: true;
                  readonly last4: string;
                }[];
                /** @default customer_id */
                readonly customerIdKey: string;
              };
              /**
               * @default {
               *       "canBeCreated": true,
               *       "aliases": {}
               *     }
               */
              readonly pipeline: {
                /** @default true */
                readonly canBeCreated: boolean;
                /** @default {} */
                readonly aliases: {
                  readonly pipelineIdKey?: string;
                  readonly pipelineId?: string;
                };
              };
            };
            readonly name: string;
            readonly accountId: string;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly updateAccount: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly "Idempotency-Key"?: string;
        readonly "If-Match"?: string;
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "timezone": "Europe/London",
         *       "currency": "GBP",
         *       "partners": {
         *         "subscriptionsync": {
         *           "secrets": [
         *             "a secret of at least eight characters"
         *           ]
         *         },
         *         "cohortsync": {
         *           "canBeCreated": true
         *         }
         *       }
         *     }
         */
        readonly "application/json": {
          readonly timezone?: unknown;
          readonly currency?: unknown;
          readonly identifiers?: unknown;
          readonly strictAttributes?: unknown;
          readonly strictLists?: unknown;
          readonly features?: unknown;
          readonly retention?: unknown;
          readonly limits?: unknown;
          readonly partners?: unknown;
          readonly name?: unknown;
          readonly accountId?: unknown;
        } & {
          readonly [key: string]: unknown;
        };
      };
    };
    readonly responses: {
      /** @description The account as it is now. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "accountId": "65f0c0ffee65f0c0ffee00aa",
           *       "name": "shop",
           *       "timezone": "Europe/London",
           *       "currency": "GBP",
           *       "identifiers": [
           *         {
           *           "name": "cID",
           *           "kind": "primary",
           *           "format": "string"
           *         },
           *         {
           *           "name": "email",
           *           "kind": "primary",
           *           "format": "email"
           *         },
           *         {
           *           "name": "phone",
           *           "kind": "secondary",
           *           "format": "phone"
           *         },
           *         {
           *           "name": "customer_id",
           *           "kind": "secondary",
           *           "format": "string"
           *         },
           *         {
           *           "name": "anonymousId",
           *           "kind": "secondary",
           *           "format": "string"
           *         }
           *       ],
           *       "strictAttributes": false,
           *       "strictLists": false,
           *       "features": {
           *         "merge": true
           *       },
           *       "retention": {},
           *       "limits": {
           *         "intakePerSecond": 20000,
           *         "readPerSecond": 50,
           *         "writePerSecond": 25,
           *         "jobStartPerSecond": 2,
           *         "audienceCountPerSecond": 5
           *       },
           *       "partners": {
           *         "cohortsync": {
           *           "canBeCreated": false
           *         },
           *         "cdpsync": {
           *           "identities": {}
           *         },
           *         "pipeline": {
           *           "canBeCreated": true,
           *           "aliases": {}
           *         },
           *         "listsync": {
           *           "canBeCreated": false,
           *           "ageSecondsMax": 86400
           *         },
           *         "subscriptionsync": {
           *           "customerIdKey": "customer_id"
           *         }
           *       }
           *     }
           */
          readonly "application/json": {
            /** @default UTC */
            readonly timezone: string;
            /** @default USD */
            readonly currency: string;
            /**
             * @default [
             *       {
             *         "name": "cID",
             *         "kind": "primary",
             *         "format": "string"
             *       },
             *       {
             *         "name": "email",
             *         "kind": "primary",
             *         "format": "email"
             *       },
             *       {
             *         "name": "phone",
             *         "kind": "secondary",
             *         "format": "phone"
             *       },
             *       {
             *         "name": "customer_id",
             *         "kind": "secondary",
             *         "format": "string"
             *       },
             *       {
             *         "name": "anonymousId",
             *         "kind": "secondary",
             *         "format": "string"
             *       }
             *     ]
             */
            readonly identifiers: readonly {
              readonly name: string;
              /** @enum {string} */
              readonly kind: "primary" | "secondary";
              /** @enum {string} */
              readonly format: "email" | "phone" | "string";
            }[];
            /** @default false */
            readonly strictAttributes: boolean;
            /** @default false */
            readonly strictLists: boolean;
            /**
             * @default {
             *       "merge": true
             *     }
             */
            readonly features: {
              /** @default true */
              readonly merge: boolean;
            };
            /** @default {} */
            readonly retention: {
              readonly activitiesDays?: number;
            };
            readonly limits: {
              /** @default 20000 */
              readonly intakePerSecond: number;
              /** @default 50 */
              readonly readPerSecond: number;
              /** @default 25 */
              readonly writePerSecond: number;
              /** @default 2 */
              readonly jobStartPerSecond: number;
              /** @default 5 */
              readonly audienceCountPerSecond: number;
            };
            readonly partners: {
              /**
               * @default {
               *       "canBeCreated": false
               *     }
               */
              readonly cohortsync: {
                /** @default false */
                readonly canBeCreated: boolean;
                readonly identifier?: string;
              };
              readonly listsync: {
                readonly secrets?: readonly {
                  /** @constant */
                  readonly set: true;
                  readonly last4: string;
                }[];
                readonly identifier?: string;
                /** @default false */
                readonly canBeCreated: boolean;
                /** @default 86400 */
                readonly ageSecondsMax: number;
              };
              /**
               * @default {
               *       "identities": {}
               *     }
               */
              readonly cdpsync: {
                /** @default {} */
                readonly identities: {
                  readonly [key: string]: string;
                };
                readonly canBeCreated?: boolean;
              };
              readonly subscriptionsync: {
                readonly secrets?: readonly {
                  /** @constant */
                  readonly set: true;
                  readonly last4: string;
                }[];
                /** @default customer_id */
                readonly customerIdKey: string;
              };
              /**
               * @default {
               *       "canBeCreated": true,
               *       "aliases": {}
               *     }
               */
              readonly pipeline: {
                /** @default true */
                readonly canBeCreated: boolean;
                /** @default {} */
                readonly aliases: {
                  readonly pipelineIdKey?: string;
                  readonly pipelineId?: string;
                };
              };
            };
            readonly name: string;
            readonly accountId: string;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly listContacts: {
    readonly parameters: {
      readonly query?: {
        readonly after?: string;
        readonly page?: number;
        readonly per_page?: number;
        readonly cursor?: string;
        readonly sort_dir?: "asc" | "desc";
        readonly return_count?: "true" | "false";
        readonly fields?: string;
        readonly sort_by?: "createdAt";
        readonly email?: string;
        readonly cID?: string;
        readonly list?: string;
        readonly "audience-key"?: string;
        readonly "lastModified[gt]"?: string;
        readonly "lastModified[gte]"?: string;
        readonly "lastModified[lt]"?: string;
        readonly "lastModified[lte]"?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description A page of contacts. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "cID": "65f0c0ffee65f0c0ffee0001",
           *           "identifiers": {
           *             "email": "ada@example.com",
           *             "customer_id": "17850"
           *           },
           *           "channels": {
           *             "email": {
           *               "address": "Ada@example.com",
           *               "subscribeStatus": "subscribed",
           *               "subscribedAt": "2026-01-09T22:47:12.000Z"
           *             }
           *           },
           *           "attributes": {
           *             "country": "GB",
           *             "lifetime_value": 512.5
           *           },
           *           "lists": [
           *             "vip"
           *           ],
           *           "listJoinDate": {
           *             "vip": "2026-01-09T22:47:12.000Z"
           *           },
           *           "createdAt": "2026-01-09T22:47:12.000Z",
           *           "lastModified": "2026-01-09T22:47:12.000Z"
           *         }
           *       ],
           *       "pagination": {
           *         "per_page": 25,
           *         "page": 1,
           *         "next_cursor": null
           *       }
           *     }
           */
          readonly "application/json": {
            readonly data: readonly {
              readonly cID?: string;
              readonly identifiers?: {
                readonly [key: string]: string;
              };
              readonly channels?: {
                readonly [key: string]: {
                  readonly address?: string;
                  readonly subscribeStatus: string;
                  readonly subscribedAt?: string;
                  readonly unsubscribedAt?: string;
                };
              };
              readonly attributes?: {
                readonly [key: string]: unknown;
              };
              readonly lists?: readonly string[];
              readonly listJoinDate?: {
                readonly [key: string]: string;
              };
              readonly createdAt?: string;
              readonly lastModified?: string;
            }[];
            readonly pagination: {
              readonly per_page: number;
              readonly page?: number;
              readonly total?: number;
              readonly last_page?: number;
              readonly next_cursor: string | null;
            };
            readonly asOf?: string;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly createContact: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly "Idempotency-Key"?: string;
        readonly "If-Match"?: string;
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "channels": {
         *         "email": {
         *           "address": "grace@example.com",
         *           "subscribeStatus": "subscribed"
         *         }
         *       },
         *       "attributes": {
         *         "country": "GB",
         *         "lifetime_value": 512.5,
         *         "interests": [
         *           "lamps",
         *           "clocks"
         *         ]
         *       },
         *       "lists": {
         *         "vip": true
         *       }
         *     }
         */
        readonly "application/json": {
          readonly channels: {
            readonly [key: string]: {
              readonly address: string;
              /** @enum {string} */
              readonly subscribeStatus?: "subscribed" | "unsubscribed" | "none";
              readonly subscribedAt?: string;
              readonly unsubscribedAt?: string;
            };
          };
          readonly identifyBy?: readonly string[];
          readonly attributes?: {
            readonly [key: string]: unknown;
          };
          readonly lists?:
            | {
                readonly [key: string]: boolean;
              }
            | readonly string[];
          readonly suppressTriggers?: boolean;
          readonly forceSubscribe?: boolean;
          readonly mergeOptions?: {
            readonly mergeAllowed?: boolean;
            readonly mergeableSecondaryKeys?: readonly string[];
          };
          readonly restrictedUpdateAttrKeys?: readonly string[];
        };
      };
    };
    readonly responses: {
      /** @description The contact was there and was written to. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "cID": "65f0c0ffee65f0c0ffee0001",
           *       "identifiers": {
           *         "email": "ada@example.com",
           *         "customer_id": "17850"
           *       },
           *       "channels": {
           *         "email": {
           *           "address": "Ada@example.com",
           *           "subscribeStatus": "subscribed",
           *           "subscribedAt": "2026-01-09T22:47:12.000Z"
           *         }
           *       },
           *       "attributes": {
           *         "country": "GB",
           *         "lifetime_value": 512.5
           *       },
           *       "lists": [
           *         "vip"
           *       ],
           *       "listJoinDate": {
           *         "vip": "2026-01-09T22:47:12.000Z"
           *       },
           *       "createdAt": "2026-01-09T22:47:12.000Z",
           *       "lastModified": "2026-01-09T22:47:12.000Z"
           *     }
           */
          readonly "application/json": {
            readonly cID: string;
            readonly identifiers: {
              readonly [key: string]: string;
            };
            readonly channels: {
              readonly [key: string]: {
                readonly address?: string;
                readonly subscribeStatus: string;
                readonly subscribedAt?: string;
                readonly unsubscribedAt?: string;
              };
            };
            readonly attributes: {
              readonly [key: string]: unknown;
            };
            readonly lists: readonly string[];
            readonly listJoinDate: {
              readonly [key: string]: string;
            };
            readonly createdAt: string;
            readonly lastModified: string;
          };
        };
      };
      /** @description The contact was created. */
      readonly 201: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "cID": "65f0c0ffee65f0c0ffee0001",
           *       "identifiers": {
           *         "email": "ada@example.com",
           *         "customer_id": "17850"
           *       },
           *       "channels": {
           *         "email": {
           *           "address": "Ada@example.com",
           *           "subscribeStatus": "subscribed",
           *           "subscribedAt": "2026-01-09T22:47:12.000Z"
           *         }
           *       },
           *       "attributes": {
           *         "country": "GB",
           *         "lifetime_value": 512.5
           *       },
           *       "lists": [
           *         "vip"
           *       ],
           *       "listJoinDate": {
           *         "vip": "2026-01-09T22:47:12.000Z"
           *       },
           *       "createdAt": "2026-01-09T22:47:12.000Z",
           *       "lastModified": "2026-01-09T22:47:12.000Z"
           *     }
           */
          readonly "application/json": {
            readonly cID: string;
            readonly identifiers: {
              readonly [key: string]: string;
            };
            readonly channels: {
              readonly [key: string]: {
                readonly address?: string;
                readonly subscribeStatus: string;
                readonly subscribedAt?: string;
                readonly unsubscribedAt?: string;
              };
            };
            readonly attributes: {
              readonly [key: string]: unknown;
            };
            readonly lists: readonly string[];
            readonly listJoinDate: {
              readonly [key: string]: string;
            };
            readonly createdAt: string;
            readonly lastModified: string;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly getContact: {
    readonly parameters: {
      readonly query?: {
        readonly after?: string;
      };
      readonly header?: never;
      readonly path: {
        readonly primary_key: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The contact. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "cID": "65f0c0ffee65f0c0ffee0001",
           *       "identifiers": {
           *         "email": "ada@example.com",
           *         "customer_id": "17850"
           *       },
           *       "channels": {
           *         "email": {
           *           "address": "Ada@example.com",
           *           "subscribeStatus": "subscribed",
           *           "subscribedAt": "2026-01-09T22:47:12.000Z"
           *         }
           *       },
           *       "attributes": {
           *         "country": "GB",
           *         "lifetime_value": 512.5
           *       },
           *       "lists": [
           *         "vip"
           *       ],
           *       "listJoinDate": {
           *         "vip": "2026-01-09T22:47:12.000Z"
           *       },
           *       "createdAt": "2026-01-09T22:47:12.000Z",
           *       "lastModified": "2026-01-09T22:47:12.000Z"
           *     }
           */
          readonly "application/json": {
            readonly cID: string;
            readonly identifiers: {
              readonly [key: string]: string;
            };
            readonly channels: {
              readonly [key: string]: {
                readonly address?: string;
                readonly subscribeStatus: string;
                readonly subscribedAt?: string;
                readonly unsubscribedAt?: string;
              };
            };
            readonly attributes: {
              readonly [key: string]: unknown;
            };
            readonly lists: readonly string[];
            readonly listJoinDate: {
              readonly [key: string]: string;
            };
            readonly createdAt: string;
            readonly lastModified: string;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly updateContact: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly "Idempotency-Key"?: string;
        readonly "If-Match"?: string;
      };
      readonly path: {
        readonly primary_key: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "attributes": {
         *         "country": "FR",
         *         "lifetime_value": null
         *       },
         *       "lists": {
         *         "vip": false
         *       }
         *     }
         */
        readonly "application/json": {
          readonly channels?: {
            readonly [key: string]: {
              readonly address?: string;
              /** @enum {string} */
              readonly subscribeStatus?: "subscribed" | "unsubscribed" | "none";
              readonly subscribedAt?: string;
              readonly unsubscribedAt?: string;
            };
          };
          readonly attributes?: {
            readonly [key: string]: unknown;
          };
          readonly lists?:
            | {
                readonly [key: string]: boolean;
              }
            | readonly string[];
          readonly suppressTriggers?: boolean;
          readonly forceSubscribe?: boolean;
          readonly mergeOptions?: {
            readonly mergeAllowed?: boolean;
            readonly mergeableSecondaryKeys?: readonly string[];
          };
          readonly restrictedUpdateAttrKeys?: readonly string[];
        };
      };
    };
    readonly responses: {
      /** @description The contact as it is now. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "cID": "65f0c0ffee65f0c0ffee0001",
           *       "identifiers": {
           *         "email": "ada@example.com",
           *         "customer_id": "17850"
           *       },
           *       "channels": {
           *         "email": {
           *           "address": "Ada@example.com",
           *           "subscribeStatus": "subscribed",
           *           "subscribedAt": "2026-01-09T22:47:12.000Z"
           *         }
           *       },
           *       "attributes": {
           *         "country": "GB",
           *         "lifetime_value": 512.5
           *       },
           *       "lists": [
           *         "vip"
           *       ],
           *       "listJoinDate": {
           *         "vip": "2026-01-09T22:47:12.000Z"
           *       },
           *       "createdAt": "2026-01-09T22:47:12.000Z",
           *       "lastModified": "2026-01-09T22:47:12.000Z"
           *     }
           */
          readonly "application/json": {
            readonly cID: string;
            readonly identifiers: {
              readonly [key: string]: string;
            };
            readonly channels: {
              readonly [key: string]: {
                readonly address?: string;
                readonly subscribeStatus: string;
                readonly subscribedAt?: string;
                readonly unsubscribedAt?: string;
              };
            };
            readonly attributes: {
              readonly [key: string]: unknown;
            };
            readonly lists: readonly string[];
            readonly listJoinDate: {
              readonly [key: string]: string;
            };
            readonly createdAt: string;
            readonly lastModified: string;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly deleteContact: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly "Idempotency-Key"?: string;
      };
      readonly path: {
        readonly primary_key: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The contact is gone. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "success": true,
           *       "jobId": "65f0c0ffee65f0c0ffee0001",
           *       "message": "The contact is gone. The job removes what else is stored of it; Kafka forgets its records within 7 days."
           *     }
           */
          readonly "application/json": {
            /** @constant */
            readonly success: true;
            readonly jobId: string;
            readonly message: string;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly unsubscribeContact: {
    readonly parameters: {
      readonly query?: {
        readonly mcID?: string;
      };
      readonly header?: {
        readonly "Idempotency-Key"?: string;
      };
      readonly path: {
        readonly primary_key: string;
        readonly channel: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The contact is unsubscribed. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "success": true
           *     }
           */
          readonly "application/json": {
            /** @constant */
            readonly success: true;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly listContacthistory: {
    readonly parameters: {
      readonly query?: {
        readonly after?: string;
        readonly page?: number;
        readonly per_page?: number;
        readonly cursor?: string;
        readonly fields?: string;
      };
      readonly header?: never;
      readonly path: {
        readonly primary_key: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description A page of changes. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "version": "019ba4d2f0800100030000000004d2000",
           *           "at": "2026-01-09T22:47:13.000Z",
           *           "by": {
           *             "kind": "merge",
           *             "id": "0Kq3yVbR2mX9aLpT7cWd:0:0"
           *           },
           *           "changes": [
           *             {
           *               "path": "attributes.plan",
           *               "from": "gold",
           *               "to": "free"
           *             },
           *             {
           *               "path": "contacts.65f0c0ffee65f0c0ffee0002",
           *               "from": {
           *                 "cID": "65f0c0ffee65f0c0ffee0002",
           *                 "identifiers": {
           *                   "anonymousId": "a-7"
           *                 },
           *                 "channels": {},
           *                 "attributes": {
           *                   "plan": "free"
           *                 }
           *               },
           *               "to": null
           *             },
           *             {
           *               "path": "identifiers.anonymousId",
           *               "from": null,
           *               "to": "a-7"
           *             }
           *           ]
           *         },
           *         {
           *           "version": "019ba4d2ec980100030000000004d1000",
           *           "at": "2026-01-09T22:47:12.000Z",
           *           "by": {
           *             "kind": "record",
           *             "id": "intake.records/3/1233/0"
           *           },
           *           "changes": [
           *             {
           *               "path": "attributes.plan",
           *               "from": null,
           *               "to": "gold"
           *             }
           *           ]
           *         }
           *       ],
           *       "pagination": {
           *         "per_page": 25,
           *         "page": 1,
           *         "next_cursor": null
           *       },
           *       "asOf": "2026-01-09T22:47:14.000Z"
           *     }
           */
          readonly "application/json": {
            readonly data: readonly {
              readonly version?: string;
              readonly at?: string;
              readonly by?: {
                /** @enum {string} */
                readonly kind: "record" | "v2" | "merge" | "split" | "redrive";
                readonly id: string;
              };
              readonly changes?: readonly {
                readonly path: string;
                readonly from: unknown;
                readonly to: unknown;
              }[];
            }[];
            readonly pagination: {
              readonly per_page: number;
              readonly page?: number;
              readonly total?: number;
              readonly last_page?: number;
              readonly next_cursor: string | null;
            };
            readonly asOf?: string;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly mergeContacts: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly "Idempotency-Key"?: string;
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "sourceContact": "customer_id:17851",
         *       "destinationContact": "customer_id:17850",
         *       "options": {
         *         "email_channels": "destinationContact",
         *         "attributes": "sourceContact",
         *         "orders": "merge",
         *         "cart": "lastModified"
         *       }
         *     }
         */
        readonly "application/json": {
          readonly sourceContact: string;
          readonly destinationContact: string;
          readonly options: {
            /**
             * @default destinationContact
             * @enum {string}
             */
            readonly email_channels?: "sourceContact" | "destinationContact";
            /**
             * @default destinationContact
             * @enum {string}
             */
            readonly sms_channels?: "sourceContact" | "destinationContact";
            /**
             * @default merge
             * @enum {string}
             */
            readonly push_channels?: "merge" | "ignore";
            /**
             * @default destinationContact
             * @enum {string}
             */
            readonly attributes?: "sourceContact" | "destinationContact";
            /**
             * @default destinationContact
             * @enum {string}
             */
            readonly lists?: "sourceContact" | "destinationContact";
            /**
             * @default destinationContact
             * @enum {string}
             */
            readonly supplements?: "sourceContact" | "destinationContact";
            /**
             * @default merge
             * @enum {string}
             */
            readonly orders?: "merge" | "ignore";
            /**
             * @default merge
             * @enum {string}
             */
            readonly events?: "merge" | "ignore";
            /**
             * @default lastModified
             * @enum {string}
             */
            readonly cart?: "sourceContact" | "destinationContact" | "lastModified";
          };
        };
      };
    };
    readonly responses: {
      /** @description The job is started. */
      readonly 202: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "jobId": "65f0c0ffee65f0c0ffee0001",
           *       "jobID": "65f0c0ffee65f0c0ffee0001",
           *       "message": "The contacts become one when the job is done."
           *     }
           */
          readonly "application/json": {
            readonly jobId: string;
            readonly jobID: string;
            readonly message: string;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly downloadContactprofile: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly "Idempotency-Key"?: string;
      };
      readonly path: {
        readonly primary_key: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "destination": {
         *         "type": "aws"
         *       },
         *       "exportType": "jsonl"
         *     }
         */
        readonly "application/json": {
          readonly destination?: {
            readonly type: string;
          };
          /**
           * @default jsonl
           * @enum {string}
           */
          readonly exportType?: "json" | "jsonl";
        };
      };
    };
    readonly responses: {
      /** @description The job is started. */
      readonly 202: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "jobId": "65f0c0ffee65f0c0ffee0001"
           *     }
           */
          readonly "application/json": {
            readonly jobId: string;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly splitContact: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly "Idempotency-Key"?: string;
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "primaryKey": "customer_id:17850",
         *       "channelNames": [
         *         "email"
         *       ]
         *     }
         */
        readonly "application/json": {
          readonly primaryKey: string;
          readonly channelNames: readonly string[];
        };
      };
    };
    readonly responses: {
      /** @description The channels belong to another contact now. */
      readonly 202: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "success": true,
           *       "message": "The channels belong to the contact 65f0c0ffee65f0c0ffee0002 now.",
           *       "channelsSplit": [
           *         "email"
           *       ]
           *     }
           */
          readonly "application/json": {
            /** @constant */
            readonly success: true;
            readonly message: string;
            readonly channelsSplit: readonly string[];
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly getCart: {
    readonly parameters: {
      readonly query?: {
        readonly after?: string;
      };
      readonly header?: never;
      readonly path: {
        readonly primary_key: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The cart. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "cartID": "C-1001",
           *       "items": [
           *         {
           *           "productID": "85123A",
           *           "sku": "85123A",
           *           "category": "Decoration",
           *           "name": "White hanging heart",
           *           "itemPrice": 2.55,
           *           "qty": 6,
           *           "amount": 15.3
           *         }
           *       ],
           *       "totalAmount": 15.3,
           *       "updatedAt": "2026-01-09T22:47:12.000Z"
           *     }
           */
          readonly "application/json": {
            readonly items: readonly ({
              readonly productID: string;
              readonly sku: string;
              readonly qty: number;
              readonly itemPrice?: number;
              readonly amount?: number;
            } & {
              readonly [key: string]: unknown;
            })[];
            readonly totalAmount?: number;
            readonly updatedAt?: string;
          } & {
            readonly [key: string]: unknown;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly updateCart: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly "Idempotency-Key"?: string;
      };
      readonly path: {
        readonly primary_key: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "cartID": "C-1001",
         *       "url": "https://shop.example.com/cart/C-1001",
         *       "cartitems": [
         *         {
         *           "productID": "85123A",
         *           "sku": "85123A",
         *           "category": "Decoration",
         *           "name": "White hanging heart",
         *           "itemPrice": 2.55,
         *           "qty": 6
         *         }
         *       ]
         *     }
         */
        readonly "application/json": {
          readonly cartID?: string;
          readonly customerID?: string;
          readonly mcID?: string;
          readonly linkID?: string;
          readonly url?: string;
          readonly expiration?: string;
          readonly tax?: number | string;
          readonly cartitems?: readonly {
            readonly productID: string;
            readonly sku: string;
            readonly category: string;
            readonly name: string;
            readonly description?: string;
            readonly itemPrice?: number | string;
            readonly url?: string;
            readonly images?: readonly string[];
            readonly properties?: {
              readonly [key: string]: unknown;
            };
            readonly attr?: {
              readonly [key: string]: unknown;
            };
            /** @default 1 */
            readonly qty?: number;
          }[];
        };
      };
    };
    readonly responses: {
      /** @description The cart is written. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "success": true
           *     }
           */
          readonly "application/json": {
            /** @constant */
            readonly success: true;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly setCart: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly "Idempotency-Key"?: string;
      };
      readonly path: {
        readonly primary_key: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "cartID": "C-1001",
         *       "url": "https://shop.example.com/cart/C-1001",
         *       "cartitems": [
         *         {
         *           "productID": "85123A",
         *           "sku": "85123A",
         *           "category": "Decoration",
         *           "name": "White hanging heart",
         *           "itemPrice": 2.55,
         *           "qty": 6
         *         }
         *       ]
         *     }
         */
        readonly "application/json": {
          readonly cartID?: string;
          readonly customerID?: string;
          readonly mcID?: string;
          readonly linkID?: string;
          readonly url?: string;
          readonly expiration?: string;
          readonly tax?: number | string;
          readonly cartitems: readonly {
            readonly productID: string;
            readonly sku: string;
            readonly category: string;
            readonly name: string;
            readonly description?: string;
            readonly itemPrice?: number | string;
            readonly url?: string;
            readonly images?: readonly string[];
            readonly properties?: {
              readonly [key: string]: unknown;
            };
            readonly attr?: {
              readonly [key: string]: unknown;
            };
            /** @default 1 */
            readonly qty?: number;
          }[];
        };
      };
    };
    readonly responses: {
      /** @description The cart is set. */
      readonly 201: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "success": true
           *     }
           */
          readonly "application/json": {
            /** @constant */
            readonly success: true;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly clearCart: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly "Idempotency-Key"?: string;
      };
      readonly path: {
        readonly primary_key: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The cart is empty. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "success": true
           *     }
           */
          readonly "application/json": {
            /** @constant */
            readonly success: true;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly addCartitem: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly "Idempotency-Key"?: string;
      };
      readonly path: {
        readonly primary_key: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "productID": "85123A",
         *       "sku": "85123A",
         *       "category": "Decoration",
         *       "name": "White hanging heart",
         *       "itemPrice": 2.55,
         *       "qty": 6
         *     }
         */
        readonly "application/json": {
          readonly productID: string;
          readonly sku: string;
          readonly category: string;
          readonly name: string;
          readonly description?: string;
          readonly itemPrice?: number | string;
          readonly url?: string;
          readonly images?: readonly string[];
          readonly properties?: {
            readonly [key: string]: unknown;
          };
          readonly attr?: {
            readonly [key: string]: unknown;
          };
          /** @default 1 */
          readonly qty?: number;
        };
      };
    };
    readonly responses: {
      /** @description The product is in the cart. */
      readonly 201: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "success": true
           *     }
           */
          readonly "application/json": {
            /** @constant */
            readonly success: true;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly removeCartitem: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly "Idempotency-Key"?: string;
      };
      readonly path: {
        readonly primary_key: string;
        readonly productID: string;
        readonly qty: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The quantity is out of the cart. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "success": true
           *     }
           */
          readonly "application/json": {
            /** @constant */
            readonly success: true;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly removeCartitemOfSku: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly "Idempotency-Key"?: string;
      };
      readonly path: {
        readonly primary_key: string;
        readonly productID: string;
        readonly qty: string;
        readonly sku: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The quantity is out of the cart. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "success": true
           *     }
           */
          readonly "application/json": {
            /** @constant */
            readonly success: true;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly listContactactivities: {
    readonly parameters: {
      readonly query?: {
        readonly after?: string;
        readonly page?: number;
        readonly per_page?: number;
        readonly cursor?: string;
        readonly sort_dir?: "asc" | "desc";
        readonly return_count?: "true" | "false";
        readonly fields?: string;
        readonly sort_by?: "time";
        readonly action?: string;
        readonly email?: string;
        readonly cID?: string;
        readonly mcID?: string;
        readonly mdtID?: string;
        readonly "contactFields[]"?: string | readonly string[];
        readonly "time[gt]"?: string;
        readonly "time[gte]"?: string;
        readonly "time[lt]"?: string;
        readonly "time[lte]"?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description A page of activities. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "0Kq3yVbR2mX9aLpT7cWd:0:0",
           *           "action": "browse",
           *           "cID": "65f0c0ffee65f0c0ffee0001",
           *           "email": "ada@example.com",
           *           "time": "2026-01-09T22:47:12.000Z",
           *           "first": true,
           *           "properties": {
           *             "category": "Shoes"
           *           }
           *         }
           *       ],
           *       "pagination": {
           *         "per_page": 25,
           *         "page": 1,
           *         "next_cursor": null
           *       },
           *       "asOf": "2026-01-09T22:47:13.000Z"
           *     }
           */
          readonly "application/json": {
            readonly data: readonly {
              readonly id?: string;
              readonly action?: string;
              readonly cID?: string;
              readonly email?: string;
              readonly time?: string;
              readonly mcID?: string;
              readonly bmID?: string;
              readonly first?: boolean;
              readonly properties?: {
                readonly [key: string]: unknown;
              };
              readonly geo?: {
                readonly [key: string]: unknown;
              };
              readonly device?: {
                readonly [key: string]: unknown;
              };
              readonly contactFields?: {
                readonly [key: string]: unknown;
              };
            }[];
            readonly pagination: {
              readonly per_page: number;
              readonly page?: number;
              readonly total?: number;
              readonly last_page?: number;
              readonly next_cursor: string | null;
            };
            readonly asOf?: string;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly createContactactivity: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly "Idempotency-Key"?: string;
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "email": "ada@example.com",
         *       "action": "webinar-attended",
         *       "UID": "webinar-17-ada",
         *       "properties": {
         *         "webinar": "Streams",
         *         "minutes": 42
         *       }
         *     }
         */
        readonly "application/json": {
          readonly action: string;
          readonly email?: string;
          readonly cID?: string;
          readonly identifiers?: {
            readonly [key: string]: string | number;
          };
          readonly time?: string;
          readonly UID?: string;
          readonly properties?: {
            readonly [key: string]: unknown;
          };
        };
      };
    };
    readonly responses: {
      /** @description The log has it. */
      readonly 201: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "success": true,
           *       "id": "VbZsDdSkFIHQqU5ESHo7:0:0"
           *     }
           */
          readonly "application/json": {
            /** @constant */
            readonly success: true;
            readonly id: string;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly listAccountlists: {
    readonly parameters: {
      readonly query?: {
        readonly after?: string;
        readonly page?: number;
        readonly per_page?: number;
        readonly cursor?: string;
        readonly sort_dir?: "asc";
        readonly return_count?: "true" | "false";
        readonly fields?: string;
        readonly sort_by?: "id";
        readonly name?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description A page of lists. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": 1,
           *           "name": "vip",
           *           "enhanced": false
           *         }
           *       ],
           *       "pagination": {
           *         "per_page": 25,
           *         "page": 1,
           *         "next_cursor": null
           *       }
           *     }
           */
          readonly "application/json": {
            readonly data: readonly {
              readonly id?: number;
              readonly name?: string;
              readonly enhanced?: boolean;
            }[];
            readonly pagination: {
              readonly per_page: number;
              readonly page?: number;
              readonly total?: number;
              readonly last_page?: number;
              readonly next_cursor: string | null;
            };
            readonly asOf?: string;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly createAccountlist: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly "Idempotency-Key"?: string;
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "name": "spring-2026",
         *       "enhanced": true
         *     }
         */
        readonly "application/json": {
          readonly name: string;
          readonly enhanced?: boolean;
        };
      };
    };
    readonly responses: {
      /** @description The list is made. */
      readonly 201: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "success": true,
           *       "id": 1
           *     }
           */
          readonly "application/json": {
            /** @constant */
            readonly success: true;
            readonly id: number;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly getAccountlist: {
    readonly parameters: {
      readonly query?: {
        readonly after?: string;
      };
      readonly header?: never;
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The list. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": 1,
           *       "name": "vip",
           *       "enhanced": false
           *     }
           */
          readonly "application/json": {
            readonly id: number;
            readonly name: string;
            readonly enhanced: boolean;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly updateAccountlist: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly "Idempotency-Key"?: string;
      };
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "enhanced": false
         *     }
         */
        readonly "application/json": {
          readonly name?: string;
          readonly enhanced?: boolean;
        };
      };
    };
    readonly responses: {
      /** @description The list is changed. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "success": true,
           *       "id": 1
           *     }
           */
          readonly "application/json": {
            /** @constant */
            readonly success: true;
            readonly id: number;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly deleteAccountlist: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly "Idempotency-Key"?: string;
      };
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description There is no such list any more. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "success": true,
           *       "jobId": "65f0c0ffee65f0c0ffee0001"
           *     }
           */
          readonly "application/json": {
            /** @constant */
            readonly success: true;
            readonly jobId: string;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly countAccountlist: {
    readonly parameters: {
      readonly query?: {
        readonly after?: string;
      };
      readonly header?: never;
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The number. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "count": 412
           *     }
           */
          readonly "application/json": {
            readonly count: number;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly clearAccountlist: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly "Idempotency-Key"?: string;
      };
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The list is empty. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "success": true,
           *       "id": 1,
           *       "jobId": "65f0c0ffee65f0c0ffee0001"
           *     }
           */
          readonly "application/json": {
            /** @constant */
            readonly success: true;
            readonly id: number;
            readonly jobId: string;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly listAttributes: {
    readonly parameters: {
      readonly query?: {
        readonly after?: string;
        readonly page?: number;
        readonly per_page?: number;
        readonly cursor?: string;
        readonly sort_dir?: "asc";
        readonly return_count?: "true" | "false";
        readonly fields?: string;
        readonly sort_by?: "key";
        readonly type?: "string" | "number" | "boolean" | "date" | "geo" | "array" | "auto";
        readonly indexed?: "true" | "false";
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description A page of definitions. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "key": "lifetime_value",
           *           "name": "Lifetime value",
           *           "type": "number",
           *           "index": true,
           *           "unique": false,
           *           "validators": {
           *             "min": 0,
           *             "max": 1000000
           *           },
           *           "options": {},
           *           "updateUnauthenticated": false,
           *           "retainOnDestroy": null
           *         }
           *       ],
           *       "pagination": {
           *         "per_page": 25,
           *         "page": 1,
           *         "next_cursor": null
           *       }
           *     }
           */
          readonly "application/json": {
            readonly data: readonly {
              readonly key?: string;
              readonly name?: string;
              /** @enum {string} */
              readonly type?: "string" | "number" | "boolean" | "date" | "geo" | "array" | "auto";
              readonly index?: boolean;
              readonly unique?: boolean;
              readonly validators?: {
                readonly min?: number;
                readonly max?: number;
                readonly required?: boolean;
                /** @enum {string} */
                readonly type?: "email" | "url" | "integer";
              } | null;
              readonly options?: {
                readonly maxitems?: number;
              };
              readonly updateUnauthenticated?: boolean;
              readonly retainOnDestroy?: string | null;
            }[];
            readonly pagination: {
              readonly per_page: number;
              readonly page?: number;
              readonly total?: number;
              readonly last_page?: number;
              readonly next_cursor: string | null;
            };
            readonly asOf?: string;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly createAttribute: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly "Idempotency-Key"?: string;
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "key": "lifetime_value",
         *       "name": "Lifetime value",
         *       "type": "number",
         *       "index": true,
         *       "validators": {
         *         "min": 0,
         *         "max": 1000000
         *       }
         *     }
         */
        readonly "application/json": {
          readonly key: string;
          readonly name: string;
          /** @enum {string} */
          readonly type: "string" | "number" | "boolean" | "date" | "geo" | "array";
          readonly index?: boolean;
          readonly unique?: boolean;
          readonly validators?: {
            readonly min?: number;
            readonly max?: number;
            readonly required?: boolean;
            /** @enum {string} */
            readonly type?: "email" | "url" | "integer";
          } | null;
          readonly options?: {
            readonly maxitems?: number;
          };
          readonly updateUnauthenticated?: boolean;
          readonly retainOnDestroy?: ("anonymized" | "unchanged") | null;
        };
      };
    };
    readonly responses: {
      /** @description The attribute is declared. */
      readonly 201: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "success": true,
           *       "key": "lifetime_value",
           *       "notCast": 0
           *     }
           */
          readonly "application/json": {
            /** @constant */
            readonly success: true;
            readonly key: string;
            readonly notCast?: number;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly getAttribute: {
    readonly parameters: {
      readonly query?: {
        readonly after?: string;
      };
      readonly header?: never;
      readonly path: {
        readonly key: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The definition. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "key": "lifetime_value",
           *       "name": "Lifetime value",
           *       "type": "number",
           *       "index": true,
           *       "unique": false,
           *       "validators": {
           *         "min": 0,
           *         "max": 1000000
           *       },
           *       "options": {},
           *       "updateUnauthenticated": false,
           *       "retainOnDestroy": null
           *     }
           */
          readonly "application/json": {
            readonly key: string;
            readonly name: string;
            /** @enum {string} */
            readonly type: "string" | "number" | "boolean" | "date" | "geo" | "array" | "auto";
            readonly index: boolean;
            readonly unique: boolean;
            readonly validators: {
              readonly min?: number;
              readonly max?: number;
              readonly required?: boolean;
              /** @enum {string} */
              readonly type?: "email" | "url" | "integer";
            } | null;
            readonly options: {
              readonly maxitems?: number;
            };
            readonly updateUnauthenticated: boolean;
            readonly retainOnDestroy: string | null;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly updateAttribute: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly "Idempotency-Key"?: string;
      };
      readonly path: {
        readonly key: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "name": "Plan",
         *       "index": true
         *     }
         */
        readonly "application/json": {
          readonly key?: string;
          readonly name?: string;
          /** @enum {string} */
          readonly type?: "string" | "number" | "boolean" | "date" | "geo" | "array";
          readonly index?: boolean;
          readonly unique?: boolean;
          readonly validators?: {
            readonly min?: number;
            readonly max?: number;
            readonly required?: boolean;
            /** @enum {string} */
            readonly type?: "email" | "url" | "integer";
          } | null;
          readonly options?: {
            readonly maxitems?: number;
          };
          readonly updateUnauthenticated?: boolean;
          readonly retainOnDestroy?: ("anonymized" | "unchanged") | null;
        };
      };
    };
    readonly responses: {
      /** @description The definition is changed. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "success": true,
           *       "key": "plan"
           *     }
           */
          readonly "application/json": {
            /** @constant */
            readonly success: true;
            readonly key: string;
            readonly notCast?: number;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly deleteAttribute: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly "Idempotency-Key"?: string;
      };
      readonly path: {
        readonly key: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description There is no such definition any more. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "success": true
           *     }
           */
          readonly "application/json": {
            /** @constant */
            readonly success: true;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly listAttributevalues: {
    readonly parameters: {
      readonly query?: {
        readonly after?: string;
        readonly limit?: number;
      };
      readonly header?: never;
      readonly path: {
        readonly key: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Values with their counts. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "value": "GB",
           *           "count": 812
           *         },
           *         {
           *           "value": "DE",
           *           "count": 44
           *         }
           *       ],
           *       "missing": 17,
           *       "asOf": "2026-01-09T22:47:12.000Z"
           *     }
           */
          readonly "application/json": {
            readonly data: readonly {
              readonly value: unknown;
              readonly count: number;
            }[];
            readonly missing: number;
            readonly asOf: string;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly listOrders: {
    readonly parameters: {
      readonly query?: {
        readonly after?: string;
        readonly page?: number;
        readonly per_page?: number;
        readonly cursor?: string;
        readonly sort_dir?: "asc" | "desc";
        readonly return_count?: "true" | "false";
        readonly fields?: string;
        readonly sort_by?: "purchaseDate" | "orderID";
        readonly cID?: string;
        readonly email?: string;
        readonly purchaseDate?: string;
        readonly "purchaseDate[gt]"?: string;
        readonly "purchaseDate[gte]"?: string;
        readonly "purchaseDate[lt]"?: string;
        readonly "purchaseDate[lte]"?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description A page of orders. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "orderID": "536365",
           *           "cID": "65f0c0ffee65f0c0ffee0001",
           *           "purchaseDate": "2010-12-01T08:26:00.000Z",
           *           "items": [
           *             {
           *               "productID": "85123A",
           *               "sku": "85123A",
           *               "name": "Heart holder",
           *               "qty": 6,
           *               "itemPrice": 2.55,
           *               "amount": 15.3
           *             }
           *           ],
           *           "totalAmount": 15.3,
           *           "totalComputed": true,
           *           "currency": "GBP"
           *         }
           *       ],
           *       "pagination": {
           *         "per_page": 25,
           *         "page": 1,
           *         "next_cursor": null
           *       }
           *     }
           */
          readonly "application/json": {
            readonly data: readonly ({
              readonly orderID?: string;
              readonly cID?: string;
              readonly purchaseDate?: string;
              readonly currency?: string;
              readonly status?: string;
              readonly items?: readonly ({
                readonly productID: string;
                readonly qty: number;
                readonly amount?: number;
              } & {
                readonly [key: string]: unknown;
              })[];
              readonly totalAmount?: number;
              /** @constant */
              readonly totalComputed?: true;
              readonly totalDiscountAmount?: number;
              readonly tax?: number;
              readonly shippingAndHandling?: number;
              readonly shippingAddress?: {
                readonly [key: string]: unknown;
              };
              readonly billingAddress?: {
                readonly [key: string]: unknown;
              };
            } & {
              readonly [key: string]: unknown;
            })[];
            readonly pagination: {
              readonly per_page: number;
              readonly page?: number;
              readonly total?: number;
              readonly last_page?: number;
              readonly next_cursor: string | null;
            };
            readonly asOf?: string;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly createOrder: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly "Idempotency-Key"?: string;
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "orderID": "536365",
         *       "purchaseDate": "2010-12-01T08:26:00Z",
         *       "cID": "65f0c0ffee65f0c0ffee0001",
         *       "status": "paid",
         *       "items": [
         *         {
         *           "productID": "85123A",
         *           "sku": "85123A",
         *           "name": "Heart holder",
         *           "qty": 6,
         *           "itemPrice": "2.55"
         *         }
         *       ]
         *     }
         */
        readonly "application/json": {
          readonly orderID: string;
          readonly purchaseDate: string;
          readonly cID?: string;
          readonly email?: string;
          readonly identifiers?: {
            readonly [key: string]: string | number;
          };
          readonly suppressTriggers?: boolean;
          readonly status?: string | null;
          readonly currency?: string | null;
          readonly items?:
            | readonly {
                readonly productID: string;
                readonly sku: string;
                readonly name: string;
                readonly manufacturerName?: string;
                readonly category?: string;
                readonly description?: string;
                readonly productType?: string;
                readonly UPCCode?: string;
                readonly itemPrice?: number | string;
                readonly salePrice?: number | string;
                readonly qty?: number;
                readonly url?: string;
                readonly images?: readonly string[];
                readonly tags?: readonly string[];
                readonly inStock?: boolean;
                readonly taxable?: boolean;
                readonly enabled?: boolean;
                readonly properties?: {
                  readonly [key: string]: unknown;
                };
                readonly attr?: {
                  readonly [key: string]: unknown;
                };
              }[]
            | null;
          readonly discountApplication?: {
            /** @constant */
            readonly type: "fixed";
            readonly amount: number | string;
          } | null;
          readonly tax?: (number | string) | null;
          readonly shippingAndHandling?: (number | string) | null;
          readonly totalAmount?: (number | string) | null;
          readonly shippingAddress?: {
            readonly name?: string;
            readonly address?: string;
            readonly city?: string;
            readonly state?: string;
            readonly postalCode?: string;
            readonly country?: string;
          } | null;
          readonly billingAddress?: {
            readonly name?: string;
            readonly address?: string;
            readonly city?: string;
            readonly state?: string;
            readonly postalCode?: string;
            readonly country?: string;
          } | null;
          readonly properties?: {
            readonly [key: string]: unknown;
          } | null;
          readonly mcID?: string | null;
          readonly msID?: string | null;
          readonly linkID?: string | null;
          readonly customerID?: string | null;
          readonly storeID?: string | null;
          readonly cartID?: string | null;
        };
      };
    };
    readonly responses: {
      /** @description It is there. */
      readonly 201: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "success": true,
           *       "orderID": "536365"
           *     }
           */
          readonly "application/json": {
            /** @constant */
            readonly success: true;
            readonly orderID: string;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly getOrder: {
    readonly parameters: {
      readonly query?: {
        readonly after?: string;
        readonly fields?: string;
      };
      readonly header?: never;
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The order. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "orderID": "536365",
           *       "cID": "65f0c0ffee65f0c0ffee0001",
           *       "purchaseDate": "2010-12-01T08:26:00.000Z",
           *       "items": [
           *         {
           *           "productID": "85123A",
           *           "sku": "85123A",
           *           "name": "Heart holder",
           *           "qty": 6,
           *           "itemPrice": 2.55,
           *           "amount": 15.3
           *         }
           *       ],
           *       "totalAmount": 15.3,
           *       "totalComputed": true,
           *       "currency": "GBP"
           *     }
           */
          readonly "application/json": {
            readonly orderID?: string;
            readonly cID?: string;
            readonly purchaseDate?: string;
            readonly currency?: string;
            readonly status?: string;
            readonly items?: readonly ({
              readonly productID: string;
              readonly qty: number;
              readonly amount?: number;
            } & {
              readonly [key: string]: unknown;
            })[];
            readonly totalAmount?: number;
            /** @constant */
            readonly totalComputed?: true;
            readonly totalDiscountAmount?: number;
            readonly tax?: number;
            readonly shippingAndHandling?: number;
            readonly shippingAddress?: {
              readonly [key: string]: unknown;
            };
            readonly billingAddress?: {
              readonly [key: string]: unknown;
            };
          } & {
            readonly [key: string]: unknown;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly updateOrder: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly "Idempotency-Key"?: string;
        readonly "If-Match"?: string;
      };
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "status": "shipped",
         *       "tax": "1.20",
         *       "properties": {
         *         "carrier": "van"
         *       }
         *     }
         */
        readonly "application/json": {
          readonly orderID?: string;
          readonly purchaseDate?: string;
          readonly cID?: string;
          readonly email?: string;
          readonly identifiers?: {
            readonly [key: string]: string | number;
          };
          readonly suppressTriggers?: boolean;
          readonly status?: string | null;
          readonly currency?: string | null;
          readonly items?:
            | readonly {
                readonly productID: string;
                readonly sku: string;
                readonly name: string;
                readonly manufacturerName?: string;
                readonly category?: string;
                readonly description?: string;
                readonly productType?: string;
                readonly UPCCode?: string;
                readonly itemPrice?: number | string;
                readonly salePrice?: number | string;
                readonly qty?: number;
                readonly url?: string;
                readonly images?: readonly string[];
                readonly tags?: readonly string[];
                readonly inStock?: boolean;
                readonly taxable?: boolean;
                readonly enabled?: boolean;
                readonly properties?: {
                  readonly [key: string]: unknown;
                };
                readonly attr?: {
                  readonly [key: string]: unknown;
                };
              }[]
            | null;
          readonly discountApplication?: {
            /** @constant */
            readonly type: "fixed";
            readonly amount: number | string;
          } | null;
          readonly tax?: (number | string) | null;
          readonly shippingAndHandling?: (number | string) | null;
          readonly totalAmount?: (number | string) | null;
          readonly shippingAddress?: {
            readonly name?: string;
            readonly address?: string;
            readonly city?: string;
            readonly state?: string;
            readonly postalCode?: string;
            readonly country?: string;
          } | null;
          readonly billingAddress?: {
            readonly name?: string;
            readonly address?: string;
            readonly city?: string;
            readonly state?: string;
            readonly postalCode?: string;
            readonly country?: string;
          } | null;
          readonly properties?: {
            readonly [key: string]: unknown;
          } | null;
          readonly mcID?: string | null;
          readonly msID?: string | null;
          readonly linkID?: string | null;
          readonly customerID?: string | null;
          readonly storeID?: string | null;
          readonly cartID?: string | null;
        };
      };
    };
    readonly responses: {
      /** @description It is as asked. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "success": true,
           *       "orderID": "536365"
           *     }
           */
          readonly "application/json": {
            /** @constant */
            readonly success: true;
            readonly orderID: string;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly deleteOrder: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly "Idempotency-Key"?: string;
        readonly "If-Match"?: string;
      };
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description It is gone. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "success": true
           *     }
           */
          readonly "application/json": {
            /** @constant */
            readonly success: true;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly listSupplements: {
    readonly parameters: {
      readonly query?: {
        readonly after?: string;
        readonly page?: number;
        readonly per_page?: number;
        readonly cursor?: string;
        readonly sort_dir?: "asc" | "desc";
        readonly return_count?: "true" | "false";
        readonly fields?: string;
        readonly sort_by?: "key";
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description A page of tables. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "key": "cars",
           *           "name": "Cars",
           *           "indexes": [
           *             {
           *               "field": "model",
           *               "type": "string",
           *               "state": "ready"
           *             }
           *           ],
           *           "contactObject": true,
           *           "autogenerateIDs": false,
           *           "createdAt": "2026-01-09T22:47:12.000Z",
           *           "lastDataUpdate": "2026-01-10T08:00:00.000Z"
           *         }
           *       ],
           *       "pagination": {
           *         "per_page": 25,
           *         "page": 1,
           *         "next_cursor": null
           *       }
           *     }
           */
          readonly "application/json": {
            readonly data: readonly {
              readonly key?: string;
              readonly name?: string;
              readonly indexes?: readonly {
                readonly field: string;
                /** @enum {string} */
                readonly type: "string" | "number" | "date" | "geo" | "array";
                /** @enum {string} */
                readonly state: "building" | "ready";
              }[];
              readonly contactObject?: boolean;
              readonly autogenerateIDs?: boolean;
              readonly createdAt?: string;
              readonly lastDataUpdate?: string;
            }[];
            readonly pagination: {
              readonly per_page: number;
              readonly page?: number;
              readonly total?: number;
              readonly last_page?: number;
              readonly next_cursor: string | null;
            };
            readonly asOf?: string;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly createSupplement: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly "Idempotency-Key"?: string;
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "key": "cars",
         *       "name": "Cars",
         *       "indexes": [
         *         {
         *           "field": "model",
         *           "type": "string"
         *         },
         *         {
         *           "field": "year",
         *           "type": "number"
         *         }
         *       ],
         *       "contactObject": true
         *     }
         */
        readonly "application/json": {
          readonly key: string;
          readonly name?: string;
          readonly indexes: readonly {
            readonly field: string;
            /** @enum {string} */
            readonly type: "string" | "number" | "date" | "geo" | "array";
          }[];
          readonly contactObject?: boolean;
          readonly autogenerateIDs?: boolean;
        };
      };
    };
    readonly responses: {
      /** @description The table is made. */
      readonly 201: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "success": true,
           *       "key": "cars"
           *     }
           */
          readonly "application/json": {
            /** @constant */
            readonly success: true;
            readonly key: string;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly getSupplement: {
    readonly parameters: {
      readonly query?: {
        readonly after?: string;
        readonly fields?: string;
      };
      readonly header?: never;
      readonly path: {
        readonly key: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The table. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "key": "cars",
           *       "name": "Cars",
           *       "indexes": [
           *         {
           *           "field": "model",
           *           "type": "string",
           *           "state": "ready"
           *         }
           *       ],
           *       "contactObject": true,
           *       "autogenerateIDs": false,
           *       "createdAt": "2026-01-09T22:47:12.000Z",
           *       "lastDataUpdate": "2026-01-10T08:00:00.000Z"
           *     }
           */
          readonly "application/json": {
            readonly key?: string;
            readonly name?: string;
            readonly indexes?: readonly {
              readonly field: string;
              /** @enum {string} */
              readonly type: "string" | "number" | "date" | "geo" | "array";
              /** @enum {string} */
              readonly state: "building" | "ready";
            }[];
            readonly contactObject?: boolean;
            readonly autogenerateIDs?: boolean;
            readonly createdAt?: string;
            readonly lastDataUpdate?: string;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly updateSupplement: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly "Idempotency-Key"?: string;
      };
      readonly path: {
        readonly key: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "name": "Cars",
         *       "indexes": [
         *         {
         *           "field": "model",
         *           "type": "string"
         *         }
         *       ]
         *     }
         */
        readonly "application/json": {
          readonly name?: string | null;
          readonly indexes?: readonly {
            readonly field: string;
            /** @enum {string} */
            readonly type: "string" | "number" | "date" | "geo" | "array";
          }[];
        };
      };
    };
    readonly responses: {
      /** @description The table is changed. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "success": true,
           *       "key": "cars"
           *     }
           */
          readonly "application/json": {
            /** @constant */
            readonly success: true;
            readonly key: string;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly deleteSupplement: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly "Idempotency-Key"?: string;
      };
      readonly path: {
        readonly key: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The table is gone. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "success": true
           *     }
           */
          readonly "application/json": {
            /** @constant */
            readonly success: true;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly clearSupplement: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly "Idempotency-Key"?: string;
      };
      readonly path: {
        readonly key: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The table is empty. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "success": true,
           *       "key": "cars",
           *       "jobId": "65f0c0ffee65f0c0ffee0001"
           *     }
           */
          readonly "application/json": {
            /** @constant */
            readonly success: true;
            readonly key: string;
            readonly jobId: string;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly listSupplementrecords: {
    readonly parameters: {
      readonly query?: {
        readonly after?: string;
        readonly page?: number;
        readonly per_page?: number;
        readonly cursor?: string;
        readonly sort_dir?: "asc" | "desc";
        readonly return_count?: "true" | "false";
        readonly fields?: string;
        readonly sort_by?: string;
      };
      readonly header?: never;
      readonly path: {
        readonly key: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description A page of records. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "car-1",
           *           "email": "ada@example.com",
           *           "model": "A",
           *           "year": 2019,
           *           "cID": "65f0c0ffee65f0c0ffee0001",
           *           "ct": "2026-01-09T22:47:12.000Z",
           *           "lm": "2026-01-09T22:47:12.000Z"
           *         }
           *       ],
           *       "pagination": {
           *         "per_page": 25,
           *         "page": 1,
           *         "next_cursor": null
           *       }
           *     }
           */
          readonly "application/json": {
            readonly data: readonly ({
              readonly id?: string;
              readonly cID?: string;
              readonly ct?: string;
              readonly lm?: string;
            } & {
              readonly [key: string]: unknown;
            })[];
            readonly pagination: {
              readonly per_page: number;
              readonly page?: number;
              readonly total?: number;
              readonly last_page?: number;
              readonly next_cursor: string | null;
            };
            readonly asOf?: string;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly createSupplementrecord: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly "Idempotency-Key"?: string;
      };
      readonly path: {
        readonly key: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "id": "car-1",
         *       "email": "ada@example.com",
         *       "model": "A",
         *       "year": 2019
         *     }
         */
        readonly "application/json": {
          readonly id?: string;
          readonly suppressTriggers?: boolean;
        } & {
          readonly [key: string]: unknown;
        };
      };
    };
    readonly responses: {
      /** @description The record is there. */
      readonly 201: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "success": true,
           *       "id": "car-1"
           *     }
           */
          readonly "application/json": {
            /** @constant */
            readonly success: true;
            readonly id: string;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly getSupplementrecord: {
    readonly parameters: {
      readonly query?: {
        readonly after?: string;
        readonly fields?: string;
      };
      readonly header?: never;
      readonly path: {
        readonly key: string;
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The record. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "car-1",
           *       "email": "ada@example.com",
           *       "model": "A",
           *       "year": 2019,
           *       "cID": "65f0c0ffee65f0c0ffee0001",
           *       "ct": "2026-01-09T22:47:12.000Z",
           *       "lm": "2026-01-09T22:47:12.000Z"
           *     }
           */
          readonly "application/json": {
            readonly id?: string;
            readonly cID?: string;
            readonly ct?: string;
            readonly lm?: string;
          } & {
            readonly [key: string]: unknown;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly updateSupplementrecord: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly "Idempotency-Key"?: string;
      };
      readonly path: {
        readonly key: string;
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "year": 2020,
         *       "colour": null
         *     }
         */
        readonly "application/json": {
          readonly id?: unknown;
          readonly suppressTriggers?: boolean;
        } & {
          readonly [key: string]: unknown;
        };
      };
    };
    readonly responses: {
      /** @description The record is changed. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "success": true,
           *       "id": "car-1"
           *     }
           */
          readonly "application/json": {
            /** @constant */
            readonly success: true;
            readonly id: string;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly deleteSupplementrecord: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly "Idempotency-Key"?: string;
      };
      readonly path: {
        readonly key: string;
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The record is gone. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "success": true
           *     }
           */
          readonly "application/json": {
            /** @constant */
            readonly success: true;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly listProducts: {
    readonly parameters: {
      readonly query?: {
        readonly after?: string;
        readonly page?: number;
        readonly per_page?: number;
        readonly cursor?: string;
        readonly sort_dir?: "asc" | "desc";
        readonly return_count?: "true" | "false";
        readonly fields?: string;
        readonly sort_by?: "ct" | "productID";
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description A page of products. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "productID": "85123A",
           *           "productName": "White hanging heart",
           *           "price": 2.55,
           *           "category": "home",
           *           "variants": [
           *             {
           *               "sku": "85123A-w",
           *               "attr": {
           *                 "colour": "white"
           *               },
           *               "qty": 12
           *             }
           *           ],
           *           "sale": {
           *             "enabled": true,
           *             "price": 1.95,
           *             "start": "2026-11-27T00:00:00.000Z",
           *             "end": "2026-11-30T00:00:00.000Z"
           *           },
           *           "enabled": true,
           *           "totalQty": 12,
           *           "ct": "2026-01-09T22:47:12.000Z",
           *           "lm": "2026-01-09T22:47:12.000Z"
           *         }
           *       ],
           *       "pagination": {
           *         "per_page": 25,
           *         "page": 1,
           *         "next_cursor": null
           *       }
           *     }
           */
          readonly "application/json": {
            readonly data: readonly ({
              readonly productID?: string;
              readonly productName?: string;
              readonly variants?: readonly {
                readonly sku: string;
                readonly attr?: {
                  readonly [key: string]: unknown;
                };
                readonly qty?: number;
              }[];
              readonly price?: number;
              readonly sale?: {
                readonly [key: string]: unknown;
              };
              readonly enabled?: boolean;
              readonly totalQty?: number;
              readonly ct?: string;
              readonly lm?: string;
            } & {
              readonly [key: string]: unknown;
            })[];
            readonly pagination: {
              readonly per_page: number;
              readonly page?: number;
              readonly total?: number;
              readonly last_page?: number;
              readonly next_cursor: string | null;
            };
            readonly asOf?: string;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly createProducts: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly "Idempotency-Key"?: string;
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example [
         *       {
         *         "productID": "85123A",
         *         "productName": "White hanging heart",
         *         "price": 2.55,
         *         "category": "home",
         *         "variants": [
         *           {
         *             "sku": "85123A-w",
         *             "attr": {
         *               "colour": "white"
         *             },
         *             "qty": 12
         *           }
         *         ],
         *         "sale": {
         *           "enabled": true,
         *           "price": "1.95",
         *           "start": "2026-11-27",
         *           "end": "2026-11-30"
         *         },
         *         "enabled": true
         *       },
         *       {
         *         "productID": "22423",
         *         "productName": "Cake stand",
         *         "price": "10.95"
         *       }
         *     ]
         */
        readonly "application/json":
          | {
              readonly productID: string;
              readonly productName: string;
              readonly variants?:
                | readonly {
                    readonly sku: string;
                    readonly attr?: {
                      readonly [key: string]: unknown;
                    } | null;
                    readonly qty?: number | null;
                  }[]
                | null;
              readonly productType?: ("physical" | "digital" | "subscription" | "event") | null;
              readonly price?: (number | string) | null;
              readonly sale?: {
                readonly enabled?: boolean | null;
                readonly price?: (number | string) | null;
                readonly start?: string | null;
                readonly end?: string | null;
              } | null;
              readonly UPCCode?: string | null;
              readonly category?: string | null;
              readonly description?: string | null;
              readonly manufacturerName?: string | null;
              readonly url?: string | null;
              readonly images?: readonly string[] | null;
              readonly tags?: readonly string[] | null;
              readonly inStock?: boolean | null;
              readonly taxable?: boolean | null;
              readonly enabled?: boolean | null;
              readonly properties?: {
                readonly [key: string]: unknown;
              } | null;
            }
          | readonly {
              readonly productID: string;
              readonly productName: string;
              readonly variants?:
                | readonly {
                    readonly sku: string;
                    readonly attr?: {
                      readonly [key: string]: unknown;
                    } | null;
                    readonly qty?: number | null;
                  }[]
                | null;
              readonly productType?: ("physical" | "digital" | "subscription" | "event") | null;
              readonly price?: (number | string) | null;
              readonly sale?: {
                readonly enabled?: boolean | null;
                readonly price?: (number | string) | null;
                readonly start?: string | null;
                readonly end?: string | null;
              } | null;
              readonly UPCCode?: string | null;
              readonly category?: string | null;
              readonly description?: string | null;
              readonly manufacturerName?: string | null;
              readonly url?: string | null;
              readonly images?: readonly string[] | null;
              readonly tags?: readonly string[] | null;
              readonly inStock?: boolean | null;
              readonly taxable?: boolean | null;
              readonly enabled?: boolean | null;
              readonly properties?: {
                readonly [key: string]: unknown;
              } | null;
            }[];
      };
    };
    readonly responses: {
      /** @description All were there already. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "success": true,
           *       "productID": "1"
           *     }
           */
          readonly "application/json":
            | {
                /** @constant */
                readonly success: true;
                readonly productID: string;
              }
            | {
                /** @constant */
                readonly success: true;
                readonly items: readonly {
                  readonly productID: string;
                  /** @enum {string} */
                  readonly status: "created" | "updated";
                }[];
              };
        };
      };
      /** @description At least one was made. */
      readonly 201: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "success": true,
           *       "items": [
           *         {
           *           "productID": "85123A",
           *           "status": "created"
           *         },
           *         {
           *           "productID": "22423",
           *           "status": "created"
           *         }
           *       ]
           *     }
           */
          readonly "application/json":
            | {
                /** @constant */
                readonly success: true;
                readonly productID: string;
              }
            | {
                /** @constant */
                readonly success: true;
                readonly items: readonly {
                  readonly productID: string;
                  /** @enum {string} */
                  readonly status: "created" | "updated";
                }[];
              };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly getProduct: {
    readonly parameters: {
      readonly query?: {
        readonly after?: string;
      };
      readonly header?: never;
      readonly path: {
        readonly productID: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The product. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "productID": "85123A",
           *       "productName": "White hanging heart",
           *       "price": 2.55,
           *       "category": "home",
           *       "variants": [
           *         {
           *           "sku": "85123A-w",
           *           "attr": {
           *             "colour": "white"
           *           },
           *           "qty": 12
           *         }
           *       ],
           *       "sale": {
           *         "enabled": true,
           *         "price": 1.95,
           *         "start": "2026-11-27T00:00:00.000Z",
           *         "end": "2026-11-30T00:00:00.000Z"
           *       },
           *       "enabled": true,
           *       "totalQty": 12,
           *       "ct": "2026-01-09T22:47:12.000Z",
           *       "lm": "2026-01-09T22:47:12.000Z"
           *     }
           */
          readonly "application/json": {
            readonly productID: string;
            readonly productName?: string;
            readonly variants?: readonly {
              readonly sku: string;
              readonly attr?: {
                readonly [key: string]: unknown;
              };
              readonly qty?: number;
            }[];
            readonly price?: number;
            readonly sale?: {
              readonly [key: string]: unknown;
            };
            readonly enabled: boolean;
            readonly totalQty: number;
            readonly ct: string;
            readonly lm: string;
          } & {
            readonly [key: string]: unknown;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly updateProduct: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly "Idempotency-Key"?: string;
      };
      readonly path: {
        readonly productID: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "price": "2.95",
         *       "sale": null,
         *       "inStock": false
         *     }
         */
        readonly "application/json": {
          readonly productID?: string;
          readonly productName?: string;
          readonly variants?:
            | readonly {
                readonly sku: string;
                readonly attr?: {
                  readonly [key: string]: unknown;
                } | null;
                readonly qty?: number | null;
              }[]
            | null;
          readonly productType?: ("physical" | "digital" | "subscription" | "event") | null;
          readonly price?: (number | string) | null;
          readonly sale?: {
            readonly enabled?: boolean | null;
            readonly price?: (number | string) | null;
            readonly start?: string | null;
            readonly end?: string | null;
          } | null;
          readonly UPCCode?: string | null;
          readonly category?: string | null;
          readonly description?: string | null;
          readonly manufacturerName?: string | null;
          readonly url?: string | null;
          readonly images?: readonly string[] | null;
          readonly tags?: readonly string[] | null;
          readonly inStock?: boolean | null;
          readonly taxable?: boolean | null;
          readonly enabled?: boolean | null;
          readonly properties?: {
            readonly [key: string]: unknown;
          } | null;
        };
      };
    };
    readonly responses: {
      /** @description It is as asked. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "success": true,
           *       "productID": "85123A"
           *     }
           */
          readonly "application/json": {
            /** @constant */
            readonly success: true;
            readonly productID: string;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly deleteProduct: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly "Idempotency-Key"?: string;
      };
      readonly path: {
        readonly productID: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description It is gone. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "success": true
           *     }
           */
          readonly "application/json": {
            /** @constant */
            readonly success: true;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly listIncludes: {
    readonly parameters: {
      readonly query?: {
        readonly after?: string;
        readonly page?: number;
        readonly per_page?: number;
        readonly cursor?: string;
        readonly sort_dir?: "asc" | "desc";
        readonly return_count?: "true" | "false";
        readonly fields?: string;
        readonly sort_by?: "createdAt" | "key";
        readonly key?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description A page of includes. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "key": "footer-2026",
           *           "content": "<p>Unsubscribe: {{ unsubscribe_link }}</p>",
           *           "name": "Footer",
           *           "tags": [
           *             "legal"
           *           ],
           *           "createdAt": "2026-01-09T22:47:12.000Z",
           *           "lastUpdate": "2026-01-09T22:47:12.000Z"
           *         }
           *       ],
           *       "pagination": {
           *         "per_page": 25,
           *         "page": 1,
           *         "next_cursor": null
           *       }
           *     }
           */
          readonly "application/json": {
            readonly data: readonly {
              readonly key?: string;
              readonly content?: string;
              readonly name?: string;
              readonly description?: string;
              readonly tags?: readonly string[];
              readonly createdAt?: string;
              readonly lastUpdate?: string;
            }[];
            readonly pagination: {
              readonly per_page: number;
              readonly page?: number;
              readonly total?: number;
              readonly last_page?: number;
              readonly next_cursor: string | null;
            };
            readonly asOf?: string;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly createInclude: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly "Idempotency-Key"?: string;
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "key": "footer-2026",
         *       "content": "<p>Unsubscribe: {{ unsubscribe_link }}</p>",
         *       "name": "Footer",
         *       "tags": [
         *         "legal"
         *       ]
         *     }
         */
        readonly "application/json": {
          readonly key: string;
          readonly content: string;
          readonly name?: string | null;
          readonly description?: string | null;
          readonly tags?: readonly string[] | null;
        };
      };
    };
    readonly responses: {
      /** @description It is there for messages. */
      readonly 201: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "success": true,
           *       "key": "footer-2026"
           *     }
           */
          readonly "application/json": {
            /** @constant */
            readonly success: true;
            readonly key: string;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly getInclude: {
    readonly parameters: {
      readonly query?: {
        readonly after?: string;
        readonly fields?: string;
      };
      readonly header?: never;
      readonly path: {
        readonly key: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The include. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "key": "footer-2026",
           *       "content": "<p>Unsubscribe: {{ unsubscribe_link }}</p>",
           *       "name": "Footer",
           *       "tags": [
           *         "legal"
           *       ],
           *       "createdAt": "2026-01-09T22:47:12.000Z",
           *       "lastUpdate": "2026-01-09T22:47:12.000Z"
           *     }
           */
          readonly "application/json": {
            readonly key?: string;
            readonly content?: string;
            readonly name?: string;
            readonly description?: string;
            readonly tags?: readonly string[];
            readonly createdAt?: string;
            readonly lastUpdate?: string;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly updateInclude: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly "Idempotency-Key"?: string;
      };
      readonly path: {
        readonly key: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "content": "<p>{{ unsubscribe_link }}</p>",
         *       "description": "Under every message."
         *     }
         */
        readonly "application/json": {
          readonly content?: string;
          readonly name?: string | null;
          readonly description?: string | null;
          readonly tags?: readonly string[] | null;
          readonly key?: string;
        };
      };
    };
    readonly responses: {
      /** @description It is as asked. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "success": true,
           *       "key": "footer-2026"
           *     }
           */
          readonly "application/json": {
            /** @constant */
            readonly success: true;
            readonly key: string;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly deleteInclude: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly "Idempotency-Key"?: string;
      };
      readonly path: {
        readonly key: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description It is gone. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "success": true
           *     }
           */
          readonly "application/json": {
            /** @constant */
            readonly success: true;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly listJobs: {
    readonly parameters: {
      readonly query?: {
        readonly after?: string;
        readonly page?: number;
        readonly per_page?: number;
        readonly cursor?: string;
        readonly sort_dir?: "asc" | "desc";
        readonly return_count?: "true" | "false";
        readonly fields?: string;
        readonly sort_by?: "id";
        readonly jobName?: string;
        readonly status?: "Scheduled" | "Pending" | "Processing" | "Throttled" | "Done" | "Failed" | "Canceled";
        readonly "times[start][gt]"?: string;
        readonly "times[start][gte]"?: string;
        readonly "times[start][lt]"?: string;
        readonly "times[start][lte]"?: string;
        readonly "times[end][gt]"?: string;
        readonly "times[end][gte]"?: string;
        readonly "times[end][lt]"?: string;
        readonly "times[end][lte]"?: string;
        readonly include?: "statistic";
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description A page of jobs. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "65f0c0ffee65f0c0ffee0001",
           *           "jobName": "ClearList",
           *           "status": "Done",
           *           "totalItems": 120,
           *           "completedItems": 120,
           *           "times": {
           *             "start": "2026-01-09T22:47:12.000Z",
           *             "end": "2026-01-09T22:47:13.000Z"
           *           },
           *           "result": {
           *             "totalRecords": 120,
           *             "inserted": 0,
           *             "updated": 120,
           *             "rejected": 0,
           *             "error": 0,
           *             "ignored": 0
           *           },
           *           "metadata": {
           *             "list": 1
           *           }
           *         }
           *       ],
           *       "pagination": {
           *         "per_page": 25,
           *         "page": 1,
           *         "next_cursor": null
           *       }
           *     }
           */
          readonly "application/json": {
            readonly data: readonly {
              readonly id?: string;
              readonly jobName?: string;
              /** @enum {string} */
              readonly status?: "Scheduled" | "Pending" | "Processing" | "Throttled" | "Done" | "Failed" | "Canceled";
              readonly totalItems?: number;
              readonly completedItems?: number;
              readonly times?: {
                readonly start: string | null;
                readonly end: string | null;
              };
              readonly result?: {
                readonly totalRecords: number;
                readonly inserted: number;
                readonly updated: number;
                readonly rejected: number;
                readonly error: number;
                readonly ignored: number;
              };
              readonly metadata?: {
                readonly [key: string]: unknown;
              };
              readonly statistic?: {
                readonly [key: string]: unknown;
              };
            }[];
            readonly pagination: {
              readonly per_page: number;
              readonly page?: number;
              readonly total?: number;
              readonly last_page?: number;
              readonly next_cursor: string | null;
            };
            readonly asOf?: string;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly getJob: {
    readonly parameters: {
      readonly query?: {
        readonly after?: string;
        readonly include?: "statistic";
      };
      readonly header?: never;
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The job. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "65f0c0ffee65f0c0ffee0001",
           *       "jobName": "ClearList",
           *       "status": "Done",
           *       "totalItems": 120,
           *       "completedItems": 120,
           *       "times": {
           *         "start": "2026-01-09T22:47:12.000Z",
           *         "end": "2026-01-09T22:47:13.000Z"
           *       },
           *       "result": {
           *         "totalRecords": 120,
           *         "inserted": 0,
           *         "updated": 120,
           *         "rejected": 0,
           *         "error": 0,
           *         "ignored": 0
           *       },
           *       "metadata": {
           *         "list": 1
           *       }
           *     }
           */
          readonly "application/json": {
            readonly id: string;
            readonly jobName: string;
            /** @enum {string} */
            readonly status: "Scheduled" | "Pending" | "Processing" | "Throttled" | "Done" | "Failed" | "Canceled";
            readonly totalItems: number;
            readonly completedItems: number;
            readonly times: {
              readonly start: string | null;
              readonly end: string | null;
            };
            readonly result: {
              readonly totalRecords: number;
              readonly inserted: number;
              readonly updated: number;
              readonly rejected: number;
              readonly error: number;
              readonly ignored: number;
            };
            readonly metadata: {
              readonly [key: string]: unknown;
            };
            readonly statistic?: {
              readonly [key: string]: unknown;
            };
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly listJobrejections: {
    readonly parameters: {
      readonly query?: {
        readonly after?: string;
        readonly page?: number;
        readonly per_page?: number;
        readonly cursor?: string;
        readonly sort_dir?: "asc";
        readonly return_count?: "true" | "false";
        readonly fields?: string;
        readonly sort_by?: "index";
      };
      readonly header?: never;
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description A page of refused rows. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "index": 3,
           *           "code": "VALIDATION_ERROR",
           *           "message": "It is no address.",
           *           "path": "/email",
           *           "record": {
           *             "email": ""
           *           }
           *         }
           *       ],
           *       "pagination": {
           *         "per_page": 25,
           *         "page": 1,
           *         "next_cursor": null
           *       }
           *     }
           */
          readonly "application/json": {
            readonly data: readonly {
              readonly index?: number;
              readonly code?: string;
              readonly message?: string;
              readonly path?: string;
              readonly record?: unknown;
            }[];
            readonly pagination: {
              readonly per_page: number;
              readonly page?: number;
              readonly total?: number;
              readonly last_page?: number;
              readonly next_cursor: string | null;
            };
            readonly asOf?: string;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly cancelJob: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly "Idempotency-Key"?: string;
      };
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The job is cancelled. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "success": true,
           *       "id": "65f0c0ffee65f0c0ffee0001",
           *       "status": "Canceled"
           *     }
           */
          readonly "application/json": {
            /** @constant */
            readonly success: true;
            readonly id: string;
            /** @enum {string} */
            readonly status: "Scheduled" | "Pending" | "Processing" | "Throttled" | "Done" | "Failed" | "Canceled";
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly getFile: {
    readonly parameters: {
      readonly query: {
        readonly expires: number;
        readonly signature: string;
      };
      readonly header?: never;
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The whole file. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The range that was asked for. */
      readonly 206: {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly listApikeys: {
    readonly parameters: {
      readonly query?: {
        readonly after?: string;
        readonly page?: number;
        readonly per_page?: number;
        readonly cursor?: string;
        readonly sort_dir?: "asc" | "desc";
        readonly return_count?: "true" | "false";
        readonly fields?: string;
        readonly sort_by?: "ct";
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description A page of keys. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "data": [
           *         {
           *           "id": "65f0c0ffee65f0c0ffee0001",
           *           "name": "shop backend",
           *           "prefix": "hw_Vb1pc",
           *           "scopes": [
           *             "intake"
           *           ],
           *           "allowIPs": [
           *             "203.0.113.0/24"
           *           ],
           *           "ct": "2026-01-09T22:47:12.000Z",
           *           "lastUsedAt": "2026-01-10T08:00:00.000Z"
           *         }
           *       ],
           *       "pagination": {
           *         "per_page": 25,
           *         "page": 1,
           *         "next_cursor": null
           *       }
           *     }
           */
          readonly "application/json": {
            readonly data: readonly {
              readonly id?: string;
              readonly name?: string;
              readonly prefix?: string;
              readonly scopes?: readonly string[];
              readonly allowIPs?: readonly string[];
              readonly rotates?: string;
              readonly expiresAt?: string;
              readonly ct?: string;
              readonly lastUsedAt?: string;
            }[];
            readonly pagination: {
              readonly per_page: number;
              readonly page?: number;
              readonly total?: number;
              readonly last_page?: number;
              readonly next_cursor: string | null;
            };
            readonly asOf?: string;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly createApikey: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly "Idempotency-Key"?: string;
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "name": "shop backend",
         *       "scopes": [
         *         "intake"
         *       ],
         *       "allowIPs": [
         *         "203.0.113.0/24"
         *       ]
         *     }
         */
        readonly "application/json": {
          readonly name?: string;
          readonly scopes?: readonly string[];
          readonly expiresAt?: string;
          readonly allowIPs?: readonly string[];
          readonly rotates?: string;
          readonly graceHours?: number;
        };
      };
    };
    readonly responses: {
      /** @description The key, with its value. */
      readonly 201: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "65f0c0ffee65f0c0ffee0001",
           *       "name": "shop backend",
           *       "prefix": "hw_Vb1pc",
           *       "scopes": [
           *         "intake"
           *       ],
           *       "allowIPs": [
           *         "203.0.113.0/24"
           *       ],
           *       "ct": "2026-01-09T22:47:12.000Z",
           *       "lastUsedAt": "2026-01-10T08:00:00.000Z",
           *       "key": "hw_Vb1pcX…"
           *     }
           */
          readonly "application/json": {
            readonly id: string;
            readonly name: string;
            readonly prefix: string;
            readonly scopes: readonly string[];
            readonly allowIPs?: readonly string[];
            readonly rotates?: string;
            readonly expiresAt?: string;
            readonly ct: string;
            readonly lastUsedAt?: string;
            readonly key: string;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly deleteApikey: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        readonly "Idempotency-Key"?: string;
      };
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description It is refused from now on. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "success": true
           *     }
           */
          readonly "application/json": {
            /** @constant */
            readonly success: true;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly listDeadletters: {
    readonly parameters: {
      readonly query?: {
        readonly after?: string;
        readonly page?: number;
        readonly per_page?: number;
        readonly cursor?: string;
        readonly sort_dir?: "asc" | "desc";
        readonly return_count?: "true" | "false";
        readonly fields?: string;
        readonly sort_by?: "rejectedAt";
        readonly operation?: string;
        readonly code?: string;
        readonly from?: string;
        readonly to?: string;
        readonly status?: "open" | "parked" | "redriven" | "discarded" | "any";
        readonly group?: "code";
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description A page of rejected records, or all causes. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": {
            readonly data: readonly (
              | {
                  readonly id?: string;
                  readonly operation?: string;
                  readonly code?: string;
                  readonly message?: string;
                  readonly path?: string;
                  readonly payload?: unknown;
                  readonly requestId?: string;
                  readonly receivedAt?: string;
                  readonly rejectedAt?: string;
                  /** @enum {string} */
                  readonly status?: "open" | "parked" | "redriven" | "discarded";
                  readonly origin?: {
                    readonly topic: string;
                    readonly partition: number;
                    readonly offset: number;
                    readonly place: number;
                    readonly redriveOf?: string;
                  };
                  readonly jobId?: string;
                  readonly history?: readonly {
                    readonly at: string;
                    /** @enum {string} */
                    readonly what: "rejected" | "parked" | "redriven" | "refused" | "applied" | "skipped" | "discarded";
                    readonly by: string;
                    readonly code?: string;
                    readonly reason?: string;
                    readonly jobId?: string;
                  }[];
                }
              | {
                  readonly code: string;
                  readonly operation: string;
                  readonly count: number;
                  readonly first: string;
                  readonly last: string;
                  readonly sampleId: string;
                }
            )[];
            readonly pagination: {
              readonly per_page: number;
              readonly page?: number;
              readonly total?: number;
              readonly last_page?: number;
              readonly next_cursor: string | null;
            };
            readonly asOf?: string;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly getDeadletter: {
    readonly parameters: {
      readonly query?: {
        readonly after?: string;
      };
      readonly header?: never;
      readonly path: {
        readonly id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description The record. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "id": "VbZsDdSkFIHQqU5ESHo7:3:0",
           *       "operation": "createContactactivities",
           *       "code": "CONTACTS_CONTACT_NOT_FOUND",
           *       "message": "No contact has one of these identifiers, and the record may not create one.",
           *       "path": "/contact/identifiers",
           *       "payload": {
           *         "contact": {
           *           "identifiers": {
           *             "email": "ann@example.com"
           *           }
           *         },
           *         "contactactivities": [
           *           {
           *             "name": "browse",
           *             "time": "2026-01-09T22:47:12Z"
           *           }
           *         ]
           *       },
           *       "requestId": "VbZsDdSkFIHQqU5ESHo7",
           *       "receivedAt": "2026-01-09T22:47:12.000Z",
           *       "rejectedAt": "2026-01-09T22:48:18.000Z",
           *       "status": "open",
           *       "origin": {
           *         "topic": "intake.records",
           *         "partition": 3,
           *         "offset": 4711,
           *         "place": 3
           *       },
           *       "history": [
           *         {
           *           "at": "2026-01-09T22:47:13.000Z",
           *           "what": "parked",
           *           "by": "headwater",
           *           "code": "CONTACTS_CONTACT_NOT_FOUND"
           *         },
           *         {
           *           "at": "2026-01-09T22:48:18.000Z",
           *           "what": "rejected",
           *           "by": "headwater",
           *           "code": "CONTACTS_CONTACT_NOT_FOUND"
           *         }
           *       ]
           *     }
           */
          readonly "application/json": {
            readonly id: string;
            readonly operation: string;
            readonly code: string;
            readonly message: string;
            readonly path: string;
            readonly payload: unknown;
            readonly requestId: string;
            readonly receivedAt: string;
            readonly rejectedAt: string;
            /** @enum {string} */
            readonly status: "open" | "parked" | "redriven" | "discarded";
            readonly origin: {
              readonly topic: string;
              readonly partition: number;
              readonly offset: number;
              readonly place: number;
              readonly redriveOf?: string;
            };
            readonly jobId?: string;
            readonly history: readonly {
              readonly at: string;
              /** @enum {string} */
              readonly what: "rejected" | "parked" | "redriven" | "refused" | "applied" | "skipped" | "discarded";
              readonly by: string;
              readonly code?: string;
              readonly reason?: string;
              readonly jobId?: string;
            }[];
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly redriveDeadletters: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "select": {
         *         "operation": "upsertOrder",
         *         "code": "VALIDATION_ERROR",
         *         "from": "2026-01-09T00:00:00Z"
         *       },
         *       "patch": [
         *         {
         *           "op": "replace",
         *           "path": "/order/currency",
         *           "value": "EUR"
         *         }
         *       ]
         *     }
         */
        readonly "application/json": {
          readonly select: {
            readonly ids?: readonly string[];
            readonly operation?: string;
            readonly code?: string;
            readonly from?: string;
            readonly to?: string;
          };
          readonly patch?: readonly (
            | {
                /** @constant */
                readonly op: "add";
                readonly path: string;
                readonly value: unknown;
              }
            | {
                /** @constant */
                readonly op: "remove";
                readonly path: string;
              }
            | {
                /** @constant */
                readonly op: "replace";
                readonly path: string;
                readonly value: unknown;
              }
            | {
                /** @constant */
                readonly op: "move";
                readonly path: string;
                readonly from: string;
              }
            | {
                /** @constant */
                readonly op: "copy";
                readonly path: string;
                readonly from: string;
              }
            | {
                /** @constant */
                readonly op: "test";
                readonly path: string;
                readonly value: unknown;
              }
          )[];
          readonly dryRun?: boolean;
        };
      };
    };
    readonly responses: {
      /** @description With `dryRun`: what the door would say. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": {
            readonly wouldPass: number;
            readonly wouldFail: readonly {
              readonly id: string;
              readonly code: string;
              readonly message: string;
            }[];
            readonly selected: number;
            readonly judged: number;
          };
        };
      };
      /** @description The job that writes them. */
      readonly 202: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": {
            readonly jobId: string;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
  readonly discardDeadletters: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        /**
         * @example {
         *       "select": {
         *         "ids": [
         *           "VbZsDdSkFIHQqU5ESHo7:3:0"
         *         ]
         *       },
         *       "reason": "sent by a test, not meant for this account"
         *     }
         */
        readonly "application/json": {
          readonly select: {
            readonly ids?: readonly string[];
            readonly operation?: string;
            readonly code?: string;
            readonly from?: string;
            readonly to?: string;
          };
          readonly reason: string;
        };
      };
    };
    readonly responses: {
      /** @description How many were closed. */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "discarded": 1
           *     }
           */
          readonly "application/json": {
            readonly discarded: number;
          };
        };
      };
      /** @description A refusal */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly "application/json": components["schemas"]["Error"];
        };
      };
    };
  };
}
