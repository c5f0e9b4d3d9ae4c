// The service's interface as types, made from openapi.json by scripts/client-types.ts: run npm run generate. Errors have one shape, and are left out.
export interface paths {
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the process lives */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            /** @enum {string} */
                            message: "success";
                            /** @enum {number} */
                            code: 0;
                            data: {
                                /** @enum {string} */
                                status: "up";
                            };
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether what the API needs can be reached */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            /** @enum {string} */
                            message: "success";
                            /** @enum {number} */
                            code: 0;
                            data: {
                                /** @enum {unknown} */
                                postgres: "up" | "down";
                                /** @enum {unknown} */
                                temporal: "up" | "down";
                            };
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/time": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The server's clock */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            /** @enum {string} */
                            message: "success";
                            /** @enum {number} */
                            code: 0;
                            data: {
                                /** @description What ACCESS-TIMESTAMP is compared with. */
                                unix_seconds: number;
                                /** Format: date-time */
                                time: string;
                            };
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/logos/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a logo
         * @description Where `logo_url` of an asset or a network leads. Needs no key.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /**
                     * @description File name.
                     * @example eth.svg
                     */
                    file: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The logo. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "image/svg+xml": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspace_id}/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         * @description Revoked ones too. Never with a secret. A key that is bound to wallets sees itself and the keys that reach none but these.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Rows in a page; 50 when absent. */
                    limit?: number;
                    /** @description From `X-Next-Cursor` of the page before. */
                    cursor?: string;
                    /** @description `created_at` when absent. */
                    sort_by?: "created_at" | "updated_at";
                    /** @description `desc` when absent. */
                    sort_order?: "asc" | "desc";
                    /** @description Created at this moment or later. */
                    from?: string;
                    /** @description Created before this moment. */
                    to?: string;
                };
                header?: never;
                path: {
                    /** @description Workspace id. */
                    workspace_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success. */
                200: {
                    headers: {
                        /** @description Cursor of the next page; absent on the last one. */
                        "X-Next-Cursor"?: string;
                        /** @description The next page as `<…>; rel="next"` (RFC 8288). */
                        Link?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            /** @enum {string} */
                            message: "success";
                            /** @enum {number} */
                            code: 0;
                            data: {
                                /**
                                 * Format: uuid
                                 * @description API key id.
                                 */
                                id: string;
                                /** @description The key identifier: what ACCESS-API-KEY carries. */
                                api_key: string;
                                /** Format: uuid */
                                workspace_id: string;
                                scopes: string[];
                                /** @description Empty when the key reaches every wallet. */
                                wallet_ids: string[];
                                /** @description Absent when any address is allowed. */
                                ip_allowlist?: string[];
                                name: string;
                                /** @description Id of the API key that made it, or `operator`. */
                                created_by: string;
                                /**
                                 * @description Absent for all but legacy keys.
                                 * @enum {boolean}
                                 */
                                legacy_path_signing?: true;
                                /**
                                 * Format: date-time
                                 * @description Until when the secret before the last rotation still signs.
                                 */
                                previous_secret_expires_at?: string;
                                /**
                                 * Format: date-time
                                 * @description Since when the key is refused, for ever.
                                 */
                                revoked_at?: string;
                                /**
                                 * Format: date-time
                                 * @description When the key ends.
                                 */
                                expires_at?: string;
                                /**
                                 * Format: date-time
                                 * @description Written every few seconds.
                                 */
                                last_used_at?: string;
                                last_used_ip?: string;
                                /**
                                 * Format: date-time
                                 * @description When the key was made.
                                 */
                                created_at: string;
                                /**
                                 * Format: date-time
                                 * @description When the key was last changed; its use is no change.
                                 */
                                updated_at: string;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        /**
         * Create an API key
         * @description The answer shows the secret, once. A key grants only scopes that it has itself and, when it is bound to wallets, only some of these.
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. */
                    "x-idempotency-key"?: string;
                };
                path: {
                    /** @description Workspace id. */
                    workspace_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "name": "payout service",
                     *       "scopes": [
                     *         "signing:write",
                     *         "signing:read"
                     *       ],
                     *       "ip_allowlist": [
                     *         "203.0.113.0/24"
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @example payout service */
                        name: string;
                        /** @description What the key may do. None that the calling key lacks. */
                        scopes: ("catalog:read" | "wallets:read" | "wallets:write" | "wallets:admin" | "balances:read" | "transactions:read" | "transactions:write" | "withdrawals:read" | "withdrawals:write" | "withdrawals:approve" | "signing:read" | "signing:write" | "signing:approve" | "policies:read" | "policies:write" | "webhooks:read" | "webhooks:write" | "audit:read" | "observability:read" | "api_keys:admin" | "workspace:admin")[];
                        /** @description Wallets of the workspace that the key is bound to; empty for all. */
                        wallet_ids?: string[];
                        /**
                         * @description IPv4 and IPv6 addresses and CIDR ranges that the key may be used from; empty for any.
                         * @example [
                         *       "203.0.113.7",
                         *       "2001:db8::/32"
                         *     ]
                         */
                        ip_allowlist?: string[];
                        /**
                         * Format: date-time
                         * @description When the key ends; never when absent. In the future.
                         */
                        expires_at?: string;
                        /** @description The key may sign the path without its query string, and nothing for a body of `{}`. For existing callers only. */
                        legacy_path_signing?: boolean;
                    };
                };
            };
            responses: {
                /** @description Success. */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            /** @enum {string} */
                            message: "success";
                            /** @enum {number} */
                            code: 0;
                            /** ApiKeyWithSecret */
                            data: {
                                /**
                                 * Format: uuid
                                 * @description API key id.
                                 */
                                id: string;
                                /** @description The key identifier: what ACCESS-API-KEY carries. */
                                api_key: string;
                                /** Format: uuid */
                                workspace_id: string;
                                scopes: string[];
                                /** @description Empty when the key reaches every wallet. */
                                wallet_ids: string[];
                                /** @description Absent when any address is allowed. */
                                ip_allowlist?: string[];
                                name: string;
                                /** @description Id of the API key that made it, or `operator`. */
                                created_by: string;
                                /**
                                 * @description Absent for all but legacy keys.
                                 * @enum {boolean}
                                 */
                                legacy_path_signing?: true;
                                /**
                                 * Format: date-time
                                 * @description Until when the secret before the last rotation still signs.
                                 */
                                previous_secret_expires_at?: string;
                                /**
                                 * Format: date-time
                                 * @description Since when the key is refused, for ever.
                                 */
                                revoked_at?: string;
                                /**
                                 * Format: date-time
                                 * @description When the key ends.
                                 */
                                expires_at?: string;
                                /**
                                 * Format: date-time
                                 * @description Written every few seconds.
                                 */
                                last_used_at?: string;
                                last_used_ip?: string;
                                /**
                                 * Format: date-time
                                 * @description When the key was made.
                                 */
                                created_at: string;
                                /**
                                 * Format: date-time
                                 * @description When the key was last changed; its use is no change.
                                 */
                                updated_at: string;
                                /** @description The signing secret, shown once: a repeat of the request under its X-Idempotency-Key answers the record without it. */
                                api_secret?: string;
                            };
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/api-keys/self": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the key that signs this request */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            /** @enum {string} */
                            message: "success";
                            /** @enum {number} */
                            code: 0;
                            /** ApiKey */
                            data: {
                                /**
                                 * Format: uuid
                                 * @description API key id.
                                 */
                                id: string;
                                /** @description The key identifier: what ACCESS-API-KEY carries. */
                                api_key: string;
                                /** Format: uuid */
                                workspace_id: string;
                                scopes: string[];
                                /** @description Empty when the key reaches every wallet. */
                                wallet_ids: string[];
                                /** @description Absent when any address is allowed. */
                                ip_allowlist?: string[];
                                name: string;
                                /** @description Id of the API key that made it, or `operator`. */
                                created_by: string;
                                /**
                                 * @description Absent for all but legacy keys.
                                 * @enum {boolean}
                                 */
                                legacy_path_signing?: true;
                                /**
                                 * Format: date-time
                                 * @description Until when the secret before the last rotation still signs.
                                 */
                                previous_secret_expires_at?: string;
                                /**
                                 * Format: date-time
                                 * @description Since when the key is refused, for ever.
                                 */
                                revoked_at?: string;
                                /**
                                 * Format: date-time
                                 * @description When the key ends.
                                 */
                                expires_at?: string;
                                /**
                                 * Format: date-time
                                 * @description Written every few seconds.
                                 */
                                last_used_at?: string;
                                last_used_ip?: string;
                                /**
                                 * Format: date-time
                                 * @description When the key was made.
                                 */
                                created_at: string;
                                /**
                                 * Format: date-time
                                 * @description When the key was last changed; its use is no change.
                                 */
                                updated_at: string;
                            };
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/api-keys/{api_key_id}": {
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
         * Revoke an API key
         * @description For ever, and on every process within a second. The calling key must have every scope and wallet of the other one. A key that is revoked already is answered as it is. The last key with `api_keys:admin` that never ends and reaches every wallet cannot be revoked.
         */
        delete: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. */
                    "x-idempotency-key"?: string;
                };
                path: {
                    /** @description API key id. */
                    api_key_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            /** @enum {string} */
                            message: "success";
                            /** @enum {number} */
                            code: 0;
                            /** ApiKey */
                            data: {
                                /**
                                 * Format: uuid
                                 * @description API key id.
                                 */
                                id: string;
                                /** @description The key identifier: what ACCESS-API-KEY carries. */
                                api_key: string;
                                /** Format: uuid */
                                workspace_id: string;
                                scopes: string[];
                                /** @description Empty when the key reaches every wallet. */
                                wallet_ids: string[];
                                /** @description Absent when any address is allowed. */
                                ip_allowlist?: string[];
                                name: string;
                                /** @description Id of the API key that made it, or `operator`. */
                                created_by: string;
                                /**
                                 * @description Absent for all but legacy keys.
                                 * @enum {boolean}
                                 */
                                legacy_path_signing?: true;
                                /**
                                 * Format: date-time
                                 * @description Until when the secret before the last rotation still signs.
                                 */
                                previous_secret_expires_at?: string;
                                /**
                                 * Format: date-time
                                 * @description Since when the key is refused, for ever.
                                 */
                                revoked_at?: string;
                                /**
                                 * Format: date-time
                                 * @description When the key ends.
                                 */
                                expires_at?: string;
                                /**
                                 * Format: date-time
                                 * @description Written every few seconds.
                                 */
                                last_used_at?: string;
                                last_used_ip?: string;
                                /**
                                 * Format: date-time
                                 * @description When the key was made.
                                 */
                                created_at: string;
                                /**
                                 * Format: date-time
                                 * @description When the key was last changed; its use is no change.
                                 */
                                updated_at: string;
                            };
                        };
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /**
         * Change an API key
         * @description Holds on every process within a second. The calling key must have every scope and wallet of the other one, before and after. The last key with `api_keys:admin` that never ends and reaches every wallet keeps what makes it so.
         */
        patch: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. */
                    "x-idempotency-key"?: string;
                };
                path: {
                    /** @description API key id. */
                    api_key_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "scopes": [
                     *         "signing:read"
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @example payout service */
                        name?: string;
                        /** @description What the key may do. None that the calling key lacks. */
                        scopes?: ("catalog:read" | "wallets:read" | "wallets:write" | "wallets:admin" | "balances:read" | "transactions:read" | "transactions:write" | "withdrawals:read" | "withdrawals:write" | "withdrawals:approve" | "signing:read" | "signing:write" | "signing:approve" | "policies:read" | "policies:write" | "webhooks:read" | "webhooks:write" | "audit:read" | "observability:read" | "api_keys:admin" | "workspace:admin")[];
                        /** @description Wallets of the workspace that the key is bound to; empty for all. */
                        wallet_ids?: string[];
                        /** @description null allows any address. */
                        ip_allowlist?: string[] | null;
                        /** @description null lets the key never end. */
                        expires_at?: string | null;
                    };
                };
            };
            responses: {
                /** @description Success. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            /** @enum {string} */
                            message: "success";
                            /** @enum {number} */
                            code: 0;
                            /** ApiKey */
                            data: {
                                /**
                                 * Format: uuid
                                 * @description API key id.
                                 */
                                id: string;
                                /** @description The key identifier: what ACCESS-API-KEY carries. */
                                api_key: string;
                                /** Format: uuid */
                                workspace_id: string;
                                scopes: string[];
                                /** @description Empty when the key reaches every wallet. */
                                wallet_ids: string[];
                                /** @description Absent when any address is allowed. */
                                ip_allowlist?: string[];
                                name: string;
                                /** @description Id of the API key that made it, or `operator`. */
                                created_by: string;
                                /**
                                 * @description Absent for all but legacy keys.
                                 * @enum {boolean}
                                 */
                                legacy_path_signing?: true;
                                /**
                                 * Format: date-time
                                 * @description Until when the secret before the last rotation still signs.
                                 */
                                previous_secret_expires_at?: string;
                                /**
                                 * Format: date-time
                                 * @description Since when the key is refused, for ever.
                                 */
                                revoked_at?: string;
                                /**
                                 * Format: date-time
                                 * @description When the key ends.
                                 */
                                expires_at?: string;
                                /**
                                 * Format: date-time
                                 * @description Written every few seconds.
                                 */
                                last_used_at?: string;
                                last_used_ip?: string;
                                /**
                                 * Format: date-time
                                 * @description When the key was made.
                                 */
                                created_at: string;
                                /**
                                 * Format: date-time
                                 * @description When the key was last changed; its use is no change.
                                 */
                                updated_at: string;
                            };
                        };
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/v1/api-keys/{api_key_id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give an API key a new secret
         * @description The answer shows the new secret, once. The calling key must have every scope and wallet of the rotated one, since who knows a secret can do all that its key can.
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. */
                    "x-idempotency-key"?: string;
                };
                path: {
                    /** @description API key id. */
                    api_key_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "overlap_seconds": 3600
                     *     }
                     */
                    "application/json": {
                        /** @description How long the secret until now still signs; 3600 when absent, so that a lost answer locks nobody out. 0 when the secret may have leaked. A secret from an earlier rotation ends at once. */
                        overlap_seconds?: number;
                    };
                };
            };
            responses: {
                /** @description Success. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            /** @enum {string} */
                            message: "success";
                            /** @enum {number} */
                            code: 0;
                            /** ApiKeyWithSecret */
                            data: {
                                /**
                                 * Format: uuid
                                 * @description API key id.
                                 */
                                id: string;
                                /** @description The key identifier: what ACCESS-API-KEY carries. */
                                api_key: string;
                                /** Format: uuid */
                                workspace_id: string;
                                scopes: string[];
                                /** @description Empty when the key reaches every wallet. */
                                wallet_ids: string[];
                                /** @description Absent when any address is allowed. */
                                ip_allowlist?: string[];
                                name: string;
                                /** @description Id of the API key that made it, or `operator`. */
                                created_by: string;
                                /**
                                 * @description Absent for all but legacy keys.
                                 * @enum {boolean}
                                 */
                                legacy_path_signing?: true;
                                /**
                                 * Format: date-time
                                 * @description Until when the secret before the last rotation still signs.
                                 */
                                previous_secret_expires_at?: string;
                                /**
                                 * Format: date-time
                                 * @description Since when the key is refused, for ever.
                                 */
                                revoked_at?: string;
                                /**
                                 * Format: date-time
                                 * @description When the key ends.
                                 */
                                expires_at?: string;
                                /**
                                 * Format: date-time
                                 * @description Written every few seconds.
                                 */
                                last_used_at?: string;
                                last_used_ip?: string;
                                /**
                                 * Format: date-time
                                 * @description When the key was made.
                                 */
                                created_at: string;
                                /**
                                 * Format: date-time
                                 * @description When the key was last changed; its use is no change.
                                 */
                                updated_at: string;
                                /** @description The signing secret, shown once: a repeat of the request under its X-Idempotency-Key answers the record without it. */
                                api_secret?: string;
                            };
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspace_id}/withdrawals/freeze": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Freeze withdrawals
         * @description From now on withdrawals and signatures of the workspace are refused with 423. Harmless to repeat.
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. */
                    "x-idempotency-key"?: string;
                };
                path: {
                    /** @description Workspace id. */
                    workspace_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            /** @enum {string} */
                            message: "success";
                            /** @enum {number} */
                            code: 0;
                            /** WithdrawalsFreeze */
                            data: {
                                /** Format: uuid */
                                workspace_id: string;
                                /** @description Whether withdrawals and signatures are refused. */
                                withdrawals_frozen: boolean;
                                /**
                                 * Format: date-time
                                 * @description Since when; absent unless frozen.
                                 */
                                frozen_at?: string;
                            };
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspace_id}/withdrawals/unfreeze": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Unfreeze withdrawals
         * @description Withdrawals and signatures of the workspace are taken again. Harmless to repeat.
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. */
                    "x-idempotency-key"?: string;
                };
                path: {
                    /** @description Workspace id. */
                    workspace_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            /** @enum {string} */
                            message: "success";
                            /** @enum {number} */
                            code: 0;
                            /** WithdrawalsFreeze */
                            data: {
                                /** Format: uuid */
                                workspace_id: string;
                                /** @description Whether withdrawals and signatures are refused. */
                                withdrawals_frozen: boolean;
                                /**
                                 * Format: date-time
                                 * @description Since when; absent unless frozen.
                                 */
                                frozen_at?: string;
                            };
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/assets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List supported assets
         * @description All assets of the networks that are not disabled, native currencies first. Filters add up.
         */
        get: {
            parameters: {
                query?: {
                    /** @description The whole symbol, in any case. */
                    symbol?: string;
                    /**
                     * @description Network id.
                     * @example 6e657477-6f72-4000-8000-000000000004
                     */
                    network_id?: string;
                    is_native?: boolean;
                    /** @description Part of the name or of the symbol, in any case. */
                    q?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            /** @enum {string} */
                            message: "success";
                            /** @enum {number} */
                            code: 0;
                            data: {
                                /**
                                 * Format: uuid
                                 * @description Catalogue id of an asset; not a contract address.
                                 * @example bfc0a64b-e218-5deb-9c64-4125afa39d1a
                                 */
                                id: string;
                                /** @example USD Coin */
                                name: string;
                                /** @example USDC */
                                symbol: string;
                                /** @description The same as `contract_address`. */
                                address: string;
                                /** @description EIP-55 on EVM chains, the mint on Solana; empty for a native asset. */
                                contract_address: string;
                                /** @enum {unknown} */
                                asset_type: "native" | "token";
                                /**
                                 * @description Chain family of the addresses that receive it.
                                 * @enum {unknown}
                                 */
                                address_type: "evm" | "sol" | "btc" | "tron";
                                /**
                                 * Format: uuid
                                 * @description Network id.
                                 * @example 6e657477-6f72-4000-8000-000000000004
                                 */
                                network_id: string;
                                /**
                                 * @description Path of the logo under the base address of the service; empty when there is none.
                                 * @example /logos/eth.svg
                                 */
                                logo_url: string;
                                decimals: number;
                                is_native: boolean;
                                is_whitelisted: boolean;
                                /** Network */
                                network: {
                                    /**
                                     * Format: uuid
                                     * @description Network id.
                                     * @example 6e657477-6f72-4000-8000-000000000004
                                     */
                                    id: string;
                                    /** @example Ethereum */
                                    name: string;
                                    /** @example ETH */
                                    native_currency: string;
                                    /** @example ETHEREUM_MAINNET */
                                    internal_code: string;
                                    /**
                                     * @description Path of the logo under the base address of the service; empty when there is none.
                                     * @example /logos/eth.svg
                                     */
                                    logo_url: string;
                                    is_evm: boolean;
                                    is_testnet: boolean;
                                    /** @description The deployment does not use this network: nothing is signed for it. */
                                    disabled: boolean;
                                    /** @description EIP-155 id; null when it is no EVM chain. */
                                    chain_id: number | null;
                                    confirmation_blocks: number;
                                };
                                /** @description Decimal string, for display only; null when the deployment has no price, and on test networks. */
                                price_usd: string | null;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/assets/{asset_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read an asset */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /**
                     * @description Catalogue id of an asset; not a contract address.
                     * @example bfc0a64b-e218-5deb-9c64-4125afa39d1a
                     */
                    asset_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            /** @enum {string} */
                            message: "success";
                            /** @enum {number} */
                            code: 0;
                            /** Asset */
                            data: {
                                /**
                                 * Format: uuid
                                 * @description Catalogue id of an asset; not a contract address.
                                 * @example bfc0a64b-e218-5deb-9c64-4125afa39d1a
                                 */
                                id: string;
                                /** @example USD Coin */
                                name: string;
                                /** @example USDC */
                                symbol: string;
                                /** @description The same as `contract_address`. */
                                address: string;
                                /** @description EIP-55 on EVM chains, the mint on Solana; empty for a native asset. */
                                contract_address: string;
                                /** @enum {unknown} */
                                asset_type: "native" | "token";
                                /**
                                 * @description Chain family of the addresses that receive it.
                                 * @enum {unknown}
                                 */
                                address_type: "evm" | "sol" | "btc" | "tron";
                                /**
                                 * Format: uuid
                                 * @description Network id.
                                 * @example 6e657477-6f72-4000-8000-000000000004
                                 */
                                network_id: string;
                                /**
                                 * @description Path of the logo under the base address of the service; empty when there is none.
                                 * @example /logos/eth.svg
                                 */
                                logo_url: string;
                                decimals: number;
                                is_native: boolean;
                                is_whitelisted: boolean;
                                /** Network */
                                network: {
                                    /**
                                     * Format: uuid
                                     * @description Network id.
                                     * @example 6e657477-6f72-4000-8000-000000000004
                                     */
                                    id: string;
                                    /** @example Ethereum */
                                    name: string;
                                    /** @example ETH */
                                    native_currency: string;
                                    /** @example ETHEREUM_MAINNET */
                                    internal_code: string;
                                    /**
                                     * @description Path of the logo under the base address of the service; empty when there is none.
                                     * @example /logos/eth.svg
                                     */
                                    logo_url: string;
                                    is_evm: boolean;
                                    is_testnet: boolean;
                                    /** @description The deployment does not use this network: nothing is signed for it. */
                                    disabled: boolean;
                                    /** @description EIP-155 id; null when it is no EVM chain. */
                                    chain_id: number | null;
                                    confirmation_blocks: number;
                                };
                                /** @description Decimal string, for display only; null when the deployment has no price, and on test networks. */
                                price_usd: string | null;
                            };
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/networks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List networks
         * @description Every network that the service knows; those that the deployment does not use are `disabled`.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Only test networks, or only others. */
                    is_testnet?: boolean;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            /** @enum {string} */
                            message: "success";
                            /** @enum {number} */
                            code: 0;
                            data: {
                                /**
                                 * Format: uuid
                                 * @description Network id.
                                 * @example 6e657477-6f72-4000-8000-000000000004
                                 */
                                id: string;
                                /** @example Ethereum */
                                name: string;
                                /** @example ETH */
                                native_currency: string;
                                /** @example ETHEREUM_MAINNET */
                                internal_code: string;
                                /**
                                 * @description Path of the logo under the base address of the service; empty when there is none.
                                 * @example /logos/eth.svg
                                 */
                                logo_url: string;
                                is_evm: boolean;
                                is_testnet: boolean;
                                /** @description The deployment does not use this network: nothing is signed for it. */
                                disabled: boolean;
                                /** @description EIP-155 id; null when it is no EVM chain. */
                                chain_id: number | null;
                                confirmation_blocks: number;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/networks/{network_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a network */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /**
                     * @description Network id.
                     * @example 6e657477-6f72-4000-8000-000000000004
                     */
                    network_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            /** @enum {string} */
                            message: "success";
                            /** @enum {number} */
                            code: 0;
                            /** Network */
                            data: {
                                /**
                                 * Format: uuid
                                 * @description Network id.
                                 * @example 6e657477-6f72-4000-8000-000000000004
                                 */
                                id: string;
                                /** @example Ethereum */
                                name: string;
                                /** @example ETH */
                                native_currency: string;
                                /** @example ETHEREUM_MAINNET */
                                internal_code: string;
                                /**
                                 * @description Path of the logo under the base address of the service; empty when there is none.
                                 * @example /logos/eth.svg
                                 */
                                logo_url: string;
                                is_evm: boolean;
                                is_testnet: boolean;
                                /** @description The deployment does not use this network: nothing is signed for it. */
                                disabled: boolean;
                                /** @description EIP-155 id; null when it is no EVM chain. */
                                chain_id: number | null;
                                confirmation_blocks: number;
                            };
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wallets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a wallet
         * @description Accepts the wallet and has its keys generated. Poll the creation status until it is `success`.
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. */
                    "x-idempotency-key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "name": "Treasury",
                     *       "wallet_type": "mpc"
                     *     }
                     */
                    "application/json": {
                        name: string;
                        /** @enum {unknown} */
                        wallet_type: "standard" | "mpc";
                        wallet_purpose?: string;
                    };
                };
            };
            responses: {
                /** @description Success. */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            /** @enum {string} */
                            message: "success";
                            /** @enum {number} */
                            code: 0;
                            data: {
                                /**
                                 * Format: uuid
                                 * @description Wallet id.
                                 */
                                wallet_id: string;
                                /** @enum {string} */
                                status: "creating";
                            };
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wallets/creation-status/{wallet_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Follow the creation of a wallet */
        get: {
            parameters: {
                query?: never;
                header?: {
                    /** @description `wait=<seconds>`, at most 30 (RFC 7240): answered as soon as the state is final, or when the time is up. */
                    prefer?: string;
                };
                path: {
                    /** @description Wallet id. */
                    wallet_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success. */
                200: {
                    headers: {
                        /** @description `wait` when the answer waited, or would have. */
                        "Preference-Applied"?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            /** @enum {string} */
                            message: "success";
                            /** @enum {number} */
                            code: 0;
                            data: {
                                /**
                                 * Format: uuid
                                 * @description Wallet id.
                                 */
                                wallet_id: string;
                                /** @enum {unknown} */
                                status: "pending" | "success" | "error";
                                /** @description Why it is still pending: `cluster_not_ready` while an MPC node is away. */
                                status_reason?: string;
                                error_code?: string;
                                error_reason?: string;
                            };
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspace_id}/wallets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List wallets */
        get: {
            parameters: {
                query?: {
                    /** @description Rows in a page; 50 when absent. */
                    limit?: number;
                    /** @description From `X-Next-Cursor` of the page before. */
                    cursor?: string;
                    /** @description `created_at` when absent. */
                    sort_by?: "created_at" | "updated_at";
                    /** @description `desc` when absent. */
                    sort_order?: "asc" | "desc";
                    /** @description Created at this moment or later. */
                    from?: string;
                    /** @description Created before this moment. */
                    to?: string;
                    /** @description Only wallets with these statuses. */
                    status?: ("creating" | "active" | "failed" | "frozen" | "archived")[];
                };
                header?: never;
                path: {
                    /** @description Workspace id. */
                    workspace_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success. */
                200: {
                    headers: {
                        /** @description Cursor of the next page; absent on the last one. */
                        "X-Next-Cursor"?: string;
                        /** @description The next page as `<…>; rel="next"` (RFC 8288). */
                        Link?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            /** @enum {string} */
                            message: "success";
                            /** @enum {number} */
                            code: 0;
                            data: {
                                /**
                                 * Format: uuid
                                 * @description Wallet id.
                                 */
                                id: string;
                                /**
                                 * Format: uuid
                                 * @description Wallet id.
                                 */
                                wallet_id: string;
                                workspace_id: string;
                                name: string;
                                /** @enum {unknown} */
                                wallet_type: "standard" | "mpc";
                                wallet_purpose?: string;
                                /** @enum {unknown} */
                                status: "creating" | "active" | "failed" | "frozen" | "archived";
                                /** Format: date-time */
                                created_at: string;
                                /** Format: date-time */
                                updated_at: string;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wallets/{wallet_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a wallet */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Wallet id. */
                    wallet_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            /** @enum {string} */
                            message: "success";
                            /** @enum {number} */
                            code: 0;
                            /** Wallet */
                            data: {
                                /**
                                 * Format: uuid
                                 * @description Wallet id.
                                 */
                                id: string;
                                /**
                                 * Format: uuid
                                 * @description Wallet id.
                                 */
                                wallet_id: string;
                                workspace_id: string;
                                name: string;
                                /** @enum {unknown} */
                                wallet_type: "standard" | "mpc";
                                wallet_purpose?: string;
                                /** @enum {unknown} */
                                status: "creating" | "active" | "failed" | "frozen" | "archived";
                                /** Format: date-time */
                                created_at: string;
                                /** Format: date-time */
                                updated_at: string;
                            };
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the name or the purpose of a wallet
         * @description Only what is sent changes. A wallet that failed or is archived stays as it is.
         */
        patch: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. */
                    "x-idempotency-key"?: string;
                };
                path: {
                    /** @description Wallet id. */
                    wallet_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "name": "Treasury 2"
                     *     }
                     */
                    "application/json": {
                        name?: string;
                        /** @description null takes it away. */
                        wallet_purpose?: string | null;
                    };
                };
            };
            responses: {
                /** @description Success. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            /** @enum {string} */
                            message: "success";
                            /** @enum {number} */
                            code: 0;
                            /** Wallet */
                            data: {
                                /**
                                 * Format: uuid
                                 * @description Wallet id.
                                 */
                                id: string;
                                /**
                                 * Format: uuid
                                 * @description Wallet id.
                                 */
                                wallet_id: string;
                                workspace_id: string;
                                name: string;
                                /** @enum {unknown} */
                                wallet_type: "standard" | "mpc";
                                wallet_purpose?: string;
                                /** @enum {unknown} */
                                status: "creating" | "active" | "failed" | "frozen" | "archived";
                                /** Format: date-time */
                                created_at: string;
                                /** Format: date-time */
                                updated_at: string;
                            };
                        };
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/v1/wallets/{wallet_id}/freeze": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Freeze a wallet
         * @description A frozen wallet signs nothing, and receives as before. Signatures already handed to the nodes are not recalled.
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. */
                    "x-idempotency-key"?: string;
                };
                path: {
                    /** @description Wallet id. */
                    wallet_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            /** @enum {string} */
                            message: "success";
                            /** @enum {number} */
                            code: 0;
                            /** Wallet */
                            data: {
                                /**
                                 * Format: uuid
                                 * @description Wallet id.
                                 */
                                id: string;
                                /**
                                 * Format: uuid
                                 * @description Wallet id.
                                 */
                                wallet_id: string;
                                workspace_id: string;
                                name: string;
                                /** @enum {unknown} */
                                wallet_type: "standard" | "mpc";
                                wallet_purpose?: string;
                                /** @enum {unknown} */
                                status: "creating" | "active" | "failed" | "frozen" | "archived";
                                /** Format: date-time */
                                created_at: string;
                                /** Format: date-time */
                                updated_at: string;
                            };
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wallets/{wallet_id}/unfreeze": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Unfreeze a wallet
         * @description The wallet signs again.
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. */
                    "x-idempotency-key"?: string;
                };
                path: {
                    /** @description Wallet id. */
                    wallet_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            /** @enum {string} */
                            message: "success";
                            /** @enum {number} */
                            code: 0;
                            /** Wallet */
                            data: {
                                /**
                                 * Format: uuid
                                 * @description Wallet id.
                                 */
                                id: string;
                                /**
                                 * Format: uuid
                                 * @description Wallet id.
                                 */
                                wallet_id: string;
                                workspace_id: string;
                                name: string;
                                /** @enum {unknown} */
                                wallet_type: "standard" | "mpc";
                                wallet_purpose?: string;
                                /** @enum {unknown} */
                                status: "creating" | "active" | "failed" | "frozen" | "archived";
                                /** Format: date-time */
                                created_at: string;
                                /** Format: date-time */
                                updated_at: string;
                            };
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wallets/{wallet_id}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Archive a wallet
         * @description For ever: an archived wallet signs nothing and shows no deposit address any more. Its records stay readable.
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. */
                    "x-idempotency-key"?: string;
                };
                path: {
                    /** @description Wallet id. */
                    wallet_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            /** @enum {string} */
                            message: "success";
                            /** @enum {number} */
                            code: 0;
                            /** Wallet */
                            data: {
                                /**
                                 * Format: uuid
                                 * @description Wallet id.
                                 */
                                id: string;
                                /**
                                 * Format: uuid
                                 * @description Wallet id.
                                 */
                                wallet_id: string;
                                workspace_id: string;
                                name: string;
                                /** @enum {unknown} */
                                wallet_type: "standard" | "mpc";
                                wallet_purpose?: string;
                                /** @enum {unknown} */
                                status: "creating" | "active" | "failed" | "frozen" | "archived";
                                /** Format: date-time */
                                created_at: string;
                                /** Format: date-time */
                                updated_at: string;
                            };
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wallets/{wallet_id}/deposit-address": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read where a wallet receives
         * @description By chain family; with `network_id`, on that network; with `asset_id`, for an asset that is attached to the wallet. What is sent together must agree.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Chain family; `evm` when nothing is asked for. */
                    address_type?: "evm" | "sol" | "btc" | "tron";
                    /**
                     * @description Catalogue id of an asset; not a contract address.
                     * @example bfc0a64b-e218-5deb-9c64-4125afa39d1a
                     */
                    asset_id?: string;
                    /**
                     * @description Network id.
                     * @example 6e657477-6f72-4000-8000-000000000004
                     */
                    network_id?: string;
                };
                header?: never;
                path: {
                    /** @description Wallet id. */
                    wallet_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            /** @enum {string} */
                            message: "success";
                            /** @enum {number} */
                            code: 0;
                            data: {
                                /**
                                 * Format: uuid
                                 * @description Wallet id.
                                 */
                                wallet_id: string;
                                /** @description Empty unless an asset was asked for. */
                                asset_id: string;
                                /** @description Empty unless an asset or a network was asked for. */
                                network_id: string;
                                address: string;
                                /** @description Empty: no network here needs one. */
                                memo: string;
                                /** @description The address as a `data:image/png;base64,` URI. */
                                qr_code: string;
                            };
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wallets/{wallet_id}/address": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the deposit address of a chain family (SDK alias) */
        get: {
            parameters: {
                query?: {
                    /** @description Chain family; `evm` when nothing is asked for. */
                    address_type?: "evm" | "sol" | "btc" | "tron";
                };
                header?: never;
                path: {
                    /** @description Wallet id. */
                    wallet_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            /** @enum {string} */
                            message: "success";
                            /** @enum {number} */
                            code: 0;
                            data: {
                                /**
                                 * Format: uuid
                                 * @description Wallet id.
                                 */
                                wallet_id: string;
                                /** @description Empty unless an asset was asked for. */
                                asset_id: string;
                                /** @description Empty unless an asset or a network was asked for. */
                                network_id: string;
                                address: string;
                                /** @description Empty: no network here needs one. */
                                memo: string;
                                /** @description The address as a `data:image/png;base64,` URI. */
                                qr_code: string;
                            };
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/web3/wallet-detail/{wallet_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a wallet (SDK alias) */
        get: {
            parameters: {
                query?: {
                    /** @description Chain family; `evm` when nothing is asked for. */
                    address_type?: "evm" | "sol" | "btc" | "tron";
                };
                header?: never;
                path: {
                    /** @description Wallet id. */
                    wallet_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            /** @enum {string} */
                            message: "success";
                            /** @enum {number} */
                            code: 0;
                            data: {
                                /**
                                 * Format: uuid
                                 * @description Wallet id.
                                 */
                                id: string;
                                /**
                                 * Format: uuid
                                 * @description Wallet id.
                                 */
                                wallet_id: string;
                                workspace_id: string;
                                name: string;
                                wallet_type: string;
                                /** @description `creating`, `active`, `failed`, `frozen` or `archived`. */
                                status: string;
                                /** @description Address of the asked chain family; empty until the wallet is active. */
                                address: string;
                            };
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/web3/wallet-detail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the wallet of the key (SDK alias)
         * @description For a key that is bound to one wallet.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Chain family; `evm` when nothing is asked for. */
                    address_type?: "evm" | "sol" | "btc" | "tron";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            /** @enum {string} */
                            message: "success";
                            /** @enum {number} */
                            code: 0;
                            data: {
                                /**
                                 * Format: uuid
                                 * @description Wallet id.
                                 */
                                id: string;
                                /**
                                 * Format: uuid
                                 * @description Wallet id.
                                 */
                                wallet_id: string;
                                workspace_id: string;
                                name: string;
                                wallet_type: string;
                                /** @description `creating`, `active`, `failed`, `frozen` or `archived`. */
                                status: string;
                                /** @description Address of the asked chain family; empty until the wallet is active. */
                                address: string;
                            };
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wallets/{wallet_id}/assets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the assets attached to a wallet */
        get: {
            parameters: {
                query?: {
                    /** @description Rows in a page; 50 when absent. */
                    limit?: number;
                    /** @description From `X-Next-Cursor` of the page before. */
                    cursor?: string;
                    /** @description `created_at` when absent. */
                    sort_by?: "created_at" | "updated_at";
                    /** @description `desc` when absent. */
                    sort_order?: "asc" | "desc";
                    /** @description Created at this moment or later. */
                    from?: string;
                    /** @description Created before this moment. */
                    to?: string;
                    /** @description Only assets with these statuses. */
                    status?: ("pending" | "active" | "disabled")[];
                    /** @description Only these assets. */
                    asset_id?: string[];
                    /** @description Only assets of these networks. */
                    network_id?: string[];
                };
                header?: never;
                path: {
                    /** @description Wallet id. */
                    wallet_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success. */
                200: {
                    headers: {
                        /** @description Cursor of the next page; absent on the last one. */
                        "X-Next-Cursor"?: string;
                        /** @description The next page as `<…>; rel="next"` (RFC 8288). */
                        Link?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            /** @enum {string} */
                            message: "success";
                            /** @enum {number} */
                            code: 0;
                            data: {
                                /** Format: uuid */
                                id: string;
                                /**
                                 * Format: uuid
                                 * @description Wallet id.
                                 */
                                wallet_id: string;
                                /**
                                 * Format: uuid
                                 * @description Catalogue id of an asset; not a contract address.
                                 * @example bfc0a64b-e218-5deb-9c64-4125afa39d1a
                                 */
                                asset_id: string;
                                /**
                                 * Format: uuid
                                 * @description Network id.
                                 * @example 6e657477-6f72-4000-8000-000000000004
                                 */
                                network_id: string;
                                /** @enum {unknown} */
                                address_type: "evm" | "sol" | "btc" | "tron";
                                address: string;
                                /** @description The same as `address`. */
                                deposit_address: string;
                                derivation_path: string;
                                /** @enum {unknown} */
                                status: "pending" | "active" | "disabled";
                                /** Format: date-time */
                                created_at: string;
                                /** Format: date-time */
                                updated_at: string;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        /**
         * Attach an asset to a wallet
         * @description Answers where the wallet receives it. An asset that is attached already is answered as it is, with 200.
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. */
                    "x-idempotency-key"?: string;
                };
                path: {
                    /** @description Wallet id. */
                    wallet_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "asset_id": "bfc0a64b-e218-5deb-9c64-4125afa39d1a"
                     *     }
                     */
                    "application/json": {
                        /**
                         * Format: uuid
                         * @description Catalogue id of an asset; not a contract address.
                         * @example bfc0a64b-e218-5deb-9c64-4125afa39d1a
                         */
                        asset_id: string;
                    };
                };
            };
            responses: {
                /** @description Success. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            /** @enum {string} */
                            message: "success";
                            /** @enum {number} */
                            code: 0;
                            /** WalletAsset */
                            data: {
                                /** Format: uuid */
                                id: string;
                                /**
                                 * Format: uuid
                                 * @description Wallet id.
                                 */
                                wallet_id: string;
                                /**
                                 * Format: uuid
                                 * @description Catalogue id of an asset; not a contract address.
                                 * @example bfc0a64b-e218-5deb-9c64-4125afa39d1a
                                 */
                                asset_id: string;
                                /**
                                 * Format: uuid
                                 * @description Network id.
                                 * @example 6e657477-6f72-4000-8000-000000000004
                                 */
                                network_id: string;
                                /** @enum {unknown} */
                                address_type: "evm" | "sol" | "btc" | "tron";
                                address: string;
                                /** @description The same as `address`. */
                                deposit_address: string;
                                derivation_path: string;
                                /** @enum {unknown} */
                                status: "pending" | "active" | "disabled";
                                /** Format: date-time */
                                created_at: string;
                                /** Format: date-time */
                                updated_at: string;
                            };
                        };
                    };
                };
                /** @description Success. */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            /** @enum {string} */
                            message: "success";
                            /** @enum {number} */
                            code: 0;
                            /** WalletAsset */
                            data: {
                                /** Format: uuid */
                                id: string;
                                /**
                                 * Format: uuid
                                 * @description Wallet id.
                                 */
                                wallet_id: string;
                                /**
                                 * Format: uuid
                                 * @description Catalogue id of an asset; not a contract address.
                                 * @example bfc0a64b-e218-5deb-9c64-4125afa39d1a
                                 */
                                asset_id: string;
                                /**
                                 * Format: uuid
                                 * @description Network id.
                                 * @example 6e657477-6f72-4000-8000-000000000004
                                 */
                                network_id: string;
                                /** @enum {unknown} */
                                address_type: "evm" | "sol" | "btc" | "tron";
                                address: string;
                                /** @description The same as `address`. */
                                deposit_address: string;
                                derivation_path: string;
                                /** @enum {unknown} */
                                status: "pending" | "active" | "disabled";
                                /** Format: date-time */
                                created_at: string;
                                /** Format: date-time */
                                updated_at: string;
                            };
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspace_id}/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List transactions
         * @description Withdrawals and deposits, newest first unless asked otherwise.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Rows in a page; 50 when absent. */
                    limit?: number;
                    /** @description From `X-Next-Cursor` of the page before. */
                    cursor?: string;
                    /** @description `created_at` when absent. */
                    sort_by?: "created_at" | "updated_at";
                    /** @description `desc` when absent. */
                    sort_order?: "asc" | "desc";
                    /** @description Created at this moment or later. */
                    from?: string;
                    /** @description Created before this moment. */
                    to?: string;
                    /** @description Only with these statuses. */
                    status?: ("pending" | "pending_approval" | "confirmed" | "completed" | "failed" | "rejected")[];
                    /** @description Only in these directions. */
                    direction?: ("in" | "out")[];
                    /** @description Only of these methods. */
                    method?: ("transfer" | "contract_call")[];
                    /** @description Only of these wallets. */
                    wallet_id?: string[];
                    /** @description Only of these assets. */
                    asset_id?: string[];
                    /** @description Only on these networks. */
                    network_id?: string[];
                    /** @description Only with these hashes, in either case. */
                    tx_hash?: string[];
                    /** @description Only from, to or for these addresses, in either case. */
                    address?: string[];
                };
                header?: never;
                path: {
                    /** @description Workspace id. */
                    workspace_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success. */
                200: {
                    headers: {
                        /** @description Cursor of the next page; absent on the last one. */
                        "X-Next-Cursor"?: string;
                        /** @description The next page as `<…>; rel="next"` (RFC 8288). */
                        Link?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            /** @enum {string} */
                            message: "success";
                            /** @enum {number} */
                            code: 0;
                            data: {
                                /**
                                 * Format: uuid
                                 * @description Id of this record.
                                 */
                                id: string;
                                /**
                                 * Format: uuid
                                 * @description The withdrawal that it is of; for a deposit its own id.
                                 */
                                transaction_id: string;
                                /**
                                 * Format: uuid
                                 * @description Wallet id.
                                 */
                                wallet_id: string;
                                /**
                                 * Format: uuid
                                 * @description Catalogue id of the asset.
                                 */
                                asset_id: string;
                                /**
                                 * Format: uuid
                                 * @description Catalogue id of the network.
                                 */
                                network_id: string;
                                /**
                                 * @description `in` for deposits, `out` for withdrawals.
                                 * @enum {unknown}
                                 */
                                direction: "in" | "out";
                                /** @enum {unknown} */
                                method: "transfer" | "contract_call";
                                /**
                                 * @description Decimal number in the asset's unit.
                                 * @example 1.5
                                 */
                                amount: string;
                                /** @enum {unknown} */
                                status: "pending" | "pending_approval" | "confirmed" | "completed" | "failed" | "rejected";
                                tx_hash?: string;
                                from_address?: string;
                                to_address?: string;
                                /** @description Who gets the asset: differs from `to_address` where that is a contract. */
                                recipient_address?: string;
                                block_number?: number;
                                block_hash?: string;
                                gas_used?: string;
                                effective_gas_price_wei?: string;
                                /** Format: date-time */
                                confirmed_at?: string;
                                /** Format: date-time */
                                created_at: string;
                                /** Format: date-time */
                                updated_at: string;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspace_id}/transactions/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export transactions as CSV
         * @description The same activity as the list, whole and as of one moment, as a CSV file (RFC 4180) with a header row. A cell that a spreadsheet would run as a formula begins with an apostrophe. A connection that breaks off means that the file is not whole: ask again.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Only with these statuses. */
                    status?: ("pending" | "pending_approval" | "confirmed" | "completed" | "failed" | "rejected")[];
                    /** @description Only in these directions. */
                    direction?: ("in" | "out")[];
                    /** @description Only of these methods. */
                    method?: ("transfer" | "contract_call")[];
                    /** @description Only of these wallets. */
                    wallet_id?: string[];
                    /** @description Only of these assets. */
                    asset_id?: string[];
                    /** @description Only on these networks. */
                    network_id?: string[];
                    /** @description Only with these hashes, in either case. */
                    tx_hash?: string[];
                    /** @description Only from, to or for these addresses, in either case. */
                    address?: string[];
                    /** @description Created at this moment or later. */
                    from?: string;
                    /** @description Created before this moment. */
                    to?: string;
                    /** @description `desc` when absent. */
                    sort_order?: "asc" | "desc";
                    /** @description Alias of sort_order. */
                    sort?: "asc" | "desc";
                };
                header?: never;
                path: {
                    /** @description Workspace id. */
                    workspace_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The file. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/csv": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspace_id}/transactions/{transaction_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a transaction */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Workspace id. */
                    workspace_id: string;
                    /** @description Id of the transaction, or of the withdrawal it is of. */
                    transaction_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            /** @enum {string} */
                            message: "success";
                            /** @enum {number} */
                            code: 0;
                            /** Transaction */
                            data: {
                                /**
                                 * Format: uuid
                                 * @description Id of this record.
                                 */
                                id: string;
                                /**
                                 * Format: uuid
                                 * @description The withdrawal that it is of; for a deposit its own id.
                                 */
                                transaction_id: string;
                                /**
                                 * Format: uuid
                                 * @description Wallet id.
                                 */
                                wallet_id: string;
                                /**
                                 * Format: uuid
                                 * @description Catalogue id of the asset.
                                 */
                                asset_id: string;
                                /**
                                 * Format: uuid
                                 * @description Catalogue id of the network.
                                 */
                                network_id: string;
                                /**
                                 * @description `in` for deposits, `out` for withdrawals.
                                 * @enum {unknown}
                                 */
                                direction: "in" | "out";
                                /** @enum {unknown} */
                                method: "transfer" | "contract_call";
                                /**
                                 * @description Decimal number in the asset's unit.
                                 * @example 1.5
                                 */
                                amount: string;
                                /** @enum {unknown} */
                                status: "pending" | "pending_approval" | "confirmed" | "completed" | "failed" | "rejected";
                                tx_hash?: string;
                                from_address?: string;
                                to_address?: string;
                                /** @description Who gets the asset: differs from `to_address` where that is a contract. */
                                recipient_address?: string;
                                block_number?: number;
                                block_hash?: string;
                                gas_used?: string;
                                effective_gas_price_wei?: string;
                                /** Format: date-time */
                                confirmed_at?: string;
                                /** Format: date-time */
                                created_at: string;
                                /** Format: date-time */
                                updated_at: string;
                            };
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/web3/transaction/{wallet_id}/{transaction_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Follow a withdrawal (SDK alias) */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Wallet id. */
                    wallet_id: string;
                    /** @description Id of the transaction, or of the withdrawal it is of. */
                    transaction_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            /** @enum {string} */
                            message: "success";
                            /** @enum {number} */
                            code: 0;
                            /** TransactionStatus */
                            data: {
                                /**
                                 * Format: uuid
                                 * @description The withdrawal.
                                 */
                                transaction_id: string;
                                /** @enum {unknown} */
                                status: "pending" | "pending_approval" | "confirmed" | "completed" | "failed" | "rejected";
                                /** @enum {unknown} */
                                method: "transfer" | "contract_call";
                                approvals: {
                                    user_id: string;
                                    status: string;
                                }[];
                                /** @description Absent until the transaction is broadcast. */
                                hash?: string;
                                /** Format: date-time */
                                created_at: string;
                                /** Format: date-time */
                                updated_at: string;
                                failed_reason?: string;
                            };
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspace_id}/withdrawals/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Count withdrawals */
        get: {
            parameters: {
                query?: {
                    /** @description Only with these statuses. */
                    status?: ("pending" | "pending_approval" | "approved" | "processing" | "completed" | "failed" | "rejected" | "cancelled")[];
                    /** @description Created at this moment or later. */
                    from?: string;
                    /** @description Created before this moment. */
                    to?: string;
                };
                header?: never;
                path: {
                    /** @description Workspace id. */
                    workspace_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            /** @enum {string} */
                            message: "success";
                            /** @enum {number} */
                            code: 0;
                            data: number;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/web3/{wallet_id}/sign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign a digest, a message or typed data (SDK alias)
         * @deprecated
         * @description Accepts the request and has two of three nodes sign. Poll the signing request until it is `success` or `failed`. A body with `method` is a call as JSON-RPC names it. Only digests are behind the switch for raw signing.
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. */
                    "x-idempotency-key"?: string;
                };
                path: {
                    /** @description Wallet id. */
                    wallet_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "network_internal_code": "ETHEREUM_SANDBOX",
                     *       "signing_hash": "0x9b1cd4c5a3a9c4a4b7be0ef1fd5d7c7fc0d5a5e0e7a7a3c0f3f6ad6c4b8b7a11"
                     *     }
                     */
                    "application/json": {
                        /** @description Required, under this name or its alias. */
                        network_internal_code?: string;
                        /** @description Alias of network_internal_code. */
                        networkInternalCode?: string;
                        /**
                         * @description Curve of the key; `secp256k1` when absent.
                         * @enum {unknown}
                         */
                        key_type?: "secp256k1" | "ed25519";
                        /**
                         * @description Curve of the key; `secp256k1` when absent.
                         * @enum {unknown}
                         */
                        keyType?: "secp256k1" | "ed25519";
                        /** @description 32-byte digest in hex. Required, under this name or an alias. */
                        signing_hash?: string;
                        /** @description Alias of signing_hash. */
                        signingHash?: string;
                        /** @description Alias of signing_hash. */
                        hash?: string;
                        /** @description Alias of signing_hash. */
                        transaction_hash?: string;
                        /** @description Alias of signing_hash. */
                        transactionHash?: string;
                        /** @description What the digest is of, in hex: kept for audit. Defaults to signing_hash. */
                        unsigned_tx?: string;
                        /** @description Alias of unsigned_tx. */
                        unsignedTx?: string;
                        /** @description Alias of unsigned_tx. */
                        raw_transaction?: string;
                        /** @description Alias of unsigned_tx. */
                        rawTransaction?: string;
                        /** @description Alias of unsigned_tx. */
                        tx?: string;
                        /** @description Non-hardened, `m/` optional; `m/44/{coin_type}/0/0/0` when absent. */
                        derivation_path?: string;
                        /** @description Alias of derivation_path. */
                        derivationPath?: string;
                        derivation_path_components?: number[];
                        /** @description The caller's own name for what is signed, 1 to 128 visible ASCII characters. Taken once in a workspace, for ever: a second request with it is a 409. */
                        external_id?: string;
                    } | {
                        /** @enum {unknown} */
                        method: "eth_sign" | "personal_sign";
                        /** @description As in JSON-RPC: 0x and whole bytes in hex are these bytes, what does not begin with 0x is text, and 0x with anything else is refused. Signed under the EIP-191 prefix. */
                        message: string;
                        /** @description EIP-155 chain id of a network that is enabled here, as an integer or its decimal text. */
                        chain_id: number | string;
                        /** @description Non-hardened, `m/` optional; `m/44/{coin_type}/0/0/0` when absent. */
                        derivation_path?: string;
                    } | {
                        /** @enum {string} */
                        method: "eth_signTypedData_v4";
                        /** @description The EIP-712 document as JSON text. */
                        typed_data: string;
                        /** @description EIP-155 chain id of a network that is enabled here, as an integer or its decimal text. */
                        chain_id: number | string;
                        /** @description Non-hardened, `m/` optional; `m/44/{coin_type}/0/0/0` when absent. */
                        derivation_path?: string;
                    };
                };
            };
            responses: {
                /** @description Success. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            /** @enum {string} */
                            message: "success";
                            /** @enum {number} */
                            code: 0;
                            data: {
                                /** @description False when an earlier request with this idempotency key made the operation. */
                                created: boolean;
                                /** @description The signing id, under the name that SDK callers poll. */
                                transaction_id: string;
                                /** SigningRequest */
                                signing_request: {
                                    id: string;
                                    signing_id: string;
                                    /** @enum {unknown} */
                                    operation_type: "withdrawal" | "generic";
                                    withdrawal_id: string | null;
                                    /**
                                     * Format: uuid
                                     * @description Wallet id.
                                     */
                                    wallet_id: string;
                                    network_internal_code: string;
                                    /** @enum {unknown} */
                                    key_type: "secp256k1" | "ed25519";
                                    /**
                                     * @description What the nodes are shown. Only a `raw_digest` is signed without being read.
                                     * @enum {unknown}
                                     */
                                    payload_kind: "raw_digest" | "evm_transaction" | "evm_message" | "evm_typed_data" | "solana_transaction";
                                    external_id?: string;
                                    /** @description 0x and 64 hex digits. Of a `solana_transaction`, which is signed unhashed, its SHA-256. */
                                    signing_hash: string;
                                    derivation_path: string;
                                    /** @enum {unknown} */
                                    status: "pending" | "submitted" | "failed" | "success";
                                    status_reason?: string;
                                    /** @description Signing id and attempt, as the nodes know it. */
                                    mpc_correlation_id?: string;
                                    error_code?: string;
                                    error_reason?: string;
                                    /** @description 0x r‖s‖v on secp256k1 (s low, v 27 or 28), 64 bytes in hex on ed25519. */
                                    signature?: string;
                                    /** @description The derived child key, hex. */
                                    public_key?: string;
                                    /** @description Its address on the network. */
                                    address?: string;
                                    /** Format: date-time */
                                    created_at: string;
                                    /** Format: date-time */
                                    updated_at: string;
                                    /** Format: date-time */
                                    completed_at?: string;
                                };
                            };
                        };
                    };
                };
                /** @description Success. */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            /** @enum {string} */
                            message: "success";
                            /** @enum {number} */
                            code: 0;
                            data: {
                                /** @description False when an earlier request with this idempotency key made the operation. */
                                created: boolean;
                                /** @description The signing id, under the name that SDK callers poll. */
                                transaction_id: string;
                                /** SigningRequest */
                                signing_request: {
                                    id: string;
                                    signing_id: string;
                                    /** @enum {unknown} */
                                    operation_type: "withdrawal" | "generic";
                                    withdrawal_id: string | null;
                                    /**
                                     * Format: uuid
                                     * @description Wallet id.
                                     */
                                    wallet_id: string;
                                    network_internal_code: string;
                                    /** @enum {unknown} */
                                    key_type: "secp256k1" | "ed25519";
                                    /**
                                     * @description What the nodes are shown. Only a `raw_digest` is signed without being read.
                                     * @enum {unknown}
                                     */
                                    payload_kind: "raw_digest" | "evm_transaction" | "evm_message" | "evm_typed_data" | "solana_transaction";
                                    external_id?: string;
                                    /** @description 0x and 64 hex digits. Of a `solana_transaction`, which is signed unhashed, its SHA-256. */
                                    signing_hash: string;
                                    derivation_path: string;
                                    /** @enum {unknown} */
                                    status: "pending" | "submitted" | "failed" | "success";
                                    status_reason?: string;
                                    /** @description Signing id and attempt, as the nodes know it. */
                                    mpc_correlation_id?: string;
                                    error_code?: string;
                                    error_reason?: string;
                                    /** @description 0x r‖s‖v on secp256k1 (s low, v 27 or 28), 64 bytes in hex on ed25519. */
                                    signature?: string;
                                    /** @description The derived child key, hex. */
                                    public_key?: string;
                                    /** @description Its address on the network. */
                                    address?: string;
                                    /** Format: date-time */
                                    created_at: string;
                                    /** Format: date-time */
                                    updated_at: string;
                                    /** Format: date-time */
                                    completed_at?: string;
                                };
                            };
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/web3/transaction/{wallet_id}/signRaw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign a digest
         * @description Accepts the request and has two of three nodes sign. Poll the signing request until it is `success` or `failed`.
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. */
                    "x-idempotency-key"?: string;
                };
                path: {
                    /** @description Wallet id. */
                    wallet_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "network_internal_code": "ETHEREUM_SANDBOX",
                     *       "signing_hash": "0x9b1cd4c5a3a9c4a4b7be0ef1fd5d7c7fc0d5a5e0e7a7a3c0f3f6ad6c4b8b7a11"
                     *     }
                     */
                    "application/json": {
                        /** @description Required, under this name or its alias. */
                        network_internal_code?: string;
                        /** @description Alias of network_internal_code. */
                        networkInternalCode?: string;
                        /**
                         * @description Curve of the key; `secp256k1` when absent.
                         * @enum {unknown}
                         */
                        key_type?: "secp256k1" | "ed25519";
                        /**
                         * @description Curve of the key; `secp256k1` when absent.
                         * @enum {unknown}
                         */
                        keyType?: "secp256k1" | "ed25519";
                        /** @description 32-byte digest in hex. Required, under this name or an alias. */
                        signing_hash?: string;
                        /** @description Alias of signing_hash. */
                        signingHash?: string;
                        /** @description Alias of signing_hash. */
                        hash?: string;
                        /** @description Alias of signing_hash. */
                        transaction_hash?: string;
                        /** @description Alias of signing_hash. */
                        transactionHash?: string;
                        /** @description What the digest is of, in hex: kept for audit. Defaults to signing_hash. */
                        unsigned_tx?: string;
                        /** @description Alias of unsigned_tx. */
                        unsignedTx?: string;
                        /** @description Alias of unsigned_tx. */
                        raw_transaction?: string;
                        /** @description Alias of unsigned_tx. */
                        rawTransaction?: string;
                        /** @description Alias of unsigned_tx. */
                        tx?: string;
                        /** @description Non-hardened, `m/` optional; `m/44/{coin_type}/0/0/0` when absent. */
                        derivation_path?: string;
                        /** @description Alias of derivation_path. */
                        derivationPath?: string;
                        derivation_path_components?: number[];
                        /** @description The caller's own name for what is signed, 1 to 128 visible ASCII characters. Taken once in a workspace, for ever: a second request with it is a 409. */
                        external_id?: string;
                    };
                };
            };
            responses: {
                /** @description Success. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            /** @enum {string} */
                            message: "success";
                            /** @enum {number} */
                            code: 0;
                            data: {
                                /** @description False when an earlier request with this idempotency key made the operation. */
                                created: boolean;
                                /** @description The signing id, under the name that SDK callers poll. */
                                transaction_id: string;
                                /** SigningRequest */
                                signing_request: {
                                    id: string;
                                    signing_id: string;
                                    /** @enum {unknown} */
                                    operation_type: "withdrawal" | "generic";
                                    withdrawal_id: string | null;
                                    /**
                                     * Format: uuid
                                     * @description Wallet id.
                                     */
                                    wallet_id: string;
                                    network_internal_code: string;
                                    /** @enum {unknown} */
                                    key_type: "secp256k1" | "ed25519";
                                    /**
                                     * @description What the nodes are shown. Only a `raw_digest` is signed without being read.
                                     * @enum {unknown}
                                     */
                                    payload_kind: "raw_digest" | "evm_transaction" | "evm_message" | "evm_typed_data" | "solana_transaction";
                                    external_id?: string;
                                    /** @description 0x and 64 hex digits. Of a `solana_transaction`, which is signed unhashed, its SHA-256. */
                                    signing_hash: string;
                                    derivation_path: string;
                                    /** @enum {unknown} */
                                    status: "pending" | "submitted" | "failed" | "success";
                                    status_reason?: string;
                                    /** @description Signing id and attempt, as the nodes know it. */
                                    mpc_correlation_id?: string;
                                    error_code?: string;
                                    error_reason?: string;
                                    /** @description 0x r‖s‖v on secp256k1 (s low, v 27 or 28), 64 bytes in hex on ed25519. */
                                    signature?: string;
                                    /** @description The derived child key, hex. */
                                    public_key?: string;
                                    /** @description Its address on the network. */
                                    address?: string;
                                    /** Format: date-time */
                                    created_at: string;
                                    /** Format: date-time */
                                    updated_at: string;
                                    /** Format: date-time */
                                    completed_at?: string;
                                };
                            };
                        };
                    };
                };
                /** @description Success. */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            /** @enum {string} */
                            message: "success";
                            /** @enum {number} */
                            code: 0;
                            data: {
                                /** @description False when an earlier request with this idempotency key made the operation. */
                                created: boolean;
                                /** @description The signing id, under the name that SDK callers poll. */
                                transaction_id: string;
                                /** SigningRequest */
                                signing_request: {
                                    id: string;
                                    signing_id: string;
                                    /** @enum {unknown} */
                                    operation_type: "withdrawal" | "generic";
                                    withdrawal_id: string | null;
                                    /**
                                     * Format: uuid
                                     * @description Wallet id.
                                     */
                                    wallet_id: string;
                                    network_internal_code: string;
                                    /** @enum {unknown} */
                                    key_type: "secp256k1" | "ed25519";
                                    /**
                                     * @description What the nodes are shown. Only a `raw_digest` is signed without being read.
                                     * @enum {unknown}
                                     */
                                    payload_kind: "raw_digest" | "evm_transaction" | "evm_message" | "evm_typed_data" | "solana_transaction";
                                    external_id?: string;
                                    /** @description 0x and 64 hex digits. Of a `solana_transaction`, which is signed unhashed, its SHA-256. */
                                    signing_hash: string;
                                    derivation_path: string;
                                    /** @enum {unknown} */
                                    status: "pending" | "submitted" | "failed" | "success";
                                    status_reason?: string;
                                    /** @description Signing id and attempt, as the nodes know it. */
                                    mpc_correlation_id?: string;
                                    error_code?: string;
                                    error_reason?: string;
                                    /** @description 0x r‖s‖v on secp256k1 (s low, v 27 or 28), 64 bytes in hex on ed25519. */
                                    signature?: string;
                                    /** @description The derived child key, hex. */
                                    public_key?: string;
                                    /** @description Its address on the network. */
                                    address?: string;
                                    /** Format: date-time */
                                    created_at: string;
                                    /** Format: date-time */
                                    updated_at: string;
                                    /** Format: date-time */
                                    completed_at?: string;
                                };
                            };
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/web3/transaction/{wallet_id}/signMessage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign a message (EIP-191)
         * @description Accepts the request and has two of three nodes sign. Poll the signing request until it is `success` or `failed`. For EVM networks. The nodes put the prefix on themselves.
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. */
                    "x-idempotency-key"?: string;
                };
                path: {
                    /** @description Wallet id. */
                    wallet_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "network_internal_code": "ETHEREUM_SANDBOX",
                     *       "message": "Hello, Bob!"
                     *     }
                     */
                    "application/json": {
                        /** @description The network, by this or by chain_id. */
                        network_internal_code?: string;
                        /** @description EIP-155 chain id of a network that is enabled here, as an integer or its decimal text. */
                        chain_id?: number | string;
                        /** @description What is signed under the EIP-191 prefix, at most 64 KiB. Taken as `encoding` says, never guessed. */
                        message: string;
                        /**
                         * @description `utf8` (when absent): the text. `hex`: the bytes that it spells.
                         * @enum {unknown}
                         */
                        encoding?: "utf8" | "hex";
                        /** @description Non-hardened, `m/` optional; `m/44/{coin_type}/0/0/0` when absent. */
                        derivation_path?: string;
                        /** @description The caller's own name for what is signed, 1 to 128 visible ASCII characters. Taken once in a workspace, for ever: a second request with it is a 409. */
                        external_id?: string;
                    };
                };
            };
            responses: {
                /** @description Success. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            /** @enum {string} */
                            message: "success";
                            /** @enum {number} */
                            code: 0;
                            data: {
                                /** @description False when an earlier request with this idempotency key made the operation. */
                                created: boolean;
                                /** @description The signing id, under the name that SDK callers poll. */
                                transaction_id: string;
                                /** SigningRequest */
                                signing_request: {
                                    id: string;
                                    signing_id: string;
                                    /** @enum {unknown} */
                                    operation_type: "withdrawal" | "generic";
                                    withdrawal_id: string | null;
                                    /**
                                     * Format: uuid
                                     * @description Wallet id.
                                     */
                                    wallet_id: string;
                                    network_internal_code: string;
                                    /** @enum {unknown} */
                                    key_type: "secp256k1" | "ed25519";
                                    /**
                                     * @description What the nodes are shown. Only a `raw_digest` is signed without being read.
                                     * @enum {unknown}
                                     */
                                    payload_kind: "raw_digest" | "evm_transaction" | "evm_message" | "evm_typed_data" | "solana_transaction";
                                    external_id?: string;
                                    /** @description 0x and 64 hex digits. Of a `solana_transaction`, which is signed unhashed, its SHA-256. */
                                    signing_hash: string;
                                    derivation_path: string;
                                    /** @enum {unknown} */
                                    status: "pending" | "submitted" | "failed" | "success";
                                    status_reason?: string;
                                    /** @description Signing id and attempt, as the nodes know it. */
                                    mpc_correlation_id?: string;
                                    error_code?: string;
                                    error_reason?: string;
                                    /** @description 0x r‖s‖v on secp256k1 (s low, v 27 or 28), 64 bytes in hex on ed25519. */
                                    signature?: string;
                                    /** @description The derived child key, hex. */
                                    public_key?: string;
                                    /** @description Its address on the network. */
                                    address?: string;
                                    /** Format: date-time */
                                    created_at: string;
                                    /** Format: date-time */
                                    updated_at: string;
                                    /** Format: date-time */
                                    completed_at?: string;
                                };
                            };
                        };
                    };
                };
                /** @description Success. */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            /** @enum {string} */
                            message: "success";
                            /** @enum {number} */
                            code: 0;
                            data: {
                                /** @description False when an earlier request with this idempotency key made the operation. */
                                created: boolean;
                                /** @description The signing id, under the name that SDK callers poll. */
                                transaction_id: string;
                                /** SigningRequest */
                                signing_request: {
                                    id: string;
                                    signing_id: string;
                                    /** @enum {unknown} */
                                    operation_type: "withdrawal" | "generic";
                                    withdrawal_id: string | null;
                                    /**
                                     * Format: uuid
                                     * @description Wallet id.
                                     */
                                    wallet_id: string;
                                    network_internal_code: string;
                                    /** @enum {unknown} */
                                    key_type: "secp256k1" | "ed25519";
                                    /**
                                     * @description What the nodes are shown. Only a `raw_digest` is signed without being read.
                                     * @enum {unknown}
                                     */
                                    payload_kind: "raw_digest" | "evm_transaction" | "evm_message" | "evm_typed_data" | "solana_transaction";
                                    external_id?: string;
                                    /** @description 0x and 64 hex digits. Of a `solana_transaction`, which is signed unhashed, its SHA-256. */
                                    signing_hash: string;
                                    derivation_path: string;
                                    /** @enum {unknown} */
                                    status: "pending" | "submitted" | "failed" | "success";
                                    status_reason?: string;
                                    /** @description Signing id and attempt, as the nodes know it. */
                                    mpc_correlation_id?: string;
                                    error_code?: string;
                                    error_reason?: string;
                                    /** @description 0x r‖s‖v on secp256k1 (s low, v 27 or 28), 64 bytes in hex on ed25519. */
                                    signature?: string;
                                    /** @description The derived child key, hex. */
                                    public_key?: string;
                                    /** @description Its address on the network. */
                                    address?: string;
                                    /** Format: date-time */
                                    created_at: string;
                                    /** Format: date-time */
                                    updated_at: string;
                                    /** Format: date-time */
                                    completed_at?: string;
                                };
                            };
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/web3/transaction/{wallet_id}/signTyped": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign typed data (EIP-712)
         * @description Accepts the request and has two of three nodes sign. Poll the signing request until it is `success` or `failed`. For EVM networks. The nodes compute the digest from the document themselves; it is kept for audit.
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. */
                    "x-idempotency-key"?: string;
                };
                path: {
                    /** @description Wallet id. */
                    wallet_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "network_internal_code": "ETHEREUM_SANDBOX",
                     *       "typed_data": {
                     *         "types": {
                     *           "Mail": [
                     *             {
                     *               "name": "contents",
                     *               "type": "string"
                     *             }
                     *           ]
                     *         },
                     *         "primaryType": "Mail",
                     *         "domain": {
                     *           "name": "Ether Mail",
                     *           "version": "1",
                     *           "chainId": 31337
                     *         },
                     *         "message": {
                     *           "contents": "Hello, Bob!"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description The network, by this or by chain_id. */
                        network_internal_code?: string;
                        /** @description EIP-155 chain id of a network that is enabled here, as an integer or its decimal text. */
                        chain_id?: number | string;
                        /** @description An EIP-712 document: at most 64 types and 4096 bytes of them, 32 levels deep, 64 KiB in the encoding of the nodes (a value is 33 bytes, or 5 and its own). */
                        typed_data: {
                            /** @description `EIP712Domain` may be left out: it follows from the fields of `domain`. */
                            types: {
                                [key: string]: {
                                    name: string;
                                    type: string;
                                }[];
                            };
                            /** @description When absent, the one type that no other refers to. */
                            primaryType?: string;
                            /** @description Some of EIP-712's five fields; `chainId`, when it is there, must be the network's. */
                            domain: {
                                [key: string]: unknown;
                            };
                            /** @description Every field of its type and no other. Integers beyond 2^53 - 1 are strings, decimal or 0x hex. */
                            message: {
                                [key: string]: unknown;
                            };
                        };
                        /** @description Non-hardened, `m/` optional; `m/44/{coin_type}/0/0/0` when absent. */
                        derivation_path?: string;
                        /** @description The caller's own name for what is signed, 1 to 128 visible ASCII characters. Taken once in a workspace, for ever: a second request with it is a 409. */
                        external_id?: string;
                    };
                };
            };
            responses: {
                /** @description Success. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            /** @enum {string} */
                            message: "success";
                            /** @enum {number} */
                            code: 0;
                            data: {
                                /** @description False when an earlier request with this idempotency key made the operation. */
                                created: boolean;
                                /** @description The signing id, under the name that SDK callers poll. */
                                transaction_id: string;
                                /** SigningRequest */
                                signing_request: {
                                    id: string;
                                    signing_id: string;
                                    /** @enum {unknown} */
                                    operation_type: "withdrawal" | "generic";
                                    withdrawal_id: string | null;
                                    /**
                                     * Format: uuid
                                     * @description Wallet id.
                                     */
                                    wallet_id: string;
                                    network_internal_code: string;
                                    /** @enum {unknown} */
                                    key_type: "secp256k1" | "ed25519";
                                    /**
                                     * @description What the nodes are shown. Only a `raw_digest` is signed without being read.
                                     * @enum {unknown}
                                     */
                                    payload_kind: "raw_digest" | "evm_transaction" | "evm_message" | "evm_typed_data" | "solana_transaction";
                                    external_id?: string;
                                    /** @description 0x and 64 hex digits. Of a `solana_transaction`, which is signed unhashed, its SHA-256. */
                                    signing_hash: string;
                                    derivation_path: string;
                                    /** @enum {unknown} */
                                    status: "pending" | "submitted" | "failed" | "success";
                                    status_reason?: string;
                                    /** @description Signing id and attempt, as the nodes know it. */
                                    mpc_correlation_id?: string;
                                    error_code?: string;
                                    error_reason?: string;
                                    /** @description 0x r‖s‖v on secp256k1 (s low, v 27 or 28), 64 bytes in hex on ed25519. */
                                    signature?: string;
                                    /** @description The derived child key, hex. */
                                    public_key?: string;
                                    /** @description Its address on the network. */
                                    address?: string;
                                    /** Format: date-time */
                                    created_at: string;
                                    /** Format: date-time */
                                    updated_at: string;
                                    /** Format: date-time */
                                    completed_at?: string;
                                };
                            };
                        };
                    };
                };
                /** @description Success. */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            /** @enum {string} */
                            message: "success";
                            /** @enum {number} */
                            code: 0;
                            data: {
                                /** @description False when an earlier request with this idempotency key made the operation. */
                                created: boolean;
                                /** @description The signing id, under the name that SDK callers poll. */
                                transaction_id: string;
                                /** SigningRequest */
                                signing_request: {
                                    id: string;
                                    signing_id: string;
                                    /** @enum {unknown} */
                                    operation_type: "withdrawal" | "generic";
                                    withdrawal_id: string | null;
                                    /**
                                     * Format: uuid
                                     * @description Wallet id.
                                     */
                                    wallet_id: string;
                                    network_internal_code: string;
                                    /** @enum {unknown} */
                                    key_type: "secp256k1" | "ed25519";
                                    /**
                                     * @description What the nodes are shown. Only a `raw_digest` is signed without being read.
                                     * @enum {unknown}
                                     */
                                    payload_kind: "raw_digest" | "evm_transaction" | "evm_message" | "evm_typed_data" | "solana_transaction";
                                    external_id?: string;
                                    /** @description 0x and 64 hex digits. Of a `solana_transaction`, which is signed unhashed, its SHA-256. */
                                    signing_hash: string;
                                    derivation_path: string;
                                    /** @enum {unknown} */
                                    status: "pending" | "submitted" | "failed" | "success";
                                    status_reason?: string;
                                    /** @description Signing id and attempt, as the nodes know it. */
                                    mpc_correlation_id?: string;
                                    error_code?: string;
                                    error_reason?: string;
                                    /** @description 0x r‖s‖v on secp256k1 (s low, v 27 or 28), 64 bytes in hex on ed25519. */
                                    signature?: string;
                                    /** @description The derived child key, hex. */
                                    public_key?: string;
                                    /** @description Its address on the network. */
                                    address?: string;
                                    /** Format: date-time */
                                    created_at: string;
                                    /** Format: date-time */
                                    updated_at: string;
                                    /** Format: date-time */
                                    completed_at?: string;
                                };
                            };
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/web3/transaction/{wallet_id}/signTransaction": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign a transaction
         * @description Accepts the request and has two of three nodes sign. Poll the signing request until it is `success` or `failed`. For EVM networks and Solana. Broadcasts nothing.
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. */
                    "x-idempotency-key"?: string;
                };
                path: {
                    /** @description Wallet id. */
                    wallet_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "network_internal_code": "ETHEREUM_SANDBOX",
                     *       "unsigned_tx": "0x02e9827a6980843b9aca00847735940082520894000000000000000000000000000000000000dead0180c0"
                     *     }
                     */
                    "application/json": {
                        /** @description The network, by this or by chain_id. */
                        network_internal_code?: string;
                        /** @description EIP-155 chain id of a network that is enabled here, as an integer or its decimal text. */
                        chain_id?: number | string;
                        /** @description In hex: on EVM networks the serialized unsigned transaction for this very chain, on Solana the serialized message (legacy or version 0, at most 1232 bytes) of which the key is a required signer. */
                        unsigned_tx: string;
                        /** @description Non-hardened, `m/` optional; `m/44/{coin_type}/0/0/0` when absent. */
                        derivation_path?: string;
                        /** @description The caller's own name for what is signed, 1 to 128 visible ASCII characters. Taken once in a workspace, for ever: a second request with it is a 409. */
                        external_id?: string;
                    };
                };
            };
            responses: {
                /** @description Success. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            /** @enum {string} */
                            message: "success";
                            /** @enum {number} */
                            code: 0;
                            data: {
                                /** @description False when an earlier request with this idempotency key made the operation. */
                                created: boolean;
                                /** @description The signing id, under the name that SDK callers poll. */
                                transaction_id: string;
                                /** SigningRequest */
                                signing_request: {
                                    id: string;
                                    signing_id: string;
                                    /** @enum {unknown} */
                                    operation_type: "withdrawal" | "generic";
                                    withdrawal_id: string | null;
                                    /**
                                     * Format: uuid
                                     * @description Wallet id.
                                     */
                                    wallet_id: string;
                                    network_internal_code: string;
                                    /** @enum {unknown} */
                                    key_type: "secp256k1" | "ed25519";
                                    /**
                                     * @description What the nodes are shown. Only a `raw_digest` is signed without being read.
                                     * @enum {unknown}
                                     */
                                    payload_kind: "raw_digest" | "evm_transaction" | "evm_message" | "evm_typed_data" | "solana_transaction";
                                    external_id?: string;
                                    /** @description 0x and 64 hex digits. Of a `solana_transaction`, which is signed unhashed, its SHA-256. */
                                    signing_hash: string;
                                    derivation_path: string;
                                    /** @enum {unknown} */
                                    status: "pending" | "submitted" | "failed" | "success";
                                    status_reason?: string;
                                    /** @description Signing id and attempt, as the nodes know it. */
                                    mpc_correlation_id?: string;
                                    error_code?: string;
                                    error_reason?: string;
                                    /** @description 0x r‖s‖v on secp256k1 (s low, v 27 or 28), 64 bytes in hex on ed25519. */
                                    signature?: string;
                                    /** @description The derived child key, hex. */
                                    public_key?: string;
                                    /** @description Its address on the network. */
                                    address?: string;
                                    /** Format: date-time */
                                    created_at: string;
                                    /** Format: date-time */
                                    updated_at: string;
                                    /** Format: date-time */
                                    completed_at?: string;
                                };
                            };
                        };
                    };
                };
                /** @description Success. */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            /** @enum {string} */
                            message: "success";
                            /** @enum {number} */
                            code: 0;
                            data: {
                                /** @description False when an earlier request with this idempotency key made the operation. */
                                created: boolean;
                                /** @description The signing id, under the name that SDK callers poll. */
                                transaction_id: string;
                                /** SigningRequest */
                                signing_request: {
                                    id: string;
                                    signing_id: string;
                                    /** @enum {unknown} */
                                    operation_type: "withdrawal" | "generic";
                                    withdrawal_id: string | null;
                                    /**
                                     * Format: uuid
                                     * @description Wallet id.
                                     */
                                    wallet_id: string;
                                    network_internal_code: string;
                                    /** @enum {unknown} */
                                    key_type: "secp256k1" | "ed25519";
                                    /**
                                     * @description What the nodes are shown. Only a `raw_digest` is signed without being read.
                                     * @enum {unknown}
                                     */
                                    payload_kind: "raw_digest" | "evm_transaction" | "evm_message" | "evm_typed_data" | "solana_transaction";
                                    external_id?: string;
                                    /** @description 0x and 64 hex digits. Of a `solana_transaction`, which is signed unhashed, its SHA-256. */
                                    signing_hash: string;
                                    derivation_path: string;
                                    /** @enum {unknown} */
                                    status: "pending" | "submitted" | "failed" | "success";
                                    status_reason?: string;
                                    /** @description Signing id and attempt, as the nodes know it. */
                                    mpc_correlation_id?: string;
                                    error_code?: string;
                                    error_reason?: string;
                                    /** @description 0x r‖s‖v on secp256k1 (s low, v 27 or 28), 64 bytes in hex on ed25519. */
                                    signature?: string;
                                    /** @description The derived child key, hex. */
                                    public_key?: string;
                                    /** @description Its address on the network. */
                                    address?: string;
                                    /** Format: date-time */
                                    created_at: string;
                                    /** Format: date-time */
                                    updated_at: string;
                                    /** Format: date-time */
                                    completed_at?: string;
                                };
                            };
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/web3/transaction/{wallet_id}/signBatch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign a batch
         * @description Up to 100 items, each as the route of its type takes it. A body of another shape is refused whole; an item that is refused for what it says gets its `error`, and the others are accepted together: 202. An `external_id` that is taken refuses the batch. With 200 nothing new was made: the batch is a repeat, or every item was refused, and then nothing is stored.
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. */
                    "x-idempotency-key"?: string;
                };
                path: {
                    /** @description Wallet id. */
                    wallet_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "type": "message",
                     *           "network_internal_code": "ETHEREUM_SANDBOX",
                     *           "message": "Hello, Bob!"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        items: ({
                            /** @enum {string} */
                            type: "raw";
                            /** @description Required, under this name or its alias. */
                            network_internal_code?: string;
                            /** @description Alias of network_internal_code. */
                            networkInternalCode?: string;
                            /**
                             * @description Curve of the key; `secp256k1` when absent.
                             * @enum {unknown}
                             */
                            key_type?: "secp256k1" | "ed25519";
                            /**
                             * @description Curve of the key; `secp256k1` when absent.
                             * @enum {unknown}
                             */
                            keyType?: "secp256k1" | "ed25519";
                            /** @description 32-byte digest in hex. Required, under this name or an alias. */
                            signing_hash?: string;
                            /** @description Alias of signing_hash. */
                            signingHash?: string;
                            /** @description Alias of signing_hash. */
                            hash?: string;
                            /** @description Alias of signing_hash. */
                            transaction_hash?: string;
                            /** @description Alias of signing_hash. */
                            transactionHash?: string;
                            /** @description What the digest is of, in hex: kept for audit. Defaults to signing_hash. */
                            unsigned_tx?: string;
                            /** @description Alias of unsigned_tx. */
                            unsignedTx?: string;
                            /** @description Alias of unsigned_tx. */
                            raw_transaction?: string;
                            /** @description Alias of unsigned_tx. */
                            rawTransaction?: string;
                            /** @description Alias of unsigned_tx. */
                            tx?: string;
                            /** @description Non-hardened, `m/` optional; `m/44/{coin_type}/0/0/0` when absent. */
                            derivation_path?: string;
                            /** @description Alias of derivation_path. */
                            derivationPath?: string;
                            derivation_path_components?: number[];
                            /** @description The caller's own name for what is signed, 1 to 128 visible ASCII characters. Taken once in a workspace, for ever: a second request with it is a 409. */
                            external_id?: string;
                        } | {
                            /** @enum {string} */
                            type: "message";
                            /** @description The network, by this or by chain_id. */
                            network_internal_code?: string;
                            /** @description EIP-155 chain id of a network that is enabled here, as an integer or its decimal text. */
                            chain_id?: number | string;
                            /** @description What is signed under the EIP-191 prefix, at most 64 KiB. Taken as `encoding` says, never guessed. */
                            message: string;
                            /**
                             * @description `utf8` (when absent): the text. `hex`: the bytes that it spells.
                             * @enum {unknown}
                             */
                            encoding?: "utf8" | "hex";
                            /** @description Non-hardened, `m/` optional; `m/44/{coin_type}/0/0/0` when absent. */
                            derivation_path?: string;
                            /** @description The caller's own name for what is signed, 1 to 128 visible ASCII characters. Taken once in a workspace, for ever: a second request with it is a 409. */
                            external_id?: string;
                        } | {
                            /** @enum {string} */
                            type: "typed";
                            /** @description The network, by this or by chain_id. */
                            network_internal_code?: string;
                            /** @description EIP-155 chain id of a network that is enabled here, as an integer or its decimal text. */
                            chain_id?: number | string;
                            /** @description An EIP-712 document: at most 64 types and 4096 bytes of them, 32 levels deep, 64 KiB in the encoding of the nodes (a value is 33 bytes, or 5 and its own). */
                            typed_data: {
                                /** @description `EIP712Domain` may be left out: it follows from the fields of `domain`. */
                                types: {
                                    [key: string]: {
                                        name: string;
                                        type: string;
                                    }[];
                                };
                                /** @description When absent, the one type that no other refers to. */
                                primaryType?: string;
                                /** @description Some of EIP-712's five fields; `chainId`, when it is there, must be the network's. */
                                domain: {
                                    [key: string]: unknown;
                                };
                                /** @description Every field of its type and no other. Integers beyond 2^53 - 1 are strings, decimal or 0x hex. */
                                message: {
                                    [key: string]: unknown;
                                };
                            };
                            /** @description Non-hardened, `m/` optional; `m/44/{coin_type}/0/0/0` when absent. */
                            derivation_path?: string;
                            /** @description The caller's own name for what is signed, 1 to 128 visible ASCII characters. Taken once in a workspace, for ever: a second request with it is a 409. */
                            external_id?: string;
                        } | {
                            /** @enum {string} */
                            type: "transaction";
                            /** @description The network, by this or by chain_id. */
                            network_internal_code?: string;
                            /** @description EIP-155 chain id of a network that is enabled here, as an integer or its decimal text. */
                            chain_id?: number | string;
                            /** @description In hex: on EVM networks the serialized unsigned transaction for this very chain, on Solana the serialized message (legacy or version 0, at most 1232 bytes) of which the key is a required signer. */
                            unsigned_tx: string;
                            /** @description Non-hardened, `m/` optional; `m/44/{coin_type}/0/0/0` when absent. */
                            derivation_path?: string;
                            /** @description The caller's own name for what is signed, 1 to 128 visible ASCII characters. Taken once in a workspace, for ever: a second request with it is a 409. */
                            external_id?: string;
                        })[];
                    };
                };
            };
            responses: {
                /** @description Success. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            /** @enum {string} */
                            message: "success";
                            /** @enum {number} */
                            code: 0;
                            data: {
                                /** @description One for each item, in the order of the items. */
                                results: ({
                                    /** @description False when an earlier request with this idempotency key made the operation. */
                                    created: boolean;
                                    /** @description The signing id, under the name that SDK callers poll. */
                                    transaction_id: string;
                                    /** SigningRequest */
                                    signing_request: {
                                        id: string;
                                        signing_id: string;
                                        /** @enum {unknown} */
                                        operation_type: "withdrawal" | "generic";
                                        withdrawal_id: string | null;
                                        /**
                                         * Format: uuid
                                         * @description Wallet id.
                                         */
                                        wallet_id: string;
                                        network_internal_code: string;
                                        /** @enum {unknown} */
                                        key_type: "secp256k1" | "ed25519";
                                        /**
                                         * @description What the nodes are shown. Only a `raw_digest` is signed without being read.
                                         * @enum {unknown}
                                         */
                                        payload_kind: "raw_digest" | "evm_transaction" | "evm_message" | "evm_typed_data" | "solana_transaction";
                                        external_id?: string;
                                        /** @description 0x and 64 hex digits. Of a `solana_transaction`, which is signed unhashed, its SHA-256. */
                                        signing_hash: string;
                                        derivation_path: string;
                                        /** @enum {unknown} */
                                        status: "pending" | "submitted" | "failed" | "success";
                                        status_reason?: string;
                                        /** @description Signing id and attempt, as the nodes know it. */
                                        mpc_correlation_id?: string;
                                        error_code?: string;
                                        error_reason?: string;
                                        /** @description 0x r‖s‖v on secp256k1 (s low, v 27 or 28), 64 bytes in hex on ed25519. */
                                        signature?: string;
                                        /** @description The derived child key, hex. */
                                        public_key?: string;
                                        /** @description Its address on the network. */
                                        address?: string;
                                        /** Format: date-time */
                                        created_at: string;
                                        /** Format: date-time */
                                        updated_at: string;
                                        /** Format: date-time */
                                        completed_at?: string;
                                    };
                                } | {
                                    error: {
                                        code: string;
                                        message: string;
                                    };
                                })[];
                            };
                        };
                    };
                };
                /** @description Success. */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            /** @enum {string} */
                            message: "success";
                            /** @enum {number} */
                            code: 0;
                            data: {
                                /** @description One for each item, in the order of the items. */
                                results: ({
                                    /** @description False when an earlier request with this idempotency key made the operation. */
                                    created: boolean;
                                    /** @description The signing id, under the name that SDK callers poll. */
                                    transaction_id: string;
                                    /** SigningRequest */
                                    signing_request: {
                                        id: string;
                                        signing_id: string;
                                        /** @enum {unknown} */
                                        operation_type: "withdrawal" | "generic";
                                        withdrawal_id: string | null;
                                        /**
                                         * Format: uuid
                                         * @description Wallet id.
                                         */
                                        wallet_id: string;
                                        network_internal_code: string;
                                        /** @enum {unknown} */
                                        key_type: "secp256k1" | "ed25519";
                                        /**
                                         * @description What the nodes are shown. Only a `raw_digest` is signed without being read.
                                         * @enum {unknown}
                                         */
                                        payload_kind: "raw_digest" | "evm_transaction" | "evm_message" | "evm_typed_data" | "solana_transaction";
                                        external_id?: string;
                                        /** @description 0x and 64 hex digits. Of a `solana_transaction`, which is signed unhashed, its SHA-256. */
                                        signing_hash: string;
                                        derivation_path: string;
                                        /** @enum {unknown} */
                                        status: "pending" | "submitted" | "failed" | "success";
                                        status_reason?: string;
                                        /** @description Signing id and attempt, as the nodes know it. */
                                        mpc_correlation_id?: string;
                                        error_code?: string;
                                        error_reason?: string;
                                        /** @description 0x r‖s‖v on secp256k1 (s low, v 27 or 28), 64 bytes in hex on ed25519. */
                                        signature?: string;
                                        /** @description The derived child key, hex. */
                                        public_key?: string;
                                        /** @description Its address on the network. */
                                        address?: string;
                                        /** Format: date-time */
                                        created_at: string;
                                        /** Format: date-time */
                                        updated_at: string;
                                        /** Format: date-time */
                                        completed_at?: string;
                                    };
                                } | {
                                    error: {
                                        code: string;
                                        message: string;
                                    };
                                })[];
                            };
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspace_id}/signing-requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List signing operations */
        get: {
            parameters: {
                query?: {
                    /** @description Rows in a page; 50 when absent. */
                    limit?: number;
                    /** @description From `X-Next-Cursor` of the page before. */
                    cursor?: string;
                    /** @description `created_at` when absent. */
                    sort_by?: "created_at" | "updated_at";
                    /** @description `desc` when absent. */
                    sort_order?: "asc" | "desc";
                    /** @description Created at this moment or later. */
                    from?: string;
                    /** @description Created before this moment. */
                    to?: string;
                    /** @description Only operations with these statuses. */
                    status?: ("pending" | "submitted" | "failed" | "success")[];
                    /** @description Only operations of these wallets. */
                    wallet_id?: string[];
                    /** @description Only operations on these networks, by catalogue id. */
                    network_id?: string[];
                };
                header?: never;
                path: {
                    /** @description Workspace id. */
                    workspace_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success. */
                200: {
                    headers: {
                        /** @description Cursor of the next page; absent on the last one. */
                        "X-Next-Cursor"?: string;
                        /** @description The next page as `<…>; rel="next"` (RFC 8288). */
                        Link?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            /** @enum {string} */
                            message: "success";
                            /** @enum {number} */
                            code: 0;
                            data: {
                                id: string;
                                signing_id: string;
                                /** @enum {unknown} */
                                operation_type: "withdrawal" | "generic";
                                withdrawal_id: string | null;
                                /**
                                 * Format: uuid
                                 * @description Wallet id.
                                 */
                                wallet_id: string;
                                network_internal_code: string;
                                /** @enum {unknown} */
                                key_type: "secp256k1" | "ed25519";
                                /**
                                 * @description What the nodes are shown. Only a `raw_digest` is signed without being read.
                                 * @enum {unknown}
                                 */
                                payload_kind: "raw_digest" | "evm_transaction" | "evm_message" | "evm_typed_data" | "solana_transaction";
                                external_id?: string;
                                /** @description 0x and 64 hex digits. Of a `solana_transaction`, which is signed unhashed, its SHA-256. */
                                signing_hash: string;
                                derivation_path: string;
                                /** @enum {unknown} */
                                status: "pending" | "submitted" | "failed" | "success";
                                status_reason?: string;
                                /** @description Signing id and attempt, as the nodes know it. */
                                mpc_correlation_id?: string;
                                error_code?: string;
                                error_reason?: string;
                                /** @description 0x r‖s‖v on secp256k1 (s low, v 27 or 28), 64 bytes in hex on ed25519. */
                                signature?: string;
                                /** @description The derived child key, hex. */
                                public_key?: string;
                                /** @description Its address on the network. */
                                address?: string;
                                /** Format: date-time */
                                created_at: string;
                                /** Format: date-time */
                                updated_at: string;
                                /** Format: date-time */
                                completed_at?: string;
                            }[];
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/signing-requests/{signing_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a signing operation
         * @description While it is `pending`: it becomes `failed` with the reason `cancelled`, and nothing is signed.
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. */
                    "x-idempotency-key"?: string;
                };
                path: {
                    signing_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            /** @enum {string} */
                            message: "success";
                            /** @enum {number} */
                            code: 0;
                            /** SigningRequest */
                            data: {
                                id: string;
                                signing_id: string;
                                /** @enum {unknown} */
                                operation_type: "withdrawal" | "generic";
                                withdrawal_id: string | null;
                                /**
                                 * Format: uuid
                                 * @description Wallet id.
                                 */
                                wallet_id: string;
                                network_internal_code: string;
                                /** @enum {unknown} */
                                key_type: "secp256k1" | "ed25519";
                                /**
                                 * @description What the nodes are shown. Only a `raw_digest` is signed without being read.
                                 * @enum {unknown}
                                 */
                                payload_kind: "raw_digest" | "evm_transaction" | "evm_message" | "evm_typed_data" | "solana_transaction";
                                external_id?: string;
                                /** @description 0x and 64 hex digits. Of a `solana_transaction`, which is signed unhashed, its SHA-256. */
                                signing_hash: string;
                                derivation_path: string;
                                /** @enum {unknown} */
                                status: "pending" | "submitted" | "failed" | "success";
                                status_reason?: string;
                                /** @description Signing id and attempt, as the nodes know it. */
                                mpc_correlation_id?: string;
                                error_code?: string;
                                error_reason?: string;
                                /** @description 0x r‖s‖v on secp256k1 (s low, v 27 or 28), 64 bytes in hex on ed25519. */
                                signature?: string;
                                /** @description The derived child key, hex. */
                                public_key?: string;
                                /** @description Its address on the network. */
                                address?: string;
                                /** Format: date-time */
                                created_at: string;
                                /** Format: date-time */
                                updated_at: string;
                                /** Format: date-time */
                                completed_at?: string;
                            };
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/signing-requests/{signing_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a signing operation */
        get: {
            parameters: {
                query?: never;
                header?: {
                    /** @description `wait=<seconds>`, at most 30 (RFC 7240): answered as soon as the state is final, or when the time is up. */
                    prefer?: string;
                };
                path: {
                    signing_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success. */
                200: {
                    headers: {
                        /** @description `wait` when the answer waited, or would have. */
                        "Preference-Applied"?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            /** @enum {string} */
                            message: "success";
                            /** @enum {number} */
                            code: 0;
                            /** SigningRequest */
                            data: {
                                id: string;
                                signing_id: string;
                                /** @enum {unknown} */
                                operation_type: "withdrawal" | "generic";
                                withdrawal_id: string | null;
                                /**
                                 * Format: uuid
                                 * @description Wallet id.
                                 */
                                wallet_id: string;
                                network_internal_code: string;
                                /** @enum {unknown} */
                                key_type: "secp256k1" | "ed25519";
                                /**
                                 * @description What the nodes are shown. Only a `raw_digest` is signed without being read.
                                 * @enum {unknown}
                                 */
                                payload_kind: "raw_digest" | "evm_transaction" | "evm_message" | "evm_typed_data" | "solana_transaction";
                                external_id?: string;
                                /** @description 0x and 64 hex digits. Of a `solana_transaction`, which is signed unhashed, its SHA-256. */
                                signing_hash: string;
                                derivation_path: string;
                                /** @enum {unknown} */
                                status: "pending" | "submitted" | "failed" | "success";
                                status_reason?: string;
                                /** @description Signing id and attempt, as the nodes know it. */
                                mpc_correlation_id?: string;
                                error_code?: string;
                                error_reason?: string;
                                /** @description 0x r‖s‖v on secp256k1 (s low, v 27 or 28), 64 bytes in hex on ed25519. */
                                signature?: string;
                                /** @description The derived child key, hex. */
                                public_key?: string;
                                /** @description Its address on the network. */
                                address?: string;
                                /** Format: date-time */
                                created_at: string;
                                /** Format: date-time */
                                updated_at: string;
                                /** Format: date-time */
                                completed_at?: string;
                            };
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/web3/{wallet_id}/sign/{signing_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a signing operation (SDK alias) */
        get: {
            parameters: {
                query?: never;
                header?: {
                    /** @description `wait=<seconds>`, at most 30 (RFC 7240): answered as soon as the state is final, or when the time is up. */
                    prefer?: string;
                };
                path: {
                    /** @description Wallet id. */
                    wallet_id: string;
                    signing_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Success. */
                200: {
                    headers: {
                        /** @description `wait` when the answer waited, or would have. */
                        "Preference-Applied"?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            success: true;
                            /** @enum {string} */
                            message: "success";
                            /** @enum {number} */
                            code: 0;
                            data: {
                                transaction_id: string;
                                /** @enum {unknown} */
                                status: "pending" | "pending_approval" | "confirmed" | "failed" | "rejected";
                                signature: string | null;
                                approvals: {
                                    user_id: string;
                                    status: string;
                                }[];
                                /** Format: date-time */
                                created_at: string;
                                /** Format: date-time */
                                updated_at: string;
                            };
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** Error */
        Error: {
            /** @enum {boolean} */
            success: false;
            /** @description One sentence that says what to change. */
            message: string;
            /** @description A stable code for programs. */
            code: string;
            data: null;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
