// Generated from the service's OpenAPI document by `npm run generate -w @headwater/api-client`.
export interface paths {
    "/v2/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Checks that the service is up. An API key, if sent, is verified.
         * @description `after` needs the key of the account whose receipt it is.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/receipts/{receipt}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the outcomes of accepted records, waiting up to `wait` seconds for the last one. */
        get: operations["getReceipt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/accounting": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the outcomes of all accepted records, by hour and operation.
         * @description `accepted` is counted from the log, the other numbers where the outcomes are stored. `balanced` is false when the sums of a row differ: a record was lost or processed twice.
         */
        get: operations["getAccounting"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/freshness": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the lag of each consumer group, both stores and the account, in records and seconds.
         * @description `account.pending` counts the account's own records that have no end yet, parked ones included; `account.seconds` is the greatest lag of the partitions that hold them.
         */
        get: operations["getFreshness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/audiencecount": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Counts the contacts that match a criteria object. */
        post: operations["countAudience"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/audiences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists saved audiences in order of creation.
         * @description A page holds at most 4 MiB of criteria; a larger page ends early and continues at `next_cursor`. Without criteria (`fields=key,name`) pages are always full.
         */
        get: operations["listAudiences"];
        put?: never;
        /**
         * Saves an audience. Its key is unique within the account and cannot be changed.
         * @description Lists are kept by id: a rename changes nothing. Invalid criteria are a 422 INVALID_AUDIENCE_RULES.
         */
        post: operations["createAudience"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/audiences/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns a saved audience by its key or id.
         * @description `problems` names what its criteria refer to that was deleted since: until it is mended, a count is a 422.
         */
        get: operations["getAudience"];
        /** Updates a saved audience by its key or id. Absent members stay unchanged, criteria are given as a whole. */
        put: operations["updateAudience"];
        post?: never;
        /**
         * Deletes an unused saved audience by its key or id.
         * @description An audience in use is a 422 AUDIENCE_IN_USE, and `details` names the audiences, messages and orchestrations.
         */
        delete: operations["deleteAudience"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the account's settings. Secrets show only their last four characters. */
        get: operations["getAccount"];
        /**
         * Updates the account's settings. Every process applies them within five seconds.
         * @description Absent members stay unchanged, null restores the default, objects are merged, arrays are replaced. Only an operator can change `accountId` and `limits`. Once the account has contacts, `identifiers` can only be appended to: no name can be removed, moved or given another format. A secret may be sent back as it was read, `{set, last4}`; it stays unchanged. `storage` holds saved storages by the `savedKey` that exports and imports name; an entry with another `type` replaces the stored one. `messaging.linkParameters` holds up to 50 query parameters by name, each a Liquid text, that tracked links get unless they have them. `messaging.preferenceLists` names up to 20 lists that the unsubscribe page offers.
         */
        put: operations["updateAccount"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists contacts in order of creation.
         * @description With `attributes[key]`, `list`, `audience-key`, `lastModified[…]` or `return_count`, the response comes from ClickHouse and carries `asOf`; otherwise it reflects the current state. All filters must match. A page holds at most 4 MiB of stored records; a larger page ends early and continues at `next_cursor`, and asked for by `page` it is refused with 422 `use_cursor`. So does a page whose contacts are on more than 20,000 lists together.
         */
        get: operations["listContacts"];
        put?: never;
        /**
         * Creates a contact, or updates the one that its keys match.
         * @description A contact is matched by its primary keys, then by the keys of `identifyBy`. Absent members stay unchanged, `null` removes a member, `{add, remove}` edits an array. The write is all or nothing: an address of another contact is a 422 `MERGE_CONFLICT` unless `mergeOptions` allows a merge.
         */
        post: operations["createContact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/contacts/{primary_key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns a contact by its cID, a primary identifier value or `name:value`. */
        get: operations["getContact"];
        /**
         * Updates a contact.
         * @description Absent members stay unchanged, `null` removes a member, `{add, remove}` edits an array. The write is all or nothing.
         */
        put: operations["updateContact"];
        post?: never;
        /**
         * Erases a contact and all of its data.
         * @description Reads no longer return the contact; with the receipt of the header `Headwater-Receipt` as `after`, neither do counts and searches. The job removes its data from rejected records, stored responses, files, activities and history. Late or replayed records never resurrect an erased contact; newer ones create a new contact. Kafka deletes its records by retention, within 7 days.
         */
        delete: operations["deleteContact"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/contacts/{primary_key}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the changes of a contact with their time and source record, newest first.
         * @description `by.id` of a `record` is its position in the log, `topic/partition/offset/index`: the history does not store record ids. `redrive` names the record that was first rejected or parked, `merge` and `split` the record that requested it. Of a merge the changes are what it overwrote of this contact, and `contacts.<cID>` is what the other one was. Members the record itself wrote stand beside them. Values of an attribute whose definition was deleted are left out.
         */
        get: operations["listContacthistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/contacts/merge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Starts a job that merges one contact into another.
         * @description The destination survives; from then on both cIDs and all identifiers match it. `options` selects, per group, which contact wins where both have a value; values that only one has are kept. An unsubscribe of either contact is kept in any case. Ignored orders or events stay with a separate contact that no identifier matches. The job's `metadata.done` lists what was merged.
         */
        post: operations["mergeContacts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/contacts/split": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Splits channels of a contact off into a contact of their own, undoing the merge that brought them.
         * @description If a contact that was merged into this one had an address of every named channel, the latest such merge is undone: that contact is restored under its own cID with its identifiers, lists, orders and activities; this one gets back the values that the merge overwrote and keeps later writes. Otherwise the channels become a new contact. The header `Headwater-Receipt` can be passed to reads as `after`.
         */
        post: operations["splitContact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/contacts/{primary_key}/unsubscribe/{channel}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Unsubscribes a contact from a channel. Idempotent.
         * @description The message that `mcID` names gets an `optout` activity with the channel; the receipt completes with that activity.
         */
        put: operations["unsubscribeContact"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/contacts/{primary_key}/downloadprofile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Starts a job that exports all data of a contact to a file.
         * @description The file contains the contact's members and identifiers, lists, orders, cart, supplement records, merges, activities and change history; `exportType` is `jsonl` (one entry per line) or `json`. The job waits until ClickHouse has caught up with the state at its start. Its `metadata.files` holds the size, checksum, counts, completeness, and a link that is valid for 24 hours. With a `destination` outside (`s3`, `sftp`, `azureblob`) the file is written there instead.
         */
        post: operations["downloadContactprofile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/contacts/{primary_key}/cart": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the cart of a contact, without items when it is empty or has expired. */
        get: operations["getCart"];
        /** Updates members of the cart. Absent members stay unchanged, null removes one, `cartitems` replaces all lines. */
        put: operations["updateCart"];
        /** Replaces the cart of a contact. */
        post: operations["setCart"];
        /** Empties the cart. */
        delete: operations["clearCart"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/contacts/{primary_key}/cartitems": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Adds a product to the cart. Quantities of the same line add up; its other members are overwritten. */
        post: operations["addCartitem"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/contacts/{primary_key}/cartitems/{productID}/{qty}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Removes a quantity of a product from the cart.
         * @description Without `sku`, the quantity is taken from the product's lines in order of `sku`. A line that drops below 1 is removed; removing more than the cart holds is not an error.
         */
        delete: operations["removeCartitem"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/contacts/{primary_key}/cartitems/{productID}/{qty}/{sku}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Removes a quantity of a line from the cart.
         * @description Without `sku`, the quantity is taken from the product's lines in order of `sku`. A line that drops below 1 is removed; removing more than the cart holds is not an error.
         */
        delete: operations["removeCartitemOfSku"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/contactactivities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists activities, filtered by contact, action, message and time.
         * @description A page holds at most 4 MiB of stored records; a larger page ends early and continues at `next_cursor`, and asked for by `page` it is refused with 422 `use_cursor`.
         */
        get: operations["listContactactivities"];
        put?: never;
        /**
         * Records an activity of a contact. Webhooks of other systems may call it.
         * @description A 201 confirms that the activity is in the log. It is applied asynchronously, as intake activities are: the receipt in the header `Headwater-Receipt` tracks it and can be passed to reads as `after`. An activity of an unknown contact is parked for a minute and then rejected.
         */
        post: operations["createContactactivity"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/accountlists": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists contact lists.
         * @description Counts of members are shown where `fields` names `count`, of up to 25 lists of a page.
         */
        get: operations["listAccountlists"];
        put?: never;
        /** Creates a list. */
        post: operations["createAccountlist"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/accountlists/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns a list. */
        get: operations["getAccountlist"];
        /** Renames a list, or shows or hides its join dates. */
        put: operations["updateAccountlist"];
        post?: never;
        /** Deletes a list. Its contacts are kept. */
        delete: operations["deleteAccountlist"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/accountlists/{id}/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Counts the contacts on a list. */
        get: operations["countAccountlist"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/accountlists/{id}/clear": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Removes all contacts from a list. The contacts are kept.
         * @description The list is empty when the response arrives. The job removes the stored memberships.
         */
        put: operations["clearAccountlist"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/accountcontactattributes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the definitions of contact attributes, ordered by key or by name. */
        get: operations["listAttributes"];
        put?: never;
        /**
         * Defines an attribute, including one that a write created implicitly.
         * @description From then on values are validated and read as this type, at `/api` and here. `notCast` counts the contacts whose value cannot be cast; it reads as missing.
         */
        post: operations["createAttribute"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/accountcontactattributes/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns a definition. */
        get: operations["getAttribute"];
        /** Updates a definition. A definition of type `auto` can be given a type. */
        put: operations["updateAttribute"];
        post?: never;
        /**
         * Deletes an attribute: its definition and the values of all contacts.
         * @description When the response arrives, no read returns the values any more. The job removes the stored data. A later write of the same key starts over. Audiences as of an earlier moment still use the values.
         */
        delete: operations["deleteAttribute"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/accountcontactattributes/{key}/values": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the most frequent values of an attribute and the number of contacts without a value. */
        get: operations["listAttributevalues"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists orders, filtered by contact and time of purchase.
         * @description A page holds at most 4 MiB of stored records; a larger page ends early and continues at `next_cursor`, and asked for by `page` it is refused with 422 `use_cursor`.
         */
        get: operations["listOrders"];
        put?: never;
        /**
         * Creates an order of a contact.
         * @description The contact is identified by `cID`, `email`, another identifier of the account, or `identifiers`. Items create and update the products they name asynchronously. A given total is kept; otherwise it is computed when every item has a price.
         */
        post: operations["createOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/orders/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns an order by its orderID. */
        get: operations["getOrder"];
        /**
         * Updates an order. Absent members stay unchanged, null removes a member, `items` replaces all items.
         * @description With `cID`, `email`, another identifier of the account, or `identifiers` the order moves to that contact.
         */
        put: operations["updateOrder"];
        post?: never;
        /** Deletes an order. Late or replayed records never resurrect it; a newer record or POST creates it again. */
        delete: operations["deleteOrder"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/supplements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists supplement tables, ordered by key or by name. */
        get: operations["listSupplements"];
        put?: never;
        /**
         * Creates a table for records of any kind.
         * @description Indexed fields have a type; records can be filtered and sorted by them. With `contactObject` each record carries the `email` or `cID` of its contact; with `autogenerateIDs` the table generates record ids.
         */
        post: operations["createSupplement"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/supplements/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns a supplement table.
         * @description `lastDataUpdate` has a precision of one second.
         */
        get: operations["getSupplement"];
        /**
         * Updates the name and the indexes of a table.
         * @description `key` cannot be changed. `indexes` is the full list: indexes that are not named are dropped. A new index is ready at once on a small table; on a large one it is built in the background, `state` shows the progress, and filters on it get a 409 meanwhile.
         */
        put: operations["updateSupplement"];
        post?: never;
        /**
         * Deletes a table and its records.
         * @description Intake records for this table are rejected from now on. The key can be reused.
         */
        delete: operations["deleteSupplement"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/supplements/{key}/clear": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Removes all records of a table.
         * @description The table is empty when the response arrives: records accepted earlier never reappear, even when they are applied later. The job removes the stored data.
         */
        put: operations["clearSupplement"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/supplements/{key}/records": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the records of a table, filtered by indexed fields.
         * @description `field=v` and `field[gt|gte|lt|lte|eq]=v` filter by an indexed field: numbers as numbers, dates as times, strings by their bytes, of an array whether it holds the value, of a geo value its members (`home.city=Rome`, `home.loc.lat[gt]=41`). `sort_by` is `id` or an indexed string, number or date; without it records are in the order of the first range that filters them, else of ids. Records without the field come last. Where filters leave out many records a page may hold fewer than `per_page`: `next_cursor` is null at the end alone. A page holds at most 4 MiB of stored records; a larger page ends early and continues at `next_cursor`, and asked for by `page` it is refused with 422 `use_cursor`.
         */
        get: operations["listSupplementrecords"];
        put?: never;
        /**
         * Creates a record in a table.
         * @description Fields are free-form; indexed fields must have the type of their index. The header `Headwater-Receipt` can be passed to reads as `after`.
         */
        post: operations["createSupplementrecord"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/supplements/{key}/records/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns a record of a table.
         * @description A record of a contact object carries the `cID` of its current contact.
         */
        get: operations["getSupplementrecord"];
        /**
         * Updates fields of a record.
         * @description Absent fields stay unchanged, `null` removes a field. `id` cannot be changed.
         */
        put: operations["updateSupplementrecord"];
        post?: never;
        /**
         * Deletes a record.
         * @description Late or replayed intake records never resurrect it.
         */
        delete: operations["deleteSupplementrecord"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists products in order of creation.
         * @description A page holds at most 4 MiB of stored records; a larger page ends early and continues at `next_cursor`, and asked for by `page` it is refused with 422 `use_cursor`.
         */
        get: operations["listProducts"];
        put?: never;
        /**
         * Creates or updates one product or an array of up to 500, all or nothing.
         * @description Absent members stay unchanged, null removes a member. Values written here take precedence over those from orders and carts, regardless of their times.
         */
        post: operations["createProducts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/products/{productID}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns a product by its id. */
        get: operations["getProduct"];
        /** Updates a product. Absent members stay unchanged, null removes a member. */
        put: operations["updateProduct"];
        post?: never;
        /** Deletes a product. Orders keep their items; an order written later creates it again. */
        delete: operations["deleteProduct"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/includes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists includes in order of creation.
         * @description A page holds at most 16 MiB of content; a larger page ends early and continues at `next_cursor`. Without content (`fields=key,name`) pages are always full.
         */
        get: operations["listIncludes"];
        put?: never;
        /** Creates an include. Its key is unique within the account and cannot be changed. */
        post: operations["createInclude"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/includes/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns an include by its key. */
        get: operations["getInclude"];
        /** Updates an include. Absent members stay unchanged, null removes a member. */
        put: operations["updateInclude"];
        post?: never;
        /**
         * Deletes an unused include.
         * @description An include in use is a 422 INCLUDE_IN_USE, and `details` names the messages, templates and includes.
         */
        delete: operations["deleteInclude"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/transports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists transports in order of creation. */
        get: operations["listTransports"];
        put?: never;
        /**
         * Creates a transport: a way out for the messages of a channel.
         * @description A taken name is a 422 KEY_MUST_BE_UNIQUE. A default transport takes the place of the channel's former default.
         */
        post: operations["createTransport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/transports/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns a transport by its id. */
        get: operations["getTransport"];
        /**
         * Updates a transport. Absent members stay unchanged.
         * @description `settings` go into those that are stored: `null` removes one, a secret written back as `{set, last4}` stays. `channel` and `type` cannot be changed.
         */
        put: operations["updateTransport"];
        post?: never;
        /**
         * Deletes an unused transport, with its secrets.
         * @description A transport in use is a 422 TRANSPORT_IN_USE, and `details` names the messages and templates.
         */
        delete: operations["deleteTransport"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/transports/{id}/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Checks whether a transport can send. Sends nothing.
         * @description Connects, encrypts and signs in as a send would, and compares DKIM keys, SPF and the alignment of DMARC with DNS. `ok` is true when every check is. Several domains or keys have a check each.
         */
        put: operations["checkTransport"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/automationtemplates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists templates in order of creation.
         * @description A page holds at most 16 MiB of contents; a larger page ends early and continues at `next_cursor`. Without contents (`fields=key,name`) pages are always full. `stats` are left out while ClickHouse is away.
         */
        get: operations["listTemplates"];
        put?: never;
        /**
         * Creates a template of an automated message, and publishes its content.
         * @description A taken key is a 422 KEY_MUST_BE_UNIQUE. Every mistake of the content is reported with `line` and `column`. `draftContent: true` keeps it as a draft.
         */
        post: operations["createTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/automationtemplates/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns a template by its key. */
        get: operations["getTemplate"];
        /**
         * Updates a template and publishes its content, or keeps it as a newer draft.
         * @description `message` is needed and replaces the former one; other absent members stay. Every mistake is reported with `line` and `column`. `key` and `channel` cannot be changed.
         */
        put: operations["updateTemplate"];
        post?: never;
        /** Deletes a template. The numbers of its sends stay. */
        delete: operations["deleteTemplate"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/automationtemplates/{key}/experimentperformance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the numbers of a template's published experiment by variant.
         * @description Sends of all days and hours since the experiment began are counted; `totalAudience` is their number. Opens and clicks of machines are left out. A variant that nobody got yet has zeros.
         */
        get: operations["getTemplateexperiment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/automationtemplates/{key}/publish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Publishes the draft of a template. Without a newer draft nothing changes. */
        put: operations["publishTemplate"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/automationtemplates/{key}/renderdraft/{contactID}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Renders the draft of a template for a contact, without one the published content.
         * @description The key needs `contacts:read` as well: the answer shows values of the contact. A content that cannot be rendered for the contact is a 422 VALIDATION_ERROR with the detail `render_failed`. `links` of a preview lead to no contact.
         */
        get: operations["renderTemplatedraft"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/automationtemplates/{key}/renderpublished/{contactID}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Renders the published content of a template for a contact.
         * @description The key needs `contacts:read` as well: the answer shows values of the contact. A content that cannot be rendered for the contact is a 422 VALIDATION_ERROR with the detail `render_failed`. `links` of a preview lead to no contact.
         */
        get: operations["renderTemplate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/automationtemplates/{key}/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sends the published content of a template to up to 100 recipients.
         * @description `accepted: true` means that the message is stored to be sent, before the answer. Unknown addresses create contacts without a subscription: transactional messages go out to them, promotional ones do not (`not-subscribed`). Members of a recipient that are no identifiers are written as attributes; the header `Headwater-Receipt` can be passed to reads as `after`. A template whose `triggers.api.enabled` is false refuses with 422.
         */
        post: operations["sendTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/automationtemplates/{key}/sends": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists who got a template's messages, who did not, and why. Tests are left out. */
        get: operations["listTemplatesends"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/automationtemplates/{key}/senddraft": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sends the draft of a template as a test, without one the published content, to up to 20 recipients.
         * @description A test leaves no activities and counts nowhere; suppressions hold. Nothing is written of the recipients, and an unknown address gets the message of an empty contact.
         */
        post: operations["sendTemplatedraft"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/suppressions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists suppressed addresses and domains, the newest first. */
        get: operations["listSuppressions"];
        put?: never;
        /**
         * Suppresses an address or a domain: it gets no message.
         * @description `manual` and `hard-bounce` hold for all messages, `complaint` and `erased-unsubscribed` for promotional ones. A suppression survives the erasure of its contact and a new import. One that stands already is answered with its id.
         */
        post: operations["createSuppression"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/suppressions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Lifts a suppression. */
        delete: operations["deleteSuppression"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/batchmessages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists batch messages, and days and hours of templates that were sent, in order of creation.
         * @description A page holds at most 16 MiB of contents; a larger page ends early and continues at `next_cursor`. Without contents (`fields=id,name,status`) pages are always full. `delivery` is shown where `fields` names it; `stats` are left out of messages that have begun while ClickHouse is away.
         */
        get: operations["listBatchmessages"];
        put?: never;
        /**
         * Creates a draft of a batch message.
         * @description Mistakes of the content are reported with `line` and `column`, those of the audience as `INVALID_AUDIENCE_RULES`. Nothing is sent before `/send`.
         */
        post: operations["createBatchmessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/batchmessages/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns a batch message, or a day or an hour of a template. */
        get: operations["getBatchmessage"];
        /**
         * Updates a draft of a batch message.
         * @description Absent members stay; `null` removes one, or gives it its usual value. `message` and `tests` are replaced as a whole. `audience` takes the place of `audience-key`, and the other way round.
         */
        put: operations["updateBatchmessage"];
        post?: never;
        /** Deletes a batch message that is a draft or scheduled. */
        delete: operations["deleteBatchmessage"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/batchmessages/{id}/experimentperformance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the numbers of a batch message's experiment by variant.
         * @description Opens and clicks of machines are left out. A variant that nobody got yet has zeros.
         */
        get: operations["getExperimentperformance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/batchmessages/{id}/renderedwip/{contactID}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Renders a batch message, or a variant of it, for a contact.
         * @description The key needs `contacts:read` as well: the answer shows values of the contact. A content that cannot be rendered for the contact is a 422 VALIDATION_ERROR with the detail `render_failed`. `links` of a preview lead to no contact.
         */
        get: operations["renderBatchmessage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/batchmessages/{id}/sends": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists who got a batch message, who did not, and why.
         * @description A contact has a row once its turn has come; those that are still to come are counted as `pending` in the message's `delivery`.
         */
        get: operations["listBatchmessagesends"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/batchmessages/{id}/sends/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Starts a job that tries sends that have failed, are unknown or deferred again.
         * @description The message stays `sent`. Each send is tried again at most once a call, by the same decisions as at first: who has unsubscribed, is suppressed or was erased meanwhile is skipped. An `unknown` send may have arrived; its contact then gets the message twice, under the same `Message-ID`. Canceling the job gives sends that were not begun their former state. Days and hours of templates are a 409: what a call said to its sends is deleted once all of them have ended. Send from the template again.
         */
        post: operations["retryBatchmessagesends"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/batchmessages/{id}/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Sends a draft at once, or at its schedule.
         * @description The content is rendered for a contact of the audience first, and a promotional email must hold the link `links.unsubscribe`. An empty audience is a 422 unless `allowEmpty` is set. A message that is scheduled, pending or processing already stays so.
         */
        put: operations["sendBatchmessage"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/batchmessages/{id}/sendtest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Sends a batch message as a test to up to 20 recipients.
         * @description The body names recipients by an identifier: `{email: ["grace@example.com"]}`. A test leaves no activities and counts nowhere; suppressions hold. Nothing is written of the recipients, and an unknown address gets the message of an empty contact. A message that has begun is sent as it was frozen.
         */
        put: operations["sendTestBatchmessage"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/batchmessages/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Pauses a message. Nothing that was not begun is sent before it goes on.
         * @description A message in the wanted state stays as it is.
         */
        put: operations["pauseBatchmessage"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/batchmessages/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Lets a paused message go on. Its audience is taken anew, and nobody gets it twice.
         * @description A message in the wanted state stays as it is.
         */
        put: operations["resumeBatchmessage"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/batchmessages/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Cancels a message and its job. What was sent stays sent.
         * @description A message in the wanted state stays as it is.
         */
        put: operations["cancelBatchmessage"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/batchmessages/{id}/unschedule": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Makes a scheduled message a draft again.
         * @description A message in the wanted state stays as it is.
         */
        put: operations["unscheduleBatchmessage"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/contactexports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Starts a job that exports contacts to files.
         * @description A column for each of `fields` and `lists`, a row for each contact of the audience or criteria, in order of their creation. The files hold everything that was acknowledged before this call. The job's `metadata` has `files` with links, `manifest` and `watermark`, whose token a later export takes as `since`.
         */
        post: operations["createContactexport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/contactactivityexport": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Starts a job that exports activities to files.
         * @description A row for each activity of the timeframe, or since a watermark. An increment from one export's watermark to the next holds exactly what was first seen between them: none twice, none missing. `cID` and `email` are those of the contact the activity belongs to now.
         */
        post: operations["createActivityexport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/audiencetrendsexport": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Starts a job that exports how many contacts audiences had over time.
         * @description A row for each audience, segment and stretch of time between two moments, also for criteria written today: `count` is what a count with `asOf` of its `to` answers, `entered` and `left` are the contacts that were in at one end of it only. The job's `metadata.data` holds the rows when there are at most 1,000.
         */
        post: operations["createAudiencetrendsexport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/accountmonitorexport": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Starts a job that exports the account's log to files.
         * @description A row for each entry of the timeframe, in order of their time: every write, job, setting, key and erasure, and counts of intake and refused calls by minute. No entry holds a value of a contact or a secret. Entries are kept for 400 days.
         */
        post: operations["createLogexport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/messageanalyticsexport": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Starts a job that exports the numbers of messages.
         * @description A row for each message with its facts, stats and rates. Up to 1,000 rows stand in the job's `metadata.data` as well.
         */
        post: operations["createMessageexport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/ordersexport": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Starts a job that exports orders to files.
         * @description A row for each order as it is now, of those that were purchased in the timeframe where one is given. With `since`, an increment: the orders that were written behind the watermark of a former export, with `deleted` of those that were deleted. Lines of JSON can be imported again by `POST /v2/ordersimport`.
         */
        post: operations["createOrdersexport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/programs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists programs in order of creation. */
        get: operations["listPrograms"];
        put?: never;
        /**
         * Creates a program: messages and orchestrations whose numbers are reported together.
         * @description At least one id, key or tag is required. Messages need not exist yet.
         */
        post: operations["createProgram"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/programs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns a program by its id. */
        get: operations["getProgram"];
        /** Updates a program. Absent members stay unchanged, `messages` and `orchestrations` are given as a whole. */
        put: operations["updateProgram"];
        post?: never;
        /** Deletes a program. The numbers of its messages stay. */
        delete: operations["deleteProgram"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/programs/{id}/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns the numbers of a program's messages together.
         * @description Counts what was sent on the days in the account's time zone, both included, with all that followed. The numbers of the messages add up: a unique open is a contact and a message.
         */
        get: operations["getProgramsummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/programs/{id}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the numbers of a program by message, of automated messages by day.
         * @description Newest first. Counts what was sent on the days in the account's time zone, both included, with all that followed. A message without a send on these days has no row.
         */
        get: operations["listProgramstats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the jobs of the last 60 days, newest first, including redrives of dead letters. */
        get: operations["listJobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/jobs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the progress of a job. `Retry-After` says when to poll again. */
        get: operations["getJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/jobs/{id}/rejections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists rejected source rows of a job, kept for 7 days.
         * @description Of a redrive of dead letters it lists the letters that validation refused (for 7 days), then the records that were written and rejected again, each with its dead letter. With `Accept: application/x-ndjson` or `text/csv`, returns all rows as a file, ignoring paging.
         */
        get: operations["listJobrejections"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/jobs/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Cancels a job between two steps. Completed steps are not undone. An import counts on, with `metadata.counting`, until each row that is in the log has its end. */
        put: operations["cancelJob"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/files/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Downloads a file that a job wrote, by the link in the job. Files are kept for 30 days.
         * @description The link is signed and valid for 24 hours and needs no key; without a signature a key of the account with `files:read` is needed. A `Range` header with one byte range gets a 206.
         */
        get: operations["getFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/activityimports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Starts a job that imports activities from a file.
         * @description The file is csv, text, JSON, Parquet or .xlsx. A column is `name` (or `action`), `time`, `UID`, `properties.…`, `geo`, `device`, an identifier of the contact, or else a property of its name. An activity is known again by its `UID`; a row without one gets a UID made of its content, so a file that is imported twice adds nothing. A row about an unknown contact is rejected, unless `canBeCreated` is true.
         */
        post: operations["createActivityimport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/contactimports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Starts a job that imports contacts from a file.
         * @description The file is csv, tsv, text, lines of JSON or Parquet, plain or packed by gzip or zstd. Columns are read by `mapping`, else by their names: identifiers, `channels.…`, `attributes.…`, `lists.…`, lists, attributes. Rows go through the log, so they follow the rules of `upsertContact`. The job counts each row as inserted, updated, ignored or rejected; `GET /v2/jobs/{id}/rejections` lists the rejected ones with their lines.
         */
        post: operations["createContactimport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/ordersimport": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Starts a job that imports orders from a file.
         * @description Each line of the file is JSON: the body of `POST /v2/orders`. Orders are upserted by `orderID`, in the order of the file. A line about an unknown contact is rejected, unless `canBeCreated` is true.
         */
        post: operations["createOrdersimport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/productimports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Starts a job that imports products from a file.
         * @description The file is csv, with dotted columns for parts of members (`variants.0.sku`), lines of JSON as `POST /v2/products` takes them, or Parquet. Products are upserted by `productID`.
         */
        post: operations["createProductimport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/supplements/{key}/imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Starts a job that imports records of a supplement table from a file.
         * @description The file is csv or Parquet, each column a field, or lines of JSON. Records are upserted by `id`, in the order of the file.
         */
        post: operations["createSupplementimport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Uploads a file for an import.
         * @description The body is the file's bytes, of any content type and up to 10 GiB, also in chunks. An import takes it as `source: {transport: "file", path: <url>}`. It is kept until 24 hours after its import, and for 7 days while no import takes it. A body that breaks off leaves nothing.
         */
        post: operations["createUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/apikeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the account's active keys, without their values. */
        get: operations["listApikeys"];
        put?: never;
        /** Creates a key, or rotates an existing one. The value is returned only in this response. */
        post: operations["createApikey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/apikeys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revokes a key at once. */
        delete: operations["deleteApikey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/deadletters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists rejected records, or with `group=code` their causes. Returns open ones unless `status` is given. */
        get: operations["listDeadletters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/deadletters/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns a rejected record with its payload, cause, origin and history. */
        get: operations["getDeadletter"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/deadletters/redrive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redrives a selection of rejected records to the log, optionally patched, each once.
         * @description Each becomes a new record with the version of its original, so it never overwrites later writes. The job's `metadata.receipt` tracks the new records.
         */
        post: operations["redriveDeadletters"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/deadletters/discard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Discards a selection of rejected records without redriving them, with a reason. */
        post: operations["discardDeadletters"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        Error: {
            code: string;
            message: string;
            requestId: string;
            details?: {
                /** @description JSON pointer */
                path: string;
                code: string;
                message: string;
                allowed?: string[];
                /** @description The earliest moment that can be queried */
                earliest?: string;
                /** @description Line of the text at `path`, from 1 */
                line?: number;
                /** @description Column of the line, from 1 */
                column?: number;
            }[];
        };
        /** @description A rule: one of `and`, `or`, `not`, or one leaf. At most 10 deep, 200 nodes and 64 KiB. */
        Criteria: {
            and: components["schemas"]["Criteria"][];
            /** @description Contacts of this rule are left out. */
            exclude?: components["schemas"]["Criteria"];
        } | {
            or: components["schemas"]["Criteria"][];
            /** @description Contacts of this rule are left out. */
            exclude?: components["schemas"]["Criteria"];
        } | {
            not: components["schemas"]["Criteria"];
        } | {
            /** @description `attributes.color`, `channels.email.address`, … */
            field: string;
            /** @enum {string} */
            op: "eq" | "neq" | "in" | "notIn" | "contains" | "notContains" | "startsWith" | "endsWith" | "domain" | "regex" | "gt" | "gte" | "lt" | "lte" | "between" | "on" | "before" | "after" | "inLast" | "notInLast" | "inNext" | "anniversaryInNext" | "anniversaryInLast" | "containsAny" | "containsAll" | "lengthEq" | "lengthGt" | "lengthLt" | "within";
            value: (string | number | boolean) | (string | number | boolean)[] | components["schemas"]["CriteriaSpan"] | ({
                lat: number;
                lon: number;
                distance: number;
                /** @enum {string} */
                unit: "km" | "mi";
            } | {
                postalCode: string;
                country: string;
                distance: number;
                /** @enum {string} */
                unit: "km" | "mi";
            });
            /** @description Ignore case. */
            ci?: boolean;
        } | {
            /** @description `attributes.color`, `channels.email.address`, … */
            field: string;
            /** @enum {string} */
            op: "exists" | "notExists" | "today";
            /** @constant */
            ci?: false;
        } | {
            /** @description Name or id. */
            list: string | number;
            /** @enum {string} */
            op: "in" | "notIn";
            joined?: components["schemas"]["CriteriaWindow"];
        } | {
            event: string | string[];
            /** @description All must hold on the same one. */
            where?: components["schemas"]["CriteriaProperty"][];
            /** @description The message that the event belongs to; all members must hold. */
            message?: {
                id?: string;
                key?: string;
                tag?: string;
                channel?: string;
            };
            count?: {
                /** @enum {string} */
                op: "eq" | "neq" | "gt" | "gte" | "lt" | "lte";
                value: number;
            };
            /** @description In the place of `count`: what is no number adds 0. */
            sum?: {
                of: string;
                /** @enum {string} */
                op: "eq" | "neq" | "gt" | "gte" | "lt" | "lte";
                value: number | string;
            };
            within?: components["schemas"]["CriteriaWindow"];
            /** @description Test the contact's latest event alone. */
            last?: boolean;
            /** @description Count opens and clicks of machines, too. Default: people alone. */
            robots?: boolean;
        } | {
            /** @constant */
            order: true;
            /** @description All must hold on the same one. */
            where?: components["schemas"]["CriteriaProperty"][];
            /** @description All must hold on the same one. */
            items?: components["schemas"]["CriteriaProperty"][];
            count?: {
                /** @enum {string} */
                op: "eq" | "neq" | "gt" | "gte" | "lt" | "lte";
                value: number;
            };
            /** @description In the place of `count`; `items.…` sums the matching items. */
            sum?: {
                of: string;
                /** @enum {string} */
                op: "eq" | "neq" | "gt" | "gte" | "lt" | "lte";
                value: number | string;
            };
            /** @description `any`, or statuses; default those that count, or all where a condition in `where` names statuses. */
            status?: string | string[];
            within?: components["schemas"]["CriteriaWindow"];
        } | {
            /** @description Key or id of a saved audience, as it is defined now. */
            audience: string;
        } | {
            /** @description A cart with lines that has not expired. */
            cart: "nonEmpty" | {
                /** @description All hold on one line. */
                items: components["schemas"]["CriteriaProperty"][];
            };
            /** @description All must hold on the same one. */
            where?: components["schemas"]["CriteriaProperty"][];
            /** @description Of the cart's last change. */
            within?: components["schemas"]["CriteriaWindow"];
        } | {
            /**
             * @description Everybody else; takes neither `where` nor `within`.
             * @constant
             */
            cart: "empty";
        } | {
            /** @description Key of the table. */
            supplement: string;
            /** @description All must hold on the same one. */
            where?: components["schemas"]["CriteriaProperty"][];
            /** @description Which field of the contact equals which of the record; left out where the table carries contacts. */
            join?: {
                contact: string;
                record: string;
            };
            count?: {
                /** @enum {string} */
                op: "eq" | "neq" | "gt" | "gte" | "lt" | "lte";
                value: number;
            };
        } | {
            /** @description A stable share, of two decimals at most; ranges side by side of one salt have nobody in common. */
            sample: {
                percent: number;
                from?: number;
                salt?: string;
            };
        };
        CriteriaSpan: {
            n: number;
            /** @enum {string} */
            unit: "minute" | "hour" | "day" | "week" | "month" | "year";
        };
        /** @description Counted from `asOf`, back but for `next`. */
        CriteriaWindow: {
            last: components["schemas"]["CriteriaSpan"];
        } | {
            next: components["schemas"]["CriteriaSpan"];
        } | {
            /** @description A date, or a timestamp of ISO 8601; a date alone is its midnight in `timezone`. */
            from?: string;
            /** @description A date, or a timestamp of ISO 8601; a date alone is its midnight in `timezone`. */
            to?: string;
        } | {
            between: [
                components["schemas"]["CriteriaSpan"],
                components["schemas"]["CriteriaSpan"]
            ];
        };
        CriteriaProperty: {
            /** @description A dotted path. */
            field: string;
            /** @enum {string} */
            op: "eq" | "neq" | "in" | "notIn" | "contains" | "notContains" | "startsWith" | "endsWith" | "domain" | "regex" | "gt" | "gte" | "lt" | "lte" | "between" | "on" | "before" | "after" | "inLast" | "notInLast" | "inNext" | "anniversaryInNext" | "anniversaryInLast" | "containsAny" | "containsAll" | "lengthEq" | "lengthGt" | "lengthLt" | "within";
            value: (string | number | boolean) | (string | number | boolean)[] | components["schemas"]["CriteriaSpan"] | ({
                lat: number;
                lon: number;
                distance: number;
                /** @enum {string} */
                unit: "km" | "mi";
            } | {
                postalCode: string;
                country: string;
                distance: number;
                /** @enum {string} */
                unit: "km" | "mi";
            });
            /** @description Ignore case. */
            ci?: boolean;
        } | {
            /** @description A dotted path. */
            field: string;
            /** @enum {string} */
            op: "exists" | "notExists" | "today";
            /** @constant */
            ci?: false;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export interface operations {
    getHealth: {
        parameters: {
            query?: {
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The service is up. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status: "ok";
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getReceipt: {
        parameters: {
            query?: {
                after?: string;
                wait?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                receipt: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The outcomes so far. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": {
                        /** @enum {string} */
                        state: "pending" | "applied" | "partly_rejected" | "rejected";
                        records: {
                            applied: number;
                            skipped: number;
                            rejected: number;
                            parked: number;
                            pending: number;
                        };
                        skips: {
                            [key: string]: number;
                        };
                        warnings: {
                            [key: string]: number;
                        };
                        rejections: {
                            index: number;
                            path: string;
                            code: string;
                            message: string;
                        }[];
                        next: string | null;
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getAccounting: {
        parameters: {
            query?: {
                after?: string;
                from?: string;
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requested hours. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                     *           "lost": 0,
                     *           "pending": 1
                     *         }
                     *       ],
                     *       "balanced": true
                     *     }
                     */
                    "application/json": {
                        from: string;
                        to: string;
                        data: {
                            hour: string;
                            operation: string;
                            accepted: number;
                            applied: number;
                            skipped: number;
                            rejected: number;
                            parked: number;
                            lost: number;
                            pending: number;
                        }[];
                        balanced: boolean;
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getFreshness: {
        parameters: {
            query?: {
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current lags. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                     *       },
                     *       "account": {
                     *         "pending": 12,
                     *         "seconds": 0.31
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            topic: string;
                            group: string;
                            records: number;
                            seconds: number;
                        }[];
                        postgres: {
                            seconds: number;
                        };
                        clickhouse: {
                            seconds: number;
                        };
                        account: {
                            pending: number;
                            seconds: number;
                        };
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    countAudience: {
        parameters: {
            query?: {
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
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
                "application/json": {
                    criteria: components["schemas"]["Criteria"];
                    /** @description Count at every node. */
                    explain?: boolean;
                    /** @description The moment to count at, not in the future; windows end there. Default: now. */
                    asOf?: string;
                    /**
                     * @description The meaning of a past `asOf`. Default `recorded`: the state as it was recorded then.
                     * @enum {string}
                     */
                    basis?: "recorded" | "event";
                    /** @description IANA name. Default: the time zone of the account. */
                    timezone?: string;
                    /** @description Only contacts who may receive messages of this classification on the channel. */
                    eligibleFor?: {
                        channel: string;
                        /** @enum {string} */
                        classification: "promotional" | "transactional";
                    };
                    /** @description Number of cIDs to return, sampled evenly from the set. */
                    sampleSize?: number;
                    /** @description Primary key of a contact: the answer says of each node whether it holds the contact, and what it saw. Needs `contacts:read` as well. */
                    contact?: string;
                } | {
                    id: string;
                    /** @description Count at every node. */
                    explain?: boolean;
                    /** @description The moment to count at, not in the future; windows end there. Default: now. */
                    asOf?: string;
                    /**
                     * @description The meaning of a past `asOf`. Default `recorded`: the state as it was recorded then.
                     * @enum {string}
                     */
                    basis?: "recorded" | "event";
                    /** @description IANA name. Default: the time zone of the account. */
                    timezone?: string;
                    /** @description Only contacts who may receive messages of this classification on the channel. */
                    eligibleFor?: {
                        channel: string;
                        /** @enum {string} */
                        classification: "promotional" | "transactional";
                    };
                    /** @description Number of cIDs to return, sampled evenly from the set. */
                    sampleSize?: number;
                    /** @description Primary key of a contact: the answer says of each node whether it holds the contact, and what it saw. Needs `contacts:read` as well. */
                    contact?: string;
                } | {
                    key: string;
                    /** @description Count at every node. */
                    explain?: boolean;
                    /** @description The moment to count at, not in the future; windows end there. Default: now. */
                    asOf?: string;
                    /**
                     * @description The meaning of a past `asOf`. Default `recorded`: the state as it was recorded then.
                     * @enum {string}
                     */
                    basis?: "recorded" | "event";
                    /** @description IANA name. Default: the time zone of the account. */
                    timezone?: string;
                    /** @description Only contacts who may receive messages of this classification on the channel. */
                    eligibleFor?: {
                        channel: string;
                        /** @enum {string} */
                        classification: "promotional" | "transactional";
                    };
                    /** @description Number of cIDs to return, sampled evenly from the set. */
                    sampleSize?: number;
                    /** @description Primary key of a contact: the answer says of each node whether it holds the contact, and what it saw. Needs `contacts:read` as well. */
                    contact?: string;
                } | {
                    and: components["schemas"]["Criteria"][];
                    /** @description Contacts of this rule are left out. */
                    exclude?: components["schemas"]["Criteria"];
                    /** @description Count at every node. */
                    explain?: boolean;
                    /** @description The moment to count at, not in the future; windows end there. Default: now. */
                    asOf?: string;
                    /**
                     * @description The meaning of a past `asOf`. Default `recorded`: the state as it was recorded then.
                     * @enum {string}
                     */
                    basis?: "recorded" | "event";
                    /** @description IANA name. Default: the time zone of the account. */
                    timezone?: string;
                    /** @description Only contacts who may receive messages of this classification on the channel. */
                    eligibleFor?: {
                        channel: string;
                        /** @enum {string} */
                        classification: "promotional" | "transactional";
                    };
                    /** @description Number of cIDs to return, sampled evenly from the set. */
                    sampleSize?: number;
                    /** @description Primary key of a contact: the answer says of each node whether it holds the contact, and what it saw. Needs `contacts:read` as well. */
                    contact?: string;
                } | {
                    or: components["schemas"]["Criteria"][];
                    /** @description Contacts of this rule are left out. */
                    exclude?: components["schemas"]["Criteria"];
                    /** @description Count at every node. */
                    explain?: boolean;
                    /** @description The moment to count at, not in the future; windows end there. Default: now. */
                    asOf?: string;
                    /**
                     * @description The meaning of a past `asOf`. Default `recorded`: the state as it was recorded then.
                     * @enum {string}
                     */
                    basis?: "recorded" | "event";
                    /** @description IANA name. Default: the time zone of the account. */
                    timezone?: string;
                    /** @description Only contacts who may receive messages of this classification on the channel. */
                    eligibleFor?: {
                        channel: string;
                        /** @enum {string} */
                        classification: "promotional" | "transactional";
                    };
                    /** @description Number of cIDs to return, sampled evenly from the set. */
                    sampleSize?: number;
                    /** @description Primary key of a contact: the answer says of each node whether it holds the contact, and what it saw. Needs `contacts:read` as well. */
                    contact?: string;
                } | {
                    not: components["schemas"]["Criteria"];
                    /** @description Count at every node. */
                    explain?: boolean;
                    /** @description The moment to count at, not in the future; windows end there. Default: now. */
                    asOf?: string;
                    /**
                     * @description The meaning of a past `asOf`. Default `recorded`: the state as it was recorded then.
                     * @enum {string}
                     */
                    basis?: "recorded" | "event";
                    /** @description IANA name. Default: the time zone of the account. */
                    timezone?: string;
                    /** @description Only contacts who may receive messages of this classification on the channel. */
                    eligibleFor?: {
                        channel: string;
                        /** @enum {string} */
                        classification: "promotional" | "transactional";
                    };
                    /** @description Number of cIDs to return, sampled evenly from the set. */
                    sampleSize?: number;
                    /** @description Primary key of a contact: the answer says of each node whether it holds the contact, and what it saw. Needs `contacts:read` as well. */
                    contact?: string;
                } | {
                    /** @description `attributes.color`, `channels.email.address`, … */
                    field: string;
                    /** @enum {string} */
                    op: "eq" | "neq" | "in" | "notIn" | "contains" | "notContains" | "startsWith" | "endsWith" | "domain" | "regex" | "gt" | "gte" | "lt" | "lte" | "between" | "on" | "before" | "after" | "inLast" | "notInLast" | "inNext" | "anniversaryInNext" | "anniversaryInLast" | "containsAny" | "containsAll" | "lengthEq" | "lengthGt" | "lengthLt" | "within";
                    value: (string | number | boolean) | (string | number | boolean)[] | components["schemas"]["CriteriaSpan"] | ({
                        lat: number;
                        lon: number;
                        distance: number;
                        /** @enum {string} */
                        unit: "km" | "mi";
                    } | {
                        postalCode: string;
                        country: string;
                        distance: number;
                        /** @enum {string} */
                        unit: "km" | "mi";
                    });
                    /** @description Ignore case. */
                    ci?: boolean;
                    /** @description Count at every node. */
                    explain?: boolean;
                    /** @description The moment to count at, not in the future; windows end there. Default: now. */
                    asOf?: string;
                    /**
                     * @description The meaning of a past `asOf`. Default `recorded`: the state as it was recorded then.
                     * @enum {string}
                     */
                    basis?: "recorded" | "event";
                    /** @description IANA name. Default: the time zone of the account. */
                    timezone?: string;
                    /** @description Only contacts who may receive messages of this classification on the channel. */
                    eligibleFor?: {
                        channel: string;
                        /** @enum {string} */
                        classification: "promotional" | "transactional";
                    };
                    /** @description Number of cIDs to return, sampled evenly from the set. */
                    sampleSize?: number;
                    /** @description Primary key of a contact: the answer says of each node whether it holds the contact, and what it saw. Needs `contacts:read` as well. */
                    contact?: string;
                } | {
                    /** @description `attributes.color`, `channels.email.address`, … */
                    field: string;
                    /** @enum {string} */
                    op: "exists" | "notExists" | "today";
                    /** @constant */
                    ci?: false;
                    /** @description Count at every node. */
                    explain?: boolean;
                    /** @description The moment to count at, not in the future; windows end there. Default: now. */
                    asOf?: string;
                    /**
                     * @description The meaning of a past `asOf`. Default `recorded`: the state as it was recorded then.
                     * @enum {string}
                     */
                    basis?: "recorded" | "event";
                    /** @description IANA name. Default: the time zone of the account. */
                    timezone?: string;
                    /** @description Only contacts who may receive messages of this classification on the channel. */
                    eligibleFor?: {
                        channel: string;
                        /** @enum {string} */
                        classification: "promotional" | "transactional";
                    };
                    /** @description Number of cIDs to return, sampled evenly from the set. */
                    sampleSize?: number;
                    /** @description Primary key of a contact: the answer says of each node whether it holds the contact, and what it saw. Needs `contacts:read` as well. */
                    contact?: string;
                } | {
                    /** @description Name or id. */
                    list: string | number;
                    /** @enum {string} */
                    op: "in" | "notIn";
                    joined?: components["schemas"]["CriteriaWindow"];
                    /** @description Count at every node. */
                    explain?: boolean;
                    /** @description The moment to count at, not in the future; windows end there. Default: now. */
                    asOf?: string;
                    /**
                     * @description The meaning of a past `asOf`. Default `recorded`: the state as it was recorded then.
                     * @enum {string}
                     */
                    basis?: "recorded" | "event";
                    /** @description IANA name. Default: the time zone of the account. */
                    timezone?: string;
                    /** @description Only contacts who may receive messages of this classification on the channel. */
                    eligibleFor?: {
                        channel: string;
                        /** @enum {string} */
                        classification: "promotional" | "transactional";
                    };
                    /** @description Number of cIDs to return, sampled evenly from the set. */
                    sampleSize?: number;
                    /** @description Primary key of a contact: the answer says of each node whether it holds the contact, and what it saw. Needs `contacts:read` as well. */
                    contact?: string;
                } | {
                    event: string | string[];
                    /** @description All must hold on the same one. */
                    where?: components["schemas"]["CriteriaProperty"][];
                    /** @description The message that the event belongs to; all members must hold. */
                    message?: {
                        id?: string;
                        key?: string;
                        tag?: string;
                        channel?: string;
                    };
                    count?: {
                        /** @enum {string} */
                        op: "eq" | "neq" | "gt" | "gte" | "lt" | "lte";
                        value: number;
                    };
                    /** @description In the place of `count`: what is no number adds 0. */
                    sum?: {
                        of: string;
                        /** @enum {string} */
                        op: "eq" | "neq" | "gt" | "gte" | "lt" | "lte";
                        value: number | string;
                    };
                    within?: components["schemas"]["CriteriaWindow"];
                    /** @description Test the contact's latest event alone. */
                    last?: boolean;
                    /** @description Count opens and clicks of machines, too. Default: people alone. */
                    robots?: boolean;
                    /** @description Count at every node. */
                    explain?: boolean;
                    /** @description The moment to count at, not in the future; windows end there. Default: now. */
                    asOf?: string;
                    /**
                     * @description The meaning of a past `asOf`. Default `recorded`: the state as it was recorded then.
                     * @enum {string}
                     */
                    basis?: "recorded" | "event";
                    /** @description IANA name. Default: the time zone of the account. */
                    timezone?: string;
                    /** @description Only contacts who may receive messages of this classification on the channel. */
                    eligibleFor?: {
                        channel: string;
                        /** @enum {string} */
                        classification: "promotional" | "transactional";
                    };
                    /** @description Number of cIDs to return, sampled evenly from the set. */
                    sampleSize?: number;
                    /** @description Primary key of a contact: the answer says of each node whether it holds the contact, and what it saw. Needs `contacts:read` as well. */
                    contact?: string;
                } | {
                    /** @constant */
                    order: true;
                    /** @description All must hold on the same one. */
                    where?: components["schemas"]["CriteriaProperty"][];
                    /** @description All must hold on the same one. */
                    items?: components["schemas"]["CriteriaProperty"][];
                    count?: {
                        /** @enum {string} */
                        op: "eq" | "neq" | "gt" | "gte" | "lt" | "lte";
                        value: number;
                    };
                    /** @description In the place of `count`; `items.…` sums the matching items. */
                    sum?: {
                        of: string;
                        /** @enum {string} */
                        op: "eq" | "neq" | "gt" | "gte" | "lt" | "lte";
                        value: number | string;
                    };
                    /** @description `any`, or statuses; default those that count, or all where a condition in `where` names statuses. */
                    status?: string | string[];
                    within?: components["schemas"]["CriteriaWindow"];
                    /** @description Count at every node. */
                    explain?: boolean;
                    /** @description The moment to count at, not in the future; windows end there. Default: now. */
                    asOf?: string;
                    /**
                     * @description The meaning of a past `asOf`. Default `recorded`: the state as it was recorded then.
                     * @enum {string}
                     */
                    basis?: "recorded" | "event";
                    /** @description IANA name. Default: the time zone of the account. */
                    timezone?: string;
                    /** @description Only contacts who may receive messages of this classification on the channel. */
                    eligibleFor?: {
                        channel: string;
                        /** @enum {string} */
                        classification: "promotional" | "transactional";
                    };
                    /** @description Number of cIDs to return, sampled evenly from the set. */
                    sampleSize?: number;
                    /** @description Primary key of a contact: the answer says of each node whether it holds the contact, and what it saw. Needs `contacts:read` as well. */
                    contact?: string;
                } | {
                    /** @description Key or id of a saved audience, as it is defined now. */
                    audience: string;
                    /** @description Count at every node. */
                    explain?: boolean;
                    /** @description The moment to count at, not in the future; windows end there. Default: now. */
                    asOf?: string;
                    /**
                     * @description The meaning of a past `asOf`. Default `recorded`: the state as it was recorded then.
                     * @enum {string}
                     */
                    basis?: "recorded" | "event";
                    /** @description IANA name. Default: the time zone of the account. */
                    timezone?: string;
                    /** @description Only contacts who may receive messages of this classification on the channel. */
                    eligibleFor?: {
                        channel: string;
                        /** @enum {string} */
                        classification: "promotional" | "transactional";
                    };
                    /** @description Number of cIDs to return, sampled evenly from the set. */
                    sampleSize?: number;
                    /** @description Primary key of a contact: the answer says of each node whether it holds the contact, and what it saw. Needs `contacts:read` as well. */
                    contact?: string;
                } | {
                    /** @description A cart with lines that has not expired. */
                    cart: "nonEmpty" | {
                        /** @description All hold on one line. */
                        items: components["schemas"]["CriteriaProperty"][];
                    };
                    /** @description All must hold on the same one. */
                    where?: components["schemas"]["CriteriaProperty"][];
                    /** @description Of the cart's last change. */
                    within?: components["schemas"]["CriteriaWindow"];
                    /** @description Count at every node. */
                    explain?: boolean;
                    /** @description The moment to count at, not in the future; windows end there. Default: now. */
                    asOf?: string;
                    /**
                     * @description The meaning of a past `asOf`. Default `recorded`: the state as it was recorded then.
                     * @enum {string}
                     */
                    basis?: "recorded" | "event";
                    /** @description IANA name. Default: the time zone of the account. */
                    timezone?: string;
                    /** @description Only contacts who may receive messages of this classification on the channel. */
                    eligibleFor?: {
                        channel: string;
                        /** @enum {string} */
                        classification: "promotional" | "transactional";
                    };
                    /** @description Number of cIDs to return, sampled evenly from the set. */
                    sampleSize?: number;
                    /** @description Primary key of a contact: the answer says of each node whether it holds the contact, and what it saw. Needs `contacts:read` as well. */
                    contact?: string;
                } | {
                    /**
                     * @description Everybody else; takes neither `where` nor `within`.
                     * @constant
                     */
                    cart: "empty";
                    /** @description Count at every node. */
                    explain?: boolean;
                    /** @description The moment to count at, not in the future; windows end there. Default: now. */
                    asOf?: string;
                    /**
                     * @description The meaning of a past `asOf`. Default `recorded`: the state as it was recorded then.
                     * @enum {string}
                     */
                    basis?: "recorded" | "event";
                    /** @description IANA name. Default: the time zone of the account. */
                    timezone?: string;
                    /** @description Only contacts who may receive messages of this classification on the channel. */
                    eligibleFor?: {
                        channel: string;
                        /** @enum {string} */
                        classification: "promotional" | "transactional";
                    };
                    /** @description Number of cIDs to return, sampled evenly from the set. */
                    sampleSize?: number;
                    /** @description Primary key of a contact: the answer says of each node whether it holds the contact, and what it saw. Needs `contacts:read` as well. */
                    contact?: string;
                } | {
                    /** @description Key of the table. */
                    supplement: string;
                    /** @description All must hold on the same one. */
                    where?: components["schemas"]["CriteriaProperty"][];
                    /** @description Which field of the contact equals which of the record; left out where the table carries contacts. */
                    join?: {
                        contact: string;
                        record: string;
                    };
                    count?: {
                        /** @enum {string} */
                        op: "eq" | "neq" | "gt" | "gte" | "lt" | "lte";
                        value: number;
                    };
                    /** @description Count at every node. */
                    explain?: boolean;
                    /** @description The moment to count at, not in the future; windows end there. Default: now. */
                    asOf?: string;
                    /**
                     * @description The meaning of a past `asOf`. Default `recorded`: the state as it was recorded then.
                     * @enum {string}
                     */
                    basis?: "recorded" | "event";
                    /** @description IANA name. Default: the time zone of the account. */
                    timezone?: string;
                    /** @description Only contacts who may receive messages of this classification on the channel. */
                    eligibleFor?: {
                        channel: string;
                        /** @enum {string} */
                        classification: "promotional" | "transactional";
                    };
                    /** @description Number of cIDs to return, sampled evenly from the set. */
                    sampleSize?: number;
                    /** @description Primary key of a contact: the answer says of each node whether it holds the contact, and what it saw. Needs `contacts:read` as well. */
                    contact?: string;
                } | {
                    /** @description A stable share, of two decimals at most; ranges side by side of one salt have nobody in common. */
                    sample: {
                        percent: number;
                        from?: number;
                        salt?: string;
                    };
                    /** @description Count at every node. */
                    explain?: boolean;
                    /** @description The moment to count at, not in the future; windows end there. Default: now. */
                    asOf?: string;
                    /**
                     * @description The meaning of a past `asOf`. Default `recorded`: the state as it was recorded then.
                     * @enum {string}
                     */
                    basis?: "recorded" | "event";
                    /** @description IANA name. Default: the time zone of the account. */
                    timezone?: string;
                    /** @description Only contacts who may receive messages of this classification on the channel. */
                    eligibleFor?: {
                        channel: string;
                        /** @enum {string} */
                        classification: "promotional" | "transactional";
                    };
                    /** @description Number of cIDs to return, sampled evenly from the set. */
                    sampleSize?: number;
                    /** @description Primary key of a contact: the answer says of each node whether it holds the contact, and what it saw. Needs `contacts:read` as well. */
                    contact?: string;
                };
            };
        };
        responses: {
            /** @description The count. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": {
                        count: number;
                        asOf: string;
                        exact: boolean;
                        /** @description Whether the count holds the contact. */
                        in?: boolean;
                        nodes?: {
                            /** @description JSON pointer, as in `explain`. */
                            path: string;
                            in: boolean;
                            /** @description Of a field its value, of events, orders and records their count or sum, of a list whether the contact is on it, of a cart its lines, of a sample the contact's place in percent; null for nothing. */
                            saw?: unknown;
                        }[];
                        explain?: {
                            /** @description JSON pointer into the body, or into the criteria of a saved audience. */
                            path: string;
                            count: number;
                            /** @description Orders that a sum left out, by their currency. */
                            leftOut?: {
                                currencies: {
                                    [key: string]: number;
                                };
                            };
                        }[];
                        sample?: string[];
                        /** @description Event names, properties and values in the criteria that the account never had. */
                        warnings?: {
                            path: string;
                            /** @constant */
                            code: "never_seen";
                            message: string;
                            allowed?: string[];
                        }[];
                        options: {
                            asOf: string;
                            /** @enum {string} */
                            basis: "recorded" | "event";
                            timezone: string;
                            eligibleFor?: {
                                channel: string;
                                classification: string;
                            };
                        };
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listAudiences: {
        parameters: {
            query?: {
                after?: string;
                page?: number;
                per_page?: number;
                cursor?: string;
                sort_dir?: "asc" | "desc";
                return_count?: "true" | "false";
                fields?: string;
                sort_by?: "ct" | "createdAt" | "key" | "name";
                tags?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of audiences. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "65f0c0ffee65f0c0ffee00a1",
                     *           "key": "engaged-30d",
                     *           "name": "Opened something in 30 days",
                     *           "tags": [
                     *             "newsletter"
                     *           ],
                     *           "criteria": {
                     *             "event": "open",
                     *             "within": {
                     *               "last": {
                     *                 "n": 30,
                     *                 "unit": "day"
                     *               }
                     *             }
                     *           },
                     *           "lastCount": {
                     *             "count": 412,
                     *             "asOf": "2026-01-09T22:47:12.000Z"
                     *           },
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
                    "application/json": {
                        data: {
                            id?: string;
                            key?: string;
                            name?: string;
                            description?: string;
                            tags?: string[];
                            criteria?: {
                                [key: string]: unknown;
                            };
                            /** @description The last count of the present by `id` or `key`. */
                            lastCount?: {
                                count: number;
                                asOf: string;
                            };
                            /** @description What the criteria name that is not there any more; absent when nothing is wrong. */
                            problems?: {
                                path: string;
                                code: string;
                                message: string;
                                allowed?: string[];
                            }[];
                            ct?: string;
                            lm?: string;
                        }[];
                        pagination: {
                            per_page: number;
                            page?: number;
                            total?: number;
                            last_page?: number;
                            next_cursor: string | null;
                        };
                        asOf?: string;
                        /** @description Event names, properties and values in the criteria that the account never had. */
                        warnings?: {
                            path: string;
                            /** @constant */
                            code: "never_seen";
                            message: string;
                            allowed?: string[];
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createAudience: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "key": "engaged-30d",
                 *       "name": "Opened something in 30 days",
                 *       "tags": [
                 *         "newsletter"
                 *       ],
                 *       "criteria": {
                 *         "event": "open",
                 *         "within": {
                 *           "last": {
                 *             "n": 30,
                 *             "unit": "day"
                 *           }
                 *         }
                 *       }
                 *     }
                 */
                "application/json": {
                    key: string;
                    name: string;
                    criteria: components["schemas"]["Criteria"];
                    description?: string | null;
                    tags?: string[] | null;
                };
            };
        };
        responses: {
            /** @description The audience was saved. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "id": "65f0c0ffee65f0c0ffee00a1",
                     *       "key": "engaged-30d"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        id: string;
                        key: string;
                        /** @description Members of the body that were ignored, addresses that cannot be one of their channel, and names that are nearly known ones. */
                        warnings?: {
                            path: string;
                            /** @enum {string} */
                            code: "unknown_member" | "read_only" | "not_an_address" | "similar_name";
                            message: string;
                            suggestion?: string;
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getAudience: {
        parameters: {
            query?: {
                after?: string;
                fields?: string;
            };
            header?: never;
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The audience. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "65f0c0ffee65f0c0ffee00a1",
                     *       "key": "engaged-30d",
                     *       "name": "Opened something in 30 days",
                     *       "tags": [
                     *         "newsletter"
                     *       ],
                     *       "criteria": {
                     *         "event": "open",
                     *         "within": {
                     *           "last": {
                     *             "n": 30,
                     *             "unit": "day"
                     *           }
                     *         }
                     *       },
                     *       "lastCount": {
                     *         "count": 412,
                     *         "asOf": "2026-01-09T22:47:12.000Z"
                     *       },
                     *       "ct": "2026-01-09T22:47:12.000Z",
                     *       "lm": "2026-01-09T22:47:12.000Z"
                     *     }
                     */
                    "application/json": {
                        id?: string;
                        key?: string;
                        name?: string;
                        description?: string;
                        tags?: string[];
                        criteria?: {
                            [key: string]: unknown;
                        };
                        /** @description The last count of the present by `id` or `key`. */
                        lastCount?: {
                            count: number;
                            asOf: string;
                        };
                        /** @description What the criteria name that is not there any more; absent when nothing is wrong. */
                        problems?: {
                            path: string;
                            code: string;
                            message: string;
                            allowed?: string[];
                        }[];
                        ct?: string;
                        lm?: string;
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateAudience: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Opened something in 60 days",
                 *       "criteria": {
                 *         "event": "open",
                 *         "within": {
                 *           "last": {
                 *             "n": 60,
                 *             "unit": "day"
                 *           }
                 *         }
                 *       }
                 *     }
                 */
                "application/json": {
                    name?: string;
                    criteria?: components["schemas"]["Criteria"];
                    description?: string | null;
                    tags?: string[] | null;
                    key?: string;
                };
            };
        };
        responses: {
            /** @description The updated audience. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "id": "65f0c0ffee65f0c0ffee00a1",
                     *       "key": "engaged-30d"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        id: string;
                        key: string;
                        /** @description Members of the body that were ignored, addresses that cannot be one of their channel, and names that are nearly known ones. */
                        warnings?: {
                            path: string;
                            /** @enum {string} */
                            code: "unknown_member" | "read_only" | "not_an_address" | "similar_name";
                            message: string;
                            suggestion?: string;
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteAudience: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The audience is deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getAccount: {
        parameters: {
            query?: {
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                     *         "audienceCountPerSecond": 5,
                     *         "charactersPerContact": 2097152,
                     *         "attributesPerAccount": 20000,
                     *         "listsPerAccount": 10000,
                     *         "attributesPerContact": 5000,
                     *         "identifiersPerContact": 1000,
                     *         "listsPerContact": 1000
                     *       },
                     *       "messaging": {
                     *         "caps": [],
                     *         "lateAfterHours": 6,
                     *         "giveUpAfterHours": {
                     *           "promotional": 24,
                     *           "transactional": 72
                     *         },
                     *         "softBounces": {
                     *           "count": 5,
                     *           "days": 30
                     *         },
                     *         "smsKeywords": {
                     *           "stop": [
                     *             "STOP",
                     *             "STOPALL",
                     *             "UNSUBSCRIBE",
                     *             "CANCEL",
                     *             "END",
                     *             "QUIT"
                     *           ],
                     *           "start": [
                     *             "START",
                     *             "UNSTOP",
                     *             "YES"
                     *           ],
                     *           "help": [
                     *             "HELP",
                     *             "INFO"
                     *           ]
                     *         },
                     *         "attributionDays": 5,
                     *         "linkParameters": {},
                     *         "domains": {},
                     *         "preferenceLists": [],
                     *         "requireUnsubscribeLink": true
                     *       },
                     *       "partners": {
                     *         "cohortsync": {
                     *           "canBeCreated": false
                     *         },
                     *         "cdpsync": {
                     *           "identities": {},
                     *           "hashedIdentities": false
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
                     *       },
                     *       "storage": {
                     *         "lake": {
                     *           "type": "s3",
                     *           "aws_bucket": "shop-exports",
                     *           "aws_region": "eu-west-1",
                     *           "aws_access_key_id": "an-access-key-id",
                     *           "aws_secret_access_key": {
                     *             "set": true,
                     *             "last4": "wxyz"
                     *           }
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @default UTC */
                        timezone: string;
                        /** @default USD */
                        currency: string;
                        country?: string;
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
                        identifiers: {
                            name: string;
                            /** @enum {string} */
                            kind: "primary" | "secondary";
                            /** @enum {string} */
                            format: "email" | "phone" | "string";
                        }[];
                        /** @default false */
                        strictAttributes: boolean;
                        /** @default false */
                        strictLists: boolean;
                        /**
                         * @default {
                         *       "merge": true
                         *     }
                         */
                        features: {
                            /** @default true */
                            merge: boolean;
                        };
                        /** @default {} */
                        retention: {
                            activities?: number;
                            activitiesDays?: number;
                        };
                        limits: {
                            /** @default 20000 */
                            intakePerSecond: number;
                            /** @default 50 */
                            readPerSecond: number;
                            /** @default 25 */
                            writePerSecond: number;
                            /** @default 2 */
                            jobStartPerSecond: number;
                            /** @default 5 */
                            audienceCountPerSecond: number;
                            /** @default 2097152 */
                            charactersPerContact: number;
                            /** @default 20000 */
                            attributesPerAccount: number;
                            /** @default 10000 */
                            listsPerAccount: number;
                            /** @default 5000 */
                            attributesPerContact: number;
                            /** @default 1000 */
                            identifiersPerContact: number;
                            /** @default 1000 */
                            listsPerContact: number;
                        };
                        messaging: {
                            timezoneAttribute?: string;
                            quietHours?: {
                                from: string;
                                to: string;
                                channels?: string[];
                            };
                            /** @default [] */
                            caps: {
                                channel: string;
                                count: number;
                                per: {
                                    n: number;
                                    /** @enum {string} */
                                    unit: "minute" | "hour" | "day" | "week";
                                };
                            }[];
                            /** @default 6 */
                            lateAfterHours: number;
                            giveUpAfterHours: {
                                /** @default 24 */
                                promotional: number;
                                /** @default 72 */
                                transactional: number;
                            };
                            softBounces: {
                                /** @default 5 */
                                count: number;
                                /** @default 30 */
                                days: number;
                            };
                            smsKeywords: {
                                /**
                                 * @default [
                                 *       "STOP",
                                 *       "STOPALL",
                                 *       "UNSUBSCRIBE",
                                 *       "CANCEL",
                                 *       "END",
                                 *       "QUIT"
                                 *     ]
                                 */
                                stop: unknown[];
                                /**
                                 * @default [
                                 *       "START",
                                 *       "UNSTOP",
                                 *       "YES"
                                 *     ]
                                 */
                                start: unknown[];
                                /**
                                 * @default [
                                 *       "HELP",
                                 *       "INFO"
                                 *     ]
                                 */
                                help: unknown[];
                                helpText?: string;
                            };
                            /** @default 5 */
                            attributionDays: number;
                            /** @default {} */
                            linkParameters: {
                                [key: string]: string;
                            };
                            /** @default {} */
                            domains: {
                                [key: string]: string;
                            };
                            /** @default [] */
                            preferenceLists: string[];
                            /** @default true */
                            requireUnsubscribeLink: boolean;
                        };
                        partners: {
                            /**
                             * @default {
                             *       "canBeCreated": false
                             *     }
                             */
                            cohortsync: {
                                /** @default false */
                                canBeCreated: boolean;
                                identifier?: string;
                            };
                            listsync: {
                                secrets?: {
                                    /** @constant */
                                    set: true;
                                    last4: string;
                                }[];
                                identifier?: string;
                                /** @default false */
                                canBeCreated: boolean;
                                /** @default 86400 */
                                ageSecondsMax: number;
                            };
                            /**
                             * @default {
                             *       "identities": {},
                             *       "hashedIdentities": false
                             *     }
                             */
                            cdpsync: {
                                /** @default {} */
                                identities: {
                                    [key: string]: string;
                                };
                                canBeCreated?: boolean;
                                /** @default false */
                                hashedIdentities: boolean;
                            };
                            subscriptionsync: {
                                secrets?: {
                                    /** @constant */
                                    set: true;
                                    last4: string;
                                }[];
                                /** @default customer_id */
                                customerIdKey: string;
                            };
                            /**
                             * @default {
                             *       "canBeCreated": true,
                             *       "aliases": {}
                             *     }
                             */
                            pipeline: {
                                /** @default true */
                                canBeCreated: boolean;
                                /** @default {} */
                                aliases: {
                                    pipelineIdKey?: string;
                                    pipelineId?: string;
                                };
                            };
                        };
                        storage: {
                            [key: string]: {
                                /** @constant */
                                type: "s3";
                                aws_bucket?: string;
                                aws_path?: string;
                                aws_region?: string;
                                aws_endpoint?: string;
                                aws_access_key_id?: string;
                                aws_secret_access_key?: {
                                    /** @constant */
                                    set: true;
                                    last4: string;
                                };
                            } | {
                                /** @constant */
                                type: "sftp";
                                server?: string;
                                port?: number;
                                username?: string;
                                password?: {
                                    /** @constant */
                                    set: true;
                                    last4: string;
                                };
                                privateKey?: {
                                    /** @constant */
                                    set: true;
                                    last4: string;
                                };
                                path?: string;
                                hostKey?: string;
                            } | {
                                /** @constant */
                                type: "azureblob";
                                account?: string;
                                container?: string;
                                path?: string;
                                sasToken?: {
                                    /** @constant */
                                    set: true;
                                    last4: string;
                                };
                                accountKey?: {
                                    /** @constant */
                                    set: true;
                                    last4: string;
                                };
                                endpoint?: string;
                            };
                        };
                        webhookSecret?: {
                            /** @constant */
                            set: true;
                            last4: string;
                        };
                        name: string;
                        accountId: string;
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateAccount: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "timezone": "Europe/London",
                 *       "currency": "GBP",
                 *       "partners": {
                 *         "subscriptionsync": {
                 *           "secrets": [
                 *             "the secret that the billing tool shows"
                 *           ]
                 *         },
                 *         "cohortsync": {
                 *           "canBeCreated": true
                 *         }
                 *       }
                 *     }
                 */
                "application/json": {
                    timezone?: unknown;
                    currency?: unknown;
                    country?: unknown;
                    identifiers?: unknown;
                    strictAttributes?: unknown;
                    strictLists?: unknown;
                    features?: unknown;
                    retention?: unknown;
                    limits?: unknown;
                    messaging?: unknown;
                    partners?: unknown;
                    storage?: unknown;
                    webhookSecret?: unknown;
                    name?: unknown;
                    accountId?: unknown;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description The updated account. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                     *         "audienceCountPerSecond": 5,
                     *         "charactersPerContact": 2097152,
                     *         "attributesPerAccount": 20000,
                     *         "listsPerAccount": 10000,
                     *         "attributesPerContact": 5000,
                     *         "identifiersPerContact": 1000,
                     *         "listsPerContact": 1000
                     *       },
                     *       "messaging": {
                     *         "caps": [],
                     *         "lateAfterHours": 6,
                     *         "giveUpAfterHours": {
                     *           "promotional": 24,
                     *           "transactional": 72
                     *         },
                     *         "softBounces": {
                     *           "count": 5,
                     *           "days": 30
                     *         },
                     *         "smsKeywords": {
                     *           "stop": [
                     *             "STOP",
                     *             "STOPALL",
                     *             "UNSUBSCRIBE",
                     *             "CANCEL",
                     *             "END",
                     *             "QUIT"
                     *           ],
                     *           "start": [
                     *             "START",
                     *             "UNSTOP",
                     *             "YES"
                     *           ],
                     *           "help": [
                     *             "HELP",
                     *             "INFO"
                     *           ]
                     *         },
                     *         "attributionDays": 5,
                     *         "linkParameters": {},
                     *         "domains": {},
                     *         "preferenceLists": [],
                     *         "requireUnsubscribeLink": true
                     *       },
                     *       "partners": {
                     *         "cohortsync": {
                     *           "canBeCreated": false
                     *         },
                     *         "cdpsync": {
                     *           "identities": {},
                     *           "hashedIdentities": false
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
                     *       },
                     *       "storage": {
                     *         "lake": {
                     *           "type": "s3",
                     *           "aws_bucket": "shop-exports",
                     *           "aws_region": "eu-west-1",
                     *           "aws_access_key_id": "an-access-key-id",
                     *           "aws_secret_access_key": {
                     *             "set": true,
                     *             "last4": "wxyz"
                     *           }
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @default UTC */
                        timezone: string;
                        /** @default USD */
                        currency: string;
                        country?: string;
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
                        identifiers: {
                            name: string;
                            /** @enum {string} */
                            kind: "primary" | "secondary";
                            /** @enum {string} */
                            format: "email" | "phone" | "string";
                        }[];
                        /** @default false */
                        strictAttributes: boolean;
                        /** @default false */
                        strictLists: boolean;
                        /**
                         * @default {
                         *       "merge": true
                         *     }
                         */
                        features: {
                            /** @default true */
                            merge: boolean;
                        };
                        /** @default {} */
                        retention: {
                            activities?: number;
                            activitiesDays?: number;
                        };
                        limits: {
                            /** @default 20000 */
                            intakePerSecond: number;
                            /** @default 50 */
                            readPerSecond: number;
                            /** @default 25 */
                            writePerSecond: number;
                            /** @default 2 */
                            jobStartPerSecond: number;
                            /** @default 5 */
                            audienceCountPerSecond: number;
                            /** @default 2097152 */
                            charactersPerContact: number;
                            /** @default 20000 */
                            attributesPerAccount: number;
                            /** @default 10000 */
                            listsPerAccount: number;
                            /** @default 5000 */
                            attributesPerContact: number;
                            /** @default 1000 */
                            identifiersPerContact: number;
                            /** @default 1000 */
                            listsPerContact: number;
                        };
                        messaging: {
                            timezoneAttribute?: string;
                            quietHours?: {
                                from: string;
                                to: string;
                                channels?: string[];
                            };
                            /** @default [] */
                            caps: {
                                channel: string;
                                count: number;
                                per: {
                                    n: number;
                                    /** @enum {string} */
                                    unit: "minute" | "hour" | "day" | "week";
                                };
                            }[];
                            /** @default 6 */
                            lateAfterHours: number;
                            giveUpAfterHours: {
                                /** @default 24 */
                                promotional: number;
                                /** @default 72 */
                                transactional: number;
                            };
                            softBounces: {
                                /** @default 5 */
                                count: number;
                                /** @default 30 */
                                days: number;
                            };
                            smsKeywords: {
                                /**
                                 * @default [
                                 *       "STOP",
                                 *       "STOPALL",
                                 *       "UNSUBSCRIBE",
                                 *       "CANCEL",
                                 *       "END",
                                 *       "QUIT"
                                 *     ]
                                 */
                                stop: unknown[];
                                /**
                                 * @default [
                                 *       "START",
                                 *       "UNSTOP",
                                 *       "YES"
                                 *     ]
                                 */
                                start: unknown[];
                                /**
                                 * @default [
                                 *       "HELP",
                                 *       "INFO"
                                 *     ]
                                 */
                                help: unknown[];
                                helpText?: string;
                            };
                            /** @default 5 */
                            attributionDays: number;
                            /** @default {} */
                            linkParameters: {
                                [key: string]: string;
                            };
                            /** @default {} */
                            domains: {
                                [key: string]: string;
                            };
                            /** @default [] */
                            preferenceLists: string[];
                            /** @default true */
                            requireUnsubscribeLink: boolean;
                        };
                        partners: {
                            /**
                             * @default {
                             *       "canBeCreated": false
                             *     }
                             */
                            cohortsync: {
                                /** @default false */
                                canBeCreated: boolean;
                                identifier?: string;
                            };
                            listsync: {
                                secrets?: {
                                    /** @constant */
                                    set: true;
                                    last4: string;
                                }[];
                                identifier?: string;
                                /** @default false */
                                canBeCreated: boolean;
                                /** @default 86400 */
                                ageSecondsMax: number;
                            };
                            /**
                             * @default {
                             *       "identities": {},
                             *       "hashedIdentities": false
                             *     }
                             */
                            cdpsync: {
                                /** @default {} */
                                identities: {
                                    [key: string]: string;
                                };
                                canBeCreated?: boolean;
                                /** @default false */
                                hashedIdentities: boolean;
                            };
                            subscriptionsync: {
                                secrets?: {
                                    /** @constant */
                                    set: true;
                                    last4: string;
                                }[];
                                /** @default customer_id */
                                customerIdKey: string;
                            };
                            /**
                             * @default {
                             *       "canBeCreated": true,
                             *       "aliases": {}
                             *     }
                             */
                            pipeline: {
                                /** @default true */
                                canBeCreated: boolean;
                                /** @default {} */
                                aliases: {
                                    pipelineIdKey?: string;
                                    pipelineId?: string;
                                };
                            };
                        };
                        storage: {
                            [key: string]: {
                                /** @constant */
                                type: "s3";
                                aws_bucket?: string;
                                aws_path?: string;
                                aws_region?: string;
                                aws_endpoint?: string;
                                aws_access_key_id?: string;
                                aws_secret_access_key?: {
                                    /** @constant */
                                    set: true;
                                    last4: string;
                                };
                            } | {
                                /** @constant */
                                type: "sftp";
                                server?: string;
                                port?: number;
                                username?: string;
                                password?: {
                                    /** @constant */
                                    set: true;
                                    last4: string;
                                };
                                privateKey?: {
                                    /** @constant */
                                    set: true;
                                    last4: string;
                                };
                                path?: string;
                                hostKey?: string;
                            } | {
                                /** @constant */
                                type: "azureblob";
                                account?: string;
                                container?: string;
                                path?: string;
                                sasToken?: {
                                    /** @constant */
                                    set: true;
                                    last4: string;
                                };
                                accountKey?: {
                                    /** @constant */
                                    set: true;
                                    last4: string;
                                };
                                endpoint?: string;
                            };
                        };
                        webhookSecret?: {
                            /** @constant */
                            set: true;
                            last4: string;
                        };
                        name: string;
                        accountId: string;
                        /** @description Members of the body that were ignored, addresses that cannot be one of their channel, and names that are nearly known ones. */
                        warnings?: {
                            path: string;
                            /** @enum {string} */
                            code: "unknown_member" | "read_only" | "not_an_address" | "similar_name";
                            message: string;
                            suggestion?: string;
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listContacts: {
        parameters: {
            query?: {
                after?: string;
                page?: number;
                per_page?: number;
                cursor?: string;
                sort_dir?: "asc" | "desc";
                return_count?: "true" | "false";
                fields?: string;
                sort_by?: "createdAt";
                email?: string;
                cID?: string;
                list?: string;
                "audience-key"?: string;
                "lastModified[gt]"?: string;
                "lastModified[gte]"?: string;
                "lastModified[lt]"?: string;
                "lastModified[lte]"?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of contacts. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": {
                        data: {
                            cID?: string;
                            identifiers?: {
                                [key: string]: string;
                            };
                            channels?: {
                                [key: string]: {
                                    address?: string;
                                    subscribeStatus: string;
                                    /** @description Subscription time: as given, else the time of the write. A write that repeats the status does not change it. */
                                    subscribedAt?: string;
                                    /** @description Unsubscription time, set like `subscribedAt`. Kept when the channel is resubscribed. */
                                    unsubscribedAt?: string;
                                    /**
                                     * @description The address bounced for good, or cannot be one of the channel. Absent for every other address.
                                     * @constant
                                     */
                                    valid?: false;
                                };
                            };
                            attributes?: {
                                [key: string]: unknown;
                            };
                            lists?: string[];
                            listJoinDate?: {
                                [key: string]: string;
                            };
                            createdAt?: string;
                            lastModified?: string;
                        }[];
                        pagination: {
                            per_page: number;
                            page?: number;
                            total?: number;
                            last_page?: number;
                            next_cursor: string | null;
                        };
                        asOf?: string;
                        /** @description Event names, properties and values in the criteria that the account never had. */
                        warnings?: {
                            path: string;
                            /** @constant */
                            code: "never_seen";
                            message: string;
                            allowed?: string[];
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createContact: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
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
                "application/json": {
                    channels: {
                        [key: string]: {
                            address: string;
                            /** @enum {string} */
                            subscribeStatus?: "subscribed" | "unsubscribed" | "none" | "pending";
                            subscribedAt?: string;
                            unsubscribedAt?: string;
                        };
                    };
                    identifyBy?: string[];
                    attributes?: {
                        [key: string]: unknown;
                    };
                    lists?: {
                        [key: string]: boolean;
                    } | string[];
                    suppressTriggers?: boolean;
                    forceSubscribe?: boolean;
                    mergeOptions?: {
                        mergeAllowed?: boolean;
                        mergeableSecondaryKeys?: string[];
                    };
                    restrictedUpdateAttrKeys?: string[];
                };
            };
        };
        responses: {
            /** @description The contact existed and was updated. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": {
                        cID: string;
                        identifiers: {
                            [key: string]: string;
                        };
                        channels: {
                            [key: string]: {
                                address?: string;
                                subscribeStatus: string;
                                /** @description Subscription time: as given, else the time of the write. A write that repeats the status does not change it. */
                                subscribedAt?: string;
                                /** @description Unsubscription time, set like `subscribedAt`. Kept when the channel is resubscribed. */
                                unsubscribedAt?: string;
                                /**
                                 * @description The address bounced for good, or cannot be one of the channel. Absent for every other address.
                                 * @constant
                                 */
                                valid?: false;
                            };
                        };
                        attributes: {
                            [key: string]: unknown;
                        };
                        lists: string[];
                        listJoinDate: {
                            [key: string]: string;
                        };
                        createdAt: string;
                        lastModified: string;
                        /** @description Members of the body that were ignored, addresses that cannot be one of their channel, and names that are nearly known ones. */
                        warnings?: {
                            path: string;
                            /** @enum {string} */
                            code: "unknown_member" | "read_only" | "not_an_address" | "similar_name";
                            message: string;
                            suggestion?: string;
                        }[];
                    };
                };
            };
            /** @description The contact was created. */
            201: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": {
                        cID: string;
                        identifiers: {
                            [key: string]: string;
                        };
                        channels: {
                            [key: string]: {
                                address?: string;
                                subscribeStatus: string;
                                /** @description Subscription time: as given, else the time of the write. A write that repeats the status does not change it. */
                                subscribedAt?: string;
                                /** @description Unsubscription time, set like `subscribedAt`. Kept when the channel is resubscribed. */
                                unsubscribedAt?: string;
                                /**
                                 * @description The address bounced for good, or cannot be one of the channel. Absent for every other address.
                                 * @constant
                                 */
                                valid?: false;
                            };
                        };
                        attributes: {
                            [key: string]: unknown;
                        };
                        lists: string[];
                        listJoinDate: {
                            [key: string]: string;
                        };
                        createdAt: string;
                        lastModified: string;
                        /** @description Members of the body that were ignored, addresses that cannot be one of their channel, and names that are nearly known ones. */
                        warnings?: {
                            path: string;
                            /** @enum {string} */
                            code: "unknown_member" | "read_only" | "not_an_address" | "similar_name";
                            message: string;
                            suggestion?: string;
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getContact: {
        parameters: {
            query?: {
                after?: string;
            };
            header?: never;
            path: {
                primary_key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The contact. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": {
                        cID: string;
                        identifiers: {
                            [key: string]: string;
                        };
                        channels: {
                            [key: string]: {
                                address?: string;
                                subscribeStatus: string;
                                /** @description Subscription time: as given, else the time of the write. A write that repeats the status does not change it. */
                                subscribedAt?: string;
                                /** @description Unsubscription time, set like `subscribedAt`. Kept when the channel is resubscribed. */
                                unsubscribedAt?: string;
                                /**
                                 * @description The address bounced for good, or cannot be one of the channel. Absent for every other address.
                                 * @constant
                                 */
                                valid?: false;
                            };
                        };
                        attributes: {
                            [key: string]: unknown;
                        };
                        lists: string[];
                        listJoinDate: {
                            [key: string]: string;
                        };
                        createdAt: string;
                        lastModified: string;
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateContact: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                primary_key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
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
                "application/json": {
                    channels?: {
                        [key: string]: {
                            address?: string | null;
                            /** @enum {string} */
                            subscribeStatus?: "subscribed" | "unsubscribed" | "none" | "pending";
                            subscribedAt?: string;
                            unsubscribedAt?: string;
                        } | null;
                    };
                    attributes?: {
                        [key: string]: unknown;
                    };
                    lists?: {
                        [key: string]: boolean;
                    } | string[];
                    suppressTriggers?: boolean;
                    forceSubscribe?: boolean;
                    mergeOptions?: {
                        mergeAllowed?: boolean;
                        mergeableSecondaryKeys?: string[];
                    };
                    restrictedUpdateAttrKeys?: string[];
                };
            };
        };
        responses: {
            /** @description The updated contact. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": {
                        cID: string;
                        identifiers: {
                            [key: string]: string;
                        };
                        channels: {
                            [key: string]: {
                                address?: string;
                                subscribeStatus: string;
                                /** @description Subscription time: as given, else the time of the write. A write that repeats the status does not change it. */
                                subscribedAt?: string;
                                /** @description Unsubscription time, set like `subscribedAt`. Kept when the channel is resubscribed. */
                                unsubscribedAt?: string;
                                /**
                                 * @description The address bounced for good, or cannot be one of the channel. Absent for every other address.
                                 * @constant
                                 */
                                valid?: false;
                            };
                        };
                        attributes: {
                            [key: string]: unknown;
                        };
                        lists: string[];
                        listJoinDate: {
                            [key: string]: string;
                        };
                        createdAt: string;
                        lastModified: string;
                        /** @description Members of the body that were ignored, addresses that cannot be one of their channel, and names that are nearly known ones. */
                        warnings?: {
                            path: string;
                            /** @enum {string} */
                            code: "unknown_member" | "read_only" | "not_an_address" | "similar_name";
                            message: string;
                            suggestion?: string;
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteContact: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                primary_key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The contact is erased. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "jobId": "65f0c0ffee65f0c0ffee0001",
                     *       "message": "The contact is erased. The job removes its remaining data; Kafka deletes its records within 7 days."
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        jobId: string;
                        message: string;
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listContacthistory: {
        parameters: {
            query?: {
                after?: string;
                page?: number;
                per_page?: number;
                cursor?: string;
                fields?: string;
            };
            header?: never;
            path: {
                primary_key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of changes. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": {
                        data: {
                            version?: string;
                            at?: string;
                            by?: {
                                /** @enum {string} */
                                kind: "record" | "v2" | "merge" | "split" | "redrive";
                                id: string;
                            };
                            changes?: {
                                path: string;
                                from: unknown;
                                to: unknown;
                            }[];
                        }[];
                        pagination: {
                            per_page: number;
                            page?: number;
                            total?: number;
                            last_page?: number;
                            next_cursor: string | null;
                        };
                        asOf?: string;
                        /** @description Event names, properties and values in the criteria that the account never had. */
                        warnings?: {
                            path: string;
                            /** @constant */
                            code: "never_seen";
                            message: string;
                            allowed?: string[];
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    mergeContacts: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
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
                "application/json": {
                    sourceContact: string;
                    destinationContact: string;
                    options: {
                        /**
                         * @default destinationContact
                         * @enum {string}
                         */
                        email_channels?: "sourceContact" | "destinationContact";
                        /**
                         * @default destinationContact
                         * @enum {string}
                         */
                        sms_channels?: "sourceContact" | "destinationContact";
                        /**
                         * @default merge
                         * @enum {string}
                         */
                        push_channels?: "merge" | "ignore";
                        /**
                         * @default destinationContact
                         * @enum {string}
                         */
                        attributes?: "sourceContact" | "destinationContact";
                        /**
                         * @default destinationContact
                         * @enum {string}
                         */
                        lists?: "sourceContact" | "destinationContact";
                        /**
                         * @default destinationContact
                         * @enum {string}
                         */
                        supplements?: "sourceContact" | "destinationContact";
                        /**
                         * @default merge
                         * @enum {string}
                         */
                        orders?: "merge" | "ignore";
                        /**
                         * @default merge
                         * @enum {string}
                         */
                        events?: "merge" | "ignore";
                        /**
                         * @default lastModified
                         * @enum {string}
                         */
                        cart?: "sourceContact" | "destinationContact" | "lastModified";
                    };
                };
            };
        };
        responses: {
            /** @description The job has started. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "65f0c0ffee65f0c0ffee0001",
                     *       "jobID": "65f0c0ffee65f0c0ffee0001",
                     *       "message": "The contacts are merged when the job is done."
                     *     }
                     */
                    "application/json": {
                        jobId: string;
                        jobID: string;
                        message: string;
                        /** @description Members of the body that were ignored, addresses that cannot be one of their channel, and names that are nearly known ones. */
                        warnings?: {
                            path: string;
                            /** @enum {string} */
                            code: "unknown_member" | "read_only" | "not_an_address" | "similar_name";
                            message: string;
                            suggestion?: string;
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    splitContact: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "primaryKey": "customer_id:17850",
                 *       "channelNames": [
                 *         "email"
                 *       ]
                 *     }
                 */
                "application/json": {
                    primaryKey: string;
                    channelNames: string[];
                };
            };
        };
        responses: {
            /** @description The channels now belong to another contact. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "The channels now belong to contact 65f0c0ffee65f0c0ffee0002.",
                     *       "channelsSplit": [
                     *         "email"
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        message: string;
                        channelsSplit: string[];
                        /** @description Members of the body that were ignored, addresses that cannot be one of their channel, and names that are nearly known ones. */
                        warnings?: {
                            path: string;
                            /** @enum {string} */
                            code: "unknown_member" | "read_only" | "not_an_address" | "similar_name";
                            message: string;
                            suggestion?: string;
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    unsubscribeContact: {
        parameters: {
            query?: {
                mcID?: string;
            };
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                primary_key: string;
                channel: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The contact is unsubscribed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    downloadContactprofile: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                primary_key: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "destination": {
                 *         "type": "aws"
                 *       },
                 *       "exportType": "jsonl"
                 *     }
                 */
                "application/json": {
                    destination?: Record<string, unknown> | null;
                    /** @default jsonl */
                    exportType?: ("json" | "jsonl") | null;
                };
            };
        };
        responses: {
            /** @description The job has started. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "65f0c0ffee65f0c0ffee0001"
                     *     }
                     */
                    "application/json": {
                        jobId: string;
                        warnings?: {
                            code: string;
                            path?: string;
                            message: string;
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getCart: {
        parameters: {
            query?: {
                after?: string;
            };
            header?: never;
            path: {
                primary_key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The cart. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": {
                        cartID?: string;
                        customerID?: string;
                        mcID?: string;
                        linkID?: string;
                        url?: string;
                        expiration?: string;
                        tax?: number;
                        items: {
                            productID: string;
                            sku: string;
                            qty: number;
                            category?: string;
                            name?: string;
                            description?: string;
                            itemPrice?: number;
                            amount?: number;
                            url?: string;
                            images?: string[];
                            properties?: {
                                [key: string]: unknown;
                            };
                            attr?: {
                                [key: string]: unknown;
                            };
                        }[];
                        totalAmount?: number;
                        updatedAt?: string;
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateCart: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                primary_key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
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
                "application/json": {
                    cartID?: string | null;
                    customerID?: string | null;
                    mcID?: string | null;
                    linkID?: string | null;
                    url?: string | null;
                    expiration?: string | null;
                    tax?: (number | string) | null;
                    cartitems?: {
                        productID: string;
                        sku: string;
                        category: string;
                        name: string;
                        description?: string;
                        itemPrice?: number | string;
                        url?: string;
                        images?: string[];
                        /** @description Names of at most 1024 bytes; at most 5 levels, and a dotted name has as many as it has parts. */
                        properties?: {
                            [key: string]: unknown;
                        };
                        /** @description Names of at most 1024 bytes; at most 5 levels, and a dotted name has as many as it has parts. */
                        attr?: {
                            [key: string]: unknown;
                        };
                        /** @default 1 */
                        qty?: number;
                    }[];
                    /** @description The same as `cartitems`, under the name that an answer with a cart has. */
                    items?: {
                        productID: string;
                        sku: string;
                        category: string;
                        name: string;
                        description?: string;
                        itemPrice?: number | string;
                        url?: string;
                        images?: string[];
                        /** @description Names of at most 1024 bytes; at most 5 levels, and a dotted name has as many as it has parts. */
                        properties?: {
                            [key: string]: unknown;
                        };
                        /** @description Names of at most 1024 bytes; at most 5 levels, and a dotted name has as many as it has parts. */
                        attr?: {
                            [key: string]: unknown;
                        };
                        /** @default 1 */
                        qty?: number;
                    }[];
                };
            };
        };
        responses: {
            /** @description The updated cart. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description Members of the body that were ignored, addresses that cannot be one of their channel, and names that are nearly known ones. */
                        warnings?: {
                            path: string;
                            /** @enum {string} */
                            code: "unknown_member" | "read_only" | "not_an_address" | "similar_name";
                            message: string;
                            suggestion?: string;
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    setCart: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                primary_key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
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
                "application/json": {
                    cartID?: string | null;
                    customerID?: string | null;
                    mcID?: string | null;
                    linkID?: string | null;
                    url?: string | null;
                    expiration?: string | null;
                    tax?: (number | string) | null;
                    cartitems: {
                        productID: string;
                        sku: string;
                        category: string;
                        name: string;
                        description?: string;
                        itemPrice?: number | string;
                        url?: string;
                        images?: string[];
                        /** @description Names of at most 1024 bytes; at most 5 levels, and a dotted name has as many as it has parts. */
                        properties?: {
                            [key: string]: unknown;
                        };
                        /** @description Names of at most 1024 bytes; at most 5 levels, and a dotted name has as many as it has parts. */
                        attr?: {
                            [key: string]: unknown;
                        };
                        /** @default 1 */
                        qty?: number;
                    }[];
                };
            };
        };
        responses: {
            /** @description The new cart. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description Members of the body that were ignored, addresses that cannot be one of their channel, and names that are nearly known ones. */
                        warnings?: {
                            path: string;
                            /** @enum {string} */
                            code: "unknown_member" | "read_only" | "not_an_address" | "similar_name";
                            message: string;
                            suggestion?: string;
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    clearCart: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                primary_key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The cart is empty. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    addCartitem: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                primary_key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
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
                "application/json": {
                    productID: string;
                    sku: string;
                    category: string;
                    name: string;
                    description?: string;
                    itemPrice?: number | string;
                    url?: string;
                    images?: string[];
                    /** @description Names of at most 1024 bytes; at most 5 levels, and a dotted name has as many as it has parts. */
                    properties?: {
                        [key: string]: unknown;
                    };
                    /** @description Names of at most 1024 bytes; at most 5 levels, and a dotted name has as many as it has parts. */
                    attr?: {
                        [key: string]: unknown;
                    };
                    /** @default 1 */
                    qty?: number;
                };
            };
        };
        responses: {
            /** @description The product is in the cart. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @description Members of the body that were ignored, addresses that cannot be one of their channel, and names that are nearly known ones. */
                        warnings?: {
                            path: string;
                            /** @enum {string} */
                            code: "unknown_member" | "read_only" | "not_an_address" | "similar_name";
                            message: string;
                            suggestion?: string;
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    removeCartitem: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                primary_key: string;
                productID: string;
                qty: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The updated cart. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    removeCartitemOfSku: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                primary_key: string;
                productID: string;
                qty: string;
                sku: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The updated cart. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listContactactivities: {
        parameters: {
            query?: {
                after?: string;
                page?: number;
                per_page?: number;
                cursor?: string;
                sort_dir?: "asc" | "desc";
                return_count?: "true" | "false";
                fields?: string;
                sort_by?: "time";
                action?: string;
                email?: string;
                cID?: string;
                mcID?: string;
                mdtID?: string;
                "contactFields[]"?: string | string[];
                "time[gt]"?: string;
                "time[gte]"?: string;
                "time[lt]"?: string;
                "time[lte]"?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of activities. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": {
                        data: {
                            id?: string;
                            action?: string;
                            cID?: string;
                            email?: string;
                            time?: string;
                            mcID?: string;
                            bmID?: string;
                            first?: boolean;
                            properties?: {
                                [key: string]: unknown;
                            };
                            geo?: {
                                [key: string]: unknown;
                            };
                            device?: {
                                [key: string]: unknown;
                            };
                            contactFields?: {
                                [key: string]: unknown;
                            };
                        }[];
                        pagination: {
                            per_page: number;
                            page?: number;
                            total?: number;
                            last_page?: number;
                            next_cursor: string | null;
                        };
                        asOf?: string;
                        /** @description Event names, properties and values in the criteria that the account never had. */
                        warnings?: {
                            path: string;
                            /** @constant */
                            code: "never_seen";
                            message: string;
                            allowed?: string[];
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createContactactivity: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
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
                "application/json": {
                    action: string;
                    email?: string;
                    cID?: string;
                    identifiers?: {
                        [key: string]: string | number;
                    };
                    time?: string;
                    UID?: string;
                    /** @description Names of at most 1024 bytes; at most 5 levels, and a dotted name has as many as it has parts. */
                    properties?: {
                        [key: string]: unknown;
                    };
                    /** @description True: no automation starts for the activity. Default false. */
                    suppressTriggers?: boolean;
                };
            };
        };
        responses: {
            /** @description The activity is in the log. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "id": "VbZsDdSkFIHQqU5ESHo7:0:0"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        id: string;
                        /** @description Members of the body that were ignored, addresses that cannot be one of their channel, and names that are nearly known ones. */
                        warnings?: {
                            path: string;
                            /** @enum {string} */
                            code: "unknown_member" | "read_only" | "not_an_address" | "similar_name";
                            message: string;
                            suggestion?: string;
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listAccountlists: {
        parameters: {
            query?: {
                after?: string;
                page?: number;
                per_page?: number;
                cursor?: string;
                sort_dir?: "asc" | "desc";
                return_count?: "true" | "false";
                fields?: string;
                sort_by?: "id" | "name";
                name?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of lists. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": {
                        data: {
                            id?: number;
                            name?: string;
                            enhanced?: boolean;
                            /** @description Contacts on the list; where `fields` names it. */
                            count?: number;
                        }[];
                        pagination: {
                            per_page: number;
                            page?: number;
                            total?: number;
                            last_page?: number;
                            next_cursor: string | null;
                        };
                        asOf?: string;
                        /** @description Event names, properties and values in the criteria that the account never had. */
                        warnings?: {
                            path: string;
                            /** @constant */
                            code: "never_seen";
                            message: string;
                            allowed?: string[];
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createAccountlist: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "spring-2026",
                 *       "enhanced": true
                 *     }
                 */
                "application/json": {
                    name: string;
                    enhanced?: boolean;
                };
            };
        };
        responses: {
            /** @description The list was created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "id": 1
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        id: number;
                        /** @description Members of the body that were ignored, addresses that cannot be one of their channel, and names that are nearly known ones. */
                        warnings?: {
                            path: string;
                            /** @enum {string} */
                            code: "unknown_member" | "read_only" | "not_an_address" | "similar_name";
                            message: string;
                            suggestion?: string;
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getAccountlist: {
        parameters: {
            query?: {
                after?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "name": "vip",
                     *       "enhanced": false
                     *     }
                     */
                    "application/json": {
                        id: number;
                        name: string;
                        enhanced: boolean;
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateAccountlist: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "enhanced": false
                 *     }
                 */
                "application/json": {
                    name?: string;
                    enhanced?: boolean;
                };
            };
        };
        responses: {
            /** @description The updated list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "id": 1
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        id: number;
                        /** @description Members of the body that were ignored, addresses that cannot be one of their channel, and names that are nearly known ones. */
                        warnings?: {
                            path: string;
                            /** @enum {string} */
                            code: "unknown_member" | "read_only" | "not_an_address" | "similar_name";
                            message: string;
                            suggestion?: string;
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteAccountlist: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The list is deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "jobId": "65f0c0ffee65f0c0ffee0001"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        jobId: string;
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    countAccountlist: {
        parameters: {
            query?: {
                after?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The count. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "count": 412
                     *     }
                     */
                    "application/json": {
                        count: number;
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    clearAccountlist: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The list is empty. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "id": 1,
                     *       "jobId": "65f0c0ffee65f0c0ffee0001"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        id: number;
                        jobId: string;
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listAttributes: {
        parameters: {
            query?: {
                after?: string;
                page?: number;
                per_page?: number;
                cursor?: string;
                sort_dir?: "asc" | "desc";
                return_count?: "true" | "false";
                fields?: string;
                sort_by?: "key" | "name";
                type?: "string" | "number" | "boolean" | "date" | "geo" | "array" | "auto";
                indexed?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of definitions. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": {
                        data: {
                            key?: string;
                            name?: string;
                            /** @enum {string} */
                            type?: "string" | "number" | "boolean" | "date" | "geo" | "array" | "auto";
                            index?: boolean;
                            unique?: boolean;
                            validators?: {
                                min?: number;
                                max?: number;
                                required?: boolean;
                                /** @enum {string} */
                                type?: "email" | "url" | "integer" | "string" | "number" | "boolean" | "date" | "geo" | "array";
                            } | null;
                            options?: {
                                maxitems?: number;
                            };
                            updateUnauthenticated?: boolean;
                            retainOnDestroy?: string | null;
                        }[];
                        pagination: {
                            per_page: number;
                            page?: number;
                            total?: number;
                            last_page?: number;
                            next_cursor: string | null;
                        };
                        asOf?: string;
                        /** @description Event names, properties and values in the criteria that the account never had. */
                        warnings?: {
                            path: string;
                            /** @constant */
                            code: "never_seen";
                            message: string;
                            allowed?: string[];
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createAttribute: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
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
                "application/json": {
                    /** @description At most 128 characters, unless a write has created the key. */
                    key: string;
                    name: string;
                    /** @enum {string} */
                    type: "string" | "number" | "boolean" | "date" | "geo" | "array";
                    index?: boolean;
                    unique?: boolean;
                    validators?: {
                        min?: number;
                        max?: number;
                        required?: boolean;
                        /** @enum {string} */
                        type?: "email" | "url" | "integer" | "string" | "number" | "boolean" | "date" | "geo" | "array";
                    } | null;
                    options?: {
                        maxitems?: number;
                    };
                    /** @description Stored and returned, but without effect: every write of a contact needs an API key or a partner signature. */
                    updateUnauthenticated?: boolean;
                    /** @description Retention when a contact is deleted: none, or one more in the count of its value (`unchanged`) or of its value's group (`anonymized`). Nothing identifies the contact. */
                    retainOnDestroy?: ("anonymized" | "unchanged") | null;
                };
            };
        };
        responses: {
            /** @description The attribute definition. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "key": "lifetime_value",
                     *       "notCast": 0
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        key: string;
                        notCast?: number;
                        /** @description Members of the body that were ignored, addresses that cannot be one of their channel, and names that are nearly known ones. */
                        warnings?: {
                            path: string;
                            /** @enum {string} */
                            code: "unknown_member" | "read_only" | "not_an_address" | "similar_name";
                            message: string;
                            suggestion?: string;
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getAttribute: {
        parameters: {
            query?: {
                after?: string;
            };
            header?: never;
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The definition. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": {
                        key: string;
                        name: string;
                        /** @enum {string} */
                        type: "string" | "number" | "boolean" | "date" | "geo" | "array" | "auto";
                        index: boolean;
                        unique: boolean;
                        validators: {
                            min?: number;
                            max?: number;
                            required?: boolean;
                            /** @enum {string} */
                            type?: "email" | "url" | "integer" | "string" | "number" | "boolean" | "date" | "geo" | "array";
                        } | null;
                        options: {
                            maxitems?: number;
                        };
                        updateUnauthenticated: boolean;
                        retainOnDestroy: string | null;
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateAttribute: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Plan",
                 *       "index": true
                 *     }
                 */
                "application/json": {
                    /** @description At most 128 characters, unless a write has created the key. */
                    key?: string;
                    name?: string;
                    /** @enum {string} */
                    type?: "string" | "number" | "boolean" | "date" | "geo" | "array" | "auto";
                    index?: boolean;
                    unique?: boolean;
                    validators?: {
                        min?: number;
                        max?: number;
                        required?: boolean;
                        /** @enum {string} */
                        type?: "email" | "url" | "integer" | "string" | "number" | "boolean" | "date" | "geo" | "array";
                    } | null;
                    options?: {
                        maxitems?: number;
                    };
                    /** @description Stored and returned, but without effect: every write of a contact needs an API key or a partner signature. */
                    updateUnauthenticated?: boolean;
                    /** @description Retention when a contact is deleted: none, or one more in the count of its value (`unchanged`) or of its value's group (`anonymized`). Nothing identifies the contact. */
                    retainOnDestroy?: ("anonymized" | "unchanged") | null;
                };
            };
        };
        responses: {
            /** @description The updated definition. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "key": "plan"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        key: string;
                        notCast?: number;
                        /** @description Members of the body that were ignored, addresses that cannot be one of their channel, and names that are nearly known ones. */
                        warnings?: {
                            path: string;
                            /** @enum {string} */
                            code: "unknown_member" | "read_only" | "not_an_address" | "similar_name";
                            message: string;
                            suggestion?: string;
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteAttribute: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The definition is deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "jobId": "65f0c0ffee65f0c0ffee0001"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        jobId: string;
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listAttributevalues: {
        parameters: {
            query?: {
                after?: string;
                as?: "string" | "number" | "boolean" | "date" | "geo" | "array";
                limit?: number;
            };
            header?: never;
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The values with their counts. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": {
                        data: {
                            value: unknown;
                            count: number;
                        }[];
                        missing: number;
                        /** @description With `as`: contacts whose value the type cannot read. */
                        notCast?: number;
                        /** @description Values kept of deleted contacts by `retainOnDestroy`, with the number of contacts per value. */
                        retained?: {
                            value: unknown;
                            count: number;
                        }[];
                        asOf: string;
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listOrders: {
        parameters: {
            query?: {
                after?: string;
                page?: number;
                per_page?: number;
                cursor?: string;
                sort_dir?: "asc" | "desc";
                return_count?: "true" | "false";
                fields?: string;
                sort_by?: "purchaseDate" | "orderID";
                cID?: string;
                email?: string;
                purchaseDate?: string;
                "purchaseDate[gt]"?: string;
                "purchaseDate[gte]"?: string;
                "purchaseDate[lt]"?: string;
                "purchaseDate[lte]"?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of orders. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": {
                        data: {
                            orderID?: string;
                            cID?: string;
                            purchaseDate?: string;
                            currency?: string;
                            status?: string;
                            items?: {
                                productID: string;
                                sku?: string;
                                name?: string;
                                manufacturerName?: string;
                                category?: string;
                                description?: string;
                                productType?: string;
                                UPCCode?: string;
                                itemPrice?: number;
                                salePrice?: number;
                                qty: number;
                                /** @description `qty` times `itemPrice`. */
                                amount?: number;
                                url?: string;
                                images?: string[];
                                tags?: string[];
                                inStock?: boolean;
                                taxable?: boolean;
                                enabled?: boolean;
                                properties?: {
                                    [key: string]: unknown;
                                };
                                attr?: {
                                    [key: string]: unknown;
                                };
                            }[];
                            /** @description As given, else the sum of the items. Absent where an item has no price, or where the sum is not below 10^14. */
                            totalAmount?: number;
                            /** @constant */
                            totalComputed?: true;
                            discountApplication?: {
                                /** @constant */
                                type: "fixed";
                                amount: number;
                            };
                            totalDiscountAmount?: number;
                            tax?: number;
                            shippingAndHandling?: number;
                            shippingAddress?: {
                                name?: string;
                                address?: string;
                                city?: string;
                                state?: string;
                                postalCode?: string;
                                country?: string;
                            };
                            billingAddress?: {
                                name?: string;
                                address?: string;
                                city?: string;
                                state?: string;
                                postalCode?: string;
                                country?: string;
                            };
                            properties?: {
                                [key: string]: unknown;
                            };
                            customerID?: string;
                            storeID?: string;
                            mcID?: string;
                            msID?: string;
                            linkID?: string;
                            cartID?: string;
                        }[];
                        pagination: {
                            per_page: number;
                            page?: number;
                            total?: number;
                            last_page?: number;
                            next_cursor: string | null;
                        };
                        asOf?: string;
                        /** @description Event names, properties and values in the criteria that the account never had. */
                        warnings?: {
                            path: string;
                            /** @constant */
                            code: "never_seen";
                            message: string;
                            allowed?: string[];
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createOrder: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
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
                "application/json": {
                    orderID: string;
                    purchaseDate: string;
                    cID?: string;
                    email?: string;
                    identifiers?: {
                        [key: string]: string | number;
                    };
                    suppressTriggers?: boolean;
                    status?: string | null;
                    currency?: string | null;
                    items?: {
                        productID: string;
                        sku: string;
                        name: string;
                        manufacturerName?: string;
                        category?: string;
                        description?: string;
                        productType?: string;
                        UPCCode?: string;
                        itemPrice?: number | string;
                        salePrice?: number | string;
                        qty?: number;
                        url?: string;
                        images?: string[];
                        tags?: string[];
                        inStock?: boolean;
                        taxable?: boolean;
                        enabled?: boolean;
                        /** @description Names of at most 1024 bytes; at most 5 levels, and a dotted name has as many as it has parts. */
                        properties?: {
                            [key: string]: unknown;
                        };
                        /** @description Names of at most 1024 bytes; at most 5 levels, and a dotted name has as many as it has parts. */
                        attr?: {
                            [key: string]: unknown;
                        };
                    }[] | null;
                    discountApplication?: {
                        /** @constant */
                        type: "fixed";
                        amount: number | string;
                    } | null;
                    tax?: (number | string) | null;
                    shippingAndHandling?: (number | string) | null;
                    totalAmount?: (number | string) | null;
                    shippingAddress?: {
                        name?: string;
                        address?: string;
                        city?: string;
                        state?: string;
                        postalCode?: string;
                        country?: string;
                    } | null;
                    billingAddress?: {
                        name?: string;
                        address?: string;
                        city?: string;
                        state?: string;
                        postalCode?: string;
                        country?: string;
                    } | null;
                    properties?: {
                        [key: string]: unknown;
                    } | null;
                    mcID?: string | null;
                    msID?: string | null;
                    linkID?: string | null;
                    customerID?: string | null;
                    storeID?: string | null;
                    cartID?: string | null;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description The order was created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "orderID": "536365"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        orderID: string;
                        /** @description Members of the body that were ignored, addresses that cannot be one of their channel, and names that are nearly known ones. */
                        warnings?: {
                            path: string;
                            /** @enum {string} */
                            code: "unknown_member" | "read_only" | "not_an_address" | "similar_name";
                            message: string;
                            suggestion?: string;
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOrder: {
        parameters: {
            query?: {
                after?: string;
                fields?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The order. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": {
                        orderID?: string;
                        cID?: string;
                        purchaseDate?: string;
                        currency?: string;
                        status?: string;
                        items?: {
                            productID: string;
                            sku?: string;
                            name?: string;
                            manufacturerName?: string;
                            category?: string;
                            description?: string;
                            productType?: string;
                            UPCCode?: string;
                            itemPrice?: number;
                            salePrice?: number;
                            qty: number;
                            /** @description `qty` times `itemPrice`. */
                            amount?: number;
                            url?: string;
                            images?: string[];
                            tags?: string[];
                            inStock?: boolean;
                            taxable?: boolean;
                            enabled?: boolean;
                            properties?: {
                                [key: string]: unknown;
                            };
                            attr?: {
                                [key: string]: unknown;
                            };
                        }[];
                        /** @description As given, else the sum of the items. Absent where an item has no price, or where the sum is not below 10^14. */
                        totalAmount?: number;
                        /** @constant */
                        totalComputed?: true;
                        discountApplication?: {
                            /** @constant */
                            type: "fixed";
                            amount: number;
                        };
                        totalDiscountAmount?: number;
                        tax?: number;
                        shippingAndHandling?: number;
                        shippingAddress?: {
                            name?: string;
                            address?: string;
                            city?: string;
                            state?: string;
                            postalCode?: string;
                            country?: string;
                        };
                        billingAddress?: {
                            name?: string;
                            address?: string;
                            city?: string;
                            state?: string;
                            postalCode?: string;
                            country?: string;
                        };
                        properties?: {
                            [key: string]: unknown;
                        };
                        customerID?: string;
                        storeID?: string;
                        mcID?: string;
                        msID?: string;
                        linkID?: string;
                        cartID?: string;
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateOrder: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "shipped",
                 *       "tax": "1.20",
                 *       "properties": {
                 *         "carrier": "van"
                 *       }
                 *     }
                 */
                "application/json": {
                    orderID?: string;
                    purchaseDate?: string;
                    cID?: string;
                    email?: string;
                    identifiers?: {
                        [key: string]: string | number;
                    };
                    suppressTriggers?: boolean;
                    status?: string | null;
                    currency?: string | null;
                    items?: {
                        productID: string;
                        sku: string;
                        name: string;
                        manufacturerName?: string;
                        category?: string;
                        description?: string;
                        productType?: string;
                        UPCCode?: string;
                        itemPrice?: number | string;
                        salePrice?: number | string;
                        qty?: number;
                        url?: string;
                        images?: string[];
                        tags?: string[];
                        inStock?: boolean;
                        taxable?: boolean;
                        enabled?: boolean;
                        /** @description Names of at most 1024 bytes; at most 5 levels, and a dotted name has as many as it has parts. */
                        properties?: {
                            [key: string]: unknown;
                        };
                        /** @description Names of at most 1024 bytes; at most 5 levels, and a dotted name has as many as it has parts. */
                        attr?: {
                            [key: string]: unknown;
                        };
                    }[] | null;
                    discountApplication?: {
                        /** @constant */
                        type: "fixed";
                        amount: number | string;
                    } | null;
                    tax?: (number | string) | null;
                    shippingAndHandling?: (number | string) | null;
                    totalAmount?: (number | string) | null;
                    shippingAddress?: {
                        name?: string;
                        address?: string;
                        city?: string;
                        state?: string;
                        postalCode?: string;
                        country?: string;
                    } | null;
                    billingAddress?: {
                        name?: string;
                        address?: string;
                        city?: string;
                        state?: string;
                        postalCode?: string;
                        country?: string;
                    } | null;
                    properties?: {
                        [key: string]: unknown;
                    } | null;
                    mcID?: string | null;
                    msID?: string | null;
                    linkID?: string | null;
                    customerID?: string | null;
                    storeID?: string | null;
                    cartID?: string | null;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description The updated order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "orderID": "536365"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        orderID: string;
                        /** @description Members of the body that were ignored, addresses that cannot be one of their channel, and names that are nearly known ones. */
                        warnings?: {
                            path: string;
                            /** @enum {string} */
                            code: "unknown_member" | "read_only" | "not_an_address" | "similar_name";
                            message: string;
                            suggestion?: string;
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteOrder: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The order is deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listSupplements: {
        parameters: {
            query?: {
                after?: string;
                page?: number;
                per_page?: number;
                cursor?: string;
                sort_dir?: "asc" | "desc";
                return_count?: "true" | "false";
                fields?: string;
                sort_by?: "key" | "name";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of tables. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": {
                        data: {
                            key?: string;
                            name?: string;
                            indexes?: {
                                field: string;
                                /** @enum {string} */
                                type: "string" | "number" | "date" | "geo" | "array";
                                /** @enum {string} */
                                state: "building" | "ready";
                            }[];
                            contactObject?: boolean;
                            autogenerateIDs?: boolean;
                            createdAt?: string;
                            lastDataUpdate?: string;
                        }[];
                        pagination: {
                            per_page: number;
                            page?: number;
                            total?: number;
                            last_page?: number;
                            next_cursor: string | null;
                        };
                        asOf?: string;
                        /** @description Event names, properties and values in the criteria that the account never had. */
                        warnings?: {
                            path: string;
                            /** @constant */
                            code: "never_seen";
                            message: string;
                            allowed?: string[];
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createSupplement: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
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
                "application/json": {
                    key: string;
                    name?: string;
                    indexes: {
                        field: string;
                        /** @enum {string} */
                        type: "string" | "number" | "date" | "geo" | "array";
                    }[];
                    contactObject?: boolean;
                    autogenerateIDs?: boolean;
                };
            };
        };
        responses: {
            /** @description The table was created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "key": "cars"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        key: string;
                        /** @description Members of the body that were ignored, addresses that cannot be one of their channel, and names that are nearly known ones. */
                        warnings?: {
                            path: string;
                            /** @enum {string} */
                            code: "unknown_member" | "read_only" | "not_an_address" | "similar_name";
                            message: string;
                            suggestion?: string;
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getSupplement: {
        parameters: {
            query?: {
                after?: string;
                fields?: string;
            };
            header?: never;
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The table. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": {
                        key?: string;
                        name?: string;
                        indexes?: {
                            field: string;
                            /** @enum {string} */
                            type: "string" | "number" | "date" | "geo" | "array";
                            /** @enum {string} */
                            state: "building" | "ready";
                        }[];
                        contactObject?: boolean;
                        autogenerateIDs?: boolean;
                        createdAt?: string;
                        lastDataUpdate?: string;
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateSupplement: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
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
                "application/json": {
                    /** @description That of the path. */
                    key?: string;
                    name?: string | null;
                    indexes?: {
                        field: string;
                        /** @enum {string} */
                        type: "string" | "number" | "date" | "geo" | "array";
                    }[];
                };
            };
        };
        responses: {
            /** @description The updated table. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "key": "cars"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        key: string;
                        /** @description Members of the body that were ignored, addresses that cannot be one of their channel, and names that are nearly known ones. */
                        warnings?: {
                            path: string;
                            /** @enum {string} */
                            code: "unknown_member" | "read_only" | "not_an_address" | "similar_name";
                            message: string;
                            suggestion?: string;
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteSupplement: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The table is deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    clearSupplement: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The table is empty. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "key": "cars",
                     *       "jobId": "65f0c0ffee65f0c0ffee0001"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        key: string;
                        jobId: string;
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listSupplementrecords: {
        parameters: {
            query?: {
                after?: string;
                page?: number;
                per_page?: number;
                cursor?: string;
                sort_dir?: "asc" | "desc";
                return_count?: "true" | "false";
                fields?: string;
                sort_by?: string;
            };
            header?: never;
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of records. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": {
                        data: ({
                            id?: string;
                            cID?: string;
                            ct?: string;
                            lm?: string;
                        } & {
                            [key: string]: unknown;
                        })[];
                        pagination: {
                            per_page: number;
                            page?: number;
                            total?: number;
                            last_page?: number;
                            next_cursor: string | null;
                        };
                        asOf?: string;
                        /** @description Event names, properties and values in the criteria that the account never had. */
                        warnings?: {
                            path: string;
                            /** @constant */
                            code: "never_seen";
                            message: string;
                            allowed?: string[];
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createSupplementrecord: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "car-1",
                 *       "email": "ada@example.com",
                 *       "model": "A",
                 *       "year": 2019
                 *     }
                 */
                "application/json": {
                    id?: string;
                    suppressTriggers?: boolean;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description The record was created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "id": "car-1"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        id: string;
                        /** @description Members of the body that were ignored, addresses that cannot be one of their channel, and names that are nearly known ones. */
                        warnings?: {
                            path: string;
                            /** @enum {string} */
                            code: "unknown_member" | "read_only" | "not_an_address" | "similar_name";
                            message: string;
                            suggestion?: string;
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getSupplementrecord: {
        parameters: {
            query?: {
                after?: string;
                fields?: string;
            };
            header?: never;
            path: {
                key: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": {
                        id?: string;
                        cID?: string;
                        ct?: string;
                        lm?: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateSupplementrecord: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                key: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "year": 2020,
                 *       "colour": null
                 *     }
                 */
                "application/json": {
                    id?: unknown;
                    suppressTriggers?: boolean;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description The updated record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "id": "car-1"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        id: string;
                        /** @description Members of the body that were ignored, addresses that cannot be one of their channel, and names that are nearly known ones. */
                        warnings?: {
                            path: string;
                            /** @enum {string} */
                            code: "unknown_member" | "read_only" | "not_an_address" | "similar_name";
                            message: string;
                            suggestion?: string;
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteSupplementrecord: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                key: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record is deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listProducts: {
        parameters: {
            query?: {
                after?: string;
                page?: number;
                per_page?: number;
                cursor?: string;
                sort_dir?: "asc" | "desc";
                return_count?: "true" | "false";
                fields?: string;
                sort_by?: "ct" | "productID";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of products. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": {
                        data: {
                            productID?: string;
                            productName?: string;
                            variants?: {
                                sku: string;
                                attr?: {
                                    [key: string]: unknown;
                                } | null;
                                qty?: number | null;
                            }[];
                            productType?: string;
                            price?: number;
                            sale?: {
                                enabled?: boolean | null;
                                price?: number | null;
                                start?: string | null;
                                end?: string | null;
                            };
                            UPCCode?: string;
                            category?: string;
                            description?: string;
                            manufacturerName?: string;
                            url?: string;
                            images?: string[];
                            tags?: string[];
                            inStock?: boolean;
                            taxable?: boolean;
                            enabled?: boolean;
                            properties?: {
                                [key: string]: unknown;
                            };
                            totalQty?: number;
                            ct?: string;
                            lm?: string;
                        }[];
                        pagination: {
                            per_page: number;
                            page?: number;
                            total?: number;
                            last_page?: number;
                            next_cursor: string | null;
                        };
                        asOf?: string;
                        /** @description Event names, properties and values in the criteria that the account never had. */
                        warnings?: {
                            path: string;
                            /** @constant */
                            code: "never_seen";
                            message: string;
                            allowed?: string[];
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createProducts: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
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
                "application/json": {
                    productID: string;
                    productName: string;
                    variants?: {
                        sku: string;
                        attr?: {
                            [key: string]: unknown;
                        } | null;
                        qty?: number | null;
                    }[] | null;
                    productType?: ("physical" | "digital" | "subscription" | "event") | null;
                    price?: (number | string) | null;
                    sale?: {
                        enabled?: boolean | null;
                        price?: (number | string) | null;
                        start?: string | null;
                        end?: string | null;
                    } | null;
                    UPCCode?: string | null;
                    category?: string | null;
                    description?: string | null;
                    manufacturerName?: string | null;
                    url?: string | null;
                    images?: string[] | null;
                    tags?: string[] | null;
                    inStock?: boolean | null;
                    taxable?: boolean | null;
                    enabled?: boolean | null;
                    properties?: {
                        [key: string]: unknown;
                    } | null;
                } | {
                    productID: string;
                    productName: string;
                    variants?: {
                        sku: string;
                        attr?: {
                            [key: string]: unknown;
                        } | null;
                        qty?: number | null;
                    }[] | null;
                    productType?: ("physical" | "digital" | "subscription" | "event") | null;
                    price?: (number | string) | null;
                    sale?: {
                        enabled?: boolean | null;
                        price?: (number | string) | null;
                        start?: string | null;
                        end?: string | null;
                    } | null;
                    UPCCode?: string | null;
                    category?: string | null;
                    description?: string | null;
                    manufacturerName?: string | null;
                    url?: string | null;
                    images?: string[] | null;
                    tags?: string[] | null;
                    inStock?: boolean | null;
                    taxable?: boolean | null;
                    enabled?: boolean | null;
                    properties?: {
                        [key: string]: unknown;
                    } | null;
                }[];
            };
        };
        responses: {
            /** @description All products existed and were updated. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "productID": "1"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        productID: string;
                        /** @description Members of the body that were ignored, addresses that cannot be one of their channel, and names that are nearly known ones. */
                        warnings?: {
                            path: string;
                            /** @enum {string} */
                            code: "unknown_member" | "read_only" | "not_an_address" | "similar_name";
                            message: string;
                            suggestion?: string;
                        }[];
                    } | {
                        /** @constant */
                        success: true;
                        items: {
                            productID: string;
                            /** @enum {string} */
                            status: "created" | "updated";
                        }[];
                        /** @description Members of the body that were ignored, addresses that cannot be one of their channel, and names that are nearly known ones. */
                        warnings?: {
                            path: string;
                            /** @enum {string} */
                            code: "unknown_member" | "read_only" | "not_an_address" | "similar_name";
                            message: string;
                            suggestion?: string;
                        }[];
                    };
                };
            };
            /** @description At least one product was created. */
            201: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        productID: string;
                        /** @description Members of the body that were ignored, addresses that cannot be one of their channel, and names that are nearly known ones. */
                        warnings?: {
                            path: string;
                            /** @enum {string} */
                            code: "unknown_member" | "read_only" | "not_an_address" | "similar_name";
                            message: string;
                            suggestion?: string;
                        }[];
                    } | {
                        /** @constant */
                        success: true;
                        items: {
                            productID: string;
                            /** @enum {string} */
                            status: "created" | "updated";
                        }[];
                        /** @description Members of the body that were ignored, addresses that cannot be one of their channel, and names that are nearly known ones. */
                        warnings?: {
                            path: string;
                            /** @enum {string} */
                            code: "unknown_member" | "read_only" | "not_an_address" | "similar_name";
                            message: string;
                            suggestion?: string;
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getProduct: {
        parameters: {
            query?: {
                after?: string;
            };
            header?: never;
            path: {
                productID: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The product. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": {
                        productID: string;
                        productName?: string;
                        variants?: {
                            sku: string;
                            attr?: {
                                [key: string]: unknown;
                            } | null;
                            qty?: number | null;
                        }[];
                        productType?: string;
                        price?: number;
                        sale?: {
                            enabled?: boolean | null;
                            price?: number | null;
                            start?: string | null;
                            end?: string | null;
                        };
                        UPCCode?: string;
                        category?: string;
                        description?: string;
                        manufacturerName?: string;
                        url?: string;
                        images?: string[];
                        tags?: string[];
                        inStock?: boolean;
                        taxable?: boolean;
                        enabled: boolean;
                        properties?: {
                            [key: string]: unknown;
                        };
                        totalQty: number;
                        ct: string;
                        lm: string;
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateProduct: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                productID: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "price": "2.95",
                 *       "sale": null,
                 *       "inStock": false
                 *     }
                 */
                "application/json": {
                    productID?: string;
                    productName?: string;
                    variants?: {
                        sku: string;
                        attr?: {
                            [key: string]: unknown;
                        } | null;
                        qty?: number | null;
                    }[] | null;
                    productType?: ("physical" | "digital" | "subscription" | "event") | null;
                    price?: (number | string) | null;
                    sale?: {
                        enabled?: boolean | null;
                        price?: (number | string) | null;
                        start?: string | null;
                        end?: string | null;
                    } | null;
                    UPCCode?: string | null;
                    category?: string | null;
                    description?: string | null;
                    manufacturerName?: string | null;
                    url?: string | null;
                    images?: string[] | null;
                    tags?: string[] | null;
                    inStock?: boolean | null;
                    taxable?: boolean | null;
                    enabled?: boolean | null;
                    properties?: {
                        [key: string]: unknown;
                    } | null;
                };
            };
        };
        responses: {
            /** @description The updated product. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "productID": "85123A"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        productID: string;
                        /** @description Members of the body that were ignored, addresses that cannot be one of their channel, and names that are nearly known ones. */
                        warnings?: {
                            path: string;
                            /** @enum {string} */
                            code: "unknown_member" | "read_only" | "not_an_address" | "similar_name";
                            message: string;
                            suggestion?: string;
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteProduct: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                productID: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The product is deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listIncludes: {
        parameters: {
            query?: {
                after?: string;
                page?: number;
                per_page?: number;
                cursor?: string;
                sort_dir?: "asc" | "desc";
                return_count?: "true" | "false";
                fields?: string;
                sort_by?: "createdAt" | "key";
                key?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of includes. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": {
                        data: {
                            key?: string;
                            content?: string;
                            name?: string;
                            description?: string;
                            tags?: string[];
                            createdAt?: string;
                            lastUpdate?: string;
                        }[];
                        pagination: {
                            per_page: number;
                            page?: number;
                            total?: number;
                            last_page?: number;
                            next_cursor: string | null;
                        };
                        asOf?: string;
                        /** @description Event names, properties and values in the criteria that the account never had. */
                        warnings?: {
                            path: string;
                            /** @constant */
                            code: "never_seen";
                            message: string;
                            allowed?: string[];
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createInclude: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
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
                "application/json": {
                    key: string;
                    content: string;
                    name?: string | null;
                    description?: string | null;
                    tags?: string[] | null;
                };
            };
        };
        responses: {
            /** @description The include was created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "key": "footer-2026"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        key: string;
                        /** @description Members of the body that were ignored, addresses that cannot be one of their channel, and names that are nearly known ones. */
                        warnings?: {
                            path: string;
                            /** @enum {string} */
                            code: "unknown_member" | "read_only" | "not_an_address" | "similar_name";
                            message: string;
                            suggestion?: string;
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getInclude: {
        parameters: {
            query?: {
                after?: string;
                fields?: string;
            };
            header?: never;
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The include. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": {
                        key?: string;
                        content?: string;
                        name?: string;
                        description?: string;
                        tags?: string[];
                        createdAt?: string;
                        lastUpdate?: string;
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateInclude: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "content": "<p>{{ unsubscribe_link }}</p>",
                 *       "description": "Under every message."
                 *     }
                 */
                "application/json": {
                    content?: string;
                    name?: string | null;
                    description?: string | null;
                    tags?: string[] | null;
                    key?: string;
                };
            };
        };
        responses: {
            /** @description The updated include. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "key": "footer-2026"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        key: string;
                        /** @description Members of the body that were ignored, addresses that cannot be one of their channel, and names that are nearly known ones. */
                        warnings?: {
                            path: string;
                            /** @enum {string} */
                            code: "unknown_member" | "read_only" | "not_an_address" | "similar_name";
                            message: string;
                            suggestion?: string;
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteInclude: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The include is deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listTransports: {
        parameters: {
            query?: {
                after?: string;
                page?: number;
                per_page?: number;
                cursor?: string;
                sort_dir?: "asc" | "desc";
                return_count?: "true" | "false";
                fields?: string;
                sort_by?: "ct" | "name";
                channel?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of transports. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "65f0c0ffee65f0c0ffee00c1",
                     *           "name": "Mail",
                     *           "channel": "email",
                     *           "type": "smtp",
                     *           "settings": {
                     *             "host": "smtp.example.com",
                     *             "port": 587,
                     *             "tls": "required",
                     *             "username": "news",
                     *             "password": {
                     *               "set": true,
                     *               "last4": "9xQf"
                     *             },
                     *             "fromDomains": [
                     *               "example.com"
                     *             ],
                     *             "perSecond": 50,
                     *             "perDomain": {
                     *               "example.org": 5
                     *             }
                     *           },
                     *           "default": true,
                     *           "enabled": true,
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
                    "application/json": {
                        data: {
                            id?: string;
                            name?: string;
                            channel?: string;
                            /** @enum {string} */
                            type?: "smtp" | "http" | "log";
                            settings?: {
                                [key: string]: unknown;
                            };
                            default?: boolean;
                            enabled?: boolean;
                            /** @description Address to which the provider posts events; POST answers it whole. */
                            eventsUrl?: {
                                /** @constant */
                                set: true;
                                last4: string;
                            };
                            ct?: string;
                            lm?: string;
                        }[];
                        pagination: {
                            per_page: number;
                            page?: number;
                            total?: number;
                            last_page?: number;
                            next_cursor: string | null;
                        };
                        asOf?: string;
                        /** @description Event names, properties and values in the criteria that the account never had. */
                        warnings?: {
                            path: string;
                            /** @constant */
                            code: "never_seen";
                            message: string;
                            allowed?: string[];
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createTransport: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Short messages",
                 *       "channel": "sms",
                 *       "type": "http",
                 *       "default": true,
                 *       "settings": {
                 *         "url": "https://sms.example.com/v1/messages",
                 *         "headers": {
                 *           "accept": "application/json"
                 *         },
                 *         "accepted": {
                 *           "statuses": [
                 *             200,
                 *             202
                 *           ],
                 *           "idPath": "id"
                 *         },
                 *         "perSecond": 20
                 *       }
                 *     }
                 */
                "application/json": {
                    name: string;
                    channel: string;
                    /** @enum {string} */
                    type: "smtp" | "http" | "log";
                    /** @description By type. `smtp`: `host`, `port`, `tls` (`required`, `opportunistic` or `none`), `username`, `password`, `fromDomains`, `dkim` (`domain`, `selector`, `privateKey` in PEM), `returnPath` (an address with `{token}`). `http`: `url`, `headers`, `body` (Liquid that renders to JSON), `accepted` (`statuses`, `idPath`), `idempotent`, `events` (`list`, `map`, `types`: how the events that the provider posts are read, as JMESPath). Both: `answerTimeoutSeconds`. All: `connections`, `perSecond`, `windows`, `perDomain`, `warmup`. Secrets are read back as `{set, last4}`. */
                    settings?: {
                        [key: string]: unknown;
                    };
                    default?: boolean | null;
                    enabled?: boolean | null;
                };
            };
        };
        responses: {
            /** @description The transport was created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "id": "65f0c0ffee65f0c0ffee00c1"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        id: string;
                        /**
                         * Format: uri
                         * @description Of an HTTP transport: where its provider posts events. It is shown this once.
                         */
                        eventsUrl?: string;
                        /** @description Members of the body that were ignored, addresses that cannot be one of their channel, and names that are nearly known ones. */
                        warnings?: {
                            path: string;
                            /** @enum {string} */
                            code: "unknown_member" | "read_only" | "not_an_address" | "similar_name";
                            message: string;
                            suggestion?: string;
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getTransport: {
        parameters: {
            query?: {
                after?: string;
                fields?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The transport. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "65f0c0ffee65f0c0ffee00c1",
                     *       "name": "Mail",
                     *       "channel": "email",
                     *       "type": "smtp",
                     *       "settings": {
                     *         "host": "smtp.example.com",
                     *         "port": 587,
                     *         "tls": "required",
                     *         "username": "news",
                     *         "password": {
                     *           "set": true,
                     *           "last4": "9xQf"
                     *         },
                     *         "fromDomains": [
                     *           "example.com"
                     *         ],
                     *         "perSecond": 50,
                     *         "perDomain": {
                     *           "example.org": 5
                     *         }
                     *       },
                     *       "default": true,
                     *       "enabled": true,
                     *       "ct": "2026-01-09T22:47:12.000Z",
                     *       "lm": "2026-01-09T22:47:12.000Z"
                     *     }
                     */
                    "application/json": {
                        id?: string;
                        name?: string;
                        channel?: string;
                        /** @enum {string} */
                        type?: "smtp" | "http" | "log";
                        settings?: {
                            [key: string]: unknown;
                        };
                        default?: boolean;
                        enabled?: boolean;
                        /** @description Address to which the provider posts events; POST answers it whole. */
                        eventsUrl?: {
                            /** @constant */
                            set: true;
                            last4: string;
                        };
                        ct?: string;
                        lm?: string;
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateTransport: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "settings": {
                 *         "perSecond": 80
                 *       },
                 *       "enabled": true
                 *     }
                 */
                "application/json": {
                    name?: string;
                    channel?: string;
                    /** @enum {string} */
                    type?: "smtp" | "http" | "log";
                    /** @description By type. `smtp`: `host`, `port`, `tls` (`required`, `opportunistic` or `none`), `username`, `password`, `fromDomains`, `dkim` (`domain`, `selector`, `privateKey` in PEM), `returnPath` (an address with `{token}`). `http`: `url`, `headers`, `body` (Liquid that renders to JSON), `accepted` (`statuses`, `idPath`), `idempotent`, `events` (`list`, `map`, `types`: how the events that the provider posts are read, as JMESPath). Both: `answerTimeoutSeconds`. All: `connections`, `perSecond`, `windows`, `perDomain`, `warmup`. Secrets are read back as `{set, last4}`. */
                    settings?: {
                        [key: string]: unknown;
                    };
                    default?: boolean | null;
                    enabled?: boolean | null;
                };
            };
        };
        responses: {
            /** @description The updated transport. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "id": "65f0c0ffee65f0c0ffee00c1"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        id: string;
                        /** @description Members of the body that were ignored, addresses that cannot be one of their channel, and names that are nearly known ones. */
                        warnings?: {
                            path: string;
                            /** @enum {string} */
                            code: "unknown_member" | "read_only" | "not_an_address" | "similar_name";
                            message: string;
                            suggestion?: string;
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteTransport: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The transport is deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    checkTransport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The outcome of each check. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": false,
                     *       "checks": [
                     *         {
                     *           "name": "connection",
                     *           "ok": true,
                     *           "message": "The server answers."
                     *         },
                     *         {
                     *           "name": "tls",
                     *           "ok": true,
                     *           "message": "The connection is encrypted."
                     *         },
                     *         {
                     *           "name": "login",
                     *           "ok": true,
                     *           "message": "The server takes the login."
                     *         },
                     *         {
                     *           "name": "dkim",
                     *           "ok": false,
                     *           "message": "s1._domainkey.example.com has no DKIM key."
                     *         },
                     *         {
                     *           "name": "spf",
                     *           "ok": true,
                     *           "message": "example.com has an SPF record."
                     *         },
                     *         {
                     *           "name": "dmarc",
                     *           "ok": true,
                     *           "message": "_dmarc.example.com has a policy, and the return path at example.com is aligned with example.com."
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        ok: boolean;
                        checks: {
                            /** @enum {string} */
                            name: "connection" | "tls" | "login" | "dkim" | "spf" | "dmarc";
                            ok: boolean;
                            message: string;
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listTemplates: {
        parameters: {
            query?: {
                after?: string;
                page?: number;
                per_page?: number;
                cursor?: string;
                sort_dir?: "asc" | "desc";
                return_count?: "true" | "false";
                fields?: string;
                sort_by?: "ct" | "key" | "lm" | "name";
                "ct[gt]"?: string;
                "ct[gte]"?: string;
                "ct[lt]"?: string;
                "ct[lte]"?: string;
                "lm[gt]"?: string;
                "lm[gte]"?: string;
                "lm[lt]"?: string;
                "lm[lte]"?: string;
                tags?: string;
                orchestrationID?: string;
                compositionID?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of templates. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "accountID": "65f0c0ffee65f0c0ffee0100",
                     *           "key": "welcome-2026",
                     *           "mdtID": "65f0c0ffee65f0c0ffee00d1",
                     *           "name": "Welcome",
                     *           "classification": "promotional",
                     *           "baseAggregation": "daily",
                     *           "trackLinks": "enabled",
                     *           "trackOpens": true,
                     *           "strict": false,
                     *           "onUnknown": null,
                     *           "triggers": {
                     *             "api": {
                     *               "enabled": true
                     *             },
                     *             "event": {
                     *               "enabled": false
                     *             },
                     *             "recurring": {
                     *               "enabled": false
                     *             }
                     *           },
                     *           "triggerTypesEnabled": [
                     *             "api"
                     *           ],
                     *           "priority": 2,
                     *           "bccEnabled": false,
                     *           "channel": "email",
                     *           "tags": [
                     *             "welcome"
                     *           ],
                     *           "status": "published",
                     *           "draftContent": false,
                     *           "message": {
                     *             "headers": {
                     *               "subject": "Welcome, {{ contact.attributes.first_name | default: 'friend' }}",
                     *               "fromEmail": "news@example.com",
                     *               "fromDesc": "Example shop"
                     *             },
                     *             "content": {
                     *               "text/html": "<p>Good to have you here.</p><p><a href=\"{{ links.unsubscribe }}\">Unsubscribe</a></p>"
                     *             }
                     *           },
                     *           "tests": [],
                     *           "stats": {
                     *             "sent": 1200,
                     *             "delivered": 1190,
                     *             "opens": 640,
                     *             "clicks": 85,
                     *             "bounces": 10,
                     *             "optouts": 0,
                     *             "complaints": 0,
                     *             "revenue": 0
                     *           },
                     *           "alerts": [],
                     *           "asOf": "2026-03-31T22:47:12.000Z",
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
                    "application/json": {
                        data: {
                            accountID?: string;
                            key?: string;
                            mdtID?: string;
                            name?: string;
                            /** @enum {string} */
                            classification?: "promotional" | "transactional";
                            /** @enum {string} */
                            baseAggregation?: "daily" | "hourly";
                            /** @enum {string} */
                            trackLinks?: "enabled" | "disabled";
                            priority?: number;
                            bcc?: string;
                            bccEnabled?: boolean;
                            trackOpens?: boolean;
                            /** @description True skips a contact that lacks a value of the content. */
                            strict?: boolean;
                            /** @description Says what follows an answer that was lost: transactional messages go out once more, promotional ones never, unless it says otherwise. */
                            onUnknown?: ("skip" | "resend") | null;
                            triggers?: {
                                /** @description False refuses `/send`; tests still go out. */
                                api: {
                                    enabled: boolean;
                                };
                                /** @description True sends the published content to the contact of each activity that fits, once for each activity. */
                                event: {
                                    enabled: boolean;
                                    /** @description Name of the activities; required to be enabled. */
                                    action?: string;
                                    /** @description Conditions on the activity's properties. All must hold. */
                                    where?: ({
                                        /** @description A dotted path in the record. */
                                        field: string;
                                        /** @enum {string} */
                                        op: "eq" | "neq" | "gt" | "gte" | "lt" | "lte" | "contains" | "notContains";
                                        value: string | number | boolean;
                                    } | {
                                        /** @description A dotted path in the record. */
                                        field: string;
                                        /** @enum {string} */
                                        op: "in" | "notIn";
                                        value: (string | number | boolean)[];
                                    } | {
                                        /** @description A dotted path in the record. */
                                        field: string;
                                        /** @enum {string} */
                                        op: "exists" | "notExists";
                                    })[];
                                };
                                /** @description True sends the published content to each contact of the audience at each tick of the schedule. */
                                recurring: {
                                    enabled: boolean;
                                    /** @description Required to be enabled. */
                                    schedule?: {
                                        /** @description Minute, hour, day of month, month, day of week. */
                                        cron: string;
                                        /** @description IANA name; else the account's. */
                                        timezone?: string;
                                    };
                                    /** @description Criteria; or `audience-key`. One of them is required to be enabled. */
                                    audience?: {
                                        [key: string]: unknown;
                                    };
                                    /** @description Key of a saved audience. */
                                    "audience-key"?: string;
                                };
                            };
                            triggerTypesEnabled?: ("api" | "event" | "recurring")[];
                            /** @description Schedule of the recurring trigger; `next` is its next tick while it listens. */
                            recurringSchedule?: {
                                cron: string;
                                timezone: string;
                                next?: string;
                            };
                            channel?: string;
                            tags?: string[];
                            transportID?: string;
                            /** @enum {string} */
                            status?: "draft" | "published";
                            message?: {
                                headers?: {
                                    /** @description Required for email. */
                                    subject?: string;
                                    /** @description Required for email. */
                                    fromEmail?: string;
                                    /** @description Required for email. */
                                    fromDesc?: string;
                                    /** @description Required for batch messages by email. */
                                    replyEmail?: string | null;
                                    /** @description Not for email. */
                                    from?: string;
                                };
                                content: {
                                    "text/html"?: string;
                                    "text/mjml"?: string;
                                    "text/plain"?: string;
                                    "application/json"?: string;
                                };
                                /** @description Records that are loaded for the contact, as Liquid reads them under `data`. */
                                data?: ({
                                    /** @description Liquid reads the records as `data.<name>`. */
                                    name: string;
                                    /** @description All must hold. */
                                    where?: ({
                                        /** @description A dotted path in the record. */
                                        field: string;
                                        /** @enum {string} */
                                        op: "eq" | "neq" | "gt" | "gte" | "lt" | "lte" | "contains" | "notContains";
                                        value: string | number | boolean;
                                    } | {
                                        /** @description A dotted path in the record. */
                                        field: string;
                                        /** @enum {string} */
                                        op: "in" | "notIn";
                                        value: (string | number | boolean)[];
                                    } | {
                                        /** @description A dotted path in the record. */
                                        field: string;
                                        /** @enum {string} */
                                        op: "exists" | "notExists";
                                    })[];
                                    /** @description A field; `-` before it puts the greatest first. */
                                    sort?: string;
                                    /** @default 10 */
                                    limit: number;
                                    /** @enum {string} */
                                    source: "cart" | "orders" | "products";
                                } | {
                                    /** @description Liquid reads the records as `data.<name>`. */
                                    name: string;
                                    /** @description All must hold. */
                                    where?: ({
                                        /** @description A dotted path in the record. */
                                        field: string;
                                        /** @enum {string} */
                                        op: "eq" | "neq" | "gt" | "gte" | "lt" | "lte" | "contains" | "notContains";
                                        value: string | number | boolean;
                                    } | {
                                        /** @description A dotted path in the record. */
                                        field: string;
                                        /** @enum {string} */
                                        op: "in" | "notIn";
                                        value: (string | number | boolean)[];
                                    } | {
                                        /** @description A dotted path in the record. */
                                        field: string;
                                        /** @enum {string} */
                                        op: "exists" | "notExists";
                                    })[];
                                    /** @description A field; `-` before it puts the greatest first. */
                                    sort?: string;
                                    /** @default 10 */
                                    limit: number;
                                    /** @constant */
                                    source: "supplement";
                                    /** @description Key of the table. */
                                    key: string;
                                })[];
                            };
                            /** @description Experiments of `message`. */
                            tests?: {
                                /** @enum {string} */
                                type: "split" | "split-with-champion" | "bandit";
                                enabled: boolean;
                                name?: string;
                                variants?: {
                                    name: string;
                                    /** @description Variants without a weight share alike. */
                                    weight?: number;
                                    /** @description Take the place of the message's own headers. */
                                    headers?: {
                                        /** @description Required for email. */
                                        subject?: string;
                                        /** @description Required for email. */
                                        fromEmail?: string;
                                        /** @description Required for email. */
                                        fromDesc?: string;
                                        /** @description Required for batch messages by email. */
                                        replyEmail?: string | null;
                                        /** @description Not for email. */
                                        from?: string;
                                    };
                                    /** @description Takes the place of the message's content. */
                                    content?: {
                                        "text/html"?: string;
                                        "text/mjml"?: string;
                                        "text/plain"?: string;
                                        "application/json"?: string;
                                    };
                                }[];
                                /** @enum {string} */
                                metric?: "uniqueOpens" | "uniqueClicks" | "conversions" | "revenue";
                                goal?: {
                                    action: string;
                                    where?: {
                                        [key: string]: unknown;
                                    }[];
                                };
                                testPercent?: number;
                                decideAfterMinutes?: number;
                            }[];
                            draft?: {
                                headers?: {
                                    /** @description Required for email. */
                                    subject?: string;
                                    /** @description Required for email. */
                                    fromEmail?: string;
                                    /** @description Required for email. */
                                    fromDesc?: string;
                                    /** @description Required for batch messages by email. */
                                    replyEmail?: string | null;
                                    /** @description Not for email. */
                                    from?: string;
                                };
                                content: {
                                    "text/html"?: string;
                                    "text/mjml"?: string;
                                    "text/plain"?: string;
                                    "application/json"?: string;
                                };
                                /** @description Records that are loaded for the contact, as Liquid reads them under `data`. */
                                data?: ({
                                    /** @description Liquid reads the records as `data.<name>`. */
                                    name: string;
                                    /** @description All must hold. */
                                    where?: ({
                                        /** @description A dotted path in the record. */
                                        field: string;
                                        /** @enum {string} */
                                        op: "eq" | "neq" | "gt" | "gte" | "lt" | "lte" | "contains" | "notContains";
                                        value: string | number | boolean;
                                    } | {
                                        /** @description A dotted path in the record. */
                                        field: string;
                                        /** @enum {string} */
                                        op: "in" | "notIn";
                                        value: (string | number | boolean)[];
                                    } | {
                                        /** @description A dotted path in the record. */
                                        field: string;
                                        /** @enum {string} */
                                        op: "exists" | "notExists";
                                    })[];
                                    /** @description A field; `-` before it puts the greatest first. */
                                    sort?: string;
                                    /** @default 10 */
                                    limit: number;
                                    /** @enum {string} */
                                    source: "cart" | "orders" | "products";
                                } | {
                                    /** @description Liquid reads the records as `data.<name>`. */
                                    name: string;
                                    /** @description All must hold. */
                                    where?: ({
                                        /** @description A dotted path in the record. */
                                        field: string;
                                        /** @enum {string} */
                                        op: "eq" | "neq" | "gt" | "gte" | "lt" | "lte" | "contains" | "notContains";
                                        value: string | number | boolean;
                                    } | {
                                        /** @description A dotted path in the record. */
                                        field: string;
                                        /** @enum {string} */
                                        op: "in" | "notIn";
                                        value: (string | number | boolean)[];
                                    } | {
                                        /** @description A dotted path in the record. */
                                        field: string;
                                        /** @enum {string} */
                                        op: "exists" | "notExists";
                                    })[];
                                    /** @description A field; `-` before it puts the greatest first. */
                                    sort?: string;
                                    /** @default 10 */
                                    limit: number;
                                    /** @constant */
                                    source: "supplement";
                                    /** @description Key of the table. */
                                    key: string;
                                })[];
                            };
                            /** @description Experiments of `draft`. */
                            draftTests?: {
                                /** @enum {string} */
                                type: "split" | "split-with-champion" | "bandit";
                                enabled: boolean;
                                name?: string;
                                variants?: {
                                    name: string;
                                    /** @description Variants without a weight share alike. */
                                    weight?: number;
                                    /** @description Take the place of the message's own headers. */
                                    headers?: {
                                        /** @description Required for email. */
                                        subject?: string;
                                        /** @description Required for email. */
                                        fromEmail?: string;
                                        /** @description Required for email. */
                                        fromDesc?: string;
                                        /** @description Required for batch messages by email. */
                                        replyEmail?: string | null;
                                        /** @description Not for email. */
                                        from?: string;
                                    };
                                    /** @description Takes the place of the message's content. */
                                    content?: {
                                        "text/html"?: string;
                                        "text/mjml"?: string;
                                        "text/plain"?: string;
                                        "application/json"?: string;
                                    };
                                }[];
                                /** @enum {string} */
                                metric?: "uniqueOpens" | "uniqueClicks" | "conversions" | "revenue";
                                goal?: {
                                    action: string;
                                    where?: {
                                        [key: string]: unknown;
                                    }[];
                                };
                                testPercent?: number;
                                decideAfterMinutes?: number;
                            }[];
                            draftContent?: boolean;
                            /** @description Numbers of all its days and hours. An answer leaves them out while ClickHouse is away. */
                            stats?: {
                                sent: number;
                                delivered: number;
                                opens: number;
                                clicks: number;
                                bounces: number;
                                optouts: number;
                                complaints: number;
                                /** @description In the account's currency. */
                                revenue: number;
                            };
                            /** @description Alerts on this message. */
                            alerts?: {
                                [key: string]: unknown;
                            }[];
                            /** @description Moment up to which `stats` have seen everything. */
                            asOf?: string;
                            ct?: string;
                            lm?: string;
                        }[];
                        pagination: {
                            per_page: number;
                            page?: number;
                            total?: number;
                            last_page?: number;
                            next_cursor: string | null;
                        };
                        asOf?: string;
                        /** @description Event names, properties and values in the criteria that the account never had. */
                        warnings?: {
                            path: string;
                            /** @constant */
                            code: "never_seen";
                            message: string;
                            allowed?: string[];
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createTemplate: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "key": "welcome-2026",
                 *       "name": "Welcome",
                 *       "channel": "email",
                 *       "classification": "promotional",
                 *       "baseAggregation": "daily",
                 *       "tags": [
                 *         "welcome"
                 *       ],
                 *       "message": {
                 *         "headers": {
                 *           "subject": "Welcome, {{ contact.attributes.first_name | default: 'friend' }}",
                 *           "fromEmail": "news@example.com",
                 *           "fromDesc": "Example shop"
                 *         },
                 *         "content": {
                 *           "text/html": "<p>Good to have you here.</p><p><a href=\"{{ links.unsubscribe }}\">Unsubscribe</a></p>"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": {
                    key: string;
                    name: string;
                    channel: string;
                    /** @enum {string} */
                    baseAggregation: "daily" | "hourly";
                    /** @description email: `headers.subject`, `fromEmail`, `fromDesc`, and `text/html` or `text/mjml`; `text/plain` is made from the HTML unless it is given. sms: `text/plain`. Other channels: `application/json`, a Liquid text that renders to JSON. */
                    message: {
                        headers?: {
                            /** @description Required for email. */
                            subject?: string;
                            /** @description Required for email. */
                            fromEmail?: string;
                            /** @description Required for email. */
                            fromDesc?: string;
                            /** @description Required for batch messages by email. */
                            replyEmail?: string | null;
                            /** @description Not for email. */
                            from?: string;
                        };
                        content: {
                            "text/html"?: string;
                            "text/mjml"?: string;
                            "text/plain"?: string;
                            "application/json"?: string;
                        };
                        /** @description Records that are loaded for the contact, as Liquid reads them under `data`. */
                        data?: ({
                            /** @description Liquid reads the records as `data.<name>`. */
                            name: string;
                            /** @description All must hold. */
                            where?: ({
                                /** @description A dotted path in the record. */
                                field: string;
                                /** @enum {string} */
                                op: "eq" | "neq" | "gt" | "gte" | "lt" | "lte" | "contains" | "notContains";
                                value: string | number | boolean;
                            } | {
                                /** @description A dotted path in the record. */
                                field: string;
                                /** @enum {string} */
                                op: "in" | "notIn";
                                value: (string | number | boolean)[];
                            } | {
                                /** @description A dotted path in the record. */
                                field: string;
                                /** @enum {string} */
                                op: "exists" | "notExists";
                            })[];
                            /** @description A field; `-` before it puts the greatest first. */
                            sort?: string;
                            /** @default 10 */
                            limit?: number;
                            /** @enum {string} */
                            source: "cart" | "orders" | "products";
                        } | {
                            /** @description Liquid reads the records as `data.<name>`. */
                            name: string;
                            /** @description All must hold. */
                            where?: ({
                                /** @description A dotted path in the record. */
                                field: string;
                                /** @enum {string} */
                                op: "eq" | "neq" | "gt" | "gte" | "lt" | "lte" | "contains" | "notContains";
                                value: string | number | boolean;
                            } | {
                                /** @description A dotted path in the record. */
                                field: string;
                                /** @enum {string} */
                                op: "in" | "notIn";
                                value: (string | number | boolean)[];
                            } | {
                                /** @description A dotted path in the record. */
                                field: string;
                                /** @enum {string} */
                                op: "exists" | "notExists";
                            })[];
                            /** @description A field; `-` before it puts the greatest first. */
                            sort?: string;
                            /** @default 10 */
                            limit?: number;
                            /** @constant */
                            source: "supplement";
                            /** @description Key of the table. */
                            key: string;
                        })[];
                    };
                    tags?: string[] | null;
                    transportID?: string | null;
                    /** @description True keeps the content as a draft; else it is published. */
                    draftContent?: boolean | null;
                    classification?: ("promotional" | "transactional") | null;
                    trackLinks?: ("enabled" | "disabled") | null;
                    priority?: number | null;
                    bcc?: string | null;
                    bccEnabled?: boolean | null;
                    trackOpens?: boolean | null;
                    strict?: boolean | null;
                    /** @description Says what follows an answer that was lost: transactional messages go out once more, promotional ones never, unless it says otherwise. */
                    onUnknown?: ("skip" | "resend") | null;
                    triggers?: {
                        /** @description False refuses `/send`; tests still go out. */
                        api?: {
                            enabled: boolean;
                        };
                        /** @description True sends the published content to the contact of each activity that fits, once for each activity. */
                        event?: {
                            enabled: boolean;
                            /** @description Name of the activities; required to be enabled. */
                            action?: string;
                            /** @description Conditions on the activity's properties. All must hold. */
                            where?: ({
                                /** @description A dotted path in the record. */
                                field: string;
                                /** @enum {string} */
                                op: "eq" | "neq" | "gt" | "gte" | "lt" | "lte" | "contains" | "notContains";
                                value: string | number | boolean;
                            } | {
                                /** @description A dotted path in the record. */
                                field: string;
                                /** @enum {string} */
                                op: "in" | "notIn";
                                value: (string | number | boolean)[];
                            } | {
                                /** @description A dotted path in the record. */
                                field: string;
                                /** @enum {string} */
                                op: "exists" | "notExists";
                            })[];
                        };
                        /** @description True sends the published content to each contact of the audience at each tick of the schedule. */
                        recurring?: {
                            enabled: boolean;
                            /** @description Required to be enabled. */
                            schedule?: {
                                /** @description Minute, hour, day of month, month, day of week. */
                                cron: string;
                                /** @description IANA name; else the account's. */
                                timezone?: string;
                            };
                            /** @description Criteria; or `audience-key`. One of them is required to be enabled. */
                            audience?: {
                                [key: string]: unknown;
                            };
                            /** @description Key of a saved audience. */
                            "audience-key"?: string;
                        };
                    };
                    /** @description Experiments; at most one is enabled. They belong to the content: published or drafted with it. */
                    tests?: {
                        /** @enum {string} */
                        type: "split" | "split-with-champion" | "bandit";
                        enabled: boolean;
                        name?: string;
                        variants?: {
                            name: string;
                            /** @description Variants without a weight share alike. */
                            weight?: number;
                            /** @description Take the place of the message's own headers. */
                            headers?: {
                                /** @description Required for email. */
                                subject?: string;
                                /** @description Required for email. */
                                fromEmail?: string;
                                /** @description Required for email. */
                                fromDesc?: string;
                                /** @description Required for batch messages by email. */
                                replyEmail?: string | null;
                                /** @description Not for email. */
                                from?: string;
                            };
                            /** @description Takes the place of the message's content. */
                            content?: {
                                "text/html"?: string;
                                "text/mjml"?: string;
                                "text/plain"?: string;
                                "application/json"?: string;
                            };
                        }[];
                        /** @enum {string} */
                        metric?: "uniqueOpens" | "uniqueClicks" | "conversions" | "revenue";
                        goal?: {
                            action: string;
                            where?: {
                                [key: string]: unknown;
                            }[];
                        };
                        testPercent?: number;
                        decideAfterMinutes?: number;
                    }[] | null;
                };
            };
        };
        responses: {
            /** @description The template was created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "key": "welcome-2026"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        key: string;
                        /** @description Members of the body that were ignored, addresses that cannot be one of their channel, and names that are nearly known ones. */
                        warnings?: {
                            path: string;
                            /** @enum {string} */
                            code: "unknown_member" | "read_only" | "not_an_address" | "similar_name";
                            message: string;
                            suggestion?: string;
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getTemplate: {
        parameters: {
            query?: {
                after?: string;
                fields?: string;
            };
            header?: never;
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The template. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "accountID": "65f0c0ffee65f0c0ffee0100",
                     *       "key": "welcome-2026",
                     *       "mdtID": "65f0c0ffee65f0c0ffee00d1",
                     *       "name": "Welcome",
                     *       "classification": "promotional",
                     *       "baseAggregation": "daily",
                     *       "trackLinks": "enabled",
                     *       "trackOpens": true,
                     *       "strict": false,
                     *       "onUnknown": null,
                     *       "triggers": {
                     *         "api": {
                     *           "enabled": true
                     *         },
                     *         "event": {
                     *           "enabled": false
                     *         },
                     *         "recurring": {
                     *           "enabled": false
                     *         }
                     *       },
                     *       "triggerTypesEnabled": [
                     *         "api"
                     *       ],
                     *       "priority": 2,
                     *       "bccEnabled": false,
                     *       "channel": "email",
                     *       "tags": [
                     *         "welcome"
                     *       ],
                     *       "status": "published",
                     *       "draftContent": false,
                     *       "message": {
                     *         "headers": {
                     *           "subject": "Welcome, {{ contact.attributes.first_name | default: 'friend' }}",
                     *           "fromEmail": "news@example.com",
                     *           "fromDesc": "Example shop"
                     *         },
                     *         "content": {
                     *           "text/html": "<p>Good to have you here.</p><p><a href=\"{{ links.unsubscribe }}\">Unsubscribe</a></p>"
                     *         }
                     *       },
                     *       "tests": [],
                     *       "stats": {
                     *         "sent": 1200,
                     *         "delivered": 1190,
                     *         "opens": 640,
                     *         "clicks": 85,
                     *         "bounces": 10,
                     *         "optouts": 0,
                     *         "complaints": 0,
                     *         "revenue": 0
                     *       },
                     *       "alerts": [],
                     *       "asOf": "2026-03-31T22:47:12.000Z",
                     *       "ct": "2026-01-09T22:47:12.000Z",
                     *       "lm": "2026-01-09T22:47:12.000Z"
                     *     }
                     */
                    "application/json": {
                        accountID?: string;
                        key?: string;
                        mdtID?: string;
                        name?: string;
                        /** @enum {string} */
                        classification?: "promotional" | "transactional";
                        /** @enum {string} */
                        baseAggregation?: "daily" | "hourly";
                        /** @enum {string} */
                        trackLinks?: "enabled" | "disabled";
                        priority?: number;
                        bcc?: string;
                        bccEnabled?: boolean;
                        trackOpens?: boolean;
                        /** @description True skips a contact that lacks a value of the content. */
                        strict?: boolean;
                        /** @description Says what follows an answer that was lost: transactional messages go out once more, promotional ones never, unless it says otherwise. */
                        onUnknown?: ("skip" | "resend") | null;
                        triggers?: {
                            /** @description False refuses `/send`; tests still go out. */
                            api: {
                                enabled: boolean;
                            };
                            /** @description True sends the published content to the contact of each activity that fits, once for each activity. */
                            event: {
                                enabled: boolean;
                                /** @description Name of the activities; required to be enabled. */
                                action?: string;
                                /** @description Conditions on the activity's properties. All must hold. */
                                where?: ({
                                    /** @description A dotted path in the record. */
                                    field: string;
                                    /** @enum {string} */
                                    op: "eq" | "neq" | "gt" | "gte" | "lt" | "lte" | "contains" | "notContains";
                                    value: string | number | boolean;
                                } | {
                                    /** @description A dotted path in the record. */
                                    field: string;
                                    /** @enum {string} */
                                    op: "in" | "notIn";
                                    value: (string | number | boolean)[];
                                } | {
                                    /** @description A dotted path in the record. */
                                    field: string;
                                    /** @enum {string} */
                                    op: "exists" | "notExists";
                                })[];
                            };
                            /** @description True sends the published content to each contact of the audience at each tick of the schedule. */
                            recurring: {
                                enabled: boolean;
                                /** @description Required to be enabled. */
                                schedule?: {
                                    /** @description Minute, hour, day of month, month, day of week. */
                                    cron: string;
                                    /** @description IANA name; else the account's. */
                                    timezone?: string;
                                };
                                /** @description Criteria; or `audience-key`. One of them is required to be enabled. */
                                audience?: {
                                    [key: string]: unknown;
                                };
                                /** @description Key of a saved audience. */
                                "audience-key"?: string;
                            };
                        };
                        triggerTypesEnabled?: ("api" | "event" | "recurring")[];
                        /** @description Schedule of the recurring trigger; `next` is its next tick while it listens. */
                        recurringSchedule?: {
                            cron: string;
                            timezone: string;
                            next?: string;
                        };
                        channel?: string;
                        tags?: string[];
                        transportID?: string;
                        /** @enum {string} */
                        status?: "draft" | "published";
                        message?: {
                            headers?: {
                                /** @description Required for email. */
                                subject?: string;
                                /** @description Required for email. */
                                fromEmail?: string;
                                /** @description Required for email. */
                                fromDesc?: string;
                                /** @description Required for batch messages by email. */
                                replyEmail?: string | null;
                                /** @description Not for email. */
                                from?: string;
                            };
                            content: {
                                "text/html"?: string;
                                "text/mjml"?: string;
                                "text/plain"?: string;
                                "application/json"?: string;
                            };
                            /** @description Records that are loaded for the contact, as Liquid reads them under `data`. */
                            data?: ({
                                /** @description Liquid reads the records as `data.<name>`. */
                                name: string;
                                /** @description All must hold. */
                                where?: ({
                                    /** @description A dotted path in the record. */
                                    field: string;
                                    /** @enum {string} */
                                    op: "eq" | "neq" | "gt" | "gte" | "lt" | "lte" | "contains" | "notContains";
                                    value: string | number | boolean;
                                } | {
                                    /** @description A dotted path in the record. */
                                    field: string;
                                    /** @enum {string} */
                                    op: "in" | "notIn";
                                    value: (string | number | boolean)[];
                                } | {
                                    /** @description A dotted path in the record. */
                                    field: string;
                                    /** @enum {string} */
                                    op: "exists" | "notExists";
                                })[];
                                /** @description A field; `-` before it puts the greatest first. */
                                sort?: string;
                                /** @default 10 */
                                limit: number;
                                /** @enum {string} */
                                source: "cart" | "orders" | "products";
                            } | {
                                /** @description Liquid reads the records as `data.<name>`. */
                                name: string;
                                /** @description All must hold. */
                                where?: ({
                                    /** @description A dotted path in the record. */
                                    field: string;
                                    /** @enum {string} */
                                    op: "eq" | "neq" | "gt" | "gte" | "lt" | "lte" | "contains" | "notContains";
                                    value: string | number | boolean;
                                } | {
                                    /** @description A dotted path in the record. */
                                    field: string;
                                    /** @enum {string} */
                                    op: "in" | "notIn";
                                    value: (string | number | boolean)[];
                                } | {
                                    /** @description A dotted path in the record. */
                                    field: string;
                                    /** @enum {string} */
                                    op: "exists" | "notExists";
                                })[];
                                /** @description A field; `-` before it puts the greatest first. */
                                sort?: string;
                                /** @default 10 */
                                limit: number;
                                /** @constant */
                                source: "supplement";
                                /** @description Key of the table. */
                                key: string;
                            })[];
                        };
                        /** @description Experiments of `message`. */
                        tests?: {
                            /** @enum {string} */
                            type: "split" | "split-with-champion" | "bandit";
                            enabled: boolean;
                            name?: string;
                            variants?: {
                                name: string;
                                /** @description Variants without a weight share alike. */
                                weight?: number;
                                /** @description Take the place of the message's own headers. */
                                headers?: {
                                    /** @description Required for email. */
                                    subject?: string;
                                    /** @description Required for email. */
                                    fromEmail?: string;
                                    /** @description Required for email. */
                                    fromDesc?: string;
                                    /** @description Required for batch messages by email. */
                                    replyEmail?: string | null;
                                    /** @description Not for email. */
                                    from?: string;
                                };
                                /** @description Takes the place of the message's content. */
                                content?: {
                                    "text/html"?: string;
                                    "text/mjml"?: string;
                                    "text/plain"?: string;
                                    "application/json"?: string;
                                };
                            }[];
                            /** @enum {string} */
                            metric?: "uniqueOpens" | "uniqueClicks" | "conversions" | "revenue";
                            goal?: {
                                action: string;
                                where?: {
                                    [key: string]: unknown;
                                }[];
                            };
                            testPercent?: number;
                            decideAfterMinutes?: number;
                        }[];
                        draft?: {
                            headers?: {
                                /** @description Required for email. */
                                subject?: string;
                                /** @description Required for email. */
                                fromEmail?: string;
                                /** @description Required for email. */
                                fromDesc?: string;
                                /** @description Required for batch messages by email. */
                                replyEmail?: string | null;
                                /** @description Not for email. */
                                from?: string;
                            };
                            content: {
                                "text/html"?: string;
                                "text/mjml"?: string;
                                "text/plain"?: string;
                                "application/json"?: string;
                            };
                            /** @description Records that are loaded for the contact, as Liquid reads them under `data`. */
                            data?: ({
                                /** @description Liquid reads the records as `data.<name>`. */
                                name: string;
                                /** @description All must hold. */
                                where?: ({
                                    /** @description A dotted path in the record. */
                                    field: string;
                                    /** @enum {string} */
                                    op: "eq" | "neq" | "gt" | "gte" | "lt" | "lte" | "contains" | "notContains";
                                    value: string | number | boolean;
                                } | {
                                    /** @description A dotted path in the record. */
                                    field: string;
                                    /** @enum {string} */
                                    op: "in" | "notIn";
                                    value: (string | number | boolean)[];
                                } | {
                                    /** @description A dotted path in the record. */
                                    field: string;
                                    /** @enum {string} */
                                    op: "exists" | "notExists";
                                })[];
                                /** @description A field; `-` before it puts the greatest first. */
                                sort?: string;
                                /** @default 10 */
                                limit: number;
                                /** @enum {string} */
                                source: "cart" | "orders" | "products";
                            } | {
                                /** @description Liquid reads the records as `data.<name>`. */
                                name: string;
                                /** @description All must hold. */
                                where?: ({
                                    /** @description A dotted path in the record. */
                                    field: string;
                                    /** @enum {string} */
                                    op: "eq" | "neq" | "gt" | "gte" | "lt" | "lte" | "contains" | "notContains";
                                    value: string | number | boolean;
                                } | {
                                    /** @description A dotted path in the record. */
                                    field: string;
                                    /** @enum {string} */
                                    op: "in" | "notIn";
                                    value: (string | number | boolean)[];
                                } | {
                                    /** @description A dotted path in the record. */
                                    field: string;
                                    /** @enum {string} */
                                    op: "exists" | "notExists";
                                })[];
                                /** @description A field; `-` before it puts the greatest first. */
                                sort?: string;
                                /** @default 10 */
                                limit: number;
                                /** @constant */
                                source: "supplement";
                                /** @description Key of the table. */
                                key: string;
                            })[];
                        };
                        /** @description Experiments of `draft`. */
                        draftTests?: {
                            /** @enum {string} */
                            type: "split" | "split-with-champion" | "bandit";
                            enabled: boolean;
                            name?: string;
                            variants?: {
                                name: string;
                                /** @description Variants without a weight share alike. */
                                weight?: number;
                                /** @description Take the place of the message's own headers. */
                                headers?: {
                                    /** @description Required for email. */
                                    subject?: string;
                                    /** @description Required for email. */
                                    fromEmail?: string;
                                    /** @description Required for email. */
                                    fromDesc?: string;
                                    /** @description Required for batch messages by email. */
                                    replyEmail?: string | null;
                                    /** @description Not for email. */
                                    from?: string;
                                };
                                /** @description Takes the place of the message's content. */
                                content?: {
                                    "text/html"?: string;
                                    "text/mjml"?: string;
                                    "text/plain"?: string;
                                    "application/json"?: string;
                                };
                            }[];
                            /** @enum {string} */
                            metric?: "uniqueOpens" | "uniqueClicks" | "conversions" | "revenue";
                            goal?: {
                                action: string;
                                where?: {
                                    [key: string]: unknown;
                                }[];
                            };
                            testPercent?: number;
                            decideAfterMinutes?: number;
                        }[];
                        draftContent?: boolean;
                        /** @description Numbers of all its days and hours. An answer leaves them out while ClickHouse is away. */
                        stats?: {
                            sent: number;
                            delivered: number;
                            opens: number;
                            clicks: number;
                            bounces: number;
                            optouts: number;
                            complaints: number;
                            /** @description In the account's currency. */
                            revenue: number;
                        };
                        /** @description Alerts on this message. */
                        alerts?: {
                            [key: string]: unknown;
                        }[];
                        /** @description Moment up to which `stats` have seen everything. */
                        asOf?: string;
                        ct?: string;
                        lm?: string;
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateTemplate: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Welcome again",
                 *       "message": {
                 *         "headers": {
                 *           "subject": "Welcome, {{ contact.attributes.first_name | default: 'friend' }}",
                 *           "fromEmail": "news@example.com",
                 *           "fromDesc": "Example shop"
                 *         },
                 *         "content": {
                 *           "text/html": "<p>Good to have you here.</p><p><a href=\"{{ links.unsubscribe }}\">Unsubscribe</a></p>"
                 *         }
                 *       },
                 *       "draftContent": true,
                 *       "triggers": {
                 *         "event": {
                 *           "enabled": true,
                 *           "action": "signup",
                 *           "where": [
                 *             {
                 *               "field": "source",
                 *               "op": "eq",
                 *               "value": "shop"
                 *             }
                 *           ]
                 *         }
                 *       }
                 *     }
                 */
                "application/json": {
                    name?: string;
                    classification?: ("promotional" | "transactional") | null;
                    /** @enum {string} */
                    baseAggregation?: "daily" | "hourly";
                    trackLinks?: ("enabled" | "disabled") | null;
                    priority?: number | null;
                    bcc?: string | null;
                    bccEnabled?: boolean | null;
                    trackOpens?: boolean | null;
                    strict?: boolean | null;
                    /** @description Says what follows an answer that was lost: transactional messages go out once more, promotional ones never, unless it says otherwise. */
                    onUnknown?: ("skip" | "resend") | null;
                    triggers?: {
                        /** @description False refuses `/send`; tests still go out. */
                        api?: {
                            enabled: boolean;
                        };
                        /** @description True sends the published content to the contact of each activity that fits, once for each activity. */
                        event?: {
                            enabled: boolean;
                            /** @description Name of the activities; required to be enabled. */
                            action?: string;
                            /** @description Conditions on the activity's properties. All must hold. */
                            where?: ({
                                /** @description A dotted path in the record. */
                                field: string;
                                /** @enum {string} */
                                op: "eq" | "neq" | "gt" | "gte" | "lt" | "lte" | "contains" | "notContains";
                                value: string | number | boolean;
                            } | {
                                /** @description A dotted path in the record. */
                                field: string;
                                /** @enum {string} */
                                op: "in" | "notIn";
                                value: (string | number | boolean)[];
                            } | {
                                /** @description A dotted path in the record. */
                                field: string;
                                /** @enum {string} */
                                op: "exists" | "notExists";
                            })[];
                        };
                        /** @description True sends the published content to each contact of the audience at each tick of the schedule. */
                        recurring?: {
                            enabled: boolean;
                            /** @description Required to be enabled. */
                            schedule?: {
                                /** @description Minute, hour, day of month, month, day of week. */
                                cron: string;
                                /** @description IANA name; else the account's. */
                                timezone?: string;
                            };
                            /** @description Criteria; or `audience-key`. One of them is required to be enabled. */
                            audience?: {
                                [key: string]: unknown;
                            };
                            /** @description Key of a saved audience. */
                            "audience-key"?: string;
                        };
                    };
                    key?: string;
                    channel?: string;
                    tags?: string[] | null;
                    transportID?: string | null;
                    /** @description True keeps the content as a draft; else it is published. */
                    draftContent?: boolean | null;
                    /** @description email: `headers.subject`, `fromEmail`, `fromDesc`, and `text/html` or `text/mjml`; `text/plain` is made from the HTML unless it is given. sms: `text/plain`. Other channels: `application/json`, a Liquid text that renders to JSON. */
                    message: {
                        headers?: {
                            /** @description Required for email. */
                            subject?: string;
                            /** @description Required for email. */
                            fromEmail?: string;
                            /** @description Required for email. */
                            fromDesc?: string;
                            /** @description Required for batch messages by email. */
                            replyEmail?: string | null;
                            /** @description Not for email. */
                            from?: string;
                        };
                        content: {
                            "text/html"?: string;
                            "text/mjml"?: string;
                            "text/plain"?: string;
                            "application/json"?: string;
                        };
                        /** @description Records that are loaded for the contact, as Liquid reads them under `data`. */
                        data?: ({
                            /** @description Liquid reads the records as `data.<name>`. */
                            name: string;
                            /** @description All must hold. */
                            where?: ({
                                /** @description A dotted path in the record. */
                                field: string;
                                /** @enum {string} */
                                op: "eq" | "neq" | "gt" | "gte" | "lt" | "lte" | "contains" | "notContains";
                                value: string | number | boolean;
                            } | {
                                /** @description A dotted path in the record. */
                                field: string;
                                /** @enum {string} */
                                op: "in" | "notIn";
                                value: (string | number | boolean)[];
                            } | {
                                /** @description A dotted path in the record. */
                                field: string;
                                /** @enum {string} */
                                op: "exists" | "notExists";
                            })[];
                            /** @description A field; `-` before it puts the greatest first. */
                            sort?: string;
                            /** @default 10 */
                            limit?: number;
                            /** @enum {string} */
                            source: "cart" | "orders" | "products";
                        } | {
                            /** @description Liquid reads the records as `data.<name>`. */
                            name: string;
                            /** @description All must hold. */
                            where?: ({
                                /** @description A dotted path in the record. */
                                field: string;
                                /** @enum {string} */
                                op: "eq" | "neq" | "gt" | "gte" | "lt" | "lte" | "contains" | "notContains";
                                value: string | number | boolean;
                            } | {
                                /** @description A dotted path in the record. */
                                field: string;
                                /** @enum {string} */
                                op: "in" | "notIn";
                                value: (string | number | boolean)[];
                            } | {
                                /** @description A dotted path in the record. */
                                field: string;
                                /** @enum {string} */
                                op: "exists" | "notExists";
                            })[];
                            /** @description A field; `-` before it puts the greatest first. */
                            sort?: string;
                            /** @default 10 */
                            limit?: number;
                            /** @constant */
                            source: "supplement";
                            /** @description Key of the table. */
                            key: string;
                        })[];
                    };
                    /** @description Experiments; at most one is enabled. They belong to the content: published or drafted with it. */
                    tests?: {
                        /** @enum {string} */
                        type: "split" | "split-with-champion" | "bandit";
                        enabled: boolean;
                        name?: string;
                        variants?: {
                            name: string;
                            /** @description Variants without a weight share alike. */
                            weight?: number;
                            /** @description Take the place of the message's own headers. */
                            headers?: {
                                /** @description Required for email. */
                                subject?: string;
                                /** @description Required for email. */
                                fromEmail?: string;
                                /** @description Required for email. */
                                fromDesc?: string;
                                /** @description Required for batch messages by email. */
                                replyEmail?: string | null;
                                /** @description Not for email. */
                                from?: string;
                            };
                            /** @description Takes the place of the message's content. */
                            content?: {
                                "text/html"?: string;
                                "text/mjml"?: string;
                                "text/plain"?: string;
                                "application/json"?: string;
                            };
                        }[];
                        /** @enum {string} */
                        metric?: "uniqueOpens" | "uniqueClicks" | "conversions" | "revenue";
                        goal?: {
                            action: string;
                            where?: {
                                [key: string]: unknown;
                            }[];
                        };
                        testPercent?: number;
                        decideAfterMinutes?: number;
                    }[] | null;
                    /** @description With `draftContent`: the content of the draft, which an answer has next to the published `message`. */
                    draft?: {
                        headers?: {
                            /** @description Required for email. */
                            subject?: string;
                            /** @description Required for email. */
                            fromEmail?: string;
                            /** @description Required for email. */
                            fromDesc?: string;
                            /** @description Required for batch messages by email. */
                            replyEmail?: string | null;
                            /** @description Not for email. */
                            from?: string;
                        };
                        content: {
                            "text/html"?: string;
                            "text/mjml"?: string;
                            "text/plain"?: string;
                            "application/json"?: string;
                        };
                        /** @description Records that are loaded for the contact, as Liquid reads them under `data`. */
                        data?: ({
                            /** @description Liquid reads the records as `data.<name>`. */
                            name: string;
                            /** @description All must hold. */
                            where?: ({
                                /** @description A dotted path in the record. */
                                field: string;
                                /** @enum {string} */
                                op: "eq" | "neq" | "gt" | "gte" | "lt" | "lte" | "contains" | "notContains";
                                value: string | number | boolean;
                            } | {
                                /** @description A dotted path in the record. */
                                field: string;
                                /** @enum {string} */
                                op: "in" | "notIn";
                                value: (string | number | boolean)[];
                            } | {
                                /** @description A dotted path in the record. */
                                field: string;
                                /** @enum {string} */
                                op: "exists" | "notExists";
                            })[];
                            /** @description A field; `-` before it puts the greatest first. */
                            sort?: string;
                            /** @default 10 */
                            limit?: number;
                            /** @enum {string} */
                            source: "cart" | "orders" | "products";
                        } | {
                            /** @description Liquid reads the records as `data.<name>`. */
                            name: string;
                            /** @description All must hold. */
                            where?: ({
                                /** @description A dotted path in the record. */
                                field: string;
                                /** @enum {string} */
                                op: "eq" | "neq" | "gt" | "gte" | "lt" | "lte" | "contains" | "notContains";
                                value: string | number | boolean;
                            } | {
                                /** @description A dotted path in the record. */
                                field: string;
                                /** @enum {string} */
                                op: "in" | "notIn";
                                value: (string | number | boolean)[];
                            } | {
                                /** @description A dotted path in the record. */
                                field: string;
                                /** @enum {string} */
                                op: "exists" | "notExists";
                            })[];
                            /** @description A field; `-` before it puts the greatest first. */
                            sort?: string;
                            /** @default 10 */
                            limit?: number;
                            /** @constant */
                            source: "supplement";
                            /** @description Key of the table. */
                            key: string;
                        })[];
                    };
                    /** @description Experiments; at most one is enabled. They belong to the content: published or drafted with it. */
                    draftTests?: {
                        /** @enum {string} */
                        type: "split" | "split-with-champion" | "bandit";
                        enabled: boolean;
                        name?: string;
                        variants?: {
                            name: string;
                            /** @description Variants without a weight share alike. */
                            weight?: number;
                            /** @description Take the place of the message's own headers. */
                            headers?: {
                                /** @description Required for email. */
                                subject?: string;
                                /** @description Required for email. */
                                fromEmail?: string;
                                /** @description Required for email. */
                                fromDesc?: string;
                                /** @description Required for batch messages by email. */
                                replyEmail?: string | null;
                                /** @description Not for email. */
                                from?: string;
                            };
                            /** @description Takes the place of the message's content. */
                            content?: {
                                "text/html"?: string;
                                "text/mjml"?: string;
                                "text/plain"?: string;
                                "application/json"?: string;
                            };
                        }[];
                        /** @enum {string} */
                        metric?: "uniqueOpens" | "uniqueClicks" | "conversions" | "revenue";
                        goal?: {
                            action: string;
                            where?: {
                                [key: string]: unknown;
                            }[];
                        };
                        testPercent?: number;
                        decideAfterMinutes?: number;
                    }[] | null;
                };
            };
        };
        responses: {
            /** @description The updated template. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "key": "welcome-2026"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        key: string;
                        /** @description Members of the body that were ignored, addresses that cannot be one of their channel, and names that are nearly known ones. */
                        warnings?: {
                            path: string;
                            /** @enum {string} */
                            code: "unknown_member" | "read_only" | "not_an_address" | "similar_name";
                            message: string;
                            suggestion?: string;
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteTemplate: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The template is deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getTemplateexperiment: {
        parameters: {
            query?: {
                after?: string;
            };
            header?: never;
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The numbers. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "subject",
                     *       "strategy": "split",
                     *       "totalAudience": 1000,
                     *       "conversions": 37,
                     *       "variants": [
                     *         {
                     *           "name": "short",
                     *           "stats": {
                     *             "sends": 500,
                     *             "clicks": 61,
                     *             "uniqueClicks": 48,
                     *             "opens": 320,
                     *             "uniqueOpens": 245,
                     *             "bounces": 9,
                     *             "revenue": 917.25,
                     *             "orders": 11,
                     *             "complaints": 0,
                     *             "optouts": 2
                     *           },
                     *           "conversions": 20
                     *         },
                     *         {
                     *           "name": "long",
                     *           "stats": {
                     *             "sends": 500,
                     *             "clicks": 61,
                     *             "uniqueClicks": 48,
                     *             "opens": 320,
                     *             "uniqueOpens": 201,
                     *             "bounces": 9,
                     *             "revenue": 917.25,
                     *             "orders": 11,
                     *             "complaints": 0,
                     *             "optouts": 2
                     *           },
                     *           "conversions": 17
                     *         }
                     *       ],
                     *       "asOf": "2026-03-31T22:47:12.000Z"
                     *     }
                     */
                    "application/json": {
                        name: string;
                        /** @enum {string} */
                        strategy: "split" | "split-with-champion" | "bandit";
                        totalAudience: number;
                        /** @description Contacts that got the message and reached the experiment's goal since it began. */
                        conversions: number;
                        variants: {
                            name: string;
                            stats: {
                                sends: number;
                                clicks: number;
                                uniqueClicks: number;
                                opens: number;
                                uniqueOpens: number;
                                bounces: number;
                                /** @description In the account's currency. */
                                revenue: number;
                                orders: number;
                                complaints: number;
                                optouts: number;
                            };
                            conversions: number;
                            /** @description Share of the next sends that a bandit gives it, once it has learnt something. */
                            share?: number;
                        }[];
                        /** @description End of a champion's test. Without a `winner` the message stays a split. */
                        decision?: {
                            winner?: string;
                            /** @enum {string} */
                            reason?: "too-few-sends" | "tie";
                            at: string;
                        };
                        asOf: string;
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    publishTemplate: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The draft is published. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "key": "welcome-2026"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        key: string;
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    renderTemplatedraft: {
        parameters: {
            query?: {
                after?: string;
                experiment?: string;
                variant?: string;
            };
            header?: never;
            path: {
                key: string;
                contactID: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The message. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "headers": {
                     *         "subject": "Welcome, Ada",
                     *         "fromEmail": "news@example.com",
                     *         "fromDesc": "Example shop"
                     *       },
                     *       "content": {
                     *         "text/html": "<p>Good to have you here.</p>",
                     *         "text/plain": "Good to have you here."
                     *       },
                     *       "experiments": [
                     *         {
                     *           "name": "subject",
                     *           "strategy": "split",
                     *           "variants": [
                     *             "short",
                     *             "long"
                     *           ],
                     *           "variant": "long"
                     *         }
                     *       ],
                     *       "warnings": [
                     *         {
                     *           "code": "no_unsubscribe_link",
                     *           "message": "The message has no unsubscribe link.",
                     *           "count": 1
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        headers: {
                            [key: string]: string;
                        };
                        /** @description By media type. */
                        content: {
                            [key: string]: string;
                        };
                        /** @description The enabled one. */
                        experiments: {
                            name: string;
                            strategy: string;
                            variants: string[];
                            /** @description The variant that is rendered: the named one, else the one that the contact gets; null for the message's own content. */
                            variant: string | null;
                        }[];
                        warnings: {
                            /** @enum {string} */
                            code: "missing_value" | "not_a_date" | "unknown_zone" | "object_in_text" | "unknown_link" | "clipped" | "no_unsubscribe_link";
                            message: string;
                            count: number;
                        }[];
                        /** @description Short messages that the text of an sms takes. */
                        segments?: number;
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    renderTemplate: {
        parameters: {
            query?: {
                after?: string;
                experiment?: string;
                variant?: string;
            };
            header?: never;
            path: {
                key: string;
                contactID: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The message. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "headers": {
                     *         "subject": "Welcome, Ada",
                     *         "fromEmail": "news@example.com",
                     *         "fromDesc": "Example shop"
                     *       },
                     *       "content": {
                     *         "text/html": "<p>Good to have you here.</p>",
                     *         "text/plain": "Good to have you here."
                     *       },
                     *       "experiments": [
                     *         {
                     *           "name": "subject",
                     *           "strategy": "split",
                     *           "variants": [
                     *             "short",
                     *             "long"
                     *           ],
                     *           "variant": "long"
                     *         }
                     *       ],
                     *       "warnings": [
                     *         {
                     *           "code": "no_unsubscribe_link",
                     *           "message": "The message has no unsubscribe link.",
                     *           "count": 1
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        headers: {
                            [key: string]: string;
                        };
                        /** @description By media type. */
                        content: {
                            [key: string]: string;
                        };
                        /** @description The enabled one. */
                        experiments: {
                            name: string;
                            strategy: string;
                            variants: string[];
                            /** @description The variant that is rendered: the named one, else the one that the contact gets; null for the message's own content. */
                            variant: string | null;
                        }[];
                        warnings: {
                            /** @enum {string} */
                            code: "missing_value" | "not_a_date" | "unknown_zone" | "object_in_text" | "unknown_link" | "clipped" | "no_unsubscribe_link";
                            message: string;
                            count: number;
                        }[];
                        /** @description Short messages that the text of an sms takes. */
                        segments?: number;
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    sendTemplate: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "to": {
                 *         "email": "grace@example.com",
                 *         "first_name": "Grace"
                 *       },
                 *       "mergeData": {
                 *         "orderNumber": "A-1007"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description One recipient or several: `email` or other identifiers; other members are attributes to write. */
                    to: {
                        [key: string]: unknown;
                    } | {
                        [key: string]: unknown;
                    }[];
                    mergeData?: {
                        [key: string]: unknown;
                    };
                    /** @description Another name of `mergeData`. */
                    extVars?: {
                        [key: string]: unknown;
                    };
                    identifyBy?: string[];
                    attachments?: {
                        filename: string;
                        contentType: string;
                        content: string;
                    }[];
                };
            };
        };
        responses: {
            /** @description A verdict for each recipient. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "1 of 1 stored to be sent.",
                     *       "messagecontacts": [
                     *         {
                     *           "accepted": true,
                     *           "cID": "65f0c0ffee65f0c0ffee0001",
                     *           "mcID": "65f0c0ffee65f0c0ffee0100:65f0c0ffee65f0c0ffee00d1:d260109:a:65f0c0ffee65f0c0ffee0001:1",
                     *           "email": "grace@example.com"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        success: boolean;
                        message: string;
                        messagecontacts: {
                            /** @description The message is stored to be sent. */
                            accepted: boolean;
                            /** @description The contact that `mcID` names; 24 zeros for a recipient of a test who is no contact. */
                            cID?: string;
                            mcID?: string;
                            email?: string;
                            address?: string;
                            /** @enum {string} */
                            error?: "not-found" | "no-address" | "invalid-address" | "suppressed" | "not-subscribed";
                        }[];
                        /** @description Members of the body that were ignored, addresses that cannot be one of their channel, and names that are nearly known ones. */
                        warnings?: {
                            path: string;
                            /** @enum {string} */
                            code: "unknown_member" | "read_only" | "not_an_address" | "similar_name";
                            message: string;
                            suggestion?: string;
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listTemplatesends: {
        parameters: {
            query?: {
                after?: string;
                page?: number;
                per_page?: number;
                cursor?: string;
                sort_dir?: "asc" | "desc";
                return_count?: "true" | "false";
                fields?: string;
                state?: "pending" | "sending" | "deferred" | "sent" | "failed" | "unknown" | "skipped";
                reason?: string;
                cID?: string;
            };
            header?: never;
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of sends. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "cID": "65f0c0ffee65f0c0ffee0001",
                     *           "address": "grace@example.com",
                     *           "state": "sent",
                     *           "mcID": "65f0c0ffee65f0c0ffee0100:65f0c0ffee65f0c0ffee00d1:d260109:a:65f0c0ffee65f0c0ffee0001:1",
                     *           "attempts": 1,
                     *           "at": "2026-01-09T22:47:12.000Z",
                     *           "code": 250,
                     *           "text": "2.0.0 queued"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "per_page": 25,
                     *         "page": 1,
                     *         "next_cursor": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @description Of the live contact; `mcID` keeps the one of the time of sending. */
                            cID?: string;
                            /** @description Address that it went or is going to; else the one that the contact has now, if any. */
                            address?: string;
                            /** @enum {string} */
                            state?: "pending" | "sending" | "deferred" | "sent" | "failed" | "unknown" | "skipped";
                            reason?: string;
                            mcID?: string;
                            variant?: string;
                            attempts?: number;
                            /** @description Time of the last change of the state. */
                            at?: string;
                            code?: number;
                            /** @description Answer of the server, or what could not be rendered. */
                            text?: string;
                        }[];
                        pagination: {
                            per_page: number;
                            page?: number;
                            total?: number;
                            last_page?: number;
                            next_cursor: string | null;
                        };
                        asOf?: string;
                        /** @description Event names, properties and values in the criteria that the account never had. */
                        warnings?: {
                            path: string;
                            /** @constant */
                            code: "never_seen";
                            message: string;
                            allowed?: string[];
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    sendTemplatedraft: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "to": {
                 *         "email": "grace@example.com",
                 *         "first_name": "Grace"
                 *       },
                 *       "mergeData": {
                 *         "orderNumber": "A-1007"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description One recipient or several: `email` or other identifiers; other members are attributes to write. */
                    to: {
                        [key: string]: unknown;
                    } | {
                        [key: string]: unknown;
                    }[];
                    mergeData?: {
                        [key: string]: unknown;
                    };
                    /** @description Another name of `mergeData`. */
                    extVars?: {
                        [key: string]: unknown;
                    };
                    identifyBy?: string[];
                    attachments?: {
                        filename: string;
                        contentType: string;
                        content: string;
                    }[];
                };
            };
        };
        responses: {
            /** @description A verdict for each recipient. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "1 of 1 stored to be sent.",
                     *       "messagecontacts": [
                     *         {
                     *           "accepted": true,
                     *           "cID": "65f0c0ffee65f0c0ffee0001",
                     *           "mcID": "65f0c0ffee65f0c0ffee0100:65f0c0ffee65f0c0ffee00d1:d260109:a:65f0c0ffee65f0c0ffee0001:1",
                     *           "email": "grace@example.com"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        success: boolean;
                        message: string;
                        messagecontacts: {
                            /** @description The message is stored to be sent. */
                            accepted: boolean;
                            /** @description The contact that `mcID` names; 24 zeros for a recipient of a test who is no contact. */
                            cID?: string;
                            mcID?: string;
                            email?: string;
                            address?: string;
                            /** @enum {string} */
                            error?: "not-found" | "no-address" | "invalid-address" | "suppressed" | "not-subscribed";
                        }[];
                        /** @description Members of the body that were ignored, addresses that cannot be one of their channel, and names that are nearly known ones. */
                        warnings?: {
                            path: string;
                            /** @enum {string} */
                            code: "unknown_member" | "read_only" | "not_an_address" | "similar_name";
                            message: string;
                            suggestion?: string;
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listSuppressions: {
        parameters: {
            query?: {
                after?: string;
                page?: number;
                per_page?: number;
                cursor?: string;
                sort_dir?: "asc" | "desc";
                return_count?: "true" | "false";
                fields?: string;
                channel?: string;
                reason?: "manual" | "hard-bounce" | "complaint" | "erased-unsubscribed";
                address?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of suppressions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "65f0c0ffee65f0c0ffee00e1",
                     *           "channel": "email",
                     *           "address": "grace@example.com",
                     *           "reason": "manual",
                     *           "note": "asked by phone",
                     *           "ct": "2026-01-09T22:47:12.000Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "per_page": 25,
                     *         "page": 1,
                     *         "next_cursor": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            id?: string;
                            channel?: string;
                            /** @description Absent once its contact was erased. */
                            address?: string;
                            /** @description In ASCII, as DNS has it. */
                            domain?: string;
                            /** @enum {string} */
                            reason?: "manual" | "hard-bounce" | "complaint" | "erased-unsubscribed";
                            note?: string;
                            ct?: string;
                        }[];
                        pagination: {
                            per_page: number;
                            page?: number;
                            total?: number;
                            last_page?: number;
                            next_cursor: string | null;
                        };
                        asOf?: string;
                        /** @description Event names, properties and values in the criteria that the account never had. */
                        warnings?: {
                            path: string;
                            /** @constant */
                            code: "never_seen";
                            message: string;
                            allowed?: string[];
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createSuppression: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "channel": "email",
                 *       "address": "grace@example.com",
                 *       "note": "asked by phone"
                 *     }
                 */
                "application/json": {
                    channel: string;
                    address?: string | null;
                    domain?: string | null;
                    /** @description Default `manual`, which holds for all messages. */
                    reason?: ("manual" | "hard-bounce" | "complaint" | "erased-unsubscribed") | null;
                    note?: string | null;
                };
            };
        };
        responses: {
            /** @description The address is suppressed. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "id": "65f0c0ffee65f0c0ffee00e1"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        id: string;
                        /** @description Members of the body that were ignored, addresses that cannot be one of their channel, and names that are nearly known ones. */
                        warnings?: {
                            path: string;
                            /** @enum {string} */
                            code: "unknown_member" | "read_only" | "not_an_address" | "similar_name";
                            message: string;
                            suggestion?: string;
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteSuppression: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The suppression is lifted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listBatchmessages: {
        parameters: {
            query?: {
                after?: string;
                page?: number;
                per_page?: number;
                cursor?: string;
                sort_dir?: "asc" | "desc";
                return_count?: "true" | "false";
                fields?: string;
                sort_by?: "ct";
                status?: "draft" | "scheduled" | "pending" | "processing" | "paused" | "sent" | "canceled" | "failed" | "tz-processing";
                "sendTime[gt]"?: string;
                "sendTime[gte]"?: string;
                "sendTime[lt]"?: string;
                "sendTime[lte]"?: string;
                "ct[gt]"?: string;
                "ct[gte]"?: string;
                "ct[lt]"?: string;
                "ct[lte]"?: string;
                tags?: string;
                mdtID?: string;
                "triggers[api][enabled]"?: "true" | "false";
                "triggers[event][enabled]"?: "true" | "false";
                "triggers[recurring][enabled]"?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of messages. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "accountID": "65f0c0ffee65f0c0ffee0100",
                     *           "id": "65f0c0ffee65f0c0ffee00e1",
                     *           "bmID": "65f0c0ffee65f0c0ffee00e1",
                     *           "status": "draft",
                     *           "channel": "email",
                     *           "classification": "promotional",
                     *           "name": "Summer sale",
                     *           "scheduleType": "account",
                     *           "trackLinks": "enabled",
                     *           "trackOpens": true,
                     *           "priority": 2,
                     *           "bccEnabled": false,
                     *           "strict": false,
                     *           "allowEmpty": false,
                     *           "entry": {},
                     *           "tests": [],
                     *           "tags": [
                     *             "summer"
                     *           ],
                     *           "audience": {
                     *             "event": "open",
                     *             "within": {
                     *               "last": {
                     *                 "n": 30,
                     *                 "unit": "day"
                     *               }
                     *             }
                     *           },
                     *           "sendTimeType": "immediate",
                     *           "message": {
                     *             "headers": {
                     *               "subject": "Summer sale",
                     *               "fromEmail": "news@example.com",
                     *               "fromDesc": "Shop",
                     *               "replyEmail": "help@example.com"
                     *             },
                     *             "content": {
                     *               "text/html": "<p>Hello {{ contact.cID }}</p><p><a href=\"{{ links.unsubscribe }}\">Unsubscribe</a></p>"
                     *             }
                     *           },
                     *           "alerts": [],
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
                    "application/json": {
                        data: {
                            accountID?: string;
                            id?: string;
                            bmID?: string;
                            /** @description Template of which it is a day or an hour. */
                            mdtID?: string;
                            /** @description Key of that template. */
                            key?: string;
                            /** @enum {string} */
                            status?: "draft" | "scheduled" | "pending" | "processing" | "paused" | "sent" | "canceled" | "failed";
                            /** @description Reason for which it is paused or has failed. */
                            reason?: string;
                            channel?: string;
                            /** @enum {string} */
                            classification?: "promotional" | "transactional";
                            name?: string;
                            transportID?: string;
                            /** @enum {string} */
                            scheduleType?: "account" | "contact";
                            /** @enum {string} */
                            trackLinks?: "enabled" | "disabled";
                            trackOpens?: boolean;
                            priority?: number;
                            bcc?: string;
                            bccEnabled?: boolean;
                            vanityDomainKey?: string;
                            /** @description A contact for whom a value is missing is skipped. */
                            strict?: boolean;
                            /** @enum {string} */
                            onUnknown?: "skip" | "resend";
                            /** @description An empty audience is no mistake. */
                            allowEmpty?: boolean;
                            perMinute?: number;
                            entry?: {
                                /** @description Share of the audience that gets nothing. */
                                holdoutPercent?: number;
                            };
                            tests?: {
                                /** @enum {string} */
                                type: "split" | "split-with-champion" | "bandit";
                                enabled: boolean;
                                name?: string;
                                variants?: {
                                    name: string;
                                    /** @description Variants without a weight share alike. */
                                    weight?: number;
                                    /** @description Take the place of the message's own headers. */
                                    headers?: {
                                        /** @description Required for email. */
                                        subject?: string;
                                        /** @description Required for email. */
                                        fromEmail?: string;
                                        /** @description Required for email. */
                                        fromDesc?: string;
                                        /** @description Required for batch messages by email. */
                                        replyEmail?: string | null;
                                        /** @description Not for email. */
                                        from?: string;
                                    };
                                    /** @description Takes the place of the message's content. */
                                    content?: {
                                        "text/html"?: string;
                                        "text/mjml"?: string;
                                        "text/plain"?: string;
                                        "application/json"?: string;
                                    };
                                }[];
                                /** @enum {string} */
                                metric?: "uniqueOpens" | "uniqueClicks" | "conversions" | "revenue";
                                goal?: {
                                    action: string;
                                    where?: {
                                        [key: string]: unknown;
                                    }[];
                                };
                                testPercent?: number;
                                decideAfterMinutes?: number;
                            }[];
                            tags?: string[];
                            audience?: {
                                [key: string]: unknown;
                            };
                            "audience-key"?: string;
                            schedule?: string;
                            /** @enum {string} */
                            sendTimeType?: "immediate" | "scheduled";
                            message?: {
                                headers?: {
                                    /** @description Required for email. */
                                    subject?: string;
                                    /** @description Required for email. */
                                    fromEmail?: string;
                                    /** @description Required for email. */
                                    fromDesc?: string;
                                    /** @description Required for batch messages by email. */
                                    replyEmail?: string | null;
                                    /** @description Not for email. */
                                    from?: string;
                                };
                                content: {
                                    "text/html"?: string;
                                    "text/mjml"?: string;
                                    "text/plain"?: string;
                                    "application/json"?: string;
                                };
                                /** @description Records that are loaded for the contact, as Liquid reads them under `data`. */
                                data?: ({
                                    /** @description Liquid reads the records as `data.<name>`. */
                                    name: string;
                                    /** @description All must hold. */
                                    where?: ({
                                        /** @description A dotted path in the record. */
                                        field: string;
                                        /** @enum {string} */
                                        op: "eq" | "neq" | "gt" | "gte" | "lt" | "lte" | "contains" | "notContains";
                                        value: string | number | boolean;
                                    } | {
                                        /** @description A dotted path in the record. */
                                        field: string;
                                        /** @enum {string} */
                                        op: "in" | "notIn";
                                        value: (string | number | boolean)[];
                                    } | {
                                        /** @description A dotted path in the record. */
                                        field: string;
                                        /** @enum {string} */
                                        op: "exists" | "notExists";
                                    })[];
                                    /** @description A field; `-` before it puts the greatest first. */
                                    sort?: string;
                                    /** @default 10 */
                                    limit: number;
                                    /** @enum {string} */
                                    source: "cart" | "orders" | "products";
                                } | {
                                    /** @description Liquid reads the records as `data.<name>`. */
                                    name: string;
                                    /** @description All must hold. */
                                    where?: ({
                                        /** @description A dotted path in the record. */
                                        field: string;
                                        /** @enum {string} */
                                        op: "eq" | "neq" | "gt" | "gte" | "lt" | "lte" | "contains" | "notContains";
                                        value: string | number | boolean;
                                    } | {
                                        /** @description A dotted path in the record. */
                                        field: string;
                                        /** @enum {string} */
                                        op: "in" | "notIn";
                                        value: (string | number | boolean)[];
                                    } | {
                                        /** @description A dotted path in the record. */
                                        field: string;
                                        /** @enum {string} */
                                        op: "exists" | "notExists";
                                    })[];
                                    /** @description A field; `-` before it puts the greatest first. */
                                    sort?: string;
                                    /** @default 10 */
                                    limit: number;
                                    /** @constant */
                                    source: "supplement";
                                    /** @description Key of the table. */
                                    key: string;
                                })[];
                            };
                            /** @description Time at which it starts, or was to start. */
                            sendTime?: string;
                            audienceTotal?: number;
                            /** @description Adds up to `audienceTotal`, at every moment. A list shows it where `fields` names it. */
                            delivery?: {
                                sent: number;
                                failed: number;
                                unknown: number;
                                deferred: number;
                                pending: number;
                                /** @description By reason. Contacts that were erased since are among them, whatever they were sent. */
                                skipped: {
                                    [key: string]: number;
                                };
                            };
                            /** @description All 0 before it begins. Of a message that has begun an answer leaves them out while ClickHouse is away. */
                            stats?: {
                                sent: number;
                                delivered: number;
                                opens: number;
                                clicks: number;
                                bounces: number;
                                optouts: number;
                                complaints: number;
                                /** @description In the account's currency. */
                                revenue: number;
                            };
                            /** @description Moment up to which `stats` have seen everything. */
                            asOf?: string;
                            /** @description Alerts on this message. */
                            alerts?: {
                                [key: string]: unknown;
                            }[];
                            warnings?: string[];
                            zones?: {
                                done: number;
                                total: number;
                            };
                            ct?: string;
                            lm?: string;
                        }[];
                        pagination: {
                            per_page: number;
                            page?: number;
                            total?: number;
                            last_page?: number;
                            next_cursor: string | null;
                        };
                        asOf?: string;
                        /** @description Event names, properties and values in the criteria that the account never had. */
                        warnings?: {
                            path: string;
                            /** @constant */
                            code: "never_seen";
                            message: string;
                            allowed?: string[];
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createBatchmessage: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "channel": "email",
                 *       "classification": "promotional",
                 *       "name": "Summer sale",
                 *       "tags": [
                 *         "summer"
                 *       ],
                 *       "audience": {
                 *         "event": "open",
                 *         "within": {
                 *           "last": {
                 *             "n": 30,
                 *             "unit": "day"
                 *           }
                 *         }
                 *       },
                 *       "message": {
                 *         "headers": {
                 *           "subject": "Summer sale",
                 *           "fromEmail": "news@example.com",
                 *           "fromDesc": "Shop",
                 *           "replyEmail": "help@example.com"
                 *         },
                 *         "content": {
                 *           "text/html": "<p>Hello {{ contact.cID }}</p><p><a href=\"{{ links.unsubscribe }}\">Unsubscribe</a></p>"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": {
                    channel: string;
                    /** @enum {string} */
                    classification: "promotional" | "transactional";
                    name?: string | null;
                    transportID?: string | null;
                    scheduleType?: ("account" | "contact") | null;
                    trackLinks?: ("enabled" | "disabled") | null;
                    trackOpens?: boolean | null;
                    priority?: number | null;
                    bcc?: string | null;
                    bccEnabled?: boolean | null;
                    vanityDomainKey?: string | null;
                    strict?: boolean | null;
                    onUnknown?: ("skip" | "resend") | null;
                    allowEmpty?: boolean | null;
                    perMinute?: number | null;
                    entry?: {
                        /** @description Share of the audience that gets nothing. */
                        holdoutPercent?: number;
                    } | null;
                    tests?: {
                        /** @enum {string} */
                        type: "split" | "split-with-champion" | "bandit";
                        enabled: boolean;
                        name?: string;
                        variants?: {
                            name: string;
                            /** @description Variants without a weight share alike. */
                            weight?: number;
                            /** @description Take the place of the message's own headers. */
                            headers?: {
                                /** @description Required for email. */
                                subject?: string;
                                /** @description Required for email. */
                                fromEmail?: string;
                                /** @description Required for email. */
                                fromDesc?: string;
                                /** @description Required for batch messages by email. */
                                replyEmail?: string | null;
                                /** @description Not for email. */
                                from?: string;
                            };
                            /** @description Takes the place of the message's content. */
                            content?: {
                                "text/html"?: string;
                                "text/mjml"?: string;
                                "text/plain"?: string;
                                "application/json"?: string;
                            };
                        }[];
                        /** @enum {string} */
                        metric?: "uniqueOpens" | "uniqueClicks" | "conversions" | "revenue";
                        goal?: {
                            action: string;
                            where?: {
                                [key: string]: unknown;
                            }[];
                        };
                        testPercent?: number;
                        decideAfterMinutes?: number;
                    }[] | null;
                    tags?: string[] | null;
                    audience?: components["schemas"]["Criteria"] | null;
                    /** @description Key of a saved audience. */
                    "audience-key"?: string | null;
                    /** @description Absent: sent at once by `/send`. */
                    schedule?: string | null;
                    /** @description Follows `schedule`. */
                    sendTimeType?: ("immediate" | "scheduled") | null;
                    message?: {
                        headers?: {
                            /** @description Required for email. */
                            subject?: string;
                            /** @description Required for email. */
                            fromEmail?: string;
                            /** @description Required for email. */
                            fromDesc?: string;
                            /** @description Required for batch messages by email. */
                            replyEmail?: string | null;
                            /** @description Not for email. */
                            from?: string;
                        };
                        content: {
                            "text/html"?: string;
                            "text/mjml"?: string;
                            "text/plain"?: string;
                            "application/json"?: string;
                        };
                        /** @description Records that are loaded for the contact, as Liquid reads them under `data`. */
                        data?: ({
                            /** @description Liquid reads the records as `data.<name>`. */
                            name: string;
                            /** @description All must hold. */
                            where?: ({
                                /** @description A dotted path in the record. */
                                field: string;
                                /** @enum {string} */
                                op: "eq" | "neq" | "gt" | "gte" | "lt" | "lte" | "contains" | "notContains";
                                value: string | number | boolean;
                            } | {
                                /** @description A dotted path in the record. */
                                field: string;
                                /** @enum {string} */
                                op: "in" | "notIn";
                                value: (string | number | boolean)[];
                            } | {
                                /** @description A dotted path in the record. */
                                field: string;
                                /** @enum {string} */
                                op: "exists" | "notExists";
                            })[];
                            /** @description A field; `-` before it puts the greatest first. */
                            sort?: string;
                            /** @default 10 */
                            limit?: number;
                            /** @enum {string} */
                            source: "cart" | "orders" | "products";
                        } | {
                            /** @description Liquid reads the records as `data.<name>`. */
                            name: string;
                            /** @description All must hold. */
                            where?: ({
                                /** @description A dotted path in the record. */
                                field: string;
                                /** @enum {string} */
                                op: "eq" | "neq" | "gt" | "gte" | "lt" | "lte" | "contains" | "notContains";
                                value: string | number | boolean;
                            } | {
                                /** @description A dotted path in the record. */
                                field: string;
                                /** @enum {string} */
                                op: "in" | "notIn";
                                value: (string | number | boolean)[];
                            } | {
                                /** @description A dotted path in the record. */
                                field: string;
                                /** @enum {string} */
                                op: "exists" | "notExists";
                            })[];
                            /** @description A field; `-` before it puts the greatest first. */
                            sort?: string;
                            /** @default 10 */
                            limit?: number;
                            /** @constant */
                            source: "supplement";
                            /** @description Key of the table. */
                            key: string;
                        })[];
                    } | null;
                };
            };
        };
        responses: {
            /** @description The draft was created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "bmID": "65f0c0ffee65f0c0ffee00e1",
                     *       "id": "65f0c0ffee65f0c0ffee00e1",
                     *       "status": "draft"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        bmID: string;
                        id: string;
                        /** @enum {string} */
                        status: "draft" | "scheduled" | "pending" | "processing" | "paused" | "sent" | "canceled" | "failed";
                        /** @description Members of the body that were ignored, addresses that cannot be one of their channel, and names that are nearly known ones. */
                        warnings?: {
                            path: string;
                            /** @enum {string} */
                            code: "unknown_member" | "read_only" | "not_an_address" | "similar_name";
                            message: string;
                            suggestion?: string;
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getBatchmessage: {
        parameters: {
            query?: {
                after?: string;
                fields?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The message. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "accountID": "65f0c0ffee65f0c0ffee0100",
                     *       "id": "65f0c0ffee65f0c0ffee00e1",
                     *       "bmID": "65f0c0ffee65f0c0ffee00e1",
                     *       "status": "draft",
                     *       "channel": "email",
                     *       "classification": "promotional",
                     *       "name": "Summer sale",
                     *       "scheduleType": "account",
                     *       "trackLinks": "enabled",
                     *       "trackOpens": true,
                     *       "priority": 2,
                     *       "bccEnabled": false,
                     *       "strict": false,
                     *       "allowEmpty": false,
                     *       "entry": {},
                     *       "tests": [],
                     *       "tags": [
                     *         "summer"
                     *       ],
                     *       "audience": {
                     *         "event": "open",
                     *         "within": {
                     *           "last": {
                     *             "n": 30,
                     *             "unit": "day"
                     *           }
                     *         }
                     *       },
                     *       "sendTimeType": "immediate",
                     *       "message": {
                     *         "headers": {
                     *           "subject": "Summer sale",
                     *           "fromEmail": "news@example.com",
                     *           "fromDesc": "Shop",
                     *           "replyEmail": "help@example.com"
                     *         },
                     *         "content": {
                     *           "text/html": "<p>Hello {{ contact.cID }}</p><p><a href=\"{{ links.unsubscribe }}\">Unsubscribe</a></p>"
                     *         }
                     *       },
                     *       "alerts": [],
                     *       "ct": "2026-01-09T22:47:12.000Z",
                     *       "lm": "2026-01-09T22:47:12.000Z"
                     *     }
                     */
                    "application/json": {
                        accountID?: string;
                        id?: string;
                        bmID?: string;
                        /** @description Template of which it is a day or an hour. */
                        mdtID?: string;
                        /** @description Key of that template. */
                        key?: string;
                        /** @enum {string} */
                        status?: "draft" | "scheduled" | "pending" | "processing" | "paused" | "sent" | "canceled" | "failed";
                        /** @description Reason for which it is paused or has failed. */
                        reason?: string;
                        channel?: string;
                        /** @enum {string} */
                        classification?: "promotional" | "transactional";
                        name?: string;
                        transportID?: string;
                        /** @enum {string} */
                        scheduleType?: "account" | "contact";
                        /** @enum {string} */
                        trackLinks?: "enabled" | "disabled";
                        trackOpens?: boolean;
                        priority?: number;
                        bcc?: string;
                        bccEnabled?: boolean;
                        vanityDomainKey?: string;
                        /** @description A contact for whom a value is missing is skipped. */
                        strict?: boolean;
                        /** @enum {string} */
                        onUnknown?: "skip" | "resend";
                        /** @description An empty audience is no mistake. */
                        allowEmpty?: boolean;
                        perMinute?: number;
                        entry?: {
                            /** @description Share of the audience that gets nothing. */
                            holdoutPercent?: number;
                        };
                        tests?: {
                            /** @enum {string} */
                            type: "split" | "split-with-champion" | "bandit";
                            enabled: boolean;
                            name?: string;
                            variants?: {
                                name: string;
                                /** @description Variants without a weight share alike. */
                                weight?: number;
                                /** @description Take the place of the message's own headers. */
                                headers?: {
                                    /** @description Required for email. */
                                    subject?: string;
                                    /** @description Required for email. */
                                    fromEmail?: string;
                                    /** @description Required for email. */
                                    fromDesc?: string;
                                    /** @description Required for batch messages by email. */
                                    replyEmail?: string | null;
                                    /** @description Not for email. */
                                    from?: string;
                                };
                                /** @description Takes the place of the message's content. */
                                content?: {
                                    "text/html"?: string;
                                    "text/mjml"?: string;
                                    "text/plain"?: string;
                                    "application/json"?: string;
                                };
                            }[];
                            /** @enum {string} */
                            metric?: "uniqueOpens" | "uniqueClicks" | "conversions" | "revenue";
                            goal?: {
                                action: string;
                                where?: {
                                    [key: string]: unknown;
                                }[];
                            };
                            testPercent?: number;
                            decideAfterMinutes?: number;
                        }[];
                        tags?: string[];
                        audience?: {
                            [key: string]: unknown;
                        };
                        "audience-key"?: string;
                        schedule?: string;
                        /** @enum {string} */
                        sendTimeType?: "immediate" | "scheduled";
                        message?: {
                            headers?: {
                                /** @description Required for email. */
                                subject?: string;
                                /** @description Required for email. */
                                fromEmail?: string;
                                /** @description Required for email. */
                                fromDesc?: string;
                                /** @description Required for batch messages by email. */
                                replyEmail?: string | null;
                                /** @description Not for email. */
                                from?: string;
                            };
                            content: {
                                "text/html"?: string;
                                "text/mjml"?: string;
                                "text/plain"?: string;
                                "application/json"?: string;
                            };
                            /** @description Records that are loaded for the contact, as Liquid reads them under `data`. */
                            data?: ({
                                /** @description Liquid reads the records as `data.<name>`. */
                                name: string;
                                /** @description All must hold. */
                                where?: ({
                                    /** @description A dotted path in the record. */
                                    field: string;
                                    /** @enum {string} */
                                    op: "eq" | "neq" | "gt" | "gte" | "lt" | "lte" | "contains" | "notContains";
                                    value: string | number | boolean;
                                } | {
                                    /** @description A dotted path in the record. */
                                    field: string;
                                    /** @enum {string} */
                                    op: "in" | "notIn";
                                    value: (string | number | boolean)[];
                                } | {
                                    /** @description A dotted path in the record. */
                                    field: string;
                                    /** @enum {string} */
                                    op: "exists" | "notExists";
                                })[];
                                /** @description A field; `-` before it puts the greatest first. */
                                sort?: string;
                                /** @default 10 */
                                limit: number;
                                /** @enum {string} */
                                source: "cart" | "orders" | "products";
                            } | {
                                /** @description Liquid reads the records as `data.<name>`. */
                                name: string;
                                /** @description All must hold. */
                                where?: ({
                                    /** @description A dotted path in the record. */
                                    field: string;
                                    /** @enum {string} */
                                    op: "eq" | "neq" | "gt" | "gte" | "lt" | "lte" | "contains" | "notContains";
                                    value: string | number | boolean;
                                } | {
                                    /** @description A dotted path in the record. */
                                    field: string;
                                    /** @enum {string} */
                                    op: "in" | "notIn";
                                    value: (string | number | boolean)[];
                                } | {
                                    /** @description A dotted path in the record. */
                                    field: string;
                                    /** @enum {string} */
                                    op: "exists" | "notExists";
                                })[];
                                /** @description A field; `-` before it puts the greatest first. */
                                sort?: string;
                                /** @default 10 */
                                limit: number;
                                /** @constant */
                                source: "supplement";
                                /** @description Key of the table. */
                                key: string;
                            })[];
                        };
                        /** @description Time at which it starts, or was to start. */
                        sendTime?: string;
                        audienceTotal?: number;
                        /** @description Adds up to `audienceTotal`, at every moment. A list shows it where `fields` names it. */
                        delivery?: {
                            sent: number;
                            failed: number;
                            unknown: number;
                            deferred: number;
                            pending: number;
                            /** @description By reason. Contacts that were erased since are among them, whatever they were sent. */
                            skipped: {
                                [key: string]: number;
                            };
                        };
                        /** @description All 0 before it begins. Of a message that has begun an answer leaves them out while ClickHouse is away. */
                        stats?: {
                            sent: number;
                            delivered: number;
                            opens: number;
                            clicks: number;
                            bounces: number;
                            optouts: number;
                            complaints: number;
                            /** @description In the account's currency. */
                            revenue: number;
                        };
                        /** @description Moment up to which `stats` have seen everything. */
                        asOf?: string;
                        /** @description Alerts on this message. */
                        alerts?: {
                            [key: string]: unknown;
                        }[];
                        warnings?: string[];
                        zones?: {
                            done: number;
                            total: number;
                        };
                        ct?: string;
                        lm?: string;
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateBatchmessage: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Summer sale, second try",
                 *       "schedule": "2027-06-01T09:00:00Z"
                 *     }
                 */
                "application/json": {
                    channel?: string;
                    /** @enum {string} */
                    classification?: "promotional" | "transactional";
                    name?: string | null;
                    transportID?: string | null;
                    scheduleType?: ("account" | "contact") | null;
                    trackLinks?: ("enabled" | "disabled") | null;
                    trackOpens?: boolean | null;
                    priority?: number | null;
                    bcc?: string | null;
                    bccEnabled?: boolean | null;
                    vanityDomainKey?: string | null;
                    strict?: boolean | null;
                    onUnknown?: ("skip" | "resend") | null;
                    allowEmpty?: boolean | null;
                    perMinute?: number | null;
                    entry?: {
                        /** @description Share of the audience that gets nothing. */
                        holdoutPercent?: number;
                    } | null;
                    tests?: {
                        /** @enum {string} */
                        type: "split" | "split-with-champion" | "bandit";
                        enabled: boolean;
                        name?: string;
                        variants?: {
                            name: string;
                            /** @description Variants without a weight share alike. */
                            weight?: number;
                            /** @description Take the place of the message's own headers. */
                            headers?: {
                                /** @description Required for email. */
                                subject?: string;
                                /** @description Required for email. */
                                fromEmail?: string;
                                /** @description Required for email. */
                                fromDesc?: string;
                                /** @description Required for batch messages by email. */
                                replyEmail?: string | null;
                                /** @description Not for email. */
                                from?: string;
                            };
                            /** @description Takes the place of the message's content. */
                            content?: {
                                "text/html"?: string;
                                "text/mjml"?: string;
                                "text/plain"?: string;
                                "application/json"?: string;
                            };
                        }[];
                        /** @enum {string} */
                        metric?: "uniqueOpens" | "uniqueClicks" | "conversions" | "revenue";
                        goal?: {
                            action: string;
                            where?: {
                                [key: string]: unknown;
                            }[];
                        };
                        testPercent?: number;
                        decideAfterMinutes?: number;
                    }[] | null;
                    tags?: string[] | null;
                    audience?: components["schemas"]["Criteria"] | null;
                    /** @description Key of a saved audience. */
                    "audience-key"?: string | null;
                    /** @description Absent: sent at once by `/send`. */
                    schedule?: string | null;
                    /** @description Follows `schedule`. */
                    sendTimeType?: ("immediate" | "scheduled") | null;
                    message?: {
                        headers?: {
                            /** @description Required for email. */
                            subject?: string;
                            /** @description Required for email. */
                            fromEmail?: string;
                            /** @description Required for email. */
                            fromDesc?: string;
                            /** @description Required for batch messages by email. */
                            replyEmail?: string | null;
                            /** @description Not for email. */
                            from?: string;
                        };
                        content: {
                            "text/html"?: string;
                            "text/mjml"?: string;
                            "text/plain"?: string;
                            "application/json"?: string;
                        };
                        /** @description Records that are loaded for the contact, as Liquid reads them under `data`. */
                        data?: ({
                            /** @description Liquid reads the records as `data.<name>`. */
                            name: string;
                            /** @description All must hold. */
                            where?: ({
                                /** @description A dotted path in the record. */
                                field: string;
                                /** @enum {string} */
                                op: "eq" | "neq" | "gt" | "gte" | "lt" | "lte" | "contains" | "notContains";
                                value: string | number | boolean;
                            } | {
                                /** @description A dotted path in the record. */
                                field: string;
                                /** @enum {string} */
                                op: "in" | "notIn";
                                value: (string | number | boolean)[];
                            } | {
                                /** @description A dotted path in the record. */
                                field: string;
                                /** @enum {string} */
                                op: "exists" | "notExists";
                            })[];
                            /** @description A field; `-` before it puts the greatest first. */
                            sort?: string;
                            /** @default 10 */
                            limit?: number;
                            /** @enum {string} */
                            source: "cart" | "orders" | "products";
                        } | {
                            /** @description Liquid reads the records as `data.<name>`. */
                            name: string;
                            /** @description All must hold. */
                            where?: ({
                                /** @description A dotted path in the record. */
                                field: string;
                                /** @enum {string} */
                                op: "eq" | "neq" | "gt" | "gte" | "lt" | "lte" | "contains" | "notContains";
                                value: string | number | boolean;
                            } | {
                                /** @description A dotted path in the record. */
                                field: string;
                                /** @enum {string} */
                                op: "in" | "notIn";
                                value: (string | number | boolean)[];
                            } | {
                                /** @description A dotted path in the record. */
                                field: string;
                                /** @enum {string} */
                                op: "exists" | "notExists";
                            })[];
                            /** @description A field; `-` before it puts the greatest first. */
                            sort?: string;
                            /** @default 10 */
                            limit?: number;
                            /** @constant */
                            source: "supplement";
                            /** @description Key of the table. */
                            key: string;
                        })[];
                    } | null;
                };
            };
        };
        responses: {
            /** @description The updated draft. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "bmID": "65f0c0ffee65f0c0ffee00e1",
                     *       "id": "65f0c0ffee65f0c0ffee00e1",
                     *       "status": "draft"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        bmID: string;
                        id: string;
                        /** @enum {string} */
                        status: "draft" | "scheduled" | "pending" | "processing" | "paused" | "sent" | "canceled" | "failed";
                        /** @description Members of the body that were ignored, addresses that cannot be one of their channel, and names that are nearly known ones. */
                        warnings?: {
                            path: string;
                            /** @enum {string} */
                            code: "unknown_member" | "read_only" | "not_an_address" | "similar_name";
                            message: string;
                            suggestion?: string;
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteBatchmessage: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The message is deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getExperimentperformance: {
        parameters: {
            query?: {
                after?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The numbers. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "subject",
                     *       "strategy": "split",
                     *       "totalAudience": 1000,
                     *       "conversions": 37,
                     *       "variants": [
                     *         {
                     *           "name": "short",
                     *           "stats": {
                     *             "sends": 500,
                     *             "clicks": 61,
                     *             "uniqueClicks": 48,
                     *             "opens": 320,
                     *             "uniqueOpens": 245,
                     *             "bounces": 9,
                     *             "revenue": 917.25,
                     *             "orders": 11,
                     *             "complaints": 0,
                     *             "optouts": 2
                     *           },
                     *           "conversions": 20
                     *         },
                     *         {
                     *           "name": "long",
                     *           "stats": {
                     *             "sends": 500,
                     *             "clicks": 61,
                     *             "uniqueClicks": 48,
                     *             "opens": 320,
                     *             "uniqueOpens": 201,
                     *             "bounces": 9,
                     *             "revenue": 917.25,
                     *             "orders": 11,
                     *             "complaints": 0,
                     *             "optouts": 2
                     *           },
                     *           "conversions": 17
                     *         }
                     *       ],
                     *       "asOf": "2026-03-31T22:47:12.000Z"
                     *     }
                     */
                    "application/json": {
                        name: string;
                        /** @enum {string} */
                        strategy: "split" | "split-with-champion" | "bandit";
                        totalAudience: number;
                        /** @description Contacts that got the message and reached the experiment's goal since it began. */
                        conversions: number;
                        variants: {
                            name: string;
                            stats: {
                                sends: number;
                                clicks: number;
                                uniqueClicks: number;
                                opens: number;
                                uniqueOpens: number;
                                bounces: number;
                                /** @description In the account's currency. */
                                revenue: number;
                                orders: number;
                                complaints: number;
                                optouts: number;
                            };
                            conversions: number;
                            /** @description Share of the next sends that a bandit gives it, once it has learnt something. */
                            share?: number;
                        }[];
                        /** @description End of a champion's test. Without a `winner` the message stays a split. */
                        decision?: {
                            winner?: string;
                            /** @enum {string} */
                            reason?: "too-few-sends" | "tie";
                            at: string;
                        };
                        asOf: string;
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    renderBatchmessage: {
        parameters: {
            query?: {
                after?: string;
                experiment?: string;
                variant?: string;
            };
            header?: never;
            path: {
                id: string;
                contactID: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The message. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "headers": {
                     *         "subject": "Welcome, Ada",
                     *         "fromEmail": "news@example.com",
                     *         "fromDesc": "Example shop"
                     *       },
                     *       "content": {
                     *         "text/html": "<p>Good to have you here.</p>",
                     *         "text/plain": "Good to have you here."
                     *       },
                     *       "experiments": [
                     *         {
                     *           "name": "subject",
                     *           "strategy": "split",
                     *           "variants": [
                     *             "short",
                     *             "long"
                     *           ],
                     *           "variant": "long"
                     *         }
                     *       ],
                     *       "warnings": [
                     *         {
                     *           "code": "no_unsubscribe_link",
                     *           "message": "The message has no unsubscribe link.",
                     *           "count": 1
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        headers: {
                            [key: string]: string;
                        };
                        /** @description By media type. */
                        content: {
                            [key: string]: string;
                        };
                        /** @description The enabled one. */
                        experiments: {
                            name: string;
                            strategy: string;
                            variants: string[];
                            /** @description The variant that is rendered: the named one, else the one that the contact gets; null for the message's own content. */
                            variant: string | null;
                        }[];
                        warnings: {
                            /** @enum {string} */
                            code: "missing_value" | "not_a_date" | "unknown_zone" | "object_in_text" | "unknown_link" | "clipped" | "no_unsubscribe_link";
                            message: string;
                            count: number;
                        }[];
                        /** @description Short messages that the text of an sms takes. */
                        segments?: number;
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listBatchmessagesends: {
        parameters: {
            query?: {
                after?: string;
                page?: number;
                per_page?: number;
                cursor?: string;
                sort_dir?: "asc" | "desc";
                return_count?: "true" | "false";
                fields?: string;
                state?: "pending" | "sending" | "deferred" | "sent" | "failed" | "unknown" | "skipped";
                reason?: string;
                cID?: string;
                sort_by?: "contact";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of sends, by contact. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "cID": "65f0c0ffee65f0c0ffee0001",
                     *           "address": "ada@example.com",
                     *           "state": "sent",
                     *           "attempts": 1,
                     *           "mcID": "65f0c0ffee65f0c0ffee0100:65f0c0ffee65f0c0ffee00e1:b:65f0c0ffee65f0c0ffee0001:1",
                     *           "at": "2026-01-09T22:47:12.000Z",
                     *           "code": 250,
                     *           "text": "2.0.0 OK"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "per_page": 25,
                     *         "page": 1,
                     *         "next_cursor": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @description Of the live contact; `mcID` keeps the one of the time of sending. */
                            cID?: string;
                            /** @description Address that it went or is going to; else the one that the contact has now, if any. */
                            address?: string;
                            /** @enum {string} */
                            state?: "pending" | "sending" | "deferred" | "sent" | "failed" | "unknown" | "skipped";
                            reason?: string;
                            mcID?: string;
                            variant?: string;
                            attempts?: number;
                            /** @description Time of the last change of the state. */
                            at?: string;
                            code?: number;
                            /** @description Answer of the server, or what could not be rendered. */
                            text?: string;
                        }[];
                        pagination: {
                            per_page: number;
                            page?: number;
                            total?: number;
                            last_page?: number;
                            next_cursor: string | null;
                        };
                        asOf?: string;
                        /** @description Event names, properties and values in the criteria that the account never had. */
                        warnings?: {
                            path: string;
                            /** @constant */
                            code: "never_seen";
                            message: string;
                            allowed?: string[];
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    retryBatchmessagesends: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "states": [
                 *         "failed",
                 *         "unknown"
                 *       ]
                 *     }
                 */
                "application/json": {
                    states: ("failed" | "unknown" | "deferred")[];
                };
            };
        };
        responses: {
            /** @description The job has started. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "65f0c0ffee65f0c0ffee0001"
                     *     }
                     */
                    "application/json": {
                        jobId: string;
                        warnings?: {
                            code: string;
                            path?: string;
                            message: string;
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    sendBatchmessage: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The message is `scheduled`, `pending` until a worker takes it, or `processing` already. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "id": "65f0c0ffee65f0c0ffee00e1",
                     *       "status": "pending",
                     *       "jobId": "65f0c0ffee65f0c0ffee0301"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        id: string;
                        /** @enum {string} */
                        status: "draft" | "scheduled" | "pending" | "processing" | "paused" | "sent" | "canceled" | "failed";
                        jobId?: string;
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    sendTestBatchmessage: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": [
                 *         "grace@example.com"
                 *       ]
                 *     }
                 */
                "application/json": {
                    [key: string]: (string | number)[];
                };
            };
        };
        responses: {
            /** @description A verdict for each recipient. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "message": "1 of 1 stored to be sent.",
                     *       "messagecontacts": [
                     *         {
                     *           "accepted": true,
                     *           "cID": "65f0c0ffee65f0c0ffee0001",
                     *           "mcID": "65f0c0ffee65f0c0ffee0100:65f0c0ffee65f0c0ffee00e1:t:65f0c0ffee65f0c0ffee0001:2",
                     *           "email": "grace@example.com"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        success: boolean;
                        message: string;
                        messagecontacts: {
                            /** @description The message is stored to be sent. */
                            accepted: boolean;
                            /** @description The contact that `mcID` names; 24 zeros for a recipient of a test who is no contact. */
                            cID?: string;
                            mcID?: string;
                            email?: string;
                            address?: string;
                            /** @enum {string} */
                            error?: "not-found" | "no-address" | "invalid-address" | "suppressed" | "not-subscribed";
                        }[];
                        /** @description Members of the body that were ignored, addresses that cannot be one of their channel, and names that are nearly known ones. */
                        warnings?: {
                            path: string;
                            /** @enum {string} */
                            code: "unknown_member" | "read_only" | "not_an_address" | "similar_name";
                            message: string;
                            suggestion?: string;
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    pauseBatchmessage: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The message has the state. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "id": "65f0c0ffee65f0c0ffee00e1",
                     *       "status": "paused"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        id: string;
                        /** @enum {string} */
                        status: "draft" | "scheduled" | "pending" | "processing" | "paused" | "sent" | "canceled" | "failed";
                        jobId?: string;
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    resumeBatchmessage: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The message has the state. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "id": "65f0c0ffee65f0c0ffee00e1",
                     *       "status": "processing"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        id: string;
                        /** @enum {string} */
                        status: "draft" | "scheduled" | "pending" | "processing" | "paused" | "sent" | "canceled" | "failed";
                        jobId?: string;
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    cancelBatchmessage: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The message has the state. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "id": "65f0c0ffee65f0c0ffee00e1",
                     *       "status": "canceled"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        id: string;
                        /** @enum {string} */
                        status: "draft" | "scheduled" | "pending" | "processing" | "paused" | "sent" | "canceled" | "failed";
                        jobId?: string;
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    unscheduleBatchmessage: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The message has the state. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "id": "65f0c0ffee65f0c0ffee00e1",
                     *       "status": "draft"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        id: string;
                        /** @enum {string} */
                        status: "draft" | "scheduled" | "pending" | "processing" | "paused" | "sent" | "canceled" | "failed";
                        jobId?: string;
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createContactexport: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "fields": [
                 *         "cID",
                 *         "channels.email.address",
                 *         "createdAt"
                 *       ],
                 *       "exportType": "csv",
                 *       "compress": true
                 *     }
                 */
                "application/json": {
                    /** @description Required. Paths as criteria name them, bare attribute keys, `lists`, `lists.<name>`, `listJoinDate.<name>`; or `*`. */
                    fields: "*" | string[];
                    lists?: (string | number)[] | null;
                    "audience-key"?: string | null;
                    criteria?: components["schemas"]["Criteria"] | null;
                    asOf?: string | null;
                    destination?: Record<string, unknown> | null;
                    exportType?: ("csv" | "txt" | "json" | "jsonl" | "parquet") | null;
                    name?: string | null;
                    compress?: (boolean | ("true" | "false")) | null;
                    compression?: ("none" | "gzip" | "zstd" | "snappy") | null;
                    showHeader?: (boolean | ("true" | "false")) | null;
                    delimiter?: string | null;
                    columnHeaders?: {
                        name: string;
                        label?: string | null;
                    }[] | null;
                    limitRecordsPerFile?: number | null;
                    timezone?: string | null;
                    bom?: (boolean | ("true" | "false")) | null;
                    formulaSafe?: (boolean | ("true" | "false")) | null;
                    confirmEmail?: string | null;
                    jobStatusWebhookUrl?: string | null;
                    since?: string | null;
                    until?: string | null;
                };
            };
        };
        responses: {
            /** @description The job has started. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "65f0c0ffee65f0c0ffee0001"
                     *     }
                     */
                    "application/json": {
                        jobId: string;
                        /** @description What of the request has no effect here, and names in criteria that the account never had. */
                        warnings?: {
                            code: string;
                            path?: string;
                            message: string;
                            allowed?: string[];
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createActivityexport: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "timeframe": {
                 *         "start": "2026-01-01",
                 *         "end": "2026-02-01"
                 *       },
                 *       "selected_action_names": [
                 *         "browse",
                 *         "purchase"
                 *       ],
                 *       "exportType": "jsonl"
                 *     }
                 */
                "application/json": {
                    timeframe?: {
                        start: string;
                        end: string;
                    } | null;
                    selected_timeframe_start?: string | null;
                    selected_timeframe_end?: string | null;
                    selected_action_name?: string | null;
                    selected_action_names?: string[] | null;
                    selected_message_type?: string | null;
                    selected_message_id?: string | null;
                    selected_contact?: string | null;
                    selected_audience_key?: string | null;
                    selected_channel?: string | null;
                    criteria?: components["schemas"]["Criteria"] | null;
                    showAllProperties?: (boolean | ("true" | "false")) | null;
                    additionalJsonlFields?: ("geo" | "device" | "receivedAt" | "place")[] | null;
                    contactFields?: string[] | null;
                    sort?: "time" | null;
                    destination?: Record<string, unknown> | null;
                    exportType?: ("csv" | "txt" | "json" | "jsonl" | "parquet") | null;
                    name?: string | null;
                    compress?: (boolean | ("true" | "false")) | null;
                    compression?: ("none" | "gzip" | "zstd" | "snappy") | null;
                    showHeader?: (boolean | ("true" | "false")) | null;
                    delimiter?: string | null;
                    columnHeaders?: {
                        name: string;
                        label?: string | null;
                    }[] | null;
                    limitRecordsPerFile?: number | null;
                    timezone?: string | null;
                    bom?: (boolean | ("true" | "false")) | null;
                    formulaSafe?: (boolean | ("true" | "false")) | null;
                    confirmEmail?: string | null;
                    jobStatusWebhookUrl?: string | null;
                    since?: string | null;
                    until?: string | null;
                };
            };
        };
        responses: {
            /** @description The job has started. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "65f0c0ffee65f0c0ffee0001"
                     *     }
                     */
                    "application/json": {
                        jobId: string;
                        /** @description What of the request has no effect here, and names in criteria that the account never had. */
                        warnings?: {
                            code: string;
                            path?: string;
                            message: string;
                            allowed?: string[];
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createAudiencetrendsexport: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "criteria": {
                 *         "field": "channels.email.address",
                 *         "op": "exists"
                 *       },
                 *       "timeframe": {
                 *         "start": "2026-01-01",
                 *         "end": "2026-02-01"
                 *       },
                 *       "grain": "week",
                 *       "exportType": "csv"
                 *     }
                 */
                "application/json": {
                    audiences?: string[] | null;
                    criteria?: components["schemas"]["Criteria"] | null;
                    timeframe?: {
                        start: string;
                        end: string;
                    } | null;
                    selected_timeframe_start?: string | null;
                    selected_timeframe_end?: string | null;
                    grain?: ("hour" | "day" | "week" | "month") | null;
                    basis?: ("event" | "recorded") | null;
                    eligibleFor?: {
                        channel: string;
                        /** @enum {string} */
                        classification: "promotional" | "transactional";
                    } | null;
                    segmentBy?: (string | {
                        lists: (string | number)[];
                    }) | null;
                    destination?: Record<string, unknown> | null;
                    exportType?: ("csv" | "txt" | "json" | "jsonl" | "parquet") | null;
                    name?: string | null;
                    compress?: (boolean | ("true" | "false")) | null;
                    compression?: ("none" | "gzip" | "zstd" | "snappy") | null;
                    showHeader?: (boolean | ("true" | "false")) | null;
                    delimiter?: string | null;
                    columnHeaders?: {
                        name: string;
                        label?: string | null;
                    }[] | null;
                    limitRecordsPerFile?: number | null;
                    timezone?: string | null;
                    bom?: (boolean | ("true" | "false")) | null;
                    formulaSafe?: (boolean | ("true" | "false")) | null;
                    confirmEmail?: string | null;
                    jobStatusWebhookUrl?: string | null;
                };
            };
        };
        responses: {
            /** @description The job has started. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "65f0c0ffee65f0c0ffee0001"
                     *     }
                     */
                    "application/json": {
                        jobId: string;
                        /** @description What of the request has no effect here, and names in criteria that the account never had. */
                        warnings?: {
                            code: string;
                            path?: string;
                            message: string;
                            allowed?: string[];
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createLogexport: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "timeframe": {
                 *         "start": "2026-01-01",
                 *         "end": "2026-02-01"
                 *       },
                 *       "selected_level": "Warning",
                 *       "exportType": "jsonl"
                 *     }
                 */
                "application/json": {
                    timeframe?: {
                        start: string;
                        end: string;
                    } | null;
                    selected_timeframe_start?: string | null;
                    selected_timeframe_end?: string | null;
                    selected_category?: ("API" | "Automated messages" | "Batch messages" | "Data Automation" | "Exports" | "Imports" | "Inbound" | "Jobs" | "JS Listener" | "System") | null;
                    selected_level?: ("Debug" | "Info" | "Warning" | "Error") | null;
                    destination?: Record<string, unknown> | null;
                    exportType?: ("csv" | "txt" | "json" | "jsonl" | "parquet") | null;
                    name?: string | null;
                    compress?: (boolean | ("true" | "false")) | null;
                    compression?: ("none" | "gzip" | "zstd" | "snappy") | null;
                    showHeader?: (boolean | ("true" | "false")) | null;
                    delimiter?: string | null;
                    columnHeaders?: {
                        name: string;
                        label?: string | null;
                    }[] | null;
                    limitRecordsPerFile?: number | null;
                    timezone?: string | null;
                    bom?: (boolean | ("true" | "false")) | null;
                    formulaSafe?: (boolean | ("true" | "false")) | null;
                    confirmEmail?: string | null;
                    jobStatusWebhookUrl?: string | null;
                };
            };
        };
        responses: {
            /** @description The job has started. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "65f0c0ffee65f0c0ffee0001"
                     *     }
                     */
                    "application/json": {
                        jobId: string;
                        /** @description What of the request has no effect here, and names in criteria that the account never had. */
                        warnings?: {
                            code: string;
                            path?: string;
                            message: string;
                            allowed?: string[];
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createMessageexport: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "timeframe": {
                 *         "start": "2026-01-01",
                 *         "end": "2026-02-01"
                 *       },
                 *       "type": "automation",
                 *       "rollupAutomations": false,
                 *       "includeTotalsRow": true,
                 *       "exportType": "csv"
                 *     }
                 */
                "application/json": {
                    timeframe?: {
                        start: string;
                        end: string;
                    } | null;
                    selected_timeframe_start?: string | null;
                    selected_timeframe_end?: string | null;
                    timeframeBasis?: ("sent" | "event") | null;
                    type?: ("all" | "batch" | "automation" | "orchestration") | null;
                    selected_channel?: string | null;
                    selected_message_name?: string | null;
                    selected_message_tags?: (string[] | string) | null;
                    selected_message_tags_operator?: ("any" | "all") | null;
                    selected_orchestration_id?: string | null;
                    selected_orchestration_name?: string | null;
                    selected_audience_ids?: (string[] | string) | null;
                    selected_audience_names?: (string[] | string) | null;
                    viewMode?: ("by_message" | "by_message_type" | "as_total") | null;
                    rollupAutomations?: (boolean | ("true" | "false")) | null;
                    includeTotalsRow?: (boolean | ("true" | "false")) | null;
                    destination?: Record<string, unknown> | null;
                    exportType?: ("csv" | "txt" | "json" | "jsonl" | "parquet") | null;
                    name?: string | null;
                    compress?: (boolean | ("true" | "false")) | null;
                    compression?: ("none" | "gzip" | "zstd" | "snappy") | null;
                    showHeader?: (boolean | ("true" | "false")) | null;
                    delimiter?: string | null;
                    columnHeaders?: {
                        name: string;
                        label?: string | null;
                    }[] | null;
                    limitRecordsPerFile?: number | null;
                    timezone?: string | null;
                    bom?: (boolean | ("true" | "false")) | null;
                    formulaSafe?: (boolean | ("true" | "false")) | null;
                    confirmEmail?: string | null;
                    jobStatusWebhookUrl?: string | null;
                };
            };
        };
        responses: {
            /** @description The job has started. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "65f0c0ffee65f0c0ffee0001"
                     *     }
                     */
                    "application/json": {
                        jobId: string;
                        /** @description What of the request has no effect here, and names in criteria that the account never had. */
                        warnings?: {
                            code: string;
                            path?: string;
                            message: string;
                            allowed?: string[];
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createOrdersexport: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "timeframe": {
                 *         "start": "2026-01-01",
                 *         "end": "2026-02-01"
                 *       },
                 *       "exportType": "jsonl"
                 *     }
                 */
                "application/json": {
                    timeframe?: {
                        start: string;
                        end: string;
                    } | null;
                    selected_timeframe_start?: string | null;
                    selected_timeframe_end?: string | null;
                    destination?: Record<string, unknown> | null;
                    exportType?: ("csv" | "txt" | "json" | "jsonl" | "parquet") | null;
                    name?: string | null;
                    compress?: (boolean | ("true" | "false")) | null;
                    compression?: ("none" | "gzip" | "zstd" | "snappy") | null;
                    showHeader?: (boolean | ("true" | "false")) | null;
                    delimiter?: string | null;
                    columnHeaders?: {
                        name: string;
                        label?: string | null;
                    }[] | null;
                    limitRecordsPerFile?: number | null;
                    timezone?: string | null;
                    bom?: (boolean | ("true" | "false")) | null;
                    formulaSafe?: (boolean | ("true" | "false")) | null;
                    confirmEmail?: string | null;
                    jobStatusWebhookUrl?: string | null;
                    since?: string | null;
                };
            };
        };
        responses: {
            /** @description The job has started. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "65f0c0ffee65f0c0ffee0001"
                     *     }
                     */
                    "application/json": {
                        jobId: string;
                        /** @description What of the request has no effect here, and names in criteria that the account never had. */
                        warnings?: {
                            code: string;
                            path?: string;
                            message: string;
                            allowed?: string[];
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listPrograms: {
        parameters: {
            query?: {
                after?: string;
                page?: number;
                per_page?: number;
                cursor?: string;
                sort_dir?: "asc" | "desc";
                return_count?: "true" | "false";
                fields?: string;
                sort_by?: "ct" | "createdAt" | "name";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of programs. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "65f0c0ffee65f0c0ffee00b1",
                     *           "name": "Spring sale",
                     *           "messages": {
                     *             "ids": [
                     *               "65f0c0ffee65f0c0ffee0007"
                     *             ],
                     *             "keys": [
                     *               "cart-reminder"
                     *             ],
                     *             "tags": [
                     *               "spring"
                     *             ]
                     *           },
                     *           "orchestrations": {
                     *             "ids": [
                     *               "65f0c0ffee65f0c0ffee0101"
                     *             ]
                     *           },
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
                    "application/json": {
                        data: {
                            id?: string;
                            name?: string;
                            messages?: {
                                ids?: string[];
                                keys?: string[];
                                tags?: string[];
                            };
                            orchestrations?: {
                                ids?: string[];
                                tags?: string[];
                            };
                            ct?: string;
                            lm?: string;
                        }[];
                        pagination: {
                            per_page: number;
                            page?: number;
                            total?: number;
                            last_page?: number;
                            next_cursor: string | null;
                        };
                        asOf?: string;
                        /** @description Event names, properties and values in the criteria that the account never had. */
                        warnings?: {
                            path: string;
                            /** @constant */
                            code: "never_seen";
                            message: string;
                            allowed?: string[];
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createProgram: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Spring sale",
                 *       "messages": {
                 *         "ids": [
                 *           "65f0c0ffee65f0c0ffee0007"
                 *         ],
                 *         "keys": [
                 *           "cart-reminder"
                 *         ],
                 *         "tags": [
                 *           "spring"
                 *         ]
                 *       },
                 *       "orchestrations": {
                 *         "ids": [
                 *           "65f0c0ffee65f0c0ffee0101"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": {
                    name: string;
                    messages?: {
                        ids?: string[];
                        keys?: string[];
                        tags?: string[];
                    } | null;
                    orchestrations?: {
                        ids?: string[];
                        tags?: string[];
                    } | null;
                };
            };
        };
        responses: {
            /** @description The program was created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "id": "65f0c0ffee65f0c0ffee00b1"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        id: string;
                        /** @description Members of the body that were ignored, addresses that cannot be one of their channel, and names that are nearly known ones. */
                        warnings?: {
                            path: string;
                            /** @enum {string} */
                            code: "unknown_member" | "read_only" | "not_an_address" | "similar_name";
                            message: string;
                            suggestion?: string;
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getProgram: {
        parameters: {
            query?: {
                after?: string;
                fields?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The program. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "65f0c0ffee65f0c0ffee00b1",
                     *       "name": "Spring sale",
                     *       "messages": {
                     *         "ids": [
                     *           "65f0c0ffee65f0c0ffee0007"
                     *         ],
                     *         "keys": [
                     *           "cart-reminder"
                     *         ],
                     *         "tags": [
                     *           "spring"
                     *         ]
                     *       },
                     *       "orchestrations": {
                     *         "ids": [
                     *           "65f0c0ffee65f0c0ffee0101"
                     *         ]
                     *       },
                     *       "ct": "2026-01-09T22:47:12.000Z",
                     *       "lm": "2026-01-09T22:47:12.000Z"
                     *     }
                     */
                    "application/json": {
                        id?: string;
                        name?: string;
                        messages?: {
                            ids?: string[];
                            keys?: string[];
                            tags?: string[];
                        };
                        orchestrations?: {
                            ids?: string[];
                            tags?: string[];
                        };
                        ct?: string;
                        lm?: string;
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateProgram: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Spring sale 2026",
                 *       "messages": {
                 *         "tags": [
                 *           "spring",
                 *           "sale"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": {
                    name?: string;
                    messages?: {
                        ids?: string[];
                        keys?: string[];
                        tags?: string[];
                    } | null;
                    orchestrations?: {
                        ids?: string[];
                        tags?: string[];
                    } | null;
                };
            };
        };
        responses: {
            /** @description The updated program. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "id": "65f0c0ffee65f0c0ffee00b1"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        id: string;
                        /** @description Members of the body that were ignored, addresses that cannot be one of their channel, and names that are nearly known ones. */
                        warnings?: {
                            path: string;
                            /** @enum {string} */
                            code: "unknown_member" | "read_only" | "not_an_address" | "similar_name";
                            message: string;
                            suggestion?: string;
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteProgram: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                "If-Match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The program is deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getProgramsummary: {
        parameters: {
            query: {
                after?: string;
                start_date: string;
                end_date: string;
                channel_key?: string;
                channel_type?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The summary. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "Spring sale",
                     *       "stats": {
                     *         "sent": 1000,
                     *         "delivered": 980,
                     *         "bounce_hard": 15,
                     *         "bounce_soft": 5,
                     *         "bounce_total": 20,
                     *         "opens": 640,
                     *         "opens_unique": 490,
                     *         "opens_machine": 120,
                     *         "clicks": 130,
                     *         "clicks_unique": 98,
                     *         "clicks_machine": 4,
                     *         "opt_outs": 3,
                     *         "complaints": 1,
                     *         "orders": 21,
                     *         "revenue": 1834.5,
                     *         "delivered_rate": 0.98,
                     *         "bounce_rate": 0.02,
                     *         "open_rate": 0.5,
                     *         "click_through_rate": 0.1,
                     *         "click_to_open_rate": 0.2,
                     *         "opt_out_rate": 0.0031,
                     *         "complaint_rate": 0.001
                     *       },
                     *       "query": {
                     *         "start_date": "2026-03-01",
                     *         "end_date": "2026-03-31",
                     *         "timezone": "Europe/Berlin",
                     *         "channel_key": "email"
                     *       },
                     *       "ct": "2026-01-09T22:47:12.000Z",
                     *       "lm": "2026-01-09T22:47:12.000Z",
                     *       "asOf": "2026-03-31T22:47:12.000Z"
                     *     }
                     */
                    "application/json": {
                        name: string;
                        stats: {
                            sent: number;
                            delivered: number;
                            bounce_hard: number;
                            bounce_soft: number;
                            bounce_total: number;
                            opens: number;
                            opens_unique: number;
                            opens_machine: number;
                            clicks: number;
                            clicks_unique: number;
                            clicks_machine: number;
                            opt_outs: number;
                            complaints: number;
                            orders: number;
                            /** @description In the account's currency. */
                            revenue: number;
                            delivered_rate: number | null;
                            bounce_rate: number | null;
                            open_rate: number | null;
                            click_through_rate: number | null;
                            click_to_open_rate: number | null;
                            opt_out_rate: number | null;
                            complaint_rate: number | null;
                        };
                        query: {
                            start_date: string;
                            end_date: string;
                            timezone: string;
                            channel_key?: string;
                            channel_type?: string;
                        };
                        ct: string;
                        lm: string;
                        asOf: string;
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listProgramstats: {
        parameters: {
            query: {
                after?: string;
                start_date: string;
                end_date: string;
                channel_key?: string;
                channel_type?: string;
                page?: number;
                per_page?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of numbers. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "message_id": "65f0c0ffee65f0c0ffee0009:d260312",
                     *           "message_key": "cart-reminder",
                     *           "orchestration_id": null,
                     *           "orchestration_name": null,
                     *           "subject": "Still interested?",
                     *           "tags": [
                     *             "spring"
                     *           ],
                     *           "channel_key": "email",
                     *           "channel_type": "email",
                     *           "sent_at": "2026-03-12T08:00:00.000Z",
                     *           "stats": {
                     *             "sent": 1000,
                     *             "delivered": 980,
                     *             "bounce_hard": 15,
                     *             "bounce_soft": 5,
                     *             "bounce_total": 20,
                     *             "opens": 640,
                     *             "opens_unique": 490,
                     *             "opens_machine": 120,
                     *             "clicks": 130,
                     *             "clicks_unique": 98,
                     *             "clicks_machine": 4,
                     *             "opt_outs": 3,
                     *             "complaints": 1,
                     *             "orders": 21,
                     *             "revenue": 1834.5,
                     *             "delivered_rate": 0.98,
                     *             "bounce_rate": 0.02,
                     *             "open_rate": 0.5,
                     *             "click_through_rate": 0.1,
                     *             "click_to_open_rate": 0.2,
                     *             "opt_out_rate": 0.0031,
                     *             "complaint_rate": 0.001
                     *           }
                     *         }
                     *       ],
                     *       "query": {
                     *         "start_date": "2026-03-01",
                     *         "end_date": "2026-03-31",
                     *         "timezone": "Europe/Berlin",
                     *         "page": 1,
                     *         "per_page": 25
                     *       },
                     *       "pagination": {
                     *         "total": 1,
                     *         "per_page": 25,
                     *         "current_page": 1,
                     *         "last_page": 1,
                     *         "from": 1,
                     *         "to": 1,
                     *         "first_page_url": "/v2/programs/65f0c0ffee65f0c0ffee00b1/stats?start_date=2026-03-01&end_date=2026-03-31&per_page=25&page=1",
                     *         "last_page_url": "/v2/programs/65f0c0ffee65f0c0ffee00b1/stats?start_date=2026-03-01&end_date=2026-03-31&per_page=25&page=1",
                     *         "next_page_url": null,
                     *         "prev_page_url": null,
                     *         "next_cursor": null
                     *       },
                     *       "asOf": "2026-03-31T22:47:12.000Z"
                     *     }
                     */
                    "application/json": {
                        data: {
                            message_id: string;
                            message_key: string | null;
                            orchestration_id: string | null;
                            orchestration_name: string | null;
                            subject: string | null;
                            tags: string[];
                            channel_key: string | null;
                            channel_type: string | null;
                            /** @description The first send on the days. */
                            sent_at: string;
                            stats: {
                                sent: number;
                                delivered: number;
                                bounce_hard: number;
                                bounce_soft: number;
                                bounce_total: number;
                                opens: number;
                                opens_unique: number;
                                opens_machine: number;
                                clicks: number;
                                clicks_unique: number;
                                clicks_machine: number;
                                opt_outs: number;
                                complaints: number;
                                orders: number;
                                /** @description In the account's currency. */
                                revenue: number;
                                delivered_rate: number | null;
                                bounce_rate: number | null;
                                open_rate: number | null;
                                click_through_rate: number | null;
                                click_to_open_rate: number | null;
                                opt_out_rate: number | null;
                                complaint_rate: number | null;
                            };
                        }[];
                        query: {
                            start_date: string;
                            end_date: string;
                            timezone: string;
                            channel_key?: string;
                            channel_type?: string;
                            page?: number;
                            per_page: number;
                        };
                        pagination: {
                            total: number;
                            per_page: number;
                            /** @description Null with `cursor`. */
                            current_page: number | null;
                            last_page: number;
                            from: number | null;
                            to: number | null;
                            first_page_url: string;
                            last_page_url: string | null;
                            next_page_url: string | null;
                            prev_page_url: string | null;
                            next_cursor: string | null;
                        };
                        asOf: string;
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listJobs: {
        parameters: {
            query?: {
                after?: string;
                page?: number;
                per_page?: number;
                cursor?: string;
                sort_dir?: "asc" | "desc";
                return_count?: "true" | "false";
                fields?: string;
                sort_by?: "id";
                jobName?: "ClearList" | "ClearSupplement" | "DataAutomationProcessList" | "DeleteAttribute" | "DeleteContact" | "DeleteContacts" | "ExportAudienceTrends" | "ExportClientsLogs" | "ExportContactProfile" | "ExportContacts" | "ExportEvents" | "ExportMessageAnalytics" | "ExportOrders" | "ImportActivities" | "ImportContacts" | "ImportOrders" | "ImportProducts" | "ImportSupplements" | "MergeContacts" | "RedriveDeadLetters" | "RetryBatchMessage" | "SendAutomationTemplate" | "SendBatchMessage";
                status?: "Scheduled" | "Pending" | "Processing" | "Throttled" | "Done" | "Failed" | "Canceled";
                "times[start][gt]"?: string;
                "times[start][gte]"?: string;
                "times[start][lt]"?: string;
                "times[start][lte]"?: string;
                "times[end][gt]"?: string;
                "times[end][gte]"?: string;
                "times[end][lt]"?: string;
                "times[end][lte]"?: string;
                include?: "statistic";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of jobs. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": {
                        data: {
                            id?: string;
                            jobName?: string;
                            /** @enum {string} */
                            status?: "Scheduled" | "Pending" | "Processing" | "Throttled" | "Done" | "Failed" | "Canceled";
                            totalItems?: number;
                            completedItems?: number;
                            times?: {
                                start: string | null;
                                end: string | null;
                            };
                            result?: {
                                totalRecords: number;
                                inserted: number;
                                updated: number;
                                rejected: number;
                                error: number;
                                ignored: number;
                            };
                            metadata?: {
                                [key: string]: unknown;
                            };
                            statistic?: {
                                [key: string]: unknown;
                            };
                        }[];
                        pagination: {
                            per_page: number;
                            page?: number;
                            total?: number;
                            last_page?: number;
                            next_cursor: string | null;
                        };
                        asOf?: string;
                        /** @description Event names, properties and values in the criteria that the account never had. */
                        warnings?: {
                            path: string;
                            /** @constant */
                            code: "never_seen";
                            message: string;
                            allowed?: string[];
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getJob: {
        parameters: {
            query?: {
                after?: string;
                include?: "statistic";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": {
                        id: string;
                        jobName: string;
                        /** @enum {string} */
                        status: "Scheduled" | "Pending" | "Processing" | "Throttled" | "Done" | "Failed" | "Canceled";
                        totalItems: number;
                        completedItems: number;
                        times: {
                            start: string | null;
                            end: string | null;
                        };
                        result: {
                            totalRecords: number;
                            inserted: number;
                            updated: number;
                            rejected: number;
                            error: number;
                            ignored: number;
                        };
                        metadata: {
                            [key: string]: unknown;
                        };
                        statistic?: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listJobrejections: {
        parameters: {
            query?: {
                after?: string;
                page?: number;
                per_page?: number;
                cursor?: string;
                sort_dir?: "asc" | "desc";
                return_count?: "true" | "false";
                fields?: string;
                sort_by?: "index";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of rejected rows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "index": 3,
                     *           "line": 5,
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
                    "application/json": {
                        data: {
                            index?: number;
                            line?: number;
                            code?: string;
                            message?: string;
                            path?: string;
                            record?: unknown;
                            deadLetter?: string;
                            redriveOf?: string;
                        }[];
                        pagination: {
                            per_page: number;
                            page?: number;
                            total?: number;
                            last_page?: number;
                            next_cursor: string | null;
                        };
                        asOf?: string;
                        /** @description Event names, properties and values in the criteria that the account never had. */
                        warnings?: {
                            path: string;
                            /** @constant */
                            code: "never_seen";
                            message: string;
                            allowed?: string[];
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    cancelJob: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job is canceled. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "id": "65f0c0ffee65f0c0ffee0001",
                     *       "status": "Canceled"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        id: string;
                        /** @enum {string} */
                        status: "Scheduled" | "Pending" | "Processing" | "Throttled" | "Done" | "Failed" | "Canceled";
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getFile: {
        parameters: {
            query?: {
                expires?: number;
                signature?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The whole file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description The requested range. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createActivityimport: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "source": {
                 *         "transport": "file",
                 *         "path": "upload:65f0c0ffee65f0c0ffee0001"
                 *       },
                 *       "importName": "visits of 2025",
                 *       "hasHeader": true,
                 *       "mapping": {
                 *         "Visitor": "customer_id",
                 *         "Page": "properties.page"
                 *       }
                 *     }
                 */
                "application/json": {
                    source: {
                        /** @constant */
                        transport: "file";
                        /** @description `upload:<id>`, as the upload answered. */
                        path: string;
                    } | {
                        /** @enum {string} */
                        transport: "http" | "https";
                        url: string;
                    } | {
                        /** @constant */
                        transport: "s3";
                        aws_bucket?: string;
                        aws_path?: string;
                        aws_region?: string;
                        aws_endpoint?: string;
                        aws_access_key_id?: string;
                        aws_secret_access_key?: string;
                        /** @description An entry of `storage` in the account's settings. */
                        savedKey?: string;
                    } | {
                        /** @constant */
                        transport: "sftp";
                        server?: string;
                        port?: number;
                        username?: string;
                        password?: string;
                        privateKey?: string;
                        path?: string;
                        hostKey?: string;
                        /** @description An entry of `storage` in the account's settings. */
                        savedKey?: string;
                    } | {
                        /** @constant */
                        transport: "azureblob";
                        account?: string;
                        container?: string;
                        path?: string;
                        sasToken?: string;
                        accountKey?: string;
                        endpoint?: string;
                        /** @description An entry of `storage` in the account's settings. */
                        savedKey?: string;
                    };
                    importName?: string;
                    hasHeader?: boolean;
                    columns?: string[];
                    delimiter?: string;
                    /** @enum {string} */
                    decimal?: "." | ",";
                    dateFormat?: string;
                    formulaSafe?: boolean;
                    encoding?: string;
                    /** @enum {string} */
                    strategy?: "insertOnly" | "updateOnly" | "upsert";
                    nullMarker?: string;
                    /** @constant */
                    emptyCells?: "store";
                    dryRun?: boolean;
                    stopAfterRejections?: number;
                    suppressTriggers?: boolean;
                    mapping?: {
                        [key: string]: string | null;
                    };
                    identifyBy?: string[];
                    canBeCreated?: boolean;
                    /** @description Is mailed when the job has ended. */
                    confirmEmail?: string;
                    /** @description Is called when the job has ended, signed with the account's `webhookSecret`. */
                    jobStatusWebhookUrl?: string;
                };
            };
        };
        responses: {
            /** @description The job has started. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "65f0c0ffee65f0c0ffee0001"
                     *     }
                     */
                    "application/json": {
                        jobId: string;
                        warnings?: {
                            code: string;
                            path?: string;
                            message: string;
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createContactimport: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "source": {
                 *         "transport": "file",
                 *         "path": "upload:65f0c0ffee65f0c0ffee0001"
                 *       },
                 *       "importName": "newsletter subscribers",
                 *       "hasHeader": true,
                 *       "mapping": {
                 *         "E-mail": "email",
                 *         "First name": "attributes.first_name",
                 *         "Internal": null
                 *       },
                 *       "lists": {
                 *         "addTo": [
                 *           "newsletter"
                 *         ]
                 *       },
                 *       "strategy": "upsert"
                 *     }
                 */
                "application/json": {
                    source: {
                        /** @constant */
                        transport: "file";
                        /** @description `upload:<id>`, as the upload answered. */
                        path: string;
                    } | {
                        /** @enum {string} */
                        transport: "http" | "https";
                        url: string;
                    } | {
                        /** @constant */
                        transport: "s3";
                        aws_bucket?: string;
                        aws_path?: string;
                        aws_region?: string;
                        aws_endpoint?: string;
                        aws_access_key_id?: string;
                        aws_secret_access_key?: string;
                        /** @description An entry of `storage` in the account's settings. */
                        savedKey?: string;
                    } | {
                        /** @constant */
                        transport: "sftp";
                        server?: string;
                        port?: number;
                        username?: string;
                        password?: string;
                        privateKey?: string;
                        path?: string;
                        hostKey?: string;
                        /** @description An entry of `storage` in the account's settings. */
                        savedKey?: string;
                    } | {
                        /** @constant */
                        transport: "azureblob";
                        account?: string;
                        container?: string;
                        path?: string;
                        sasToken?: string;
                        accountKey?: string;
                        endpoint?: string;
                        /** @description An entry of `storage` in the account's settings. */
                        savedKey?: string;
                    };
                    importName?: string;
                    hasHeader?: boolean;
                    columns?: string[];
                    delimiter?: string;
                    /** @enum {string} */
                    decimal?: "." | ",";
                    dateFormat?: string;
                    formulaSafe?: boolean;
                    encoding?: string;
                    /** @enum {string} */
                    strategy?: "insertOnly" | "updateOnly" | "upsert";
                    nullMarker?: string;
                    /** @constant */
                    emptyCells?: "store";
                    dryRun?: boolean;
                    stopAfterRejections?: number;
                    suppressTriggers?: boolean;
                    mapping?: {
                        [key: string]: string | null;
                    };
                    lists?: {
                        addTo?: (string | number)[];
                        removeFrom?: (string | number)[];
                    };
                    createAttributes?: boolean;
                    forceSubscribe?: boolean;
                    mergeOptions?: {
                        mergeAllowed?: boolean;
                        mergeableSecondaryKeys?: string[];
                    };
                    identifyBy?: string[];
                    /** @description Is mailed when the job has ended. */
                    confirmEmail?: string;
                    /** @description Is called when the job has ended, signed with the account's `webhookSecret`. */
                    jobStatusWebhookUrl?: string;
                };
            };
        };
        responses: {
            /** @description The job has started. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "65f0c0ffee65f0c0ffee0001"
                     *     }
                     */
                    "application/json": {
                        jobId: string;
                        warnings?: {
                            code: string;
                            path?: string;
                            message: string;
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createOrdersimport: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "source": {
                 *         "transport": "file",
                 *         "path": "upload:65f0c0ffee65f0c0ffee0001"
                 *       },
                 *       "importName": "orders of 2025",
                 *       "canBeCreated": true
                 *     }
                 */
                "application/json": {
                    source: {
                        /** @constant */
                        transport: "file";
                        /** @description `upload:<id>`, as the upload answered. */
                        path: string;
                    } | {
                        /** @enum {string} */
                        transport: "http" | "https";
                        url: string;
                    } | {
                        /** @constant */
                        transport: "s3";
                        aws_bucket?: string;
                        aws_path?: string;
                        aws_region?: string;
                        aws_endpoint?: string;
                        aws_access_key_id?: string;
                        aws_secret_access_key?: string;
                        /** @description An entry of `storage` in the account's settings. */
                        savedKey?: string;
                    } | {
                        /** @constant */
                        transport: "sftp";
                        server?: string;
                        port?: number;
                        username?: string;
                        password?: string;
                        privateKey?: string;
                        path?: string;
                        hostKey?: string;
                        /** @description An entry of `storage` in the account's settings. */
                        savedKey?: string;
                    } | {
                        /** @constant */
                        transport: "azureblob";
                        account?: string;
                        container?: string;
                        path?: string;
                        sasToken?: string;
                        accountKey?: string;
                        endpoint?: string;
                        /** @description An entry of `storage` in the account's settings. */
                        savedKey?: string;
                    };
                    importName?: string;
                    hasHeader?: boolean;
                    columns?: string[];
                    delimiter?: string;
                    /** @enum {string} */
                    decimal?: "." | ",";
                    dateFormat?: string;
                    formulaSafe?: boolean;
                    encoding?: string;
                    /** @enum {string} */
                    strategy?: "insertOnly" | "updateOnly" | "upsert";
                    nullMarker?: string;
                    /** @constant */
                    emptyCells?: "store";
                    dryRun?: boolean;
                    stopAfterRejections?: number;
                    suppressTriggers?: boolean;
                    canBeCreated?: boolean;
                    /** @description Is mailed when the job has ended. */
                    confirmEmail?: string;
                    /** @description Is called when the job has ended, signed with the account's `webhookSecret`. */
                    jobStatusWebhookUrl?: string;
                };
            };
        };
        responses: {
            /** @description The job has started. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "65f0c0ffee65f0c0ffee0001"
                     *     }
                     */
                    "application/json": {
                        jobId: string;
                        warnings?: {
                            code: string;
                            path?: string;
                            message: string;
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createProductimport: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "source": {
                 *         "transport": "file",
                 *         "path": "upload:65f0c0ffee65f0c0ffee0001"
                 *       },
                 *       "importName": "catalogue",
                 *       "hasHeader": true
                 *     }
                 */
                "application/json": {
                    source: {
                        /** @constant */
                        transport: "file";
                        /** @description `upload:<id>`, as the upload answered. */
                        path: string;
                    } | {
                        /** @enum {string} */
                        transport: "http" | "https";
                        url: string;
                    } | {
                        /** @constant */
                        transport: "s3";
                        aws_bucket?: string;
                        aws_path?: string;
                        aws_region?: string;
                        aws_endpoint?: string;
                        aws_access_key_id?: string;
                        aws_secret_access_key?: string;
                        /** @description An entry of `storage` in the account's settings. */
                        savedKey?: string;
                    } | {
                        /** @constant */
                        transport: "sftp";
                        server?: string;
                        port?: number;
                        username?: string;
                        password?: string;
                        privateKey?: string;
                        path?: string;
                        hostKey?: string;
                        /** @description An entry of `storage` in the account's settings. */
                        savedKey?: string;
                    } | {
                        /** @constant */
                        transport: "azureblob";
                        account?: string;
                        container?: string;
                        path?: string;
                        sasToken?: string;
                        accountKey?: string;
                        endpoint?: string;
                        /** @description An entry of `storage` in the account's settings. */
                        savedKey?: string;
                    };
                    importName?: string;
                    hasHeader?: boolean;
                    columns?: string[];
                    delimiter?: string;
                    /** @enum {string} */
                    decimal?: "." | ",";
                    dateFormat?: string;
                    formulaSafe?: boolean;
                    encoding?: string;
                    /** @enum {string} */
                    strategy?: "insertOnly" | "updateOnly" | "upsert";
                    nullMarker?: string;
                    /** @constant */
                    emptyCells?: "store";
                    dryRun?: boolean;
                    stopAfterRejections?: number;
                    suppressTriggers?: boolean;
                    /** @description Is mailed when the job has ended. */
                    confirmEmail?: string;
                    /** @description Is called when the job has ended, signed with the account's `webhookSecret`. */
                    jobStatusWebhookUrl?: string;
                };
            };
        };
        responses: {
            /** @description The job has started. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "65f0c0ffee65f0c0ffee0001"
                     *     }
                     */
                    "application/json": {
                        jobId: string;
                        warnings?: {
                            code: string;
                            path?: string;
                            message: string;
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createSupplementimport: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "source": {
                 *         "transport": "file",
                 *         "path": "upload:65f0c0ffee65f0c0ffee0001"
                 *       },
                 *       "hasHeader": true,
                 *       "strategy": "upsert"
                 *     }
                 */
                "application/json": {
                    source: {
                        /** @constant */
                        transport: "file";
                        /** @description `upload:<id>`, as the upload answered. */
                        path: string;
                    } | {
                        /** @enum {string} */
                        transport: "http" | "https";
                        url: string;
                    } | {
                        /** @constant */
                        transport: "s3";
                        aws_bucket?: string;
                        aws_path?: string;
                        aws_region?: string;
                        aws_endpoint?: string;
                        aws_access_key_id?: string;
                        aws_secret_access_key?: string;
                        /** @description An entry of `storage` in the account's settings. */
                        savedKey?: string;
                    } | {
                        /** @constant */
                        transport: "sftp";
                        server?: string;
                        port?: number;
                        username?: string;
                        password?: string;
                        privateKey?: string;
                        path?: string;
                        hostKey?: string;
                        /** @description An entry of `storage` in the account's settings. */
                        savedKey?: string;
                    } | {
                        /** @constant */
                        transport: "azureblob";
                        account?: string;
                        container?: string;
                        path?: string;
                        sasToken?: string;
                        accountKey?: string;
                        endpoint?: string;
                        /** @description An entry of `storage` in the account's settings. */
                        savedKey?: string;
                    };
                    importName?: string;
                    hasHeader?: boolean;
                    columns?: string[];
                    delimiter?: string;
                    /** @enum {string} */
                    decimal?: "." | ",";
                    dateFormat?: string;
                    formulaSafe?: boolean;
                    encoding?: string;
                    /** @enum {string} */
                    strategy?: "insertOnly" | "updateOnly" | "upsert";
                    nullMarker?: string;
                    /** @constant */
                    emptyCells?: "store";
                    dryRun?: boolean;
                    stopAfterRejections?: number;
                    suppressTriggers?: boolean;
                    /** @description Is mailed when the job has ended. */
                    confirmEmail?: string;
                    /** @description Is called when the job has ended, signed with the account's `webhookSecret`. */
                    jobStatusWebhookUrl?: string;
                };
            };
        };
        responses: {
            /** @description The job has started. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "65f0c0ffee65f0c0ffee0001"
                     *     }
                     */
                    "application/json": {
                        jobId: string;
                        warnings?: {
                            code: string;
                            path?: string;
                            message: string;
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createUpload: {
        parameters: {
            query?: {
                name?: string;
            };
            header?: {
                "Repr-Digest"?: string;
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description The file is stored. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "65f0c0ffee65f0c0ffee0001",
                     *       "url": "upload:65f0c0ffee65f0c0ffee0001",
                     *       "bytes": 48213,
                     *       "sha256": "27c965a4110f97162bc6c0d4a35857c3165747e656b88b14d45469a148390a75",
                     *       "expiresAt": "2026-01-16T22:47:12.000Z"
                     *     }
                     */
                    "application/json": {
                        id: string;
                        url: string;
                        bytes: number;
                        sha256: string;
                        expiresAt: string;
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listApikeys: {
        parameters: {
            query?: {
                after?: string;
                page?: number;
                per_page?: number;
                cursor?: string;
                sort_dir?: "asc" | "desc";
                return_count?: "true" | "false";
                fields?: string;
                sort_by?: "ct";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of keys. */
            200: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": {
                        data: {
                            id?: string;
                            name?: string;
                            prefix?: string;
                            scopes?: string[];
                            allowIPs?: string[];
                            rotates?: string;
                            expiresAt?: string;
                            ct?: string;
                            lastUsedAt?: string;
                        }[];
                        pagination: {
                            per_page: number;
                            page?: number;
                            total?: number;
                            last_page?: number;
                            next_cursor: string | null;
                        };
                        asOf?: string;
                        /** @description Event names, properties and values in the criteria that the account never had. */
                        warnings?: {
                            path: string;
                            /** @constant */
                            code: "never_seen";
                            message: string;
                            allowed?: string[];
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createApikey: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
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
                "application/json": {
                    name?: string;
                    scopes?: string[];
                    expiresAt?: string;
                    allowIPs?: string[];
                    rotates?: string;
                    graceHours?: number;
                };
            };
        };
        responses: {
            /** @description The key with its value. */
            201: {
                headers: {
                    [name: string]: unknown;
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
                    "application/json": {
                        id: string;
                        name: string;
                        prefix: string;
                        scopes: string[];
                        allowIPs?: string[];
                        rotates?: string;
                        expiresAt?: string;
                        ct: string;
                        lastUsedAt?: string;
                        /** @description The value, returned once: a replay with the same Idempotency-Key omits it. */
                        key?: string;
                        /** @description Members of the body that were ignored, addresses that cannot be one of their channel, and names that are nearly known ones. */
                        warnings?: {
                            path: string;
                            /** @enum {string} */
                            code: "unknown_member" | "read_only" | "not_an_address" | "similar_name";
                            message: string;
                            suggestion?: string;
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteApikey: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key is revoked. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listDeadletters: {
        parameters: {
            query?: {
                after?: string;
                page?: number;
                per_page?: number;
                cursor?: string;
                sort_dir?: "asc" | "desc";
                return_count?: "true" | "false";
                fields?: string;
                sort_by?: "rejectedAt";
                operation?: string;
                code?: string;
                from?: string;
                to?: string;
                status?: "open" | "parked" | "redriven" | "discarded" | "any";
                group?: "code";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of rejected records, or of their causes, the most frequent first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: ({
                            id?: string;
                            operation?: string;
                            code?: string;
                            message?: string;
                            path?: string;
                            payload?: unknown;
                            requestId?: string;
                            receivedAt?: string;
                            rejectedAt?: string;
                            /** @enum {string} */
                            status?: "open" | "parked" | "redriven" | "discarded";
                            origin?: {
                                topic: string;
                                partition: number;
                                offset: number;
                                place: number;
                                redriveOf?: string;
                            };
                            jobId?: string;
                            history?: {
                                at: string;
                                /** @enum {string} */
                                what: "rejected" | "parked" | "redriven" | "refused" | "applied" | "skipped" | "discarded";
                                by: string;
                                code?: string;
                                reason?: string;
                                jobId?: string;
                            }[];
                        } | {
                            code?: string;
                            operation?: string;
                            count?: number;
                            first?: string;
                            last?: string;
                            sampleId?: string;
                        })[];
                        pagination: {
                            per_page: number;
                            page?: number;
                            total?: number;
                            last_page?: number;
                            next_cursor: string | null;
                        };
                        asOf?: string;
                        /** @description Event names, properties and values in the criteria that the account never had. */
                        warnings?: {
                            path: string;
                            /** @constant */
                            code: "never_seen";
                            message: string;
                            allowed?: string[];
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getDeadletter: {
        parameters: {
            query?: {
                after?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "VbZsDdSkFIHQqU5ESHo7:3:0",
                     *       "operation": "createContactactivities",
                     *       "code": "CONTACTS_CONTACT_NOT_FOUND",
                     *       "message": "No contact has one of these identifiers, and this record creates none.",
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
                    "application/json": {
                        id: string;
                        operation: string;
                        code: string;
                        message: string;
                        path: string;
                        payload: unknown;
                        requestId: string;
                        receivedAt: string;
                        rejectedAt: string;
                        /** @enum {string} */
                        status: "open" | "parked" | "redriven" | "discarded";
                        origin: {
                            topic: string;
                            partition: number;
                            offset: number;
                            place: number;
                            redriveOf?: string;
                        };
                        jobId?: string;
                        history: {
                            at: string;
                            /** @enum {string} */
                            what: "rejected" | "parked" | "redriven" | "refused" | "applied" | "skipped" | "discarded";
                            by: string;
                            code?: string;
                            reason?: string;
                            jobId?: string;
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    redriveDeadletters: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
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
                "application/json": {
                    select: {
                        ids?: string[];
                        operation?: string;
                        code?: string;
                        from?: string;
                        to?: string;
                    };
                    patch?: ({
                        /** @constant */
                        op: "add";
                        path: string;
                        value: unknown;
                    } | {
                        /** @constant */
                        op: "remove";
                        path: string;
                    } | {
                        /** @constant */
                        op: "replace";
                        path: string;
                        value: unknown;
                    } | {
                        /** @constant */
                        op: "move";
                        path: string;
                        from: string;
                    } | {
                        /** @constant */
                        op: "copy";
                        path: string;
                        from: string;
                    } | {
                        /** @constant */
                        op: "test";
                        path: string;
                        value: unknown;
                    })[];
                    dryRun?: boolean;
                };
            };
        };
        responses: {
            /** @description With `dryRun`: the verdicts of validation. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        wouldPass: number;
                        wouldFail: {
                            id: string;
                            code: string;
                            message: string;
                        }[];
                        selected: number;
                        judged: number;
                        /** @description Members of the body that were ignored, addresses that cannot be one of their channel, and names that are nearly known ones. */
                        warnings?: {
                            path: string;
                            /** @enum {string} */
                            code: "unknown_member" | "read_only" | "not_an_address" | "similar_name";
                            message: string;
                            suggestion?: string;
                        }[];
                    };
                };
            };
            /** @description The redrive job. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        jobId: string;
                        /** @description Members of the body that were ignored, addresses that cannot be one of their channel, and names that are nearly known ones. */
                        warnings?: {
                            path: string;
                            /** @enum {string} */
                            code: "unknown_member" | "read_only" | "not_an_address" | "similar_name";
                            message: string;
                            suggestion?: string;
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    discardDeadletters: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
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
                "application/json": {
                    select: {
                        ids?: string[];
                        operation?: string;
                        code?: string;
                        from?: string;
                        to?: string;
                    };
                    reason: string;
                };
            };
        };
        responses: {
            /** @description The number of discarded records. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "discarded": 1
                     *     }
                     */
                    "application/json": {
                        discarded: number;
                        /** @description Members of the body that were ignored, addresses that cannot be one of their channel, and names that are nearly known ones. */
                        warnings?: {
                            path: string;
                            /** @enum {string} */
                            code: "unknown_member" | "read_only" | "not_an_address" | "similar_name";
                            message: string;
                            suggestion?: string;
                        }[];
                    };
                };
            };
            /** @description A refusal */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
}
