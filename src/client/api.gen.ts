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
        get: operations["readHealth"];
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
        /**
         * Whether this process can serve, or with `deep` whether the whole service can
         * @description This process can serve while it reaches PostgreSQL and is not about to stop: what it accepts is a row, which waits for Temporal, workers and nodes. Meant for a balancer.
         */
        get: operations["readReadiness"];
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
        get: operations["readTime"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The metrics of this process
         * @description In Prometheus' text format. Where METRICS_TOKEN is set: with `Authorization: Bearer <token>`.
         */
        get: operations["readMetrics"];
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
        get: operations["readLogo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/observability/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How the service is
         * @description Of the whole service, not of a workspace. Without PostgreSQL the lists are empty and the counts 0.
         */
        get: operations["readServiceStatus"];
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
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key
         * @description The answer shows the secret, once. A key grants only what it has itself: scopes, wallets, addresses, and no later end. A key for another user is a change that waits for approvals, where the policy in force has `changes`, and always in production: 202 with what waits, and no secret, which only its own user takes once it is approved (`take-secret`). Such a key may get the scopes to approve from one that lacks them.
         */
        post: operations["createApiKey"];
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
        get: operations["readOwnApiKey"];
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
         * @description For ever, and on every process within a second. The calling key must have every scope and wallet of the other one, but for the scopes to approve. A key that is revoked already is answered as it is. The last key with `api_keys:admin` that never ends and reaches every wallet cannot be revoked.
         */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        /**
         * Change an API key
         * @description Holds on every process within a second. The calling key must have every scope and wallet of the other one, but for the scopes to approve, and all that it gives it. To give a key of another user more, and to lift an expiry or an address list, waits for approvals, where the policy in force has `changes`, and always in production: 202 with what waits. The last key with `api_keys:admin` that never ends and reaches every wallet keeps what makes it so.
         */
        patch: operations["changeApiKey"];
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
         * @description The answer shows the new secret, once. The calling key must have all that the rotated one has, since who knows a secret can do all that its key can. To rotate the key of another user waits for approvals, where the policy in force has `changes`, and always in production: 202 with what waits, and no secret. Once that is approved its own user takes the new secret (`take-secret`); until then the old one signs, unless `overlap_seconds` ends it.
         */
        post: operations["rotateApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/api-keys/{api_key_id}/take-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take the secret of a key of your own
         * @description Of a key with `awaiting_secret`, which another user made or rotated for the user of the calling key: the answer shows its secret, once. With any key of the same user that has all that the other one has, also with the rotated key itself and the secret that it had until now. Who has none of them gets the secret from the operator (`npm run workspace -- create-secret`).
         */
        post: operations["takeSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspace_id}/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List users
         * @description Disabled ones too.
         */
        get: operations["listUsers"];
        put?: never;
        /**
         * Create a user
         * @description Without a key. In production, and where the policy in force has `changes`, it waits for the approval of another user: 202 with what waits.
         */
        post: operations["createUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a user
         * @description Who is disabled has every key revoked, on every process within a second, and no vote of theirs counts; the calling key must have every scope and wallet of these keys, but for the scopes to approve. To enable one again waits for approvals as creating one does.
         */
        patch: operations["changeUser"];
        trace?: never;
    };
    "/api/v1/users/{user_id}/roles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Give a user roles
         * @description In place of all that the user has. A session at the console has the scopes of the roles of its user, and loses what is taken on every process within a second. The calling key must have every scope that is given or taken, but for the scopes to approve. To give another user more waits for approvals, where the policy in force has `changes`, and always in production: 202 with what waits.
         */
        put: operations["setRoles"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{user_id}/passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the passkeys of a user
         * @description Those that are not removed. One’s own, or, with `api_keys:admin`, those of others.
         */
        get: operations["listPasskeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/passkeys/{passkey_id}": {
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
         * Remove a passkey
         * @description For ever: its sessions end on every process within a second, and none of its votes counts any more. Of one’s own the last one stays; that of another user, who has lost it, may be the last.
         */
        delete: operations["removePasskey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{user_id}/sign-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End every session of a user
         * @description On every process within a second. One’s own, or, with `api_keys:admin`, those of others.
         */
        post: operations["signOutUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{user_id}/enrolment-links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a link to enrol a passkey
         * @description The answer shows the link, once, and it is good once. Where the policy in force has `changes`, and always in production, also for one’s own user, it waits for the approval of another user: 202, and the link opens nothing until then. The calling key must have every scope of the roles of that user, but for the scopes to approve where another user approves.
         */
        post: operations["createEnrolmentLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/approvals/{subject_id}/evidence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what proves an approval
         * @description Of a withdrawal, a signing operation, or a change of the policy, the address book, users, keys or freezes: what was approved, its digest, and each vote, by passkey with the assertion that proves it. `npm run verify-approval` verifies it offline.
         */
        get: operations["readApprovalEvidence"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspace_id}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List changes of users, keys and freezes
         * @description Those that wait for approval, and those that did. Never with a secret. A key that is bound to wallets sees those of its own user.
         */
        get: operations["listChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/changes/{change_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a change of users, keys or freezes */
        get: operations["readChange"];
        put?: never;
        post?: never;
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
         * @description From now on withdrawals and signatures of the workspace are refused with 423. Harmless to repeat, and the first reason stays.
         */
        post: operations["freezeWithdrawals"];
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
         * @description Withdrawals and signatures of the workspace are taken again. In production, and where the policy in force has `changes`, it waits for the approval of another user, whoever froze them: 202 with what waits. Harmless to repeat.
         */
        post: operations["unfreezeWithdrawals"];
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
        get: operations["listAssets"];
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
        get: operations["readAsset"];
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
        get: operations["listNetworks"];
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
        get: operations["readNetwork"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/networks/{network_id}/fees": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the fees of a network
         * @description What a plain transfer of the native currency costs at most at each `fee_level`, as the workers last asked the node.
         */
        get: operations["readFees"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/networks/rescan-transaction": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Look again at a transaction
         * @description Finds the deposits of one transaction that were missed, and what left by it when a caller broadcast it himself. What is recorded already stays as it is; what is found appears among the transactions of its wallet. Of an old transaction the node may be asked what only an archive node still knows.
         */
        post: operations["rescanTransaction"];
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
         * @description Accepts the wallet and has its keys generated. Poll the creation status until it is `success`. Sweeps are not there yet: a body that asks for one is refused.
         */
        post: operations["createWallet"];
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
        get: operations["readWalletCreation"];
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
        get: operations["listWallets"];
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
        get: operations["readWallet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the name, the purpose or the metadata of a wallet
         * @description Only what is sent changes; metadata that is sent takes the place of what there was. A wallet that failed or is archived stays as it is.
         */
        patch: operations["changeWallet"];
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
        post: operations["freezeWallet"];
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
         * @description The wallet signs again. In production, and where the policy in force has `changes`, it waits for the approval of another user, whoever froze it: 202 with what waits. Not while something left it that this service did not send (409 `invalid_state`): first an operator says what that was.
         */
        post: operations["unfreezeWallet"];
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
        post: operations["archiveWallet"];
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
         * @description By chain family; with `network_id`, on that network; with `asset_id`, for an asset that is attached to the wallet. What is sent together must agree. None is shown of a network on which this deployment does not see deposits, of an asset that is disabled, and of an archived wallet.
         */
        get: operations["readDepositAddress"];
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
        /**
         * Read the deposit address of a chain family (SDK alias)
         * @description The same deposit address, asked for by its chain family only.
         */
        get: operations["readAddress"];
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
        get: operations["readWalletDetail"];
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
        get: operations["readOwnWalletDetail"];
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
        get: operations["listWalletAssets"];
        put?: never;
        /**
         * Attach an asset to a wallet
         * @description Answers where the wallet receives it. An asset that is attached already is answered as it is, with 200. Where this deployment has no node of the network it is `pending`, without an address.
         */
        post: operations["attachAsset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wallets/{wallet_id}/assets/{asset_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Disable an asset of a wallet, or enable it again
         * @description What is disabled shows no address, and withdrawals of it are refused with 409 `invalid_state`. What arrives of it is booked all the same, since a chain asks nobody, and fees are paid in it. This keeps a wallet tidy; what must not be spent a policy forbids.
         */
        patch: operations["changeWalletAsset"];
        trace?: never;
    };
    "/api/v1/wallets/{wallet_id}/balances": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the balances of a wallet
         * @description Of every asset that the wallet ever held.
         */
        get: operations["listWalletBalances"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspace_id}/balances": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the balances of a workspace
         * @description Wallet by wallet, the oldest first. A page may be shorter than `limit`, or empty, with another one after it: go on while there is an `X-Next-Cursor`.
         */
        get: operations["listBalances"];
        put?: never;
        post?: never;
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
         * @description Withdrawals, deposits, and what left by transactions that callers broadcast themselves, newest first unless asked otherwise.
         */
        get: operations["listTransactions"];
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
         * @description The same activity as the list, whole and as of one moment, as a CSV file (RFC 4180) with a header row. A cell that a spreadsheet would run as a formula begins with an apostrophe. `columns=all` adds what it takes to reconcile, fees and the names and notes of callers among it. A connection that breaks off means that the file is not whole: ask again.
         */
        get: operations["exportTransactions"];
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
        get: operations["readTransaction"];
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
        /**
         * Follow a withdrawal or a signature (SDK alias)
         * @description By its id; `transaction_id` of the activity is the same. What was cancelled shows as `failed`. A signing operation of the sign routes is followed here as well, by a key that has `signing:read` too.
         */
        get: operations["readTransactionStatus"];
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
        get: operations["countWithdrawals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wallets/{wallet_id}/request-withdrawal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request a withdrawal
         * @description Holds the amount, asks the policy, and has the withdrawal carried out, once it is approved where the policy wants that. What the policy denies is refused with `policy_denied` and its reasons, and nothing is stored. Amounts above 500 BTC, 20,000 ETH, 100,000 BNB, 500,000 SOL, 100 million US dollars in stablecoins, or a billion of anything else, are taken for mistakes. 202 for a new one; 200 for that which an earlier request with this idempotency key made.
         */
        post: operations["requestWithdrawal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wallets/{wallet_id}/withdrawals/estimate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Estimate a withdrawal
         * @description What the fee can be at most at each level, and whether the wallet has enough. Stores nothing and holds nothing. For a token it is the fee of a plain transfer times 65,000/21,000 on EVM networks, and on Solana with the account that the recipient may lack.
         */
        post: operations["estimateWithdrawal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspace_id}/withdrawals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List withdrawals */
        get: operations["listWithdrawals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/withdrawals/{withdrawal_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a withdrawal */
        get: operations["readWithdrawal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/withdrawals/{withdrawal_id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the history of a withdrawal
         * @description Every step with its time and the transaction that stood for it then, oldest first.
         */
        get: operations["readWithdrawalHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/withdrawals/{withdrawal_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a withdrawal
         * @description While nothing is signed: before its approval, and as long as it waits for a worker or for its fee. What was held is available again. One that is cancelled already is answered as it is.
         */
        post: operations["cancelWithdrawal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/withdrawals/{withdrawal_id}/drop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Drop a withdrawal
         * @description Where its transaction is out and waits for a block (EVM, Bitcoin): another one that moves nothing is sent in its place, and pays a fee. Whichever of the two the chain takes decides: the withdrawal fails with the code `dropped`, or completes.
         */
        post: operations["dropWithdrawal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/withdrawals/{withdrawal_id}/speed-up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Speed up a withdrawal
         * @description Where its transaction is out and waits for a block (EVM, Bitcoin): the same transfer is sent again in its place with a higher fee, never above `max_fee`. Which one the chain took shows in `tx_hash`.
         */
        post: operations["speedUpWithdrawal"];
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
         * Sign a digest, a message, typed data or a transaction (SDK alias)
         * @deprecated
         * @description Accepts the request and has two of three nodes sign. Poll the signing request until it is `success` or `failed`. A body with `method` is a call as JSON-RPC names it, and one with `meta` a Solana transaction whose status shows its signature. Only digests are behind the switch for raw signing. With `solana_signAndSendTransaction` a Solana transaction is signed, sent and followed in the same way. A body with `transaction`, or with the fields of a transaction themselves (EVM), is a contract call: it is completed, signed and broadcast, and followed as a withdrawal under `transaction_id`. Its value, or the token of the catalogue that it is a plain `transfer` of, is held and booked; what else a contract moves does not show in the balances here.
         */
        post: operations["signAny"];
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
         * Sign a digest, a message or typed data, or sign and broadcast a transaction
         * @description Accepts the request and has two of three nodes sign. Poll the signing request until it is `success` or `failed`. A body with `method` is a call as JSON-RPC names it, and one with `meta` a Solana transaction whose status shows its signature. Only digests are behind the switch for raw signing. With `solana_signAndSendTransaction` a Solana transaction is signed, sent and followed in the same way. A body with `transaction`, or with the fields of a transaction themselves (EVM), is a contract call: it is completed, signed and broadcast, and followed as a withdrawal under `transaction_id`. Its value, or the token of the catalogue that it is a plain `transfer` of, is held and booked; what else a contract moves does not show in the balances here.
         */
        post: operations["sign"];
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
         * Sign a message (EIP-191, or off-chain on Solana)
         * @description Accepts the request and has two of three nodes sign. Poll the signing request until it is `success` or `failed`. On EVM networks the nodes put the prefix of EIP-191 on themselves; on Solana the message is signed in the envelope of its off-chain message signing, which `payload` shows. A message that is a digest and nothing else (32 bytes, or 64 hex digits) is behind the switch for raw signing.
         */
        post: operations["signMessage"];
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
        post: operations["signTyped"];
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
        post: operations["signTransaction"];
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
         * @description Up to 100 items, each as the route of its type takes it. A body of another shape is refused whole; an item that is refused for what it says gets its `error`, and the others are accepted together: 202. An `external_id` that is taken, or that two items have, refuses the batch. With 200 nothing new was made: the batch is a repeat, or every item was refused, and then nothing is stored.
         */
        post: operations["signBatch"];
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
        /**
         * List signing operations
         * @description What is signed is shown where it has at most 4 KiB: read the operation itself for more.
         */
        get: operations["listSigningRequests"];
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
        post: operations["cancelSigningRequest"];
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
        get: operations["readSigningRequest"];
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
        get: operations["readSigningStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspace_id}/policy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the policy
         * @description The one in force, and the change that waits for approvals, if there is one. A workspace that has set none has the one that is built in: the sandbox allows everything; production asks for one approval, also of its changes, and denies dangerous and unknown calls. What nobody can read (raw digests, typed data of no known standard) waits for its approval, too.
         */
        get: operations["readPolicy"];
        /**
         * Set the policy
         * @description In force at once, unless the policy in force has `changes`: then it waits for these approvals, in place of an earlier change that waits. In production it waits for one approval also without them. What is under way keeps what was decided about it.
         */
        put: operations["setPolicy"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspace_id}/policy/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List every version of the policy
         * @description Also those that wait, were rejected, or gave way to a newer change before they were approved; each with what it changes of the one that was in force when it was asked for.
         */
        get: operations["listPolicyVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspace_id}/policy/simulate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try the policy
         * @description What would be decided about an operation, and why, rule by rule. Changes nothing, and looks at no balance but for `max` and `subtract_fee`.
         */
        post: operations["simulatePolicy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspace_id}/address-book": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the address book */
        get: operations["listAddressBook"];
        put?: never;
        /**
         * Add to the address book
         * @description Known at once, unless the policy in force has `changes`: then the entry is `pending` until it has these approvals. In production it needs one approval also without them.
         */
        post: operations["addAddress"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspace_id}/address-book/{address_book_id}": {
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
         * Remove from the address book
         * @description Unknown at once; what was decided stays decided.
         */
        delete: operations["removeAddress"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/withdrawals/{withdrawal_id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve a withdrawal
         * @description An approval is of the digest that is shown with what waits for it, once a key, until it expires; with the last that is needed it goes on at once. Whoever asked for it cannot approve it. Harmless to repeat.
         */
        post: operations["approveWithdrawal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/signing-requests/{signing_id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve a signing operation
         * @description An approval is of the digest that is shown with what waits for it, once a key, until it expires; with the last that is needed it goes on at once. Whoever asked for it cannot approve it. Harmless to repeat.
         */
        post: operations["approveSigningRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspace_id}/policy/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve a change of the policy
         * @description An approval is of the digest that is shown with what waits for it, once a key, until it expires; with the last that is needed it goes on at once. Whoever asked for it cannot approve it. Harmless to repeat. The digest says which change is meant, since a newer one takes the place of an older one.
         */
        post: operations["approvePolicy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspace_id}/address-book/{address_book_id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve an addition to the address book
         * @description An approval is of the digest that is shown with what waits for it, once a key, until it expires; with the last that is needed it goes on at once. Whoever asked for it cannot approve it. Harmless to repeat.
         */
        post: operations["approveAddress"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/changes/{change_id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve a change of users, keys or freezes
         * @description An approval is of the digest that is shown with what waits for it, once a key, until it expires; with the last that is needed it goes on at once. Whoever asked for it cannot approve it. Harmless to repeat.
         */
        post: operations["approveChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/withdrawals/{withdrawal_id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reject a withdrawal
         * @description One rejection ends it. Whoever asked for it cannot reject it: cancelling is another route. Harmless to repeat.
         */
        post: operations["rejectWithdrawal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/signing-requests/{signing_id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reject a signing operation
         * @description One rejection ends it. Whoever asked for it cannot reject it: cancelling is another route. Harmless to repeat.
         */
        post: operations["rejectSigningRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspace_id}/policy/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reject a change of the policy
         * @description One rejection ends it. Whoever asked for it cannot reject it: cancelling is another route. Harmless to repeat. The digest says which change is meant, since a newer one takes the place of an older one.
         */
        post: operations["rejectPolicy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspace_id}/address-book/{address_book_id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reject an addition to the address book
         * @description One rejection ends it. Whoever asked for it cannot reject it: cancelling is another route. Harmless to repeat.
         */
        post: operations["rejectAddress"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/changes/{change_id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reject a change of users, keys or freezes
         * @description One rejection ends it. Whoever asked for it cannot reject it: cancelling is another route. Harmless to repeat.
         */
        post: operations["rejectChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspace_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow the events
         * @description Every event of the workspace, oldest first, without a gap: nothing is lost when a receiver was down, and no event appears behind one that was read. Go on with `after_seq` as the `seq` of the last one; with `Prefer: wait` the answer comes as soon as there is one after it. A key that is bound to wallets sees those of its wallets. Events are kept for a time that the operator sets, at least 30 days: an `after_seq` before what is kept is a 400 `invalid_cursor`, and without one the feed begins with the oldest that is kept.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspace_id}/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks
         * @description Disabled ones too, never with a secret.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook
         * @description Events from now on are posted to the url as the Standard Webhooks specification says, until they are taken (2xx) or ten attempts have failed: at once, then 5 seconds, 5 minutes, 30 minutes, 2, 5, 10, 14, 20 and 24 hours after the one before, each up to a tenth later. While something waits for its third attempt, the endpoint is also probed with it, at most every ten seconds: a probe counts as an attempt only when it is taken, and then everything that waits so is sent. Events may come twice, with the same `webhook-id`, and out of order: `seq` orders them. The answer shows the secret, once.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspace_id}/webhook-verification-key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the key that verifies `v1a` signatures */
        get: operations["readWebhookKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhook_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a webhook */
        get: operations["readWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook
         * @description For ever. What waits for it is sent no more.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change a webhook
         * @description Only what is sent changes. What is under way goes to the url of before. A webhook that was disabled is active again by `status: active`.
         */
        patch: operations["changeWebhook"];
        trace?: never;
    };
    "/api/v1/webhooks/{webhook_id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a webhook a new secret
         * @description The answer shows the new secret, once. For 24 hours each delivery is signed by the former secret too; one from an earlier rotation ends at once.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhook_id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries
         * @description With every attempt: what was answered, how long it took, and why it failed. One that has ended is kept for a time that the operator sets, at least seven days.
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhook_id}/ping": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test a webhook
         * @description Sends it an event `webhook.ping`, whatever types it takes; no other webhook hears of it. The log of deliveries says what came of it.
         */
        post: operations["pingWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{webhook_id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver the events of a time again
         * @description At most 10000 in one request, in the order of the feed; also those of a time when the webhook was disabled or was not there yet, as far as they are kept.
         */
        post: operations["replayWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/deliveries/{delivery_id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver one event again
         * @description A delivery beside the first, with its own ten attempts. While one of the event is pending, this one is tried at once.
         */
        post: operations["redeliver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspace_id}/exports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List exports
         * @description Those that the key may read. They are kept for a time only, with their files.
         */
        get: operations["listExports"];
        put?: never;
        /**
         * Start an export
         * @description Has everything of a kind written into a file, as of one moment, however long it takes. Poll it until it is `completed`, then download its content. It goes on when processes of the service die; it begins anew then, with a later moment. `export.completed`, `export.failed` and `export.cancelled` tell of its end.
         */
        post: operations["startExport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspace_id}/exports/{export_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read an export */
        get: operations["readExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspace_id}/exports/{export_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel an export
         * @description While it is `pending` or `running`: it becomes `cancelled` at once, and a worker that writes it stops within seconds and erases what it has written.
         */
        post: operations["cancelExport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspace_id}/exports/{export_id}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download an export
         * @description The file of a completed export. A connection that breaks off goes on with `Range`; what came is whole when it has the `sha256` of the record.
         */
        get: operations["downloadExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspace_id}/export-schedules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List export schedules
         * @description Those of which the key may read what they export.
         */
        get: operations["listExportSchedules"];
        put?: never;
        /**
         * Create an export schedule
         * @description Has an export made again and again, by the rights of the key that makes it: once that is revoked or may not read this any more, it is paused. While an export of it is under way, the next one is left out.
         */
        post: operations["createExportSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspace_id}/export-schedules/{schedule_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read an export schedule */
        get: operations["readExportSchedule"];
        put?: never;
        post?: never;
        /**
         * Delete an export schedule
         * @description For ever. Exports that it made stay.
         */
        delete: operations["deleteExportSchedule"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspace_id}/export-schedules/{schedule_id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause an export schedule
         * @description It makes no exports until it is resumed.
         */
        post: operations["pauseExportSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspace_id}/export-schedules/{schedule_id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume an export schedule
         * @description It exports from now on by the rights of the key that resumes it. What was due meanwhile is not made up for.
         */
        post: operations["resumeExportSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspace_id}/export-schedules/{schedule_id}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run an export schedule now
         * @description As if it were due now, also while it is paused; by the rights of the key that asks.
         */
        post: operations["runExportSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspace_id}/audit-logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the audit log
         * @description Every write and every refused attempt: who, from where, what, and what there was before. A key that is bound to wallets does not see it.
         */
        get: operations["listAuditLogs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspace_id}/audit-logs/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the audit log
         * @description As CSV with the filters of the list, or as JSONL: the whole chain with its hashes and signed heads, for `npm run verify-audit`, which needs only the file and the public key. A connection that breaks off means that the file is not whole: ask again.
         */
        get: operations["exportAuditLogs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspace_id}/audit-logs/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Verify the audit log
         * @description Computes every hash of the chain anew and checks every signed head. An entry that is older than ten seconds must have its place. Takes about a second for each 25,000 entries.
         */
        get: operations["verifyAuditLogs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspace_id}/audit-logs/head": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the signed head of the audit log
         * @description What the chain was when it was signed last, at most about a minute ago. Keep it elsewhere: an export that contradicts it was cut or written anew.
         */
        get: operations["readAuditHead"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/faucet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pay a wallet from the faucet
         * @description A real transaction of a sandbox chain, from its treasury. Only in the sandbox. It arrives as a deposit: follow the balance or the transactions of the wallet.
         */
        post: operations["faucet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/mine": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mine blocks
         * @description On the Ethereum and the Bitcoin of the sandbox, where blocks also come by themselves while transactions wait. Only in the sandbox. The slots of Solana pass by themselves.
         */
        post: operations["mine"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "wallet.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A wallet has its keys and addresses. */
        post: operations["onWalletCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "wallet.creation_failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A wallet got no keys, and never will. */
        post: operations["onWalletCreationFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "wallet.frozen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A wallet signs nothing from now on. */
        post: operations["onWalletFrozen"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "wallet.unfrozen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A wallet that was frozen signs again. */
        post: operations["onWalletUnfrozen"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "deposit.pending": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Something arrived in a block: for the first time, or again after it was reorged. */
        post: operations["onDepositPending"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "deposit.confirmed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** It is final and can be spent. */
        post: operations["onDepositConfirmed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "deposit.reorged": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Its block is no longer in the chain: it counts no more, also when it was confirmed. */
        post: operations["onDepositReorged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "withdrawal.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A withdrawal is stored and its amount held. */
        post: operations["onWithdrawalCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "withdrawal.pending_approval": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The policy wants it approved. */
        post: operations["onWithdrawalPendingApproval"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "withdrawal.approved": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The policy let it through, or enough have approved. */
        post: operations["onWithdrawalApproved"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "withdrawal.rejected": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An approver rejected it. */
        post: operations["onWithdrawalRejected"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "withdrawal.processing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A worker has taken it up. */
        post: operations["onWithdrawalProcessing"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "withdrawal.insufficient_funds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** It waits for funds: `shortage` says what is missing and until when it waits. Again when that has doubled or halved. */
        post: operations["onWithdrawalInsufficientFunds"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "withdrawal.broadcast": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Its first transaction is out: `tx_hash`. */
        post: operations["onWithdrawalBroadcast"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "withdrawal.replaced": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Another transaction is out in the place of the one before it: `tx_hash` is the new one. It may be sped up, dropped or renewed. */
        post: operations["onWithdrawalReplaced"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "withdrawal.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The chain has it for good. */
        post: operations["onWithdrawalCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "withdrawal.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** It moved nothing, and never will. */
        post: operations["onWithdrawalFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "withdrawal.cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** It was cancelled before anything was signed. */
        post: operations["onWithdrawalCancelled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "signing.pending_approval": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The policy wants it approved before anything is signed. */
        post: operations["onSigningPendingApproval"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "signing.submitted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The first attempt has begun. */
        post: operations["onSigningSubmitted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "signing.success": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** There is a signature. */
        post: operations["onSigningSuccess"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "signing.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** There is no signature, and never will be. */
        post: operations["onSigningFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "workspace.withdrawals_frozen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Withdrawals and signatures of the workspace are refused from now on. */
        post: operations["onWorkspaceWithdrawalsFrozen"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "workspace.withdrawals_unfrozen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** They are taken again. */
        post: operations["onWorkspaceWithdrawalsUnfrozen"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "api_key.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A key was made. Its secrets are in no event. */
        post: operations["onApiKeyCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "api_key.revoked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A key is refused from now on, for ever. */
        post: operations["onApiKeyRevoked"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "passkey.enrolled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A user signs in and votes by it from now on. */
        post: operations["onPasskeyEnrolled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "passkey.removed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** It is refused from now on, for ever: its sessions end, and its votes that are still counted do not count. */
        post: operations["onPasskeyRemoved"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "export.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The file of an export is there. */
        post: operations["onExportCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "export.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An export has no file, and never will. */
        post: operations["onExportFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "export.cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A caller ended an export: nothing of its file is left. */
        post: operations["onExportCancelled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.ping": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Somebody tests an endpoint, which alone is sent it. */
        post: operations["onWebhookPing"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.disabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An endpoint is sent nothing more until it is made active again. */
        post: operations["onWebhookDisabled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** Error */
        Error: {
            /** @constant */
            success: false;
            /** @description One sentence that says what to change. */
            message: string;
            /** @description A stable code for programs: `invalid_request` (400), `invalid_signing_hash` (400), `conflicting_aliases` (400), `hardened_derivation` (400), `invalid_address` (400), `invalid_cursor` (400), `unauthorized` (401), `insufficient_scope` (403), `wallet_not_allowed` (403), `ip_not_allowed` (403), `policy_denied` (403), `not_found` (404), `method_not_allowed` (405), `idempotency_key_reused` (409), `request_replayed` (409), `external_id_taken` (409), `invalid_state` (409), `insufficient_funds` (409), `payload_too_large` (413), `unsupported_media_type` (415), `wallet_frozen` (423), `withdrawals_frozen` (423), `rate_limited` (429), `internal_error` (500), `route_disabled` (503), `mpc_unavailable` (503), `dependency_unavailable` (503). */
            code: string;
            data: null;
        };
        WalletEventData: {
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
            /**
             * Format: uuid
             * @description Workspace id.
             */
            workspace_id: string;
            name: string;
            wallet_type: components["schemas"]["WalletType"];
            /** @description One of those that can be asked for; wallets of before there were these have any text. */
            wallet_purpose?: string;
            /** @description The caller's own name for it. */
            external_id?: string;
            status: components["schemas"]["WalletStatus"];
            /** @description What who froze, unfroze or archived it last gave as the reason. */
            reason?: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description Stable, for programs. */
            error_code?: string;
            /** @description The same in one plain sentence. */
            error_reason?: string;
            addresses?: components["schemas"]["WalletAddresses"];
        };
        DepositEventData: {
            /**
             * Format: uuid
             * @description Id of this record.
             */
            id: string;
            /**
             * Format: uuid
             * @description The same as `id`.
             */
            transaction_id: string;
            /**
             * Format: uuid
             * @description Workspace id.
             */
            workspace_id: string;
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
             * @description Decimal number in the asset's unit.
             * @example 1.5
             */
            amount: string;
            /** @description Only what is `confirmed` can be spent. What was `reorged` is `pending` again when it comes back. */
            status: components["schemas"]["DepositStatus"];
            tx_hash: string;
            /** @description Absent where the chain names no single sender. */
            from_address?: string;
            /** @description The wallet's own address. */
            to_address: string;
            /** @description The block that has it, or had it. */
            block_number: number;
            /** @description Absent when a reorganisation took the block. */
            block_hash?: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        WithdrawalEventData: {
            /**
             * Format: uuid
             * @description Withdrawal id.
             */
            id: string;
            /**
             * Format: uuid
             * @description The same as `id`, under the name that SDK callers use.
             */
            transaction_id: string;
            /**
             * Format: uuid
             * @description Workspace id.
             */
            workspace_id: string;
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
            /** @description Internal code of the network. */
            network_internal_code: string;
            /** @description `transfer` of the asset, or the `contract_call` of a signRaw request, whose amount is its value. */
            method: components["schemas"]["TransactionMethod"];
            /**
             * @description What the recipient gets, in the asset's unit. Fees come on top.
             * @example 1.5
             */
            amount: string;
            /** @description In the canonical form of the chain; the contract of a call. */
            recipient_address: string;
            /** @description The wallet's own address. */
            from_address: string;
            /** @description How soon it should be in a block, and what that may cost: see the fees of the network. */
            fee_level: components["schemas"]["FeeLevel"];
            /**
             * @description What the fee must not exceed, in the native currency of the network.
             * @example 1.5
             */
            max_fee?: string;
            /**
             * @description What the chain took, in the native currency; absent until it is final.
             * @example 1.5
             */
            fee_paid?: string;
            /** @description The caller's own name for it. */
            external_id?: string;
            /** @description `pending_approval` until enough have approved, `approved` until a worker takes it up, `processing` until the chain has it for good. `completed`, `failed`, `rejected` and `cancelled` are final. */
            status: components["schemas"]["WithdrawalStatus"];
            /** @description Where it stands within `processing`, or how it ended: `insufficient_funds` waits for the fee, `stuck` for a block longer than usual; `reverted` was executed and failed, and paid its fee. */
            sub_status?: components["schemas"]["WithdrawalSubStatus"];
            shortage?: components["schemas"]["Shortage"];
            /** @description Of one that failed or was cancelled: stable, for programs. */
            error_code?: string;
            /** @description The same in one plain sentence. */
            error_reason?: string;
            /** @description What who rejected or cancelled it gave as the reason. */
            reason?: string;
            /** @description Of the transaction that stands for it now; absent until it is broadcast. */
            tx_hash?: string;
            /** @description The nodes of the cluster that signed that transaction, ascending; absent where that was not kept. */
            signed_by_nodes?: number[];
            /** @description The block that has it. */
            block_number?: number;
            /** @description 1 in the newest block. */
            confirmations?: number;
            /**
             * Format: uuid
             * @description The user who asked.
             */
            requested_by: string;
            /** @description Why the policy decided as it did, in plain sentences. */
            policy_reasons: string[];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * Format: date-time
             * @description Of the final status.
             */
            completed_at?: string;
            decoded?: components["schemas"]["DecodedContent"];
        };
        SigningEventData: {
            /**
             * Format: uuid
             * @description The signing operation.
             */
            id: string;
            /**
             * Format: uuid
             * @description The same as `id`.
             */
            signing_id: string;
            operation_type: components["schemas"]["SigningOrigin"];
            /**
             * Format: uuid
             * @description Wallet id.
             */
            wallet_id: string;
            /** @description Internal code of the network. */
            network_internal_code: string;
            key_type: components["schemas"]["Curve"];
            /** @description What the nodes are shown. Only a `raw_digest` is signed without being read. */
            payload_kind: components["schemas"]["PayloadKind"];
            /** @description The caller's own name for it. */
            external_id?: string;
            /** @description 0x and 64 hex digits. Of the `solana_` kinds, which are signed unhashed, their SHA-256. */
            signing_hash: string;
            derivation_path: string;
            status: components["schemas"]["SigningStatus"];
            status_reason?: components["schemas"]["SigningStatusReason"];
            /** @description Signing id and attempt, as the nodes know it. */
            mpc_correlation_id?: string;
            /** @description Stable, for programs. */
            error_code?: string;
            /** @description The same in one plain sentence. */
            error_reason?: string;
            /** @description What who rejected or cancelled it gave as the reason. */
            reason?: string;
            /** @description 0x r‖s‖v on secp256k1 (s low, v 27 or 28), 64 bytes in hex on ed25519. */
            signature?: string;
            /** @description The derived child key, hex. */
            public_key?: string;
            /** @description Its address on the network. */
            address?: string;
            /** @description The nodes of its cluster that made the signature, ascending; absent where that was not kept. */
            signed_by_nodes?: number[];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            completed_at?: string;
            /**
             * Format: uuid
             * @description The withdrawal that it is for.
             */
            withdrawal_id?: string;
            payload?: components["schemas"]["SignedPayload"];
            /**
             * Format: uuid
             * @description Workspace id.
             */
            workspace_id: string;
        };
        WithdrawalsFreezeEventData: WithRequired<components["schemas"]["WithdrawalsFreeze"], "updated_at">;
        ApiKeyEventData: {
            /**
             * Format: uuid
             * @description API key id.
             */
            id: string;
            /**
             * Format: uuid
             * @description Workspace id.
             */
            workspace_id: string;
            /**
             * Format: uuid
             * @description The user whose key it is, and whose votes it gives.
             */
            user_id: string;
            scopes: string[];
            /** @description Empty when the key reaches every wallet. */
            wallet_ids: string[];
            name: string;
            /** @description Id of the user who made it, or `operator`. */
            created_by: string;
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
             * @description When the key was made.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the key was last changed; its use is no change.
             */
            updated_at: string;
        };
        PasskeyEventData: {
            /**
             * Format: uuid
             * @description Id of a passkey.
             */
            id: string;
            /**
             * Format: uuid
             * @description Whose it is.
             */
            user_id: string;
            name: string;
            /** @description SubjectPublicKeyInfo, DER, base64: what evidence is verified with. */
            public_key: string;
            /**
             * Format: date-time
             * @description Since when it is refused, for ever.
             */
            removed_at?: string;
            /**
             * Format: date-time
             * @description When it was enrolled.
             */
            created_at: string;
            /**
             * Format: uuid
             * @description Workspace id.
             */
            workspace_id: string;
        };
        ExportEventData: {
            /**
             * Format: uuid
             * @description Export id.
             */
            id: string;
            content: components["schemas"]["ExportContent"];
            format: components["schemas"]["ExportFormat"];
            status: components["schemas"]["ExportStatus"];
            /** @description Stable, for programs. */
            error_code?: string;
            /** @description The same in one plain sentence. */
            error_reason?: string;
            /** @description Why it was cancelled, in the words of who did. */
            reason?: string;
            /**
             * Format: date-time
             * @description When it was asked for.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When its status changed last, or more of it was written.
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description When it ended.
             */
            completed_at?: string;
            /**
             * Format: uuid
             * @description Workspace id.
             */
            workspace_id: string;
        };
        WebhookEventData: {
            /**
             * Format: uuid
             * @description Webhook id.
             */
            webhook_id: string;
            /**
             * @description Why it is disabled: a caller asked for it, it answered 410, or nothing was taken for five days. Absent unless disabled.
             * @enum {unknown}
             */
            status_reason?: "requested" | "gone" | "failing";
        };
        /** @enum {string} */
        WalletType: "standard" | "mpc";
        /** @enum {string} */
        WalletStatus: "creating" | "active" | "failed" | "frozen" | "archived";
        /** @description By chain family: none until the wallet is active, and none when it is archived. Of its events `wallet.created` has them. */
        WalletAddresses: {
            evm?: string;
            sol?: string;
            btc?: string;
            tron?: string;
        };
        /** @enum {string} */
        DepositStatus: "pending" | "confirmed" | "reorged";
        /** @enum {string} */
        TransactionMethod: "transfer" | "contract_call";
        /** @enum {string} */
        FeeLevel: "low" | "medium" | "high";
        /** @enum {string} */
        WithdrawalStatus: "pending" | "pending_approval" | "approved" | "processing" | "completed" | "failed" | "rejected" | "cancelled";
        /** @enum {string} */
        WithdrawalSubStatus: "policy_check" | "queued" | "awaiting_signature" | "broadcasting" | "confirming" | "stuck" | "replaced" | "reorged" | "insufficient_funds" | "reverted";
        /** @description While it is `insufficient_funds`: what is missing, and until when it waits. */
        Shortage: {
            /**
             * Format: uuid
             * @description Catalogue id of an asset; not a contract address.
             * @example bfc0a64b-e218-5deb-9c64-4125afa39d1a
             */
            asset_id: string;
            /**
             * @description Its symbol.
             * @example ETH
             */
            asset: string;
            /**
             * @description How much more the address must have, by the last quote; absent where nobody could say.
             * @example 0.0003
             */
            missing?: string;
            /**
             * Format: date-time
             * @description It fails when that is still missing then; absent of one that is signed, which waits for ever.
             */
            waits_until?: string;
        };
        /** @enum {string} */
        CallKind: "transfer" | "dangerous" | "unknown";
        /** @description What is absent or null is not known, and may be anything. */
        DecodedMovement: {
            /** @description Of an asset of the catalogue. */
            asset_id?: string | null;
            /** @description In the asset's unit. */
            amount?: string | null;
            /** @description Whole base units. */
            amount_base_units?: string | null;
            /** @description Who receives it. */
            destination?: string | null;
            /** @description Of the asset, where it is decoded. */
            symbol?: string;
            /** @description The contract or mint that stands for the asset; absent also for the native currency. */
            contract?: string;
            /** @description On Solana: the account that receives a token. */
            token_account?: string;
            /** @description Of a simulation, when a rule asks. */
            in_address_book?: boolean;
        };
        /** @description What it does, read from the bytes that are signed and from nothing that its caller says of it. */
        DecodedContent: {
            /** @description As `calls` of a policy names it. A message has none. */
            kind?: components["schemas"]["CallKind"];
            /** @description One plain clause: what it was found to do. */
            summary?: string;
            /** @description Whom an EVM call is to, also the one that a Safe is to make; absent where a contract is created. */
            to?: string;
            /** @description What the call carries, in the native currency of the network. */
            value?: string;
            /** @description The function that it calls, where it is a known one. */
            method?: string;
            /** @description Of the method, in their order: numbers are decimal, bytes 0x hex, lists and structs JSON text. The types stand in `method`. */
            arguments?: string[];
            /** @description Of a Solana transaction: the program of each, and what is read of it. */
            instructions?: string[];
            /** @description All that is seen to move. */
            movements: components["schemas"]["DecodedMovement"][];
            /** @description What a transaction may pay at most, in the native currency; absent where it is not known. */
            max_fee?: string;
            /** @description What of it was not understood: it may move anything besides. */
            unknown: string[];
            /** @description Internal codes of the networks that are enabled here and on which it is valid, the named one first. */
            networks: string[];
        };
        /** @enum {string} */
        SigningOrigin: "withdrawal" | "generic";
        /** @enum {string} */
        Curve: "secp256k1" | "ed25519";
        /** @enum {string} */
        PayloadKind: "raw_digest" | "evm_transaction" | "evm_message" | "evm_typed_data" | "solana_transaction" | "bitcoin_input" | "solana_message";
        /** @enum {string} */
        SigningStatus: "pending" | "submitted" | "failed" | "success";
        /** @enum {string} */
        SigningStatusReason: "awaiting_approval" | "queued" | "cluster_not_ready" | "policy_denied" | "approval_rejected" | "approval_expired" | "cancelled" | "frozen" | "mpc_timeout" | "mpc_error" | "signature_invalid";
        TypedDataField: {
            name: string;
            type: string;
        };
        JsonObject: {
            [key: string]: unknown;
        };
        /** @description An EIP-712 document: at most 64 types and 4096 bytes of them, 32 levels deep, 64 KiB in the encoding of the nodes (a value is 33 bytes, or 5 and its own). */
        TypedData: {
            /** @description `EIP712Domain` may be left out: it follows from the fields of `domain`. */
            types: {
                [key: string]: components["schemas"]["TypedDataField"][];
            };
            /** @description When absent, the one type that no other refers to. */
            primaryType?: string;
            /** @description Some of EIP-712's five fields; `chainId`, when it is there, must be the network's. */
            domain: components["schemas"]["JsonObject"];
            /** @description Every field of its type and no other. Integers beyond 2^53 - 1 are strings, decimal or 0x hex. */
            message: components["schemas"]["JsonObject"];
        };
        /** @description What is signed. Absent where the stored operation is no longer what was asked for, which nobody can approve. */
        SignedPayload: {
            /** @description What the nodes are shown. Only a `raw_digest` is signed without being read. */
            kind: components["schemas"]["PayloadKind"];
            /** @description The bytes of a message, 0x hex: on EVM networks without the prefix of EIP-191. */
            message?: string;
            /** @description The message as text, where it is text. What is signed are the bytes. */
            text?: string;
            /** @description Of a message in the off-chain envelope of Solana: which application asks, base58. */
            application_domain?: string;
            /** @description Whose signatures such an envelope asks for. */
            signers?: string[];
            typed_data?: components["schemas"]["TypedData"];
            /** @description The unsigned transaction, 0x hex: as it is hashed on EVM networks; the message on Solana. */
            transaction?: string;
            /** @description What came with a raw digest: nobody has signed it, and it may be anything. */
            unsigned_tx?: string;
            /** @description Whether `signing_hash` is the hash of `transaction` or `unsigned_tx`: keccak256 on EVM networks, SHA-256 on Tron and Solana, twice SHA-256 on Bitcoin. When it is false, take nothing that `unsigned_tx` says for what is signed. */
            matches_digest?: boolean;
            /** @description True where what is signed is longer than 4 KiB and left out: read the operation itself. */
            shortened?: boolean;
            decoded: components["schemas"]["DecodedContent"];
        };
        /** @enum {string} */
        ExportContent: "transactions" | "withdrawals" | "deposits" | "signing_requests" | "ledger_entries" | "balances" | "audit";
        /** @enum {string} */
        ExportFormat: "csv" | "jsonl" | "parquet";
        /** @enum {string} */
        ExportStatus: "pending" | "running" | "completed" | "failed" | "cancelled";
        /** @enum {string} */
        Reachability: "up" | "down";
        PartStatus: {
            status: components["schemas"]["Reachability"];
        };
        /** @description Success. */
        PartStatusAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["PartStatus"];
        };
        ReadReadinessData: {
            postgres: components["schemas"]["Reachability"];
            temporal?: components["schemas"]["Reachability"];
            /** @description Whether enough nodes to sign were up a moment ago, as a worker found them. */
            mpc?: components["schemas"]["Reachability"];
        };
        /** @description Success. */
        ReadReadinessDataAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["ReadReadinessData"];
        };
        ReadTimeData: {
            /** @description What ACCESS-TIMESTAMP is compared with. */
            unix_seconds: number;
            /** Format: date-time */
            time: string;
        };
        /** @description Success. */
        ReadTimeDataAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["ReadTimeData"];
        };
        TaskQueue: {
            backlog: number;
            /** @description How long the oldest task has waited for a worker. */
            oldest_age_seconds: number;
            /** @description Workers that asked for tasks a moment ago. */
            pollers: number;
        };
        TaskQueues: {
            workflow: components["schemas"]["TaskQueue"];
            activity: components["schemas"]["TaskQueue"];
        };
        Backlog: {
            count: number;
            /** @description How long the oldest has waited; 0 when none does. */
            oldest_age_seconds: number;
        };
        ServiceStatus: {
            postgres: components["schemas"]["PartStatus"];
            temporal: {
                status: components["schemas"]["Reachability"];
                /** @description Null while Temporal does not answer. */
                task_queues: components["schemas"]["TaskQueues"] | null;
                /** @description In Temporal's web interface; `/` and the id of a workflow lead to it. */
                workflows_url?: string;
            };
            mpc_nodes: {
                /** @description Its name: `main`, unless the service has several. */
                cluster: string;
                /** @description Its number in its cluster. */
                node: number;
                status: components["schemas"]["Reachability"];
                /** @description How often it has banned another node; it bans one under one key at a time. */
                bans: number;
                /** @description The nodes of its cluster that it has banned under any key, ascending. */
                banned_nodes: number[];
                /** @description What it says of itself. */
                version: string | null;
                /** @description Of the policy file that it signs by, in hex; the nodes of a cluster should have the same. */
                policy_sha256: string | null;
                /** @description How long it took to tell how it is; null while it does not answer. */
                answer_ms: number | null;
                /** @description How long it usually takes in a signature; the workers prefer fast nodes by it. Null before the first one. */
                signing_ms: number | null;
                error: string | null;
                /** @description Since a worker asked it last. */
                checked_age_seconds: number;
            }[];
            chains: {
                /** @description Its internal code. */
                network: string;
                /** @enum {unknown} */
                status: "watched" | "failing" | "halted";
                halted_reason: string | null;
                /** @description Why it could not be read on when that was tried last; null since it could. */
                last_error: string | null;
                head_block: number;
                /** @description Blocks up to the head that are not read yet. */
                lag_blocks: number;
                /** @description Since its node told its head. */
                head_age_seconds: number;
            }[];
            queues: {
                outbox: components["schemas"]["Backlog"];
                events: components["schemas"]["Backlog"];
                webhooks: components["schemas"]["Backlog"];
                audit: components["schemas"]["Backlog"];
            };
            open_operations: {
                /** @enum {unknown} */
                kind: "wallet" | "signing_request" | "withdrawal" | "export";
                status: string;
                count: number;
                /** @description Since it was made; of a withdrawal since its last step. */
                oldest_age_seconds: number;
            }[];
            /** @description Processes that carry out workflows and activities. */
            workers: number;
            signers: {
                total: number;
                up: number;
            };
        };
        /** @description Success. */
        ServiceStatusAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["ServiceStatus"];
        };
        /** @enum {string} */
        SortColumn: "created_at" | "updated_at";
        /** @enum {string} */
        SortOrder: "asc" | "desc";
        ApiKey: {
            /**
             * Format: uuid
             * @description API key id.
             */
            id: string;
            /**
             * Format: uuid
             * @description Workspace id.
             */
            workspace_id: string;
            /**
             * Format: uuid
             * @description The user whose key it is, and whose votes it gives.
             */
            user_id: string;
            scopes: string[];
            /** @description Empty when the key reaches every wallet. */
            wallet_ids: string[];
            name: string;
            /** @description Id of the user who made it, or `operator`. */
            created_by: string;
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
             * @description When the key was made.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the key was last changed; its use is no change.
             */
            updated_at: string;
            /** @description The key identifier: what ACCESS-API-KEY carries. */
            api_key: string;
            /** @description Absent when any address is allowed. */
            ip_allowlist?: string[];
            /**
             * @description Absent for all but legacy keys.
             * @constant
             */
            legacy_path_signing?: true;
            /** @description Of the key by which the sessions of its user act, which has no secret: what its scopes are made of. Absent for all others. */
            roles?: ("administrator" | "approver" | "operator" | "viewer" | "auditor")[];
            /**
             * @description Another user made or rotated the key: its own user has yet to take the secret (`take-secret`).
             * @constant
             */
            awaiting_secret?: true;
            /**
             * Format: date-time
             * @description Until when the secret before the last rotation still signs. Absent when it ends with `awaiting_secret`, or did.
             */
            previous_secret_expires_at?: string;
            /**
             * Format: date-time
             * @description Written every few seconds.
             */
            last_used_at?: string;
            last_used_ip?: string;
            /** @description The signing secret, shown once, to who makes the key or takes its secret, and in no list: a repeat of the request under its X-Idempotency-Key answers the record without it. */
            api_secret?: string;
        };
        /** @description Success. */
        ApiKeyListAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["ApiKey"][];
        };
        /** @enum {string} */
        Scope: "catalog:read" | "wallets:read" | "wallets:write" | "wallets:admin" | "balances:read" | "transactions:read" | "transactions:write" | "withdrawals:read" | "withdrawals:write" | "withdrawals:approve" | "signing:read" | "signing:write" | "signing:approve" | "policies:read" | "policies:write" | "webhooks:read" | "webhooks:write" | "audit:read" | "observability:read" | "api_keys:admin" | "workspace:admin";
        CreateApiKeyBody: {
            /** @example payout service */
            name: string;
            /**
             * Format: uuid
             * @description Whose key it will be; that of the calling key when absent.
             */
            user_id?: string;
            /** @description What the key may do. None that the calling key lacks, but for the scopes to approve of a key that waits for approval. */
            scopes: components["schemas"]["Scope"][];
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
        /** @description Success. */
        ApiKeyAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["ApiKey"];
        };
        /** @enum {string} */
        AuthorityChangeKind: "create_user" | "enable_user" | "create_api_key" | "rotate_api_key" | "change_api_key" | "give_roles" | "enrol_passkey" | "unfreeze_withdrawals" | "unfreeze_wallet";
        /** @enum {string} */
        ApprovalStatus: "pending" | "approved" | "rejected";
        /** @enum {string} */
        ApprovalRoundStatus: "pending" | "approved" | "rejected" | "expired" | "cancelled";
        ApprovalVote: {
            /** @description User id. */
            user_id: string;
            status: components["schemas"]["ApprovalStatus"];
            /** Format: date-time */
            voted_at?: string;
        };
        Approval: {
            status: components["schemas"]["ApprovalRoundStatus"];
            /** @description SHA-256 over the canonical JSON (RFC 8785) of what is approved. */
            digest: string;
            /** @description How many approvals. */
            required: number;
            /**
             * @description What each approval must be given with; absent for any key.
             * @constant
             */
            approve_with?: "passkey";
            /** @description One for each user who voted. Named approvers who have not are `pending`. */
            approvals: components["schemas"]["ApprovalVote"][];
            /** @description Why it needs approval. */
            reasons: string[];
            /** @description The user who asked, who cannot approve. */
            requested_by: string;
            /** Format: date-time */
            expires_at: string;
            /** Format: date-time */
            decided_at?: string;
        };
        AuthorityChange: {
            /**
             * Format: uuid
             * @description Id of a change.
             */
            id: string;
            /** Format: uuid */
            workspace_id: string;
            kind: components["schemas"]["AuthorityChangeKind"];
            /**
             * Format: uuid
             * @description Who is made or changed, or whose key is; of unfreezing who asked.
             */
            user_id: string;
            /**
             * Format: uuid
             * @description The key that is made or changed.
             */
            api_key_id?: string;
            /**
             * Format: uuid
             * @description The wallet that is unfrozen.
             */
            wallet_id?: string;
            status: components["schemas"]["ApprovalStatus"];
            /** @description What will be done. Never a secret. */
            details: {
                name?: string;
                email?: string | null;
                /** @description The identifier of the key that is made. */
                api_key?: string;
                scopes?: string[];
                /** @description Empty for every wallet. */
                wallet_ids?: string[];
                /** @description Empty for any address. */
                ip_allowlist?: string[];
                /** @description Null for never. */
                expires_at?: string | null;
                /** @description What the user may do at the console. */
                roles?: string[];
                /** @description The roles when this was asked for. */
                roles_before?: string[];
                /** @description Of an enrolment link: for how long it is good once it is approved. */
                expires_in_seconds?: number;
                legacy_path_signing?: boolean;
                overlap_seconds?: number;
                /** @description What the key could do when this was asked for. */
                before?: {
                    scopes: string[];
                    /** @description Empty for every wallet. */
                    wallet_ids: string[];
                    /** @description Empty for any address. */
                    ip_allowlist: string[];
                    /** @description Null for never. */
                    expires_at: string | null;
                };
                /** @description Of unfreezing: what who asked gave as the reason. */
                reason?: string;
                /** @description Of unfreezing: which freeze it is. A later one is not undone by it. */
                freeze_version?: number;
            };
            /** @description The user who asked. */
            created_by: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            approval?: components["schemas"]["Approval"];
        };
        /** @description Success. */
        AuthorityChangeAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["AuthorityChange"];
        };
        ChangeApiKeyBody: {
            /** @example payout service */
            name?: string;
            /** @description What the key may do. None that the calling key lacks, but for the scopes to approve of a key that waits for approval. */
            scopes?: components["schemas"]["Scope"][];
            /** @description Wallets of the workspace that the key is bound to; empty for all. */
            wallet_ids?: string[];
            /** @description null allows any address. */
            ip_allowlist?: string[] | null;
            /** @description null lets the key never end. */
            expires_at?: string | null;
        };
        SecretOverlapBody: {
            /** @description How long the secret until now still signs, if there is one; 3600 when absent, so that a lost answer locks nobody out. 0 when the secret may have leaked. A secret from an earlier rotation ends at once. When another user's key is rotated and waits for approval: counted from there; absent, until its user has taken the new secret. */
            overlap_seconds?: number;
        };
        /** @enum {string} */
        UserStatus: "active" | "disabled";
        User: {
            /**
             * Format: uuid
             * @description User id.
             */
            id: string;
            /** Format: uuid */
            workspace_id: string;
            name: string;
            email?: string;
            /** @description No key of a disabled user is let in, and no vote counts. */
            status: components["schemas"]["UserStatus"];
            /** @description Id of the user who made it, or `operator`. */
            created_by: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        /** @description Success. */
        UserListAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["User"][];
        };
        CreateUserBody: {
            /** @example Ada */
            name: string;
            email?: string;
        };
        /** @description Success. */
        UserAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["User"];
        };
        ChangeUserBody: {
            /** @example Ada */
            name?: string;
            /** @description `disabled` revokes every key of the user, for ever; who is `active` again needs new ones. */
            status?: components["schemas"]["UserStatus"];
        };
        RolesBody: {
            /** @description Empty for none. */
            roles: ("administrator" | "approver" | "operator" | "viewer" | "auditor")[];
        };
        GivenRoles: {
            /**
             * Format: uuid
             * @description User id.
             */
            user_id: string;
            /** @description Empty for none. */
            roles: ("administrator" | "approver" | "operator" | "viewer" | "auditor")[];
            /** @description What a session may do. */
            scopes: string[];
        };
        /** @description Success. */
        GivenRolesAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["GivenRoles"];
        };
        Passkey: {
            /**
             * Format: uuid
             * @description Id of a passkey.
             */
            id: string;
            /**
             * Format: uuid
             * @description Whose it is.
             */
            user_id: string;
            name: string;
            /** @description SubjectPublicKeyInfo, DER, base64: what evidence is verified with. */
            public_key: string;
            /**
             * Format: date-time
             * @description Since when it is refused, for ever.
             */
            removed_at?: string;
            /**
             * Format: date-time
             * @description When it was enrolled.
             */
            created_at: string;
            /** @description The id of the credential, base64url. */
            credential_id: string;
            /** @description The model that the authenticator says to be. Nobody has attested it. */
            aaguid: string;
            /** @description Whether its owner may copy it to other devices. */
            backup_eligible: boolean;
            /** @description Whether it was, when it was last used. */
            backed_up: boolean;
            /** @description Of the last use; 0 for one that does not count. */
            counter: number;
            /**
             * Format: date-time
             * @description When it last signed in or voted.
             */
            last_used_at?: string;
        };
        /** @description Success. */
        PasskeyListAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["Passkey"][];
        };
        /** @description Success. */
        PasskeyAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["Passkey"];
        };
        EndedSessions: {
            user_id: string;
            sessions_ended: number;
        };
        /** @description Success. */
        EndedSessionsAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["EndedSessions"];
        };
        EnrolmentLinkBody: {
            /** @description For how long it can be used, from when it is approved; 86400 when absent. */
            expires_in_seconds?: number;
        };
        EnrolmentLink: {
            /** Format: uuid */
            id: string;
            /**
             * Format: uuid
             * @description Who enrols a passkey by it.
             */
            user_id: string;
            /**
             * @description `pending` while it waits for approval.
             * @enum {unknown}
             */
            status: "pending" | "open" | "used" | "void";
            /** @description What the user opens, once. Shown once, to who makes it: hand it over in a way that reaches that person alone. */
            url?: string;
            /**
             * Format: date-time
             * @description Until when it can be used; absent while it waits.
             */
            expires_at?: string;
            /**
             * Format: uuid
             * @description The change that is to be approved.
             */
            change_id?: string;
            created_by: string;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
        };
        /** @description Success. */
        EnrolmentLinkAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["EnrolmentLink"];
        };
        VoteEvidence: {
            /** @description What the passkey was asked to say. */
            statement: {
                [key: string]: unknown;
            };
            origin: string;
            relying_party_id: string;
            /** @description SubjectPublicKeyInfo, DER, base64. */
            public_key: string;
            credential_id: string;
            /** @description base64url. */
            client_data_json: string;
            /** @description base64url. */
            authenticator_data: string;
            /** @description base64url. */
            signature: string;
        };
        EvidencedVote: {
            user_id: string;
            /** @enum {unknown} */
            decision: "approved" | "rejected";
            /** Format: date-time */
            created_at: string;
            /** @description Null for a vote that an API key signed. */
            evidence: components["schemas"]["VoteEvidence"] | null;
        };
        ApprovalEvidence: {
            format: string;
            /** Format: uuid */
            workspace_id: string;
            /** @enum {unknown} */
            subject: "withdrawal" | "signing_request" | "policy" | "address" | "authority_change";
            /** Format: uuid */
            subject_id: string;
            status: components["schemas"]["ApprovalRoundStatus"];
            /** @description SHA-256 over the canonical JSON (RFC 8785) of `content`. */
            digest: string;
            /** @description What is approved; null where it is no longer kept. */
            content: {
                [key: string]: unknown;
            } | null;
            /** @description User id. */
            requested_by: string;
            required: number;
            /** @constant */
            approve_with?: "passkey";
            /** Format: date-time */
            expires_at: string;
            /** Format: date-time */
            decided_at?: string;
            votes: components["schemas"]["EvidencedVote"][];
        };
        /** @description Success. */
        ApprovalEvidenceAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["ApprovalEvidence"];
        };
        /** @description Success. */
        AuthorityChangeListAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["AuthorityChange"][];
        };
        Reason: {
            /** @description Why, in words of your own: the record, its events and the audit log show it. */
            reason?: string;
        };
        /** @description None, or the reason. */
        ReasonBody: null | components["schemas"]["Reason"];
        WithdrawalsFreeze: {
            /**
             * Format: uuid
             * @description Workspace id.
             */
            workspace_id: string;
            /** @description Whether withdrawals and signatures are refused. */
            withdrawals_frozen: boolean;
            /**
             * Format: date-time
             * @description Since when; absent unless frozen.
             */
            frozen_at?: string;
            /** @description What who froze or unfroze it last gave as the reason. */
            reason?: string;
            /**
             * Format: date-time
             * @description Of an event: when it was decided.
             */
            updated_at?: string;
        };
        /** @description Success. */
        WithdrawalsFreezeAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["WithdrawalsFreeze"];
        };
        /** @enum {string} */
        AssetType: "native" | "token";
        /** @enum {string} */
        AddressType: "evm" | "sol" | "btc" | "tron";
        /** @description What this deployment does on it now. Signing needs no node. What arrives is seen, and withdrawals are sent, only by a node that an operator has connected, and not at all where the service has no adapter of the chain (Tron). */
        NetworkCapabilities: {
            sign: boolean;
            deposit: boolean;
            withdraw: boolean;
        };
        Network: {
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
            capabilities: components["schemas"]["NetworkCapabilities"];
        };
        Asset: {
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
            asset_type: components["schemas"]["AssetType"];
            /** @description Chain family of the addresses that receive it. */
            address_type: components["schemas"]["AddressType"];
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
            network: components["schemas"]["Network"];
            /** @description Decimal string, for display only; null when the deployment has no price, and on test networks. */
            price_usd: string | null;
        };
        /** @description Success. */
        AssetListAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["Asset"][];
        };
        /** @description Success. */
        AssetAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["Asset"];
        };
        /** @description Success. */
        NetworkListAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["Network"][];
        };
        /** @description Success. */
        NetworkAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["Network"];
        };
        ShortTexts: {
            [key: string]: string;
        };
        NetworkFee: {
            /**
             * @description What a plain transfer of the native currency costs at most, in that currency.
             * @example 0.000042
             */
            max_fee: string;
            /** @description The chain's own numbers behind it, for example `gasLimit` and `maxFeePerGas` (wei), `microLamportsPerUnit`, or `rate` (satoshis per virtual byte). */
            parameters: components["schemas"]["ShortTexts"];
        };
        NetworkFees: {
            /**
             * Format: uuid
             * @description Network id.
             * @example 6e657477-6f72-4000-8000-000000000004
             */
            network_id: string;
            /**
             * Format: uuid
             * @description The native asset, in which fees are paid.
             */
            fee_asset_id: string;
            low: components["schemas"]["NetworkFee"];
            medium: components["schemas"]["NetworkFee"];
            high: components["schemas"]["NetworkFee"];
            /**
             * Format: date-time
             * @description When the node was asked.
             */
            quoted_at: string;
        };
        /** @description Success. */
        NetworkFeesAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["NetworkFees"];
        };
        /**
         * @example {
         *       "tx_hash": "0x5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a",
         *       "network_id": "6e657477-6f72-4000-8000-000000000001"
         *     }
         */
        TransactionRescan: {
            /** @description As the network's explorers show it: 64 hex digits, after `0x` on EVM networks; base58 on Solana. */
            tx_hash: string;
            /**
             * Format: uuid
             * @description Network id.
             * @example 6e657477-6f72-4000-8000-000000000004
             */
            network_id: string;
        };
        /** @description Success. */
        TransactionRescanAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["TransactionRescan"];
        };
        /** @enum {string} */
        WalletPurpose: "general" | "gas_tank" | "deployment" | "custody" | "user" | "payment" | "one_time_use";
        CreateWalletBody: {
            name: string;
            wallet_type: components["schemas"]["WalletType"];
            /** @description What it is for. It changes nothing about what the wallet can do; policies do that. */
            wallet_purpose?: components["schemas"]["WalletPurpose"];
            /** @description The caller's own name for it, 1 to 128 visible ASCII characters. Taken once in a workspace, for ever: a second wallet with it is a 409 `external_id_taken`, whose message has the id of the first. */
            external_id?: string;
            /** @description What you keep with it: at most 20 texts of at most 200 characters, by names of at most 40 letters, digits, `_`, `.` and `-`. Nothing here decides by it. */
            metadata?: components["schemas"]["ShortTexts"];
        };
        /** @enum {string} */
        CreationStatus: "pending" | "success" | "error";
        WalletCreation: {
            /**
             * Format: uuid
             * @description Wallet id.
             */
            wallet_id: string;
            /** @description `pending` in the answer to the request. */
            status: components["schemas"]["CreationStatus"];
            /** @description Why it is still pending: `cluster_not_ready` while an MPC node is away, `cluster_busy` while one is at a limit, such as of the keys of a day. It is tried for seven days. */
            status_reason?: string;
            error_code?: string;
            error_reason?: string;
        };
        /** @description Success. */
        WalletCreationAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["WalletCreation"];
        };
        Wallet: {
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
            /**
             * Format: uuid
             * @description Workspace id.
             */
            workspace_id: string;
            name: string;
            wallet_type: components["schemas"]["WalletType"];
            /** @description One of those that can be asked for; wallets of before there were these have any text. */
            wallet_purpose?: string;
            /** @description The caller's own name for it. */
            external_id?: string;
            status: components["schemas"]["WalletStatus"];
            /** @description What who froze, unfroze or archived it last gave as the reason. */
            reason?: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description What you keep with it: at most 20 texts of at most 200 characters, by names of at most 40 letters, digits, `_`, `.` and `-`. Nothing here decides by it. */
            metadata: components["schemas"]["ShortTexts"];
            addresses: components["schemas"]["WalletAddresses"];
            /** @description Whose nodes hold its keys: `main`, unless the service has several clusters. */
            cluster: string;
        };
        /** @description Success. */
        WalletListAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["Wallet"][];
        };
        /** @description Success. */
        WalletAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["Wallet"];
        };
        ChangeWalletBody: {
            name?: string;
            /** @description null takes it away. */
            wallet_purpose?: components["schemas"]["WalletPurpose"] | null;
            /** @description What you keep with it: at most 20 texts of at most 200 characters, by names of at most 40 letters, digits, `_`, `.` and `-`. Nothing here decides by it. */
            metadata?: components["schemas"]["ShortTexts"];
        };
        DepositAddress: {
            /**
             * Format: uuid
             * @description Wallet id.
             */
            wallet_id: string;
            /** @description The asset that was asked for, else the native one of the network; empty with `network_id`. */
            asset_id: string;
            /** @description The network that was asked for, or that of the asset; else the first one of the family on which this deployment sees deposits, main networks first. Empty when there is none. */
            network_id: string;
            address: string;
            /** @description Empty: no network here needs one. */
            memo: string;
            /** @description The address as a `data:image/png;base64,` URI. From `deposit-address` only with `qr_code=true`, else empty. */
            qr_code: string;
        };
        /** @description Success. */
        DepositAddressAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["DepositAddress"];
        };
        WalletDetail: {
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
            /** @description The chain family that was asked for. */
            address_type: components["schemas"]["AddressType"];
            /** @description Address of the asked chain family; empty until the wallet is active, and when it is archived. */
            address: string;
        };
        /** @description Success. */
        WalletDetailAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["WalletDetail"];
        };
        AttachAssetBody: {
            /**
             * Format: uuid
             * @description Catalogue id of an asset; not a contract address.
             * @example bfc0a64b-e218-5deb-9c64-4125afa39d1a
             */
            asset_id: string;
        };
        /** @enum {string} */
        WalletAssetStatus: "pending" | "active" | "disabled";
        WalletAsset: {
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
            asset: components["schemas"]["Asset"];
            /**
             * Format: uuid
             * @description Network id.
             * @example 6e657477-6f72-4000-8000-000000000004
             */
            network_id: string;
            address_type: components["schemas"]["AddressType"];
            /** @description Where the wallet receives it; empty unless it is `active`, and when the wallet is archived. */
            address: string;
            /** @description The same as `address`. */
            deposit_address: string;
            derivation_path: string;
            /** @description `pending` while this deployment does not see deposits of its network (see its `capabilities`). What is `disabled` is booked when it arrives, has no address and cannot be withdrawn. */
            status: components["schemas"]["WalletAssetStatus"];
            /** @description Whether it is `disabled`. */
            hidden: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        /** @description Success. */
        WalletAssetAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["WalletAsset"];
        };
        /** @description Success. */
        WalletAssetListAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["WalletAsset"][];
        };
        ChangeWalletAssetBody: {
            /** @description Whether the wallet uses the asset. */
            status: components["schemas"]["UserStatus"];
        };
        Balance: {
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
            /** @example ETH */
            symbol: string;
            /**
             * @description Decimal number in the asset's unit: `available` and `held` together.
             * @example 1.5
             */
            total: string;
            /**
             * @description What a withdrawal can take. Below zero where the chain took back a deposit that was spent already, or took more than was known to be there.
             * @example 1.5
             */
            available: string;
            /**
             * @description For withdrawals under way and their fees.
             * @example 1.5
             */
            held: string;
            /**
             * @description Seen on the chain and not final yet; not part of `total`.
             * @example 1.5
             */
            pending_in: string;
            /**
             * @description What transactions that were signed for a caller, who broadcasts them himself, may take at most, fees included, and as far as it is known. Still part of `available`: nobody knows whether he does. It goes when a block has them, which takes what they moved from `available`, or when they can land no more.
             * @example 1.5
             */
            pending_out: string;
            /** @description The newest block whose movements are in it; null while no node of the network is read. */
            as_of_block: number | null;
            /** Format: date-time */
            updated_at: string;
        };
        /** @description Success. */
        BalanceListAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["Balance"][];
        };
        /** @enum {string} */
        TransactionStatusName: "pending" | "pending_approval" | "confirmed" | "completed" | "failed" | "rejected";
        /** @enum {string} */
        TransactionDirection: "in" | "out";
        Transaction: {
            /**
             * Format: uuid
             * @description Id of this record.
             */
            id: string;
            /**
             * Format: uuid
             * @description The withdrawal, or the signing operation, that it is of; for a deposit, or what nobody here signed, its own id.
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
            /** @description `in` for deposits, `out` for withdrawals and for what a caller broadcasts himself. */
            direction: components["schemas"]["TransactionDirection"];
            method: components["schemas"]["TransactionMethod"];
            /**
             * @description Decimal number in the asset's unit.
             * @example 1.5
             */
            amount: string;
            status: components["schemas"]["TransactionStatusName"];
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
            /**
             * @description Of the asset.
             * @example ETH
             */
            symbol?: string;
            /** @description Internal code of the network. */
            network_internal_code?: string;
            /**
             * @description What the chain took from the wallet, as a decimal number of `fee_symbol`, on every chain; absent until that is final, of deposits, and where another line of the same transaction has it.
             * @example 0.000042
             */
            fee?: string;
            /** @description The native currency of the network, beside a `fee`. */
            fee_symbol?: string;
            /** @description Of a withdrawal its own status: what was `cancelled` shows as `failed` in `status`, which has no such value. */
            withdrawal_status?: components["schemas"]["WithdrawalStatus"];
            /** @description The caller's own name for the withdrawal, or for the signing operation. */
            external_id?: string;
            /** @description The caller's own words of the withdrawal. */
            notes?: string;
        };
        /** @description Success. */
        TransactionListAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["Transaction"][];
        };
        /** @description Success. */
        TransactionAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["Transaction"];
        };
        TransactionStatus: {
            /**
             * Format: uuid
             * @description The withdrawal, or the signing operation.
             */
            transaction_id: string;
            status: components["schemas"]["TransactionStatusName"];
            /** @description Absent of a signature. */
            method?: components["schemas"]["TransactionMethod"];
            approvals: components["schemas"]["ApprovalVote"][];
            /** @description Absent until the transaction is broadcast. Of a signature on Solana that signature in base58, which names its transaction; absent of other signatures. */
            hash?: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            failed_reason?: string;
        };
        /** @description Success. */
        TransactionStatusAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["TransactionStatus"];
        };
        /** @description Success. */
        CountAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: number;
        };
        RequestWithdrawalBody: WithRequired<components["schemas"]["EstimateWithdrawalBody"], "recipient_address">;
        ContractCallAccess: {
            address: string;
            storage_keys: string[];
        };
        /** @description Of a `contract_call`: what `recipient_address` is called with, as it was asked. */
        ContractCall: {
            /** @description 0x hex. */
            data: string;
            nonce?: number;
            gas_limit?: string;
            /** @description Wei. */
            max_fee_per_gas?: string;
            /** @description Wei. */
            max_priority_fee_per_gas?: string;
            access_list?: components["schemas"]["ContractCallAccess"][];
        };
        /** @description What must be approved by when. */
        WithdrawalApproval: {
            /** @description SHA-256, hex, over exactly what will be done: what an approval is of. */
            digest: string;
            /**
             * @description What each approval must be given with; absent for any key.
             * @constant
             */
            approve_with?: "passkey";
            /** @description How many must approve. */
            required: number;
            /**
             * Format: date-time
             * @description Not approved until then, it fails as `approval_expired`.
             */
            expires_at: string;
        };
        Withdrawal: {
            /**
             * Format: uuid
             * @description Withdrawal id.
             */
            id: string;
            /**
             * Format: uuid
             * @description The same as `id`, under the name that SDK callers use.
             */
            transaction_id: string;
            /**
             * Format: uuid
             * @description Workspace id.
             */
            workspace_id: string;
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
            /** @description Internal code of the network. */
            network_internal_code: string;
            /** @description `transfer` of the asset, or the `contract_call` of a signRaw request, whose amount is its value. */
            method: components["schemas"]["TransactionMethod"];
            /**
             * @description What the recipient gets, in the asset's unit. Fees come on top.
             * @example 1.5
             */
            amount: string;
            /** @description In the canonical form of the chain; the contract of a call. */
            recipient_address: string;
            /** @description The wallet's own address. */
            from_address: string;
            /** @description How soon it should be in a block, and what that may cost: see the fees of the network. */
            fee_level: components["schemas"]["FeeLevel"];
            /**
             * @description What the fee must not exceed, in the native currency of the network.
             * @example 1.5
             */
            max_fee?: string;
            /**
             * @description What the chain took, in the native currency; absent until it is final.
             * @example 1.5
             */
            fee_paid?: string;
            /** @description The caller's own name for it. */
            external_id?: string;
            /** @description `pending_approval` until enough have approved, `approved` until a worker takes it up, `processing` until the chain has it for good. `completed`, `failed`, `rejected` and `cancelled` are final. */
            status: components["schemas"]["WithdrawalStatus"];
            /** @description Where it stands within `processing`, or how it ended: `insufficient_funds` waits for the fee, `stuck` for a block longer than usual; `reverted` was executed and failed, and paid its fee. */
            sub_status?: components["schemas"]["WithdrawalSubStatus"];
            shortage?: components["schemas"]["Shortage"];
            /** @description Of one that failed or was cancelled: stable, for programs. */
            error_code?: string;
            /** @description The same in one plain sentence. */
            error_reason?: string;
            /** @description What who rejected or cancelled it gave as the reason. */
            reason?: string;
            /** @description Of the transaction that stands for it now; absent until it is broadcast. */
            tx_hash?: string;
            /** @description The nodes of the cluster that signed that transaction, ascending; absent where that was not kept. */
            signed_by_nodes?: number[];
            /** @description The block that has it. */
            block_number?: number;
            /** @description 1 in the newest block. */
            confirmations?: number;
            /**
             * Format: uuid
             * @description The user who asked.
             */
            requested_by: string;
            /** @description Why the policy decided as it did, in plain sentences. */
            policy_reasons: string[];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * Format: date-time
             * @description Of the final status.
             */
            completed_at?: string;
            decoded?: components["schemas"]["DecodedContent"];
            call?: components["schemas"]["ContractCall"];
            /** @description The caller's own words. */
            notes?: string;
            /** @description The policy let it through without any approval. */
            auto_approved: boolean;
            /** @description Who has decided, in that order, then the approvers whom the policy names and who have not yet. */
            withdrawal_approvals: components["schemas"]["ApprovalVote"][];
            /** @description Null when no approval is needed. */
            approval: components["schemas"]["WithdrawalApproval"] | null;
        };
        RequestWithdrawalData: {
            /** @description False when approvals are needed before anything is signed. */
            auto_approved: boolean;
            withdrawal: components["schemas"]["Withdrawal"];
        };
        /** @description Success. */
        RequestWithdrawalDataAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["RequestWithdrawalData"];
        };
        EstimateWithdrawalBody: {
            /**
             * Format: uuid
             * @description Catalogue id of an asset; not a contract address.
             * @example bfc0a64b-e218-5deb-9c64-4125afa39d1a
             */
            asset_id?: string;
            /** @description Symbol, with `network` in the place of asset_id. */
            asset?: string;
            /** @description Internal code of the network. */
            network?: string;
            /**
             * @description A decimal number in the asset's unit, with no more decimals than it has; or `max`: all that is available, less what the fee may take where it is paid in the same asset (on Solana also less the 0.00089088 SOL that an account must keep).
             * @example 1.5
             */
            amount: string;
            /** @description Takes the fee out of the amount, so that no more than the amount leaves the wallet: the recipient gets it less what the fee may take. Of the native currency alone; `max` is so by itself. */
            subtract_fee?: boolean;
            /**
             * @description An address of the network's chain; never the wallet's own, nor a token's contract.
             * @example 0x70997970C51812dc3A010C7d01b50e0d17dc79C8
             */
            recipient_address?: string;
            /** @description For those who approve it, and for you. */
            notes?: string;
            /** @description How soon it should be in a block, and what that may cost: see the fees of the network. `medium` when absent. */
            fee_level?: components["schemas"]["FeeLevel"];
            /**
             * @description In the native currency. A withdrawal whose fee would be more fails and moves nothing.
             * @example 1.5
             */
            max_fee?: string;
            /** @description The caller's own name for it, 1 to 128 visible ASCII characters. Taken once in a workspace, for ever: a second withdrawal with it is a 409 `external_id_taken`, whose message has the id of the first. */
            external_id?: string;
            /** @description Taken from existing callers, and changes nothing: what is not there is never promised to anybody. */
            skip_balance_check?: boolean;
        };
        FeeEstimate: {
            /**
             * @description What the fee can be at most, in the native currency of the network.
             * @example 0.000042
             */
            max_fee: string;
            /**
             * @description What a withdrawal of this level may pay in the end, however the market moves: what its policy judges, and what `max` and `subtract_fee` take out of the amount. A `max_fee` of your own lowers it.
             * @example 0.000126
             */
            fee_bound: string;
            /**
             * @description What the recipient gets.
             * @example 1.5
             */
            amount: string;
            /** @description Whether what is available covers the amount and this fee. */
            sufficient: boolean;
        };
        /** @description By level. */
        FeeEstimates: {
            low: components["schemas"]["FeeEstimate"];
            medium: components["schemas"]["FeeEstimate"];
            high: components["schemas"]["FeeEstimate"];
        };
        WithdrawalEstimate: {
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
            /**
             * Format: uuid
             * @description The native asset of the network, which fees are paid in.
             */
            fee_asset_id: string;
            /**
             * @description What was asked about: the amount at the `fee_level` that was asked for.
             * @example 1.5
             */
            amount: string;
            /**
             * @description Of the asset: what a withdrawal can take now.
             * @example 2
             */
            available: string;
            /**
             * @description Of the fee asset.
             * @example 2
             */
            fee_available: string;
            fees: components["schemas"]["FeeEstimates"];
            /**
             * Format: date-time
             * @description When the node was asked.
             */
            quoted_at: string;
        };
        /** @description Success. */
        WithdrawalEstimateAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["WithdrawalEstimate"];
        };
        /** @description Success. */
        WithdrawalListAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["Withdrawal"][];
        };
        /** @description Success. */
        WithdrawalAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["Withdrawal"];
        };
        WithdrawalHistoryEntry: {
            /** @description `pending_approval` until enough have approved, `approved` until a worker takes it up, `processing` until the chain has it for good. `completed`, `failed`, `rejected` and `cancelled` are final. */
            status: components["schemas"]["WithdrawalStatus"];
            sub_status?: components["schemas"]["WithdrawalSubStatus"];
            /** @description Of the transaction that stood for it then. */
            tx_hash?: string;
            /** @description One plain sentence. */
            details?: string;
            /** @description What the caller of this step gave as the reason. */
            reason?: string;
            /** Format: date-time */
            created_at: string;
        };
        /** @description Success. */
        WithdrawalHistoryEntryListAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["WithdrawalHistoryEntry"][];
        };
        /**
         * @example {
         *       "fee_level": "high"
         *     }
         */
        SpeedUp: {
            /** @description How soon it should be in a block, and what that may cost: see the fees of the network. */
            fee_level?: components["schemas"]["FeeLevel"];
        };
        /** @description None, or the level whose fee it should pay, when that is more than what it offers now. */
        SpeedUpWithdrawalBody: null | components["schemas"]["SpeedUp"];
        /**
         * @example {
         *       "network_internal_code": "ETHEREUM_SANDBOX",
         *       "signing_hash": "0x9b1cd4c5a3a9c4a4b7be0ef1fd5d7c7fc0d5a5e0e7a7a3c0f3f6ad6c4b8b7a11"
         *     }
         */
        SignDigestBody: {
            /**
             * @description Needed in a batch.
             * @constant
             */
            type?: "raw";
            /** @description Required, under this name or its alias. */
            network_internal_code?: string;
            /** @description Curve of the key; `secp256k1` when absent. */
            key_type?: components["schemas"]["Curve"];
            /** @description 32-byte digest in hex. Required, under this name or an alias. */
            signing_hash?: string;
            /** @description What the digest is of, in hex: kept for audit. Defaults to signing_hash. */
            unsigned_tx?: string;
            /** @description Non-hardened, `m/` optional; `m/44/{coin_type}/0/0/0` when absent. */
            derivation_path?: string;
            derivation_path_components?: number[];
            /** @description The caller's own name for it, 1 to 128 visible ASCII characters. Taken once in a workspace, for ever: a second request with it is a 409 `external_id_taken`, whose message has the id of the first. */
            external_id?: string;
        };
        /**
         * @example {
         *       "method": "personal_sign",
         *       "message": "Hello, Bob!",
         *       "chain_id": 31337
         *     }
         */
        EthSignBody: {
            /** @enum {unknown} */
            method: "eth_sign" | "personal_sign";
            /** @description As in JSON-RPC: 0x and whole bytes in hex are these bytes, what does not begin with 0x is text, and 0x with anything else is refused. Signed under the EIP-191 prefix. */
            message: string;
            /** @description EIP-155 chain id of a network that is enabled here, as an integer or its decimal text. */
            chain_id: number | string;
            /** @description Non-hardened, `m/` optional; `m/44/{coin_type}/0/0/0` when absent. */
            derivation_path?: string;
            /** @description The caller's own name for it, 1 to 128 visible ASCII characters. Taken once in a workspace, for ever: a second request with it is a 409 `external_id_taken`, whose message has the id of the first. */
            external_id?: string;
        };
        /**
         * @example {
         *       "method": "eth_signTypedData_v4",
         *       "typed_data": "{\"types\":{\"Mail\":[{\"name\":\"contents\",\"type\":\"string\"}]},\"primaryType\":\"Mail\",\"domain\":{\"name\":\"Ether Mail\",\"version\":\"1\",\"chainId\":31337},\"message\":{\"contents\":\"Hello, Bob!\"}}",
         *       "chain_id": 31337
         *     }
         */
        EthSignTypedDataBody: {
            /** @constant */
            method: "eth_signTypedData_v4";
            /** @description The EIP-712 document as JSON text. */
            typed_data: string;
            /** @description Empty, as SDK callers send it: nothing else is taken. */
            message?: string;
            /** @description EIP-155 chain id of a network that is enabled here, as an integer or its decimal text. */
            chain_id: number | string;
            /** @description Non-hardened, `m/` optional; `m/44/{coin_type}/0/0/0` when absent. */
            derivation_path?: string;
            /** @description The caller's own name for it, 1 to 128 visible ASCII characters. Taken once in a workspace, for ever: a second request with it is a 409 `external_id_taken`, whose message has the id of the first. */
            external_id?: string;
        };
        AccessListEntry: {
            /** @description A contract. */
            address: string;
            storageKeys: string[];
        };
        EvmCall: {
            /** @description The contract, or whoever gets the value. Contracts are not created this way. */
            to: string;
            /** @description EIP-155 id of a network that is enabled here. */
            chainId: number | string;
            /** @description Wei; 0 when absent. */
            value?: number | string;
            /** @description What the contract is called with, at most 64 KiB; `0x` when absent. */
            data?: string;
            /** @description The call fails when this is not the next one of the wallet. Better left out. */
            nonce?: number | string;
            /** @description By a trial run when absent. */
            gasLimit?: number | string;
            /** @description Wei; by `fee_level` when absent. */
            maxFeePerGas?: number | string;
            /** @description Wei; by `fee_level` when absent. */
            maxPriorityFeePerGas?: number | string;
            accessList?: components["schemas"]["AccessListEntry"][];
        };
        /**
         * @example {
         *       "transaction": {
         *         "to": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
         *         "chainId": 31337,
         *         "value": "1",
         *         "data": "0xd0e30db0"
         *       }
         *     }
         */
        ContractCallBody: {
            transaction: components["schemas"]["EvmCall"];
            /** @description Not needed, since chainId says it; must agree with it. */
            network_internal_code?: string;
            /** @description How soon it should be in a block, and what that may cost: see the fees of the network. `medium` when absent. */
            fee_level?: components["schemas"]["FeeLevel"];
            /**
             * @description In the native currency. A withdrawal whose fee would be more fails and moves nothing.
             * @example 1.5
             */
            max_fee?: string;
            /** @description For those who approve it, and for you. */
            notes?: string;
            /** @description The caller's own name for it, 1 to 128 visible ASCII characters. Taken once in a workspace, for ever: a second withdrawal with it is a 409 `external_id_taken`, whose message has the id of the first. */
            external_id?: string;
        };
        /**
         * @example {
         *       "to": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
         *       "value": "1",
         *       "chainId": 31337
         *     }
         */
        EvmSendBody: {
            /** @description The contract, or whoever gets the value. Contracts are not created this way. */
            to?: string | null;
            /** @description The wallet's own address, when it is said. */
            from?: string | null;
            /** @description Assigned when absent, which is better: the call fails when this is not the next one. */
            nonce?: (number | string) | null;
            /** @description By a trial run when absent. */
            gasLimit?: (number | string) | null;
            /** @description Wei; the usual one when absent. */
            maxFeePerGas?: (number | string) | null;
            /** @description Wei; the usual one when absent. */
            maxPriorityFeePerGas?: (number | string) | null;
            /** @description Wei; 0 when absent. */
            value?: (number | string) | null;
            /** @description What the contract is called with, at most 64 KiB. */
            data?: string | null;
            /** @description Needed unless one EVM network alone is enabled here. */
            chainId?: (number | string) | null;
            /** @description EIP-2930. */
            accessList?: components["schemas"]["AccessListEntry"][] | null;
            /** @description The caller's own name for it, 1 to 128 visible ASCII characters. Taken once in a workspace, for ever: a second withdrawal with it is a 409 `external_id_taken`, whose message has the id of the first. */
            external_id?: string;
        };
        SolanaSignMeta: {
            /** @constant */
            tx_method: "solana_signTransaction";
        };
        SolanaSignBody: {
            /** @description The serialized transaction, signatures before its message, in base64. */
            data: string;
            /** @description The wallet's own address, when it is said. */
            from?: string | null;
            meta: components["schemas"]["SolanaSignMeta"];
            /** @description That of Solana in the numbering of SDK callers (1399811149), or 0: it names no network. */
            chainId?: number | string;
            /** @description Which Solana network, where the deployment has several. */
            network_internal_code?: string;
            /** @description The caller's own name for it, 1 to 128 visible ASCII characters. Taken once in a workspace, for ever: a second request with it is a 409 `external_id_taken`, whose message has the id of the first. */
            external_id?: string;
        };
        SolanaSendBody: {
            /** @constant */
            method: "solana_signAndSendTransaction";
            /** @description The serialized transaction in base64, of which the wallet pays the fee and is the only signer. Its blockhash is replaced by the newest when it is sent, also after approvals, and again should it expire. */
            transaction: string;
            /** @description The wallet's own address, when it is said. */
            from?: string | null;
            /** @description Which Solana network, where the deployment has several. */
            network_internal_code?: string;
            /** @description For those who approve it, and for you. */
            notes?: string;
            /** @description The caller's own name for it, 1 to 128 visible ASCII characters. Taken once in a workspace, for ever: a second withdrawal with it is a 409 `external_id_taken`, whose message has the id of the first. */
            external_id?: string;
        };
        SolanaMessageBody: {
            /** @constant */
            method: "solana_signMessage";
            /** @description Text, which is signed as it is; at most 64 KiB. Base64 of text is taken for that text, unless `encoding` says otherwise, and base64 of an off-chain envelope for that envelope. Nothing else is signed: other bytes could be a transaction. */
            message: string;
            /**
             * @description What `message` is, for what could be read in both ways.
             * @enum {unknown}
             */
            encoding?: "utf8" | "base64";
            /** @description That of Solana in the numbering of SDK callers (1399811149), or 0: it names no network. */
            chain_id?: number | string;
            /** @description Which Solana network, where the deployment has several. */
            network_internal_code?: string;
            /** @description The caller's own name for it, 1 to 128 visible ASCII characters. Taken once in a workspace, for ever: a second request with it is a 409 `external_id_taken`, whose message has the id of the first. */
            external_id?: string;
        };
        SignAnyBody: components["schemas"]["SignDigestBody"] | components["schemas"]["EthSignBody"] | components["schemas"]["EthSignTypedDataBody"] | components["schemas"]["ContractCallBody"] | components["schemas"]["EvmSendBody"] | components["schemas"]["SolanaSignBody"] | components["schemas"]["SolanaSendBody"] | components["schemas"]["SolanaMessageBody"];
        SigningRequest: {
            /**
             * Format: uuid
             * @description The signing operation.
             */
            id: string;
            /**
             * Format: uuid
             * @description The same as `id`.
             */
            signing_id: string;
            operation_type: components["schemas"]["SigningOrigin"];
            /**
             * Format: uuid
             * @description Wallet id.
             */
            wallet_id: string;
            /** @description Internal code of the network. */
            network_internal_code: string;
            key_type: components["schemas"]["Curve"];
            /** @description What the nodes are shown. Only a `raw_digest` is signed without being read. */
            payload_kind: components["schemas"]["PayloadKind"];
            /** @description The caller's own name for it. */
            external_id?: string;
            /** @description 0x and 64 hex digits. Of the `solana_` kinds, which are signed unhashed, their SHA-256. */
            signing_hash: string;
            derivation_path: string;
            status: components["schemas"]["SigningStatus"];
            status_reason?: components["schemas"]["SigningStatusReason"];
            /** @description Signing id and attempt, as the nodes know it. */
            mpc_correlation_id?: string;
            /** @description Stable, for programs. */
            error_code?: string;
            /** @description The same in one plain sentence. */
            error_reason?: string;
            /** @description What who rejected or cancelled it gave as the reason. */
            reason?: string;
            /** @description 0x r‖s‖v on secp256k1 (s low, v 27 or 28), 64 bytes in hex on ed25519. */
            signature?: string;
            /** @description The derived child key, hex. */
            public_key?: string;
            /** @description Its address on the network. */
            address?: string;
            /** @description The nodes of its cluster that made the signature, ascending; absent where that was not kept. */
            signed_by_nodes?: number[];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            completed_at?: string;
            withdrawal_id: string | null;
            /** @description The workflow in Temporal: its own, or the one that signs it with others. */
            workflow_id?: string;
            payload?: components["schemas"]["SignedPayload"];
            /** @description Of one that failed: whether a node may have made a signature all the same, which is not stored. Then take what was to be signed for signed. */
            may_be_signed?: boolean;
            approval?: components["schemas"]["Approval"];
        };
        AcceptedSigning: {
            /** @description False when an earlier request with this idempotency key made the operation. */
            created: boolean;
            /** @description The signing id, under the name that SDK callers poll. */
            transaction_id: string;
            signing_request: components["schemas"]["SigningRequest"];
        };
        AcceptedCall: {
            /** @description False when an earlier request with this idempotency key made it. */
            created: boolean;
            /** @description The withdrawal, under the name that SDK callers poll. */
            transaction_id: string;
            /** @description False when approvals are needed before it is signed. */
            auto_approved: boolean;
            withdrawal: components["schemas"]["Withdrawal"];
        };
        SignOutcome: components["schemas"]["AcceptedSigning"] | components["schemas"]["AcceptedCall"];
        /** @description Success. */
        SignOutcomeAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["SignOutcome"];
        };
        SignBody: components["schemas"]["SignDigestBody"] | components["schemas"]["EthSignBody"] | components["schemas"]["EthSignTypedDataBody"] | components["schemas"]["ContractCallBody"] | components["schemas"]["EvmSendBody"] | components["schemas"]["SolanaSignBody"] | components["schemas"]["SolanaSendBody"] | components["schemas"]["SolanaMessageBody"];
        /** @enum {string} */
        MessageEncoding: "utf8" | "hex";
        SignMessageBody: {
            /**
             * @description Needed in a batch.
             * @constant
             */
            type?: "message";
            /** @description The network, by this or by chain_id. */
            network_internal_code?: string;
            /** @description EIP-155 chain id of a network that is enabled here, as an integer or its decimal text. */
            chain_id?: number | string;
            /** @description What is signed: on EVM networks under the EIP-191 prefix, at most 64 KiB; on Solana in the envelope of its off-chain message signing, for the wallet's own address. Taken as `encoding` says, never guessed. */
            message: string;
            /** @description `utf8` (when absent): the text. `hex`: the bytes that it spells, on Solana a whole envelope of version 0 with the key among its signers. */
            encoding?: components["schemas"]["MessageEncoding"];
            /** @description Of the envelope on Solana: 32 bytes in base58, by which an application is known; zeros when absent. */
            application_domain?: string;
            /** @description Non-hardened, `m/` optional; `m/44/{coin_type}/0/0/0` when absent. */
            derivation_path?: string;
            /** @description The caller's own name for it, 1 to 128 visible ASCII characters. Taken once in a workspace, for ever: a second request with it is a 409 `external_id_taken`, whose message has the id of the first. */
            external_id?: string;
        };
        /** @description Success. */
        AcceptedSigningAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["AcceptedSigning"];
        };
        SignTypedBody: {
            /**
             * @description Needed in a batch.
             * @constant
             */
            type?: "typed";
            /** @description The network, by this or by chain_id. */
            network_internal_code?: string;
            /** @description EIP-155 chain id of a network that is enabled here, as an integer or its decimal text. */
            chain_id?: number | string;
            typed_data: components["schemas"]["TypedData"];
            /** @description Non-hardened, `m/` optional; `m/44/{coin_type}/0/0/0` when absent. */
            derivation_path?: string;
            /** @description The caller's own name for it, 1 to 128 visible ASCII characters. Taken once in a workspace, for ever: a second request with it is a 409 `external_id_taken`, whose message has the id of the first. */
            external_id?: string;
        };
        SignTransactionBody: {
            /**
             * @description Needed in a batch.
             * @constant
             */
            type?: "transaction";
            /** @description The network, by this or by chain_id. */
            network_internal_code?: string;
            /** @description EIP-155 chain id of a network that is enabled here, as an integer or its decimal text. */
            chain_id?: number | string;
            /** @description In hex: on EVM networks the serialized unsigned transaction for this very chain, on Solana the serialized message (legacy or version 0, at most 1232 bytes) of which the key is a required signer, or the whole transaction with places for its signatures: its message is what is signed. */
            unsigned_tx: string;
            /** @description Non-hardened, `m/` optional; `m/44/{coin_type}/0/0/0` when absent. */
            derivation_path?: string;
            /** @description The caller's own name for it, 1 to 128 visible ASCII characters. Taken once in a workspace, for ever: a second request with it is a 409 `external_id_taken`, whose message has the id of the first. */
            external_id?: string;
        };
        /**
         * @example {
         *       "type": "raw",
         *       "network_internal_code": "ETHEREUM_SANDBOX",
         *       "signing_hash": "0x9b1cd4c5a3a9c4a4b7be0ef1fd5d7c7fc0d5a5e0e7a7a3c0f3f6ad6c4b8b7a11"
         *     }
         */
        DigestItem: WithRequired<components["schemas"]["SignDigestBody"], "type"> & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "raw";
        };
        /**
         * @example {
         *       "type": "message",
         *       "network_internal_code": "ETHEREUM_SANDBOX",
         *       "message": "Hello, Bob!"
         *     }
         */
        MessageItem: WithRequired<components["schemas"]["SignMessageBody"], "type"> & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "message";
        };
        /**
         * @example {
         *       "type": "typed",
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
        TypedDataItem: WithRequired<components["schemas"]["SignTypedBody"], "type"> & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "typed";
        };
        /**
         * @example {
         *       "type": "transaction",
         *       "network_internal_code": "ETHEREUM_SANDBOX",
         *       "unsigned_tx": "0x02e9827a6980843b9aca00847735940082520894000000000000000000000000000000000000dead0180c0"
         *     }
         */
        TransactionItem: WithRequired<components["schemas"]["SignTransactionBody"], "type"> & {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "transaction";
        };
        SignBatchBody: {
            items: (components["schemas"]["DigestItem"] | components["schemas"]["MessageItem"] | components["schemas"]["TypedDataItem"] | components["schemas"]["TransactionItem"])[];
        };
        Refusal: {
            code: string;
            message: string;
        };
        RefusedItem: {
            error: components["schemas"]["Refusal"];
        };
        BatchResults: {
            /** @description One for each item, in the order of the items. */
            results: (components["schemas"]["AcceptedSigning"] | components["schemas"]["RefusedItem"])[];
        };
        /** @description Success. */
        BatchResultsAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["BatchResults"];
        };
        /** @description Success. */
        SigningRequestListAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["SigningRequest"][];
        };
        /** @description Success. */
        SigningRequestAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["SigningRequest"];
        };
        /** @enum {string} */
        SigningAliasStatus: "pending" | "pending_approval" | "confirmed" | "failed" | "rejected";
        SigningAlias: {
            transaction_id: string;
            status: components["schemas"]["SigningAliasStatus"];
            signature: string | null;
            approvals: components["schemas"]["ApprovalVote"][];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        /** @description Success. */
        SigningAliasAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["SigningAlias"];
        };
        /** @enum {string} */
        PolicyStatus: "pending" | "active" | "superseded" | "rejected";
        /** @description At least one of `more_than` and `at_most`. */
        AmountBounds: {
            asset_id: string;
            /** @description Of `amount`: in units of the asset, of a native currency with the fee. Of `fee`: what the network may take at most, in units of its native currency. */
            more_than?: string;
            /** @description Of `amount`: in units of the asset, of a native currency with the fee. Of `fee`: what the network may take at most, in units of its native currency. */
            at_most?: string;
        };
        /** @enum {string} */
        WalletOrWorkspace: "wallet" | "workspace";
        /** @description All must hold; without any the rule always applies. Of a rule that allows they must hold for all that the operation moves (amounts are summed by asset), and what is not known of it meets none. Of one that denies or asks for approvals they hold already for a part of it, and what is not known, such as the amount of a raw digest, meets all. What the operation does not have meets none: a message moves nothing. */
        PolicyConditions: {
            /** @description What is asked for. */
            operations?: ("withdrawal" | "signing")[];
            /** @description Of a withdrawal. */
            methods?: components["schemas"]["TransactionMethod"][];
            /** @description Internal codes. */
            networks?: string[];
            /** @description Of these wallets. */
            wallet_ids?: string[];
            /** @description User ids of who asks. A key that was made before there were users has a user with its own id. */
            initiators?: string[];
            /** @description Of these assets. */
            asset_ids?: string[];
            amount?: components["schemas"]["AmountBounds"];
            fee?: components["schemas"]["AmountBounds"];
            /** @description At least one of `more_than` and `at_most`. */
            velocity?: {
                asset_id: string;
                /** @description Whose operations are looked at. */
                per: components["schemas"]["WalletOrWorkspace"];
                /** @description Back from now. */
                window_seconds: number;
                /** @description The sum of what withdrawals and signatures in the window may move, fees and this one included. */
                more_than?: string;
                /** @description The sum of what withdrawals and signatures in the window may move, fees and this one included. */
                at_most?: string;
            };
            /** @description At least one of `more_than` and `at_most`. */
            count?: {
                /** @description Whose operations are looked at. */
                per: components["schemas"]["WalletOrWorkspace"];
                /** @description Back from now. */
                window_seconds: number;
                /** @description Operations of the same kind in the window, this one included. */
                more_than?: number;
                /** @description Operations of the same kind in the window, this one included. */
                at_most?: number;
            };
            destination?: {
                /** @description Whether the address book has it for this network. */
                in_address_book?: boolean;
                /** @description One of these. */
                addresses?: string[];
            };
            /** @description What is to be signed. */
            payload_kinds?: components["schemas"]["PayloadKind"][];
            typed_data?: {
                /** @description `domain.name`. */
                domain_names?: string[];
                /** @description `domain.chainId` as decimal text. */
                chain_ids?: string[];
                /** @description `domain.verifyingContract`, in any case. */
                verifying_contracts?: string[];
                /** @description `primaryType`. */
                primary_types?: string[];
            };
            /** @description What a transaction does: it moves an amount; it gives power away (approvals, permits, upgrades, changes of owner, delegated calls); or it cannot be told. */
            calls?: components["schemas"]["CallKind"][];
            /** @description The first four bytes of an EVM call. */
            selectors?: string[];
        };
        AllowOrDenyAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "allow" | "deny";
        };
        RequireApprovalsAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            action: "require_approvals";
            /** @description How many different users must approve. */
            approvals: number;
            /** @description User ids of those who may; any user whose key has the scope when absent. A key that was made before there were users has a user with its own id. */
            approvers?: string[];
            /**
             * @description `passkey`: an approval counts only with a fresh assertion over it by a passkey of its user, so that no stolen API key approves. It is looked at when the approvals are counted, also of those given before. Any key with the scope when absent.
             * @constant
             */
            approve_with?: "passkey";
            /** @description 86400 when absent. */
            expires_in_seconds?: number;
        };
        PolicyRule: {
            /** @description Shown in reasons; no two alike. */
            name: string;
            description?: string;
            when: components["schemas"]["PolicyConditions"];
            then: components["schemas"]["AllowOrDenyAction"] | components["schemas"]["RequireApprovalsAction"];
        };
        /**
         * @example {
         *       "rules": [
         *         {
         *           "name": "no blind signatures",
         *           "when": {
         *             "payload_kinds": [
         *               "raw_digest"
         *             ]
         *           },
         *           "then": {
         *             "action": "deny"
         *           }
         *         },
         *         {
         *           "name": "known destinations",
         *           "when": {
         *             "operations": [
         *               "withdrawal"
         *             ],
         *             "destination": {
         *               "in_address_book": true
         *             }
         *           },
         *           "then": {
         *             "action": "allow"
         *           }
         *         }
         *       ],
         *       "default": {
         *         "action": "require_approvals",
         *         "approvals": 1,
         *         "expires_in_seconds": 3600
         *       }
         *     }
         */
        PolicyDocument: {
            /** @description In order: the first that applies to all of an operation decides, or one that denies a part of it. One that asks for approvals for a part counts beside what comes after it, and the strictest decides. A rule that does not name `dangerous` or `unknown` calls permits none: for them it is passed over unless it denies, and so they are denied by default. Raw digests (`payload_kinds`) and typed data of no known standard (`primary_types`, `verifying_contracts`) are allowed only where a rule names them, and may be approved without. What may be valid on several networks is judged for each: the strictest outcome counts. */
            rules: components["schemas"]["PolicyRule"][];
            default: components["schemas"]["AllowOrDenyAction"] | components["schemas"]["RequireApprovalsAction"];
            /** @description What a change of this policy, of users and keys, a new address in the book, and unfreezing needs. Absent: nothing in the sandbox, one approval in production. */
            changes?: {
                /** @description How many different users must approve. */
                approvals: number;
                /** @description User ids of those who may; any user whose key has the scope when absent. A key that was made before there were users has a user with its own id. */
                approvers?: string[];
                /**
                 * @description `passkey`: an approval counts only with a fresh assertion over it by a passkey of its user, so that no stolen API key approves. It is looked at when the approvals are counted, also of those given before. Any key with the scope when absent.
                 * @constant
                 */
                approve_with?: "passkey";
                /** @description 86400 when absent. */
                expires_in_seconds?: number;
            };
        };
        PolicyDifference: {
            /** @enum {unknown} */
            part: "rule" | "default" | "changes";
            /**
             * @description `moved`: the rule has another place among the others.
             * @enum {unknown}
             */
            change: "added" | "removed" | "changed" | "moved";
            /** @description The name of the rule. */
            rule?: string;
            /** @description The part; of a rule that moved its `place`, counted from 1. */
            before?: unknown;
            /** @description The same. */
            after?: unknown;
        };
        PolicyVersion: {
            /** @description Null for the one that is built in. */
            id: string | null;
            /** @description 0 for the one that is built in. */
            version: number;
            status: components["schemas"]["PolicyStatus"];
            document: components["schemas"]["PolicyDocument"];
            /** @description The user who set it. */
            created_by?: string;
            /** Format: date-time */
            created_at?: string;
            /**
             * Format: date-time
             * @description When its status changed last: since when one is in force.
             */
            updated_at?: string;
            approval?: components["schemas"]["Approval"];
            /**
             * @description Somebody else than the service has written it: nothing is decided by it.
             * @constant
             */
            altered?: true;
            /** @description In the history: the version that was in force when it was asked for. */
            compared_with?: number;
            /** @description In the history: what it changes of that one. */
            differences?: components["schemas"]["PolicyDifference"][];
        };
        Policy: {
            active: components["schemas"]["PolicyVersion"];
            /** @description A change that waits for approvals. */
            pending: components["schemas"]["PolicyVersion"] | null;
        };
        /** @description Success. */
        PolicyAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["Policy"];
        };
        /** @description Success. */
        PolicyVersionListAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["PolicyVersion"][];
        };
        /** @description One of `withdrawal` and `signing`, whose `item` is as in `signBatch`. `initiator` is the user who would ask, that of the calling key when absent. With a `document` that is tried, else the policy in force. `max` and `subtract_fee` look at what the wallet has: they need `balances:read`. */
        SimulatePolicyBody: {
            withdrawal?: {
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
                 * @description A decimal number in the asset's unit, with no more decimals than it has; or `max`: all that is available, less what the fee may take where it is paid in the same asset (on Solana also less the 0.00089088 SOL that an account must keep).
                 * @example 1.5
                 */
                amount: string;
                /** @description Takes the fee out of the amount, so that no more than the amount leaves the wallet: the recipient gets it less what the fee may take. Of the native currency alone; `max` is so by itself. */
                subtract_fee?: boolean;
                /** @description How soon it should be in a block, and what that may cost: see the fees of the network. `medium` when absent. */
                fee_level?: components["schemas"]["FeeLevel"];
                /**
                 * @description In the native currency. A withdrawal whose fee would be more fails and moves nothing.
                 * @example 1.5
                 */
                max_fee?: string;
                recipient_address: string;
            };
            signing?: {
                /**
                 * Format: uuid
                 * @description Wallet id.
                 */
                wallet_id: string;
                item: components["schemas"]["DigestItem"] | components["schemas"]["MessageItem"] | components["schemas"]["TypedDataItem"] | components["schemas"]["TransactionItem"];
            };
            initiator?: string;
            document?: components["schemas"]["PolicyDocument"];
        };
        /** @enum {string} */
        PolicyAction: "allow" | "deny" | "require_approvals";
        /** @description What is absent or null is not known, and may be anything. */
        SimulatedMovement: WithRequired<components["schemas"]["DecodedMovement"], "asset_id" | "amount" | "amount_base_units" | "destination">;
        PolicySimulation: {
            action: components["schemas"]["PolicyAction"];
            /** @description The name of the rule that decides, or `default`. */
            rule: string;
            reasons: string[];
            /** @description How many would be needed. */
            approvals: number;
            /** @description Empty for any key with the scope. */
            approvers: string[];
            /**
             * @description What every approval takes.
             * @constant
             */
            approve_with?: "passkey";
            expires_in_seconds: number;
            /** @description Internal codes: it is judged for each on which it may be valid, and the strictest outcome counts. */
            networks: string[];
            /** @description All that moves, as it would be on the first of the networks. */
            movements: components["schemas"]["SimulatedMovement"][];
            /** @description What of it was not understood: it may move anything besides. */
            unknown: string[];
            /** @description Every rule that was looked at, in order. */
            considered: {
                rule: string;
                applies: boolean;
                because: string[];
            }[];
        };
        /** @description Success. */
        PolicySimulationAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["PolicySimulation"];
        };
        AddressBookEntry: {
            /**
             * Format: uuid
             * @description Id of an entry of the address book.
             */
            id: string;
            /**
             * Format: uuid
             * @description Network id.
             * @example 6e657477-6f72-4000-8000-000000000004
             */
            network_id: string;
            /** @description In the canonical form of the chain. */
            address: string;
            label: string;
            /**
             * @description A `pending` one counts for nothing until it is approved.
             * @enum {unknown}
             */
            status: "pending" | "active";
            /** @description The user who added it. */
            created_by: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            approval?: components["schemas"]["Approval"];
        };
        /** @description Success. */
        AddressBookEntryListAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["AddressBookEntry"][];
        };
        AddAddressBody: {
            /**
             * Format: uuid
             * @description Network id.
             * @example 6e657477-6f72-4000-8000-000000000004
             */
            network_id: string;
            address: string;
            label: string;
        };
        /** @description Success. */
        AddressBookEntryAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["AddressBookEntry"];
        };
        /** @description The answer of a passkey over exactly what is asked. */
        PasskeyProof: {
            /** @description What was asked of the passkey, as the service has handed it out. Good once, for minutes. */
            ticket: string;
            /** @description The id of the credential, base64url. */
            credential_id: string;
            /** @description `clientDataJSON`, base64url. */
            client_data_json: string;
            /** @description `authenticatorData`, base64url. */
            authenticator_data: string;
            /** @description The signature, base64url. */
            signature: string;
        };
        SeenDigest: {
            /** @description The digest that was shown: the approval is of exactly that. */
            digest?: string;
            passkey?: components["schemas"]["PasskeyProof"];
        };
        /** @description None, or the digest of what the approver has seen. */
        ApproveBody: null | components["schemas"]["SeenDigest"];
        ApproveDigestBody: WithRequired<components["schemas"]["SeenDigest"], "digest">;
        Rejection: {
            /** @description The digest that was shown: the approval is of exactly that. */
            digest?: string;
            /** @description Why, in words of your own: the record, its events and the audit log show it. */
            reason?: string;
            passkey?: components["schemas"]["PasskeyProof"];
        };
        /** @description None, or the digest of what the approver has seen, and the reason. */
        RejectBody: null | components["schemas"]["Rejection"];
        RejectDigestBody: WithRequired<components["schemas"]["Rejection"], "digest">;
        /** @enum {string} */
        EventType: "wallet.created" | "wallet.creation_failed" | "wallet.frozen" | "wallet.unfrozen" | "deposit.pending" | "deposit.confirmed" | "deposit.reorged" | "withdrawal.created" | "withdrawal.pending_approval" | "withdrawal.approved" | "withdrawal.rejected" | "withdrawal.processing" | "withdrawal.insufficient_funds" | "withdrawal.broadcast" | "withdrawal.replaced" | "withdrawal.completed" | "withdrawal.failed" | "withdrawal.cancelled" | "signing.pending_approval" | "signing.submitted" | "signing.success" | "signing.failed" | "workspace.withdrawals_frozen" | "workspace.withdrawals_unfrozen" | "api_key.created" | "api_key.revoked" | "passkey.enrolled" | "passkey.removed" | "export.completed" | "export.failed" | "export.cancelled" | "webhook.ping" | "webhook.disabled";
        WalletEvent: {
            /** @description Its place in the feed of the workspace: 1, 2, 3 and so on. Deliveries may come out of order. */
            seq: number;
            /**
             * Format: uuid
             * @description The same in the feed and in each attempt of a delivery: its `webhook-id`.
             */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "wallet.created" | "wallet.creation_failed" | "wallet.frozen" | "wallet.unfrozen";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            data: components["schemas"]["WalletEventData"];
        };
        DepositEvent: {
            /** @description Its place in the feed of the workspace: 1, 2, 3 and so on. Deliveries may come out of order. */
            seq: number;
            /**
             * Format: uuid
             * @description The same in the feed and in each attempt of a delivery: its `webhook-id`.
             */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "deposit.pending" | "deposit.confirmed" | "deposit.reorged";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            data: components["schemas"]["DepositEventData"];
        };
        WithdrawalEvent: {
            /** @description Its place in the feed of the workspace: 1, 2, 3 and so on. Deliveries may come out of order. */
            seq: number;
            /**
             * Format: uuid
             * @description The same in the feed and in each attempt of a delivery: its `webhook-id`.
             */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "withdrawal.created" | "withdrawal.pending_approval" | "withdrawal.approved" | "withdrawal.rejected" | "withdrawal.processing" | "withdrawal.insufficient_funds" | "withdrawal.broadcast" | "withdrawal.replaced" | "withdrawal.completed" | "withdrawal.failed" | "withdrawal.cancelled";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            data: components["schemas"]["WithdrawalEventData"];
        };
        SigningEvent: {
            /** @description Its place in the feed of the workspace: 1, 2, 3 and so on. Deliveries may come out of order. */
            seq: number;
            /**
             * Format: uuid
             * @description The same in the feed and in each attempt of a delivery: its `webhook-id`.
             */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "signing.pending_approval" | "signing.submitted" | "signing.success" | "signing.failed";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            data: components["schemas"]["SigningEventData"];
        };
        WithdrawalsFreezeEvent: {
            /** @description Its place in the feed of the workspace: 1, 2, 3 and so on. Deliveries may come out of order. */
            seq: number;
            /**
             * Format: uuid
             * @description The same in the feed and in each attempt of a delivery: its `webhook-id`.
             */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "workspace.withdrawals_frozen" | "workspace.withdrawals_unfrozen";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            data: components["schemas"]["WithdrawalsFreezeEventData"];
        };
        ApiKeyEvent: {
            /** @description Its place in the feed of the workspace: 1, 2, 3 and so on. Deliveries may come out of order. */
            seq: number;
            /**
             * Format: uuid
             * @description The same in the feed and in each attempt of a delivery: its `webhook-id`.
             */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "api_key.created" | "api_key.revoked";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            data: components["schemas"]["ApiKeyEventData"];
        };
        PasskeyEvent: {
            /** @description Its place in the feed of the workspace: 1, 2, 3 and so on. Deliveries may come out of order. */
            seq: number;
            /**
             * Format: uuid
             * @description The same in the feed and in each attempt of a delivery: its `webhook-id`.
             */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "passkey.enrolled" | "passkey.removed";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            data: components["schemas"]["PasskeyEventData"];
        };
        ExportEvent: {
            /** @description Its place in the feed of the workspace: 1, 2, 3 and so on. Deliveries may come out of order. */
            seq: number;
            /**
             * Format: uuid
             * @description The same in the feed and in each attempt of a delivery: its `webhook-id`.
             */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "export.completed" | "export.failed" | "export.cancelled";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            data: components["schemas"]["ExportEventData"];
        };
        WebhookEvent: {
            /** @description Its place in the feed of the workspace: 1, 2, 3 and so on. Deliveries may come out of order. */
            seq: number;
            /**
             * Format: uuid
             * @description The same in the feed and in each attempt of a delivery: its `webhook-id`.
             */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "webhook.ping" | "webhook.disabled";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            data: components["schemas"]["WebhookEventData"];
        };
        Event: components["schemas"]["WalletEvent"] | components["schemas"]["DepositEvent"] | components["schemas"]["WithdrawalEvent"] | components["schemas"]["SigningEvent"] | components["schemas"]["WithdrawalsFreezeEvent"] | components["schemas"]["ApiKeyEvent"] | components["schemas"]["PasskeyEvent"] | components["schemas"]["ExportEvent"] | components["schemas"]["WebhookEvent"];
        /** @description Success. */
        EventListAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["Event"][];
        };
        /** @enum {string} */
        WebhookStatus: "active" | "disabled" | "deleted";
        Webhook: {
            /**
             * Format: uuid
             * @description Webhook id.
             */
            id: string;
            /** Format: uuid */
            workspace_id: string;
            url: string;
            /** @description All types when empty. */
            events: string[];
            description?: string;
            status: components["schemas"]["WebhookStatus"];
            /**
             * @description Why it is disabled: a caller asked for it, it answered 410, or nothing was taken for five days. Absent unless disabled.
             * @enum {unknown}
             */
            status_reason?: "requested" | "gone" | "failing";
            /**
             * Format: date-time
             * @description Since when every attempt has failed; absent while they do not.
             */
            failing_since?: string;
            /**
             * Format: date-time
             * @description Until when the secret before the last rotation still signs too.
             */
            previous_secret_expires_at?: string;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updated_at: string;
            /** @description `whsec_` and base64: what verifies `v1` signatures. Shown once, to who makes the webhook or rotates its secret, and in no list: a repeat of the request under its X-Idempotency-Key answers the record without it. */
            secret?: string;
        };
        /** @description Success. */
        WebhookListAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["Webhook"][];
        };
        CreateWebhookBody: {
            /** @description Where events are posted to: https, without user name and password. Private and loopback targets are refused, also by what their name leads to, unless the deployment allows them; link-local, multicast, unspecified and reserved ones always are; and a sandbox takes http. */
            url: string;
            /** @description Types of events that are delivered; all of them when empty. */
            events: components["schemas"]["EventType"][];
            description?: string;
        };
        /** @description Success. */
        WebhookAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["Webhook"];
        };
        ReadWebhookKeyData: {
            /** @description Raw 32 bytes of the Ed25519 key, base64: what verifies `v1a` signatures of every webhook of the service. Libraries of the Standard Webhooks specification take it with `whpk_` before it. */
            public_key: string;
        };
        /** @description Success. */
        ReadWebhookKeyDataAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["ReadWebhookKeyData"];
        };
        ChangeWebhookBody: {
            /** @description Where events are posted to: https, without user name and password. Private and loopback targets are refused, also by what their name leads to, unless the deployment allows them; link-local, multicast, unspecified and reserved ones always are; and a sandbox takes http. */
            url?: string;
            /** @description Types of events that are delivered; all of them when empty. */
            events?: components["schemas"]["EventType"][];
            /** @description null takes it away. */
            description?: string | null;
            /** @description What waits for an endpoint that is disabled is sent no more, and events meanwhile are not kept for it: `replay` brings both back. */
            status?: components["schemas"]["UserStatus"];
        };
        /** @enum {string} */
        DeliveryStatus: "pending" | "delivered" | "failed";
        WebhookDelivery: {
            /**
             * Format: uuid
             * @description Id of a delivery.
             */
            id: string;
            /**
             * Format: uuid
             * @description Webhook id.
             */
            webhook_id: string;
            /**
             * Format: uuid
             * @description Id of the event: the `webhook-id` of each attempt.
             */
            event_id: string;
            event_type: components["schemas"]["EventType"];
            /** @description The number of the event in the feed of its workspace. */
            event_seq: number;
            /** @description `failed`: ten attempts failed, or the webhook was disabled or deleted. It is sent no more. */
            status: components["schemas"]["DeliveryStatus"];
            /** @description Somebody asked for it again. */
            replayed: boolean;
            /**
             * Format: date-time
             * @description By the schedule; a probe may come sooner while it waits for its third attempt. Absent unless pending.
             */
            next_attempt_at?: string;
            attempts: {
                /** @description 1 for the first, 10 for the last. */
                attempt: number;
                /**
                 * Format: date-time
                 * @description When it began.
                 */
                started_at: string;
                duration_ms: number;
                /** @description Absent when there was no answer. */
                status_code?: number;
                /** @description Why it failed, in a sentence; absent when it was taken. */
                error?: string;
            }[];
            /**
             * Format: date-time
             * @description When it was to be delivered first.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last tried.
             */
            updated_at: string;
        };
        /** @description Success. */
        WebhookDeliveryListAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["WebhookDelivery"][];
        };
        PingWebhookData: {
            /**
             * Format: uuid
             * @description Id of the event: the `webhook-id` of each attempt.
             */
            event_id: string;
        };
        /** @description Success. */
        PingWebhookDataAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["PingWebhookData"];
        };
        ReplayWebhookBody: {
            /**
             * Format: date-time
             * @description Events of this moment or later.
             */
            from: string;
            /**
             * Format: date-time
             * @description Events before this moment.
             */
            to: string;
            /** @description Only of these types; those of the webhook when absent. */
            types?: components["schemas"]["EventType"][];
        };
        ReplayWebhookData: {
            /** @description How many were made. Events of which a delivery is pending already are not among them. */
            deliveries: number;
        };
        /** @description Success. */
        ReplayWebhookDataAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["ReplayWebhookData"];
        };
        /** @description Success. */
        WebhookDeliveryAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["WebhookDelivery"];
        };
        StartExportBody: {
            /** @description What is exported. The key needs what reading the same elsewhere takes: `transactions:read` (also of deposits), `withdrawals:read`, `signing:read`, `balances:read` (also of ledger entries), or `audit:read`. */
            content: components["schemas"]["ExportContent"];
            /** @description `csv` with a header row (RFC 4180), `jsonl`, one object a line, or `parquet` (Apache Parquet). */
            format: components["schemas"]["ExportFormat"];
            /**
             * Format: date-time
             * @description Only what was created at this moment or later. Not for balances.
             */
            from?: string;
            /**
             * Format: date-time
             * @description Only what was created before this moment. Of balances: as they were then; now when absent.
             */
            to?: string;
            /** @description Only of these wallets. A key that is bound to wallets exports its own when absent. */
            wallet_ids?: string[];
        };
        /** @enum {string} */
        ExportColumnType: "id" | "text" | "enum" | "integer" | "amount" | "moment" | "boolean" | "json";
        ExportColumn: {
            name: string;
            type: components["schemas"]["ExportColumnType"];
        };
        ExportFile: {
            /** @description In the folder of exports; beside it is its `….manifest.json`. */
            file_name: string;
            media_type: string;
            /** @description Without the header row. */
            rows: number;
            bytes: number;
            /** @description Of the whole file, 64 hex digits. */
            sha256: string;
            /**
             * Format: date-time
             * @description As of when all of its rows are.
             */
            snapshot_at: string;
            /** @description In their order. `amount` is a decimal number as text, `moment` RFC 3339 in UTC, `json` canonical JSON as text. */
            columns: components["schemas"]["ExportColumn"][];
        };
        Export: {
            /**
             * Format: uuid
             * @description Export id.
             */
            id: string;
            content: components["schemas"]["ExportContent"];
            format: components["schemas"]["ExportFormat"];
            status: components["schemas"]["ExportStatus"];
            /** @description Stable, for programs. */
            error_code?: string;
            /** @description The same in one plain sentence. */
            error_reason?: string;
            /** @description Why it was cancelled, in the words of who did. */
            reason?: string;
            /**
             * Format: date-time
             * @description When it was asked for.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When its status changed last, or more of it was written.
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description When it ended.
             */
            completed_at?: string;
            /**
             * Format: date-time
             * @description As it was asked for.
             */
            from?: string;
            /**
             * Format: date-time
             * @description As it was asked for.
             */
            to?: string;
            /** @description Only of these wallets; absent for all. */
            wallet_ids?: string[];
            /**
             * Format: uuid
             * @description Of what a schedule asked for.
             */
            schedule_id?: string;
            /**
             * Format: date-time
             * @description When the schedule was due.
             */
            scheduled_for?: string;
            /**
             * Format: uuid
             * @description The API key that asked, or by whose rights the schedule exports.
             */
            requested_by: string;
            /** @description So far, by the attempt under way: one that begins anew counts from zero. */
            rows_written: number;
            /** @description The same. */
            bytes_written: number;
            file?: components["schemas"]["ExportFile"];
        };
        /** @description Success. */
        ExportAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["Export"];
        };
        /** @description Success. */
        ExportListAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["Export"][];
        };
        CreateExportScheduleBody: {
            /** @description What is exported. The key needs what reading the same elsewhere takes: `transactions:read` (also of deposits), `withdrawals:read`, `signing:read`, `balances:read` (also of ledger entries), or `audit:read`. */
            content: components["schemas"]["ExportContent"];
            /** @description `csv` with a header row (RFC 4180), `jsonl`, one object a line, or `parquet` (Apache Parquet). */
            format: components["schemas"]["ExportFormat"];
            /** @description Only of these wallets. A key that is bound to wallets exports its own when absent. */
            wallet_ids?: string[];
            /** @description When it is due, as five fields of numbers, ranges, steps and lists: minute, hour, day of the month, month, day of the week (0 and 7 are Sunday). One minute, so that it is due once an hour at most, and days of the month or of the week, not both. */
            cron: string;
            /** @description Whose clocks `cron` and `window` go by: a name of the IANA database, such as `Europe/Zurich`. */
            time_zone: string;
            /**
             * @description Of which time each export is: the whole day, week (from Monday on) or month before the one in which it was due. Everything until then when absent, and of balances always how they were then.
             * @enum {unknown}
             */
            window?: "previous_day" | "previous_week" | "previous_month";
        };
        ExportSchedule: {
            /**
             * Format: uuid
             * @description Id of a schedule.
             */
            id: string;
            /** @description What is exported. The key needs what reading the same elsewhere takes: `transactions:read` (also of deposits), `withdrawals:read`, `signing:read`, `balances:read` (also of ledger entries), or `audit:read`. */
            content: components["schemas"]["ExportContent"];
            /** @description `csv` with a header row (RFC 4180), `jsonl`, one object a line, or `parquet` (Apache Parquet). */
            format: components["schemas"]["ExportFormat"];
            /** @description Only of these wallets. A key that is bound to wallets exports its own when absent. */
            wallet_ids?: string[];
            /** @description When it is due, as five fields of numbers, ranges, steps and lists: minute, hour, day of the month, month, day of the week (0 and 7 are Sunday). One minute, so that it is due once an hour at most, and days of the month or of the week, not both. */
            cron: string;
            /** @description Whose clocks `cron` and `window` go by: a name of the IANA database, such as `Europe/Zurich`. */
            time_zone: string;
            /**
             * @description Of which time each export is: the whole day, week (from Monday on) or month before the one in which it was due. Everything until then when absent, and of balances always how they were then.
             * @enum {unknown}
             */
            window?: "previous_day" | "previous_week" | "previous_month";
            /** @enum {unknown} */
            status: "active" | "paused";
            /**
             * @description `key_refused`: the key by whose rights it exports is gone, or may not read this any more.
             * @enum {unknown}
             */
            paused_reason?: "asked_for" | "key_refused";
            /**
             * Format: uuid
             * @description The API key by whose rights it exports: that which made it, or resumed it last.
             */
            requested_by: string;
            /**
             * Format: date-time
             * @description When it was due last.
             */
            last_scheduled_for?: string;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was changed last.
             */
            updated_at: string;
        };
        /** @description Success. */
        ExportScheduleAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["ExportSchedule"];
        };
        /** @description Success. */
        ExportScheduleListAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["ExportSchedule"][];
        };
        /** @enum {string} */
        AuditOutcome: "accepted" | "refused";
        /** @enum {string} */
        AuditActor: "api_key" | "operator" | "system";
        AuditLog: {
            /**
             * Format: uuid
             * @description Id of the entry.
             */
            id: string;
            /**
             * Format: uuid
             * @description Workspace.
             */
            workspace_id: string;
            actor: components["schemas"]["AuditActor"];
            actor_id: string | null;
            ip: string | null;
            request_id: string | null;
            /**
             * @description The route, or the operator's command; `many requests` for refusals that are only counted.
             * @example POST /wallets/{wallet_id}/freeze
             */
            action: string;
            resource_id: string | null;
            wallet_id: string | null;
            outcome: components["schemas"]["AuditOutcome"];
            /** @description Of the answer to what was refused. */
            status_code: number | null;
            code: string | null;
            body_hash: string | null;
            /** @description The body; null when it was malformed or longer than 16 KiB. */
            body: unknown;
            /** @description What was changed, as it was. Of more than 16 KiB only `bytes` and `sha256` of its canonical JSON. */
            before: unknown;
            /** @description What was made, or how it is now. */
            after: unknown;
            /** Format: date-time */
            created_at: string;
            /** @description Of a change of rows that decide (keys, users, policies, the address book, a freeze): which, and the version that each has now, marked by the service. Absent elsewhere. */
            sealed?: unknown;
            /** @description Its place in the chain of the workspace; null for a second or two, until it is sealed. */
            seq: number | null;
            /** @description Of its place, the hash before it and everything above. */
            hash: string | null;
        };
        /** @description Success. */
        AuditLogListAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["AuditLog"][];
        };
        AuditVerification: {
            valid: boolean;
            /** @description How many places of the chain were checked. */
            entries: number;
            /** @description The last one. */
            seq: number;
            /** @description SHA-256, 64 hex digits. */
            hash: string;
            /** @description The first twenty. */
            problems: {
                seq: number | null;
                message: string;
            }[];
        };
        /** @description Success. */
        AuditVerificationAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["AuditVerification"];
        };
        AuditHead: {
            /**
             * Format: uuid
             * @description Workspace.
             */
            workspace_id: string;
            /** @description The last place of the chain at that moment. */
            seq: number;
            /** @description SHA-256, 64 hex digits. */
            hash: string;
            /** Format: date-time */
            signed_at: string;
            /** @description Ed25519, 32 bytes, base64. Keep it from a time that you trust. */
            public_key: string;
            /** @description Ed25519 over the canonical JSON (RFC 8785) of workspace_id, seq, hash and signed_at, base64. */
            signature: string;
        };
        /** @description Success. */
        AuditHeadAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["AuditHead"];
        };
        FaucetBody: {
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
            /** @description In the asset's unit: at most 100 ETH, 1000 SOL, 10 BTC or 1000000 USDC. */
            amount: string;
        };
        FaucetPayment: {
            /**
             * Format: uuid
             * @description Its workflow in Temporal is `fund-from-faucet-{id}`.
             */
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
            amount: string;
            /** @description The wallet's address, which is paid. */
            address: string;
        };
        /** @description Success. */
        FaucetPaymentAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["FaucetPayment"];
        };
        MineBody: {
            /**
             * Format: uuid
             * @description Network id.
             * @example 6e657477-6f72-4000-8000-000000000004
             */
            network_id: string;
            blocks: number;
        };
        Mining: {
            /**
             * Format: uuid
             * @description Its workflow in Temporal is `mine-blocks-{id}`.
             */
            id: string;
            /**
             * Format: uuid
             * @description Network id.
             * @example 6e657477-6f72-4000-8000-000000000004
             */
            network_id: string;
            blocks: number;
        };
        /** @description Success. */
        MiningAnswer: {
            /** @constant */
            success: true;
            /** @constant */
            message: "success";
            /** @constant */
            code: 0;
            data: components["schemas"]["Mining"];
        };
    };
    responses: {
        /** @description The request is wrong, whatever is stored: the message says what to change. */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "message": "signing_hash must be exactly 32 bytes in hex (64 digits), with or without 0x.",
                 *       "code": "invalid_signing_hash",
                 *       "data": null
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A dependency cannot be reached, the route is switched off, or the service is overloaded: try again later. */
        Unavailable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "message": "The service is overloaded: nothing was stored, try again in a second.",
                 *       "code": "dependency_unavailable",
                 *       "data": null
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request is not authenticated: one answer for every cause. */
        Unauthorized: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "message": "invalid api signature",
                 *       "code": "unauthorized",
                 *       "data": null
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description There is no such thing in this workspace. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "message": "No such wallet in this workspace.",
                 *       "code": "not_found",
                 *       "data": null
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The key may not do this: scope, wallet or address. */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "message": "This key lacks the scope signing:read, which a signature takes.",
                 *       "code": "insufficient_scope",
                 *       "data": null
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Too many requests with this key, or its workspace has as much of something as it may have: `Retry-After` says when to go on. */
        RateLimited: {
            headers: {
                /** @description Requests left and seconds until the count starts anew. */
                RateLimit?: string;
                /** @description Requests in a window of seconds. */
                "RateLimit-Policy"?: string;
                /** @description Seconds. */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "message": "This key has made too many requests: try again in 1 seconds.",
                 *       "code": "rate_limited",
                 *       "data": null
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Well-formed, but it collides with what is stored. `request_replayed`: an equal request was accepted with the same signature (two equal writes in one second): sign again at another second, or tell the two apart by `external_id`. `idempotency_key_reused`: the key belongs to another request. */
        Conflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "message": "The wallet is archived, and only an active wallet signs.",
                 *       "code": "invalid_state",
                 *       "data": null
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is larger than 1 MiB. */
        PayloadTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "message": "The body is larger than 1 MiB: send less in one request.",
                 *       "code": "payload_too_large",
                 *       "data": null
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is not JSON. */
        UnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "message": "Send the body as Content-Type: application/json.",
                 *       "code": "unsupported_media_type",
                 *       "data": null
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The wallet, or the workspace, is frozen. */
        Locked: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "success": false,
                 *       "message": "The wallet is frozen: unfreeze it to sign.",
                 *       "code": "wallet_frozen",
                 *       "data": null
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /** @description Rows in a page; 50 when absent. */
        Limit: number;
        /** @description From `X-Next-Cursor` of the page before. */
        Cursor: string;
        /** @description `created_at` when absent. */
        SortBy: components["schemas"]["SortColumn"];
        /** @description `desc` when absent. */
        SortOrder: components["schemas"]["SortOrder"];
        /** @description Of the column that sorts: this moment or later. */
        From: string;
        /** @description Of the column that sorts: before this moment. */
        To: string;
        /** @description Workspace id. */
        WorkspaceId: string;
        /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. Keys are told apart by workspace, route and target; `sign` and `signRaw` are one route, and the keys of votes are each user's own. */
        XIdempotencyKey: string;
        /** @description API key id. */
        ApiKeyId: string;
        /** @description User id. */
        UserId: string;
        /** @description Id of a change. */
        ChangeId: string;
        /** @description Wallet id. */
        WalletId: string;
        /** @description `wait=<seconds>`, at most 30 (RFC 7240): answered as soon as the state is final, or when the time is up. */
        Prefer: string;
        /** @description Only those with these names of the caller's. A name that has commas is found by itself. */
        ExternalId: string[];
        /** @description Chain family; `evm` when nothing is asked for. */
        AddressType: components["schemas"]["AddressType"];
        /** @description Only of these assets. */
        AssetId: string[];
        /** @description Only on these networks. */
        NetworkId: string[];
        /** @description Only of these methods. */
        Method: components["schemas"]["TransactionMethod"][];
        /** @description Withdrawal id. */
        WithdrawalId: string;
        SigningId: string;
        /** @description Id of an entry of the address book. */
        AddressBookId: string;
        /** @description Webhook id. */
        WebhookId: string;
        /** @description Export id. */
        ExportId: string;
        /** @description Id of a schedule. */
        ScheduleId: string;
    };
    requestBodies: never;
    headers: {
        /** @description Cursor of the next page; absent on the last one. */
        XNextCursor: string;
        /** @description The next page as `<…>; rel="next"` (RFC 8288). */
        Link: string;
        /** @description `wait` when the answer waited, or would have. */
        PreferenceApplied: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readHealth: {
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
                    "application/json": components["schemas"]["PartStatusAnswer"];
                };
            };
        };
    };
    readReadiness: {
        parameters: {
            query?: {
                /** @description A switch: `?deep` or `?deep=true` asks for the whole service. An alert reads this, not a balancer: it says the same in every process. */
                deep?: string;
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
                    "application/json": components["schemas"]["ReadReadinessDataAnswer"];
                };
            };
        };
    };
    readTime: {
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
                    "application/json": components["schemas"]["ReadTimeDataAnswer"];
                };
            };
        };
    };
    readMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The metrics. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
        };
    };
    readLogo: {
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
    readServiceStatus: {
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
                    "application/json": components["schemas"]["ServiceStatusAnswer"];
                };
            };
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /** @description Rows in a page; 50 when absent. */
                limit?: components["parameters"]["Limit"];
                /** @description From `X-Next-Cursor` of the page before. */
                cursor?: components["parameters"]["Cursor"];
                /** @description `created_at` when absent. */
                sort_by?: components["parameters"]["SortBy"];
                /** @description `desc` when absent. */
                sort_order?: components["parameters"]["SortOrder"];
                /** @description Of the column that sorts: this moment or later. */
                from?: components["parameters"]["From"];
                /** @description Of the column that sorts: before this moment. */
                to?: components["parameters"]["To"];
            };
            header?: never;
            path: {
                /** @description Workspace id. */
                workspace_id: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Next-Cursor": components["headers"]["XNextCursor"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyListAnswer"];
                };
            };
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. Keys are told apart by workspace, route and target; `sign` and `signRaw` are one route, and the keys of votes are each user's own. */
                "x-idempotency-key"?: components["parameters"]["XIdempotencyKey"];
            };
            path: {
                /** @description Workspace id. */
                workspace_id: components["parameters"]["WorkspaceId"];
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
                "application/json": components["schemas"]["CreateApiKeyBody"];
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyAnswer"];
                };
            };
            /** @description Success. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthorityChangeAnswer"];
                };
            };
        };
    };
    readOwnApiKey: {
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
                    "application/json": components["schemas"]["ApiKeyAnswer"];
                };
            };
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. Keys are told apart by workspace, route and target; `sign` and `signRaw` are one route, and the keys of votes are each user's own. */
                "x-idempotency-key"?: components["parameters"]["XIdempotencyKey"];
            };
            path: {
                /** @description API key id. */
                api_key_id: components["parameters"]["ApiKeyId"];
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
                    "application/json": components["schemas"]["ApiKeyAnswer"];
                };
            };
        };
    };
    changeApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. Keys are told apart by workspace, route and target; `sign` and `signRaw` are one route, and the keys of votes are each user's own. */
                "x-idempotency-key"?: components["parameters"]["XIdempotencyKey"];
            };
            path: {
                /** @description API key id. */
                api_key_id: components["parameters"]["ApiKeyId"];
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
                "application/json": components["schemas"]["ChangeApiKeyBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyAnswer"];
                };
            };
            /** @description Success. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthorityChangeAnswer"];
                };
            };
        };
    };
    rotateApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. Keys are told apart by workspace, route and target; `sign` and `signRaw` are one route, and the keys of votes are each user's own. */
                "x-idempotency-key"?: components["parameters"]["XIdempotencyKey"];
            };
            path: {
                /** @description API key id. */
                api_key_id: components["parameters"]["ApiKeyId"];
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
                "application/json": components["schemas"]["SecretOverlapBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyAnswer"];
                };
            };
            /** @description Success. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthorityChangeAnswer"];
                };
            };
        };
    };
    takeSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. Keys are told apart by workspace, route and target; `sign` and `signRaw` are one route, and the keys of votes are each user's own. */
                "x-idempotency-key"?: components["parameters"]["XIdempotencyKey"];
            };
            path: {
                /** @description API key id. */
                api_key_id: components["parameters"]["ApiKeyId"];
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
                "application/json": components["schemas"]["SecretOverlapBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyAnswer"];
                };
            };
        };
    };
    listUsers: {
        parameters: {
            query?: {
                /** @description Rows in a page; 50 when absent. */
                limit?: components["parameters"]["Limit"];
                /** @description From `X-Next-Cursor` of the page before. */
                cursor?: components["parameters"]["Cursor"];
                /** @description `created_at` when absent. */
                sort_by?: components["parameters"]["SortBy"];
                /** @description `desc` when absent. */
                sort_order?: components["parameters"]["SortOrder"];
                /** @description Of the column that sorts: this moment or later. */
                from?: components["parameters"]["From"];
                /** @description Of the column that sorts: before this moment. */
                to?: components["parameters"]["To"];
            };
            header?: never;
            path: {
                /** @description Workspace id. */
                workspace_id: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Next-Cursor": components["headers"]["XNextCursor"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserListAnswer"];
                };
            };
        };
    };
    createUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. Keys are told apart by workspace, route and target; `sign` and `signRaw` are one route, and the keys of votes are each user's own. */
                "x-idempotency-key"?: components["parameters"]["XIdempotencyKey"];
            };
            path: {
                /** @description Workspace id. */
                workspace_id: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Ada",
                 *       "email": "ada@example.com"
                 *     }
                 */
                "application/json": components["schemas"]["CreateUserBody"];
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserAnswer"];
                };
            };
            /** @description Success. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthorityChangeAnswer"];
                };
            };
        };
    };
    changeUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. Keys are told apart by workspace, route and target; `sign` and `signRaw` are one route, and the keys of votes are each user's own. */
                "x-idempotency-key"?: components["parameters"]["XIdempotencyKey"];
            };
            path: {
                /** @description User id. */
                user_id: components["parameters"]["UserId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Ada Lovelace"
                 *     }
                 */
                "application/json": components["schemas"]["ChangeUserBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserAnswer"];
                };
            };
            /** @description Success. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthorityChangeAnswer"];
                };
            };
        };
    };
    setRoles: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. Keys are told apart by workspace, route and target; `sign` and `signRaw` are one route, and the keys of votes are each user's own. */
                "x-idempotency-key"?: components["parameters"]["XIdempotencyKey"];
            };
            path: {
                /** @description User id. */
                user_id: components["parameters"]["UserId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "roles": [
                 *         "viewer"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["RolesBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GivenRolesAnswer"];
                };
            };
            /** @description Success. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthorityChangeAnswer"];
                };
            };
        };
    };
    listPasskeys: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description User id. */
                user_id: components["parameters"]["UserId"];
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
                    "application/json": components["schemas"]["PasskeyListAnswer"];
                };
            };
        };
    };
    removePasskey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. Keys are told apart by workspace, route and target; `sign` and `signRaw` are one route, and the keys of votes are each user's own. */
                "x-idempotency-key"?: components["parameters"]["XIdempotencyKey"];
            };
            path: {
                /** @description Id of a passkey. */
                passkey_id: string;
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
                    "application/json": components["schemas"]["PasskeyAnswer"];
                };
            };
        };
    };
    signOutUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. Keys are told apart by workspace, route and target; `sign` and `signRaw` are one route, and the keys of votes are each user's own. */
                "x-idempotency-key"?: components["parameters"]["XIdempotencyKey"];
            };
            path: {
                /** @description User id. */
                user_id: components["parameters"]["UserId"];
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
                    "application/json": components["schemas"]["EndedSessionsAnswer"];
                };
            };
        };
    };
    createEnrolmentLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. Keys are told apart by workspace, route and target; `sign` and `signRaw` are one route, and the keys of votes are each user's own. */
                "x-idempotency-key"?: components["parameters"]["XIdempotencyKey"];
            };
            path: {
                /** @description User id. */
                user_id: components["parameters"]["UserId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "expires_in_seconds": 3600
                 *     }
                 */
                "application/json": components["schemas"]["EnrolmentLinkBody"];
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnrolmentLinkAnswer"];
                };
            };
            /** @description Success. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnrolmentLinkAnswer"];
                };
            };
        };
    };
    readApprovalEvidence: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of what was to be approved. */
                subject_id: string;
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
                    "application/json": components["schemas"]["ApprovalEvidenceAnswer"];
                };
            };
        };
    };
    listChanges: {
        parameters: {
            query?: {
                /** @description Rows in a page; 50 when absent. */
                limit?: components["parameters"]["Limit"];
                /** @description From `X-Next-Cursor` of the page before. */
                cursor?: components["parameters"]["Cursor"];
                /** @description `created_at` when absent. */
                sort_by?: components["parameters"]["SortBy"];
                /** @description `desc` when absent. */
                sort_order?: components["parameters"]["SortOrder"];
                /** @description Of the column that sorts: this moment or later. */
                from?: components["parameters"]["From"];
                /** @description Of the column that sorts: before this moment. */
                to?: components["parameters"]["To"];
                /** @description Only changes that stand so. */
                status?: components["schemas"]["ApprovalStatus"][];
            };
            header?: never;
            path: {
                /** @description Workspace id. */
                workspace_id: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Next-Cursor": components["headers"]["XNextCursor"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthorityChangeListAnswer"];
                };
            };
        };
    };
    readChange: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a change. */
                change_id: components["parameters"]["ChangeId"];
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
                    "application/json": components["schemas"]["AuthorityChangeAnswer"];
                };
            };
        };
    };
    freezeWithdrawals: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. Keys are told apart by workspace, route and target; `sign` and `signRaw` are one route, and the keys of votes are each user's own. */
                "x-idempotency-key"?: components["parameters"]["XIdempotencyKey"];
            };
            path: {
                /** @description Workspace id. */
                workspace_id: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        /** @description None, or the reason. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "The invoice was paid already."
                 *     }
                 */
                "application/json": components["schemas"]["ReasonBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WithdrawalsFreezeAnswer"];
                };
            };
        };
    };
    unfreezeWithdrawals: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. Keys are told apart by workspace, route and target; `sign` and `signRaw` are one route, and the keys of votes are each user's own. */
                "x-idempotency-key"?: components["parameters"]["XIdempotencyKey"];
            };
            path: {
                /** @description Workspace id. */
                workspace_id: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        /** @description None, or the reason. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "The invoice was paid already."
                 *     }
                 */
                "application/json": components["schemas"]["ReasonBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WithdrawalsFreezeAnswer"];
                };
            };
            /** @description Success. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthorityChangeAnswer"];
                };
            };
        };
    };
    listAssets: {
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
                /** @description Rows in a page; all there are when absent. */
                limit?: number;
                /** @description From `X-Next-Cursor` of the page before. */
                cursor?: string;
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
                    "X-Next-Cursor": components["headers"]["XNextCursor"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AssetListAnswer"];
                };
            };
        };
    };
    readAsset: {
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
                    "application/json": components["schemas"]["AssetAnswer"];
                };
            };
        };
    };
    listNetworks: {
        parameters: {
            query?: {
                /** @description Only test networks, or only others. */
                is_testnet?: boolean;
                /** @description Rows in a page; all there are when absent. */
                limit?: number;
                /** @description From `X-Next-Cursor` of the page before. */
                cursor?: string;
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
                    "X-Next-Cursor": components["headers"]["XNextCursor"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NetworkListAnswer"];
                };
            };
        };
    };
    readNetwork: {
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
                    "application/json": components["schemas"]["NetworkAnswer"];
                };
            };
        };
    };
    readFees: {
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
                    "application/json": components["schemas"]["NetworkFeesAnswer"];
                };
            };
        };
    };
    rescanTransaction: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. Keys are told apart by workspace, route and target; `sign` and `signRaw` are one route, and the keys of votes are each user's own. */
                "x-idempotency-key"?: components["parameters"]["XIdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "tx_hash": "0x5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a",
                 *       "network_id": "6e657477-6f72-4000-8000-000000000001"
                 *     }
                 */
                "application/json": components["schemas"]["TransactionRescan"];
            };
        };
        responses: {
            /** @description Success. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionRescanAnswer"];
                };
            };
        };
    };
    createWallet: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. Keys are told apart by workspace, route and target; `sign` and `signRaw` are one route, and the keys of votes are each user's own. */
                "x-idempotency-key"?: components["parameters"]["XIdempotencyKey"];
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
                "application/json": components["schemas"]["CreateWalletBody"];
            };
        };
        responses: {
            /** @description Success. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletCreationAnswer"];
                };
            };
        };
    };
    readWalletCreation: {
        parameters: {
            query?: never;
            header?: {
                /** @description `wait=<seconds>`, at most 30 (RFC 7240): answered as soon as the state is final, or when the time is up. */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description Wallet id. */
                wallet_id: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletCreationAnswer"];
                };
            };
        };
    };
    listWallets: {
        parameters: {
            query?: {
                /** @description Rows in a page; 50 when absent. */
                limit?: components["parameters"]["Limit"];
                /** @description From `X-Next-Cursor` of the page before. */
                cursor?: components["parameters"]["Cursor"];
                /** @description `created_at` when absent. */
                sort_by?: components["parameters"]["SortBy"];
                /** @description `desc` when absent. */
                sort_order?: components["parameters"]["SortOrder"];
                /** @description Of the column that sorts: this moment or later. */
                from?: components["parameters"]["From"];
                /** @description Of the column that sorts: before this moment. */
                to?: components["parameters"]["To"];
                /** @description Only wallets with these statuses. */
                status?: components["schemas"]["WalletStatus"][];
                /** @description Only wallets of these types. */
                wallet_type?: components["schemas"]["WalletType"][];
                /** @description Only those with these names of the caller's. A name that has commas is found by itself. */
                external_id?: components["parameters"]["ExternalId"];
                /** @description Only wallets of this name, whole and in any case. */
                name?: string;
                /**
                 * @description Only wallets with this in their metadata, as `name:value`, both whole.
                 * @example customer:42
                 */
                metadata?: string;
                /** @description Only the wallets that have these addresses. */
                address?: string[];
            };
            header?: never;
            path: {
                /** @description Workspace id. */
                workspace_id: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Next-Cursor": components["headers"]["XNextCursor"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletListAnswer"];
                };
            };
        };
    };
    readWallet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Wallet id. */
                wallet_id: components["parameters"]["WalletId"];
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
                    "application/json": components["schemas"]["WalletAnswer"];
                };
            };
        };
    };
    changeWallet: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. Keys are told apart by workspace, route and target; `sign` and `signRaw` are one route, and the keys of votes are each user's own. */
                "x-idempotency-key"?: components["parameters"]["XIdempotencyKey"];
            };
            path: {
                /** @description Wallet id. */
                wallet_id: components["parameters"]["WalletId"];
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
                "application/json": components["schemas"]["ChangeWalletBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletAnswer"];
                };
            };
        };
    };
    freezeWallet: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. Keys are told apart by workspace, route and target; `sign` and `signRaw` are one route, and the keys of votes are each user's own. */
                "x-idempotency-key"?: components["parameters"]["XIdempotencyKey"];
            };
            path: {
                /** @description Wallet id. */
                wallet_id: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        /** @description None, or the reason. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "The invoice was paid already."
                 *     }
                 */
                "application/json": components["schemas"]["ReasonBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletAnswer"];
                };
            };
        };
    };
    unfreezeWallet: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. Keys are told apart by workspace, route and target; `sign` and `signRaw` are one route, and the keys of votes are each user's own. */
                "x-idempotency-key"?: components["parameters"]["XIdempotencyKey"];
            };
            path: {
                /** @description Wallet id. */
                wallet_id: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        /** @description None, or the reason. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "The invoice was paid already."
                 *     }
                 */
                "application/json": components["schemas"]["ReasonBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletAnswer"];
                };
            };
            /** @description Success. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthorityChangeAnswer"];
                };
            };
        };
    };
    archiveWallet: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. Keys are told apart by workspace, route and target; `sign` and `signRaw` are one route, and the keys of votes are each user's own. */
                "x-idempotency-key"?: components["parameters"]["XIdempotencyKey"];
            };
            path: {
                /** @description Wallet id. */
                wallet_id: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        /** @description None, or the reason. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "The invoice was paid already."
                 *     }
                 */
                "application/json": components["schemas"]["ReasonBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletAnswer"];
                };
            };
        };
    };
    readDepositAddress: {
        parameters: {
            query?: {
                /** @description Chain family; `evm` when nothing is asked for. */
                address_type?: components["parameters"]["AddressType"];
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
                /** @description Whether the answer has the QR code; false when absent. */
                qr_code?: boolean;
            };
            header?: never;
            path: {
                /** @description Wallet id. */
                wallet_id: components["parameters"]["WalletId"];
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
                    "application/json": components["schemas"]["DepositAddressAnswer"];
                };
            };
        };
    };
    readAddress: {
        parameters: {
            query?: {
                /** @description Chain family; `evm` when nothing is asked for. */
                address_type?: components["parameters"]["AddressType"];
            };
            header?: never;
            path: {
                /** @description Wallet id. */
                wallet_id: components["parameters"]["WalletId"];
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
                    "application/json": components["schemas"]["DepositAddressAnswer"];
                };
            };
        };
    };
    readWalletDetail: {
        parameters: {
            query?: {
                /** @description Chain family; `evm` when nothing is asked for. */
                address_type?: components["parameters"]["AddressType"];
            };
            header?: never;
            path: {
                /** @description Wallet id. */
                wallet_id: components["parameters"]["WalletId"];
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
                    "application/json": components["schemas"]["WalletDetailAnswer"];
                };
            };
        };
    };
    readOwnWalletDetail: {
        parameters: {
            query?: {
                /** @description Chain family; `evm` when nothing is asked for. */
                address_type?: components["parameters"]["AddressType"];
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
                    "application/json": components["schemas"]["WalletDetailAnswer"];
                };
            };
        };
    };
    listWalletAssets: {
        parameters: {
            query?: {
                /** @description Rows in a page; 50 when absent. */
                limit?: components["parameters"]["Limit"];
                /** @description From `X-Next-Cursor` of the page before. */
                cursor?: components["parameters"]["Cursor"];
                /** @description `created_at` when absent. */
                sort_by?: components["parameters"]["SortBy"];
                /** @description `desc` when absent. */
                sort_order?: components["parameters"]["SortOrder"];
                /** @description Of the column that sorts: this moment or later. */
                from?: components["parameters"]["From"];
                /** @description Of the column that sorts: before this moment. */
                to?: components["parameters"]["To"];
                /** @description Only assets with these statuses. */
                status?: components["schemas"]["WalletAssetStatus"][];
                /** @description Only these assets. */
                asset_id?: string[];
                /** @description Only assets of these networks. */
                network_id?: string[];
            };
            header?: never;
            path: {
                /** @description Wallet id. */
                wallet_id: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Next-Cursor": components["headers"]["XNextCursor"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletAssetListAnswer"];
                };
            };
        };
    };
    attachAsset: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. Keys are told apart by workspace, route and target; `sign` and `signRaw` are one route, and the keys of votes are each user's own. */
                "x-idempotency-key"?: components["parameters"]["XIdempotencyKey"];
            };
            path: {
                /** @description Wallet id. */
                wallet_id: components["parameters"]["WalletId"];
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
                "application/json": components["schemas"]["AttachAssetBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletAssetAnswer"];
                };
            };
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletAssetAnswer"];
                };
            };
        };
    };
    changeWalletAsset: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. Keys are told apart by workspace, route and target; `sign` and `signRaw` are one route, and the keys of votes are each user's own. */
                "x-idempotency-key"?: components["parameters"]["XIdempotencyKey"];
            };
            path: {
                /** @description Wallet id. */
                wallet_id: components["parameters"]["WalletId"];
                /**
                 * @description Catalogue id of an asset; not a contract address.
                 * @example bfc0a64b-e218-5deb-9c64-4125afa39d1a
                 */
                asset_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "disabled"
                 *     }
                 */
                "application/json": components["schemas"]["ChangeWalletAssetBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletAssetAnswer"];
                };
            };
        };
    };
    listWalletBalances: {
        parameters: {
            query?: {
                /** @description Rows in a page; 50 when absent. */
                limit?: components["parameters"]["Limit"];
                /** @description From `X-Next-Cursor` of the page before. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Only of these assets. */
                asset_id?: components["parameters"]["AssetId"];
                /** @description Only on these networks. */
                network_id?: components["parameters"]["NetworkId"];
            };
            header?: never;
            path: {
                /** @description Wallet id. */
                wallet_id: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Next-Cursor": components["headers"]["XNextCursor"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BalanceListAnswer"];
                };
            };
        };
    };
    listBalances: {
        parameters: {
            query?: {
                /** @description Rows in a page; 50 when absent. */
                limit?: components["parameters"]["Limit"];
                /** @description From `X-Next-Cursor` of the page before. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Only of these assets. */
                asset_id?: components["parameters"]["AssetId"];
                /** @description Only on these networks. */
                network_id?: components["parameters"]["NetworkId"];
                /** @description Only of these wallets. */
                wallet_id?: string[];
            };
            header?: never;
            path: {
                /** @description Workspace id. */
                workspace_id: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Next-Cursor": components["headers"]["XNextCursor"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BalanceListAnswer"];
                };
            };
        };
    };
    listTransactions: {
        parameters: {
            query?: {
                /** @description Rows in a page; 50 when absent. */
                limit?: components["parameters"]["Limit"];
                /** @description From `X-Next-Cursor` of the page before. */
                cursor?: components["parameters"]["Cursor"];
                /** @description `created_at` when absent. */
                sort_by?: components["parameters"]["SortBy"];
                /** @description `desc` when absent. */
                sort_order?: components["parameters"]["SortOrder"];
                /** @description Of the column that sorts: this moment or later. */
                from?: components["parameters"]["From"];
                /** @description Of the column that sorts: before this moment. */
                to?: components["parameters"]["To"];
                /** @description Only with these statuses. */
                status?: components["schemas"]["TransactionStatusName"][];
                /** @description Only in these directions. */
                direction?: components["schemas"]["TransactionDirection"][];
                /** @description Only of these methods. */
                method?: components["parameters"]["Method"];
                /** @description Only of these wallets. */
                wallet_id?: string[];
                /** @description Only of these assets. */
                asset_id?: string[];
                /** @description Only on these networks. */
                network_id?: string[];
                /** @description Only those with these names of the caller's. A name that has commas is found by itself. */
                external_id?: components["parameters"]["ExternalId"];
                /** @description Only with these hashes, in either case. */
                tx_hash?: string[];
                /** @description Only from, to or for these addresses, in either case. */
                address?: string[];
            };
            header?: never;
            path: {
                /** @description Workspace id. */
                workspace_id: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Next-Cursor": components["headers"]["XNextCursor"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionListAnswer"];
                };
            };
        };
    };
    exportTransactions: {
        parameters: {
            query?: {
                /** @description Only with these statuses. */
                status?: components["schemas"]["TransactionStatusName"][];
                /** @description Only in these directions. */
                direction?: components["schemas"]["TransactionDirection"][];
                /** @description Only of these methods. */
                method?: components["parameters"]["Method"];
                /** @description Only of these wallets. */
                wallet_id?: string[];
                /** @description Only of these assets. */
                asset_id?: string[];
                /** @description Only on these networks. */
                network_id?: string[];
                /** @description Only those with these names of the caller's. A name that has commas is found by itself. */
                external_id?: components["parameters"]["ExternalId"];
                /** @description Only with these hashes, in either case. */
                tx_hash?: string[];
                /** @description Only from, to or for these addresses, in either case. */
                address?: string[];
                /** @description Of the column that sorts: this moment or later. */
                from?: components["parameters"]["From"];
                /** @description Of the column that sorts: before this moment. */
                to?: components["parameters"]["To"];
                /** @description `desc` when absent. */
                sort_order?: components["parameters"]["SortOrder"];
                /** @description Alias of sort_order. */
                sort?: components["schemas"]["SortOrder"];
                /** @description `all` adds, behind the specified columns: symbol, network_internal_code, fee, fee_symbol, withdrawal_status, external_id, notes. */
                columns?: "specified" | "all";
            };
            header?: {
                /** @description `wait=<seconds>`, at most 30 (RFC 7240): answered as soon as the state is final, or when the time is up. */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description Workspace id. */
                workspace_id: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    readTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Workspace id. */
                workspace_id: components["parameters"]["WorkspaceId"];
                /** @description Id of the transaction, or of the withdrawal or signing operation it is of. */
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
                    "application/json": components["schemas"]["TransactionAnswer"];
                };
            };
        };
    };
    readTransactionStatus: {
        parameters: {
            query?: never;
            header?: {
                /** @description `wait=<seconds>`, at most 30 (RFC 7240): answered as soon as the state is final, or when the time is up. */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description Wallet id. */
                wallet_id: components["parameters"]["WalletId"];
                /** @description Id of the transaction, or of the withdrawal or signing operation it is of. */
                transaction_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionStatusAnswer"];
                };
            };
        };
    };
    countWithdrawals: {
        parameters: {
            query?: {
                /** @description Only with these statuses. */
                status?: components["schemas"]["WithdrawalStatus"][];
                /** @description Of the column that sorts: this moment or later. */
                from?: components["parameters"]["From"];
                /** @description Of the column that sorts: before this moment. */
                to?: components["parameters"]["To"];
            };
            header?: never;
            path: {
                /** @description Workspace id. */
                workspace_id: components["parameters"]["WorkspaceId"];
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
                    "application/json": components["schemas"]["CountAnswer"];
                };
            };
        };
    };
    requestWithdrawal: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. Keys are told apart by workspace, route and target; `sign` and `signRaw` are one route, and the keys of votes are each user's own. */
                "x-idempotency-key"?: components["parameters"]["XIdempotencyKey"];
            };
            path: {
                /** @description Wallet id. */
                wallet_id: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "asset_id": "da01f880-35c5-5bd2-8a69-09f9398dc3b5",
                 *       "amount": "0.5",
                 *       "recipient_address": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
                 *     }
                 */
                "application/json": components["schemas"]["RequestWithdrawalBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestWithdrawalDataAnswer"];
                };
            };
            /** @description Success. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestWithdrawalDataAnswer"];
                };
            };
        };
    };
    estimateWithdrawal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Wallet id. */
                wallet_id: components["parameters"]["WalletId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "asset_id": "da01f880-35c5-5bd2-8a69-09f9398dc3b5",
                 *       "amount": "0.5",
                 *       "recipient_address": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
                 *     }
                 */
                "application/json": components["schemas"]["EstimateWithdrawalBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WithdrawalEstimateAnswer"];
                };
            };
        };
    };
    listWithdrawals: {
        parameters: {
            query?: {
                /** @description Rows in a page; 50 when absent. */
                limit?: components["parameters"]["Limit"];
                /** @description From `X-Next-Cursor` of the page before. */
                cursor?: components["parameters"]["Cursor"];
                /** @description `created_at` when absent. */
                sort_by?: components["parameters"]["SortBy"];
                /** @description `desc` when absent. */
                sort_order?: components["parameters"]["SortOrder"];
                /** @description Of the column that sorts: this moment or later. */
                from?: components["parameters"]["From"];
                /** @description Of the column that sorts: before this moment. */
                to?: components["parameters"]["To"];
                /** @description Only with these statuses. */
                status?: components["schemas"]["WithdrawalStatus"][];
                /** @description Only with these: `insufficient_funds` are those that wait for their fee, or for the amount. */
                sub_status?: components["schemas"]["WithdrawalSubStatus"][];
                /** @description Only of these wallets. */
                wallet_id?: string[];
                /** @description Only of these assets. */
                asset_id?: components["parameters"]["AssetId"];
                /** @description Only on these networks. */
                network_id?: components["parameters"]["NetworkId"];
                /** @description Only of these methods. */
                method?: components["parameters"]["Method"];
                /** @description Only those with these names of the caller's. A name that has commas is found by itself. */
                external_id?: components["parameters"]["ExternalId"];
                /** @description Only those for which a transaction with one of these hashes stands, in either case. */
                tx_hash?: string[];
                /** @description Only from or to these addresses, in either case. */
                address?: string[];
            };
            header?: never;
            path: {
                /** @description Workspace id. */
                workspace_id: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Next-Cursor": components["headers"]["XNextCursor"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WithdrawalListAnswer"];
                };
            };
        };
    };
    readWithdrawal: {
        parameters: {
            query?: never;
            header?: {
                /** @description `wait=<seconds>`, at most 30 (RFC 7240): answered as soon as the state is final, or when the time is up. */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description Withdrawal id. */
                withdrawal_id: components["parameters"]["WithdrawalId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WithdrawalAnswer"];
                };
            };
        };
    };
    readWithdrawalHistory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Withdrawal id. */
                withdrawal_id: components["parameters"]["WithdrawalId"];
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
                    "application/json": components["schemas"]["WithdrawalHistoryEntryListAnswer"];
                };
            };
        };
    };
    cancelWithdrawal: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. Keys are told apart by workspace, route and target; `sign` and `signRaw` are one route, and the keys of votes are each user's own. */
                "x-idempotency-key"?: components["parameters"]["XIdempotencyKey"];
            };
            path: {
                /** @description Withdrawal id. */
                withdrawal_id: components["parameters"]["WithdrawalId"];
            };
            cookie?: never;
        };
        /** @description None, or the reason. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "The invoice was paid already."
                 *     }
                 */
                "application/json": components["schemas"]["ReasonBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WithdrawalAnswer"];
                };
            };
        };
    };
    dropWithdrawal: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. Keys are told apart by workspace, route and target; `sign` and `signRaw` are one route, and the keys of votes are each user's own. */
                "x-idempotency-key"?: components["parameters"]["XIdempotencyKey"];
            };
            path: {
                /** @description Withdrawal id. */
                withdrawal_id: components["parameters"]["WithdrawalId"];
            };
            cookie?: never;
        };
        /** @description None, or the reason. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "The invoice was paid already."
                 *     }
                 */
                "application/json": components["schemas"]["ReasonBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WithdrawalAnswer"];
                };
            };
        };
    };
    speedUpWithdrawal: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. Keys are told apart by workspace, route and target; `sign` and `signRaw` are one route, and the keys of votes are each user's own. */
                "x-idempotency-key"?: components["parameters"]["XIdempotencyKey"];
            };
            path: {
                /** @description Withdrawal id. */
                withdrawal_id: components["parameters"]["WithdrawalId"];
            };
            cookie?: never;
        };
        /** @description None, or the level whose fee it should pay, when that is more than what it offers now. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "fee_level": "high"
                 *     }
                 */
                "application/json": components["schemas"]["SpeedUpWithdrawalBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WithdrawalAnswer"];
                };
            };
        };
    };
    signAny: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. Keys are told apart by workspace, route and target; `sign` and `signRaw` are one route, and the keys of votes are each user's own. */
                "x-idempotency-key"?: components["parameters"]["XIdempotencyKey"];
            };
            path: {
                /** @description Wallet id. */
                wallet_id: components["parameters"]["WalletId"];
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
                "application/json": components["schemas"]["SignAnyBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignOutcomeAnswer"];
                };
            };
            /** @description Success. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignOutcomeAnswer"];
                };
            };
        };
    };
    sign: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. Keys are told apart by workspace, route and target; `sign` and `signRaw` are one route, and the keys of votes are each user's own. */
                "x-idempotency-key"?: components["parameters"]["XIdempotencyKey"];
            };
            path: {
                /** @description Wallet id. */
                wallet_id: components["parameters"]["WalletId"];
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
                "application/json": components["schemas"]["SignBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignOutcomeAnswer"];
                };
            };
            /** @description Success. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignOutcomeAnswer"];
                };
            };
        };
    };
    signMessage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. Keys are told apart by workspace, route and target; `sign` and `signRaw` are one route, and the keys of votes are each user's own. */
                "x-idempotency-key"?: components["parameters"]["XIdempotencyKey"];
            };
            path: {
                /** @description Wallet id. */
                wallet_id: components["parameters"]["WalletId"];
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
                "application/json": components["schemas"]["SignMessageBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AcceptedSigningAnswer"];
                };
            };
            /** @description Success. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AcceptedSigningAnswer"];
                };
            };
        };
    };
    signTyped: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. Keys are told apart by workspace, route and target; `sign` and `signRaw` are one route, and the keys of votes are each user's own. */
                "x-idempotency-key"?: components["parameters"]["XIdempotencyKey"];
            };
            path: {
                /** @description Wallet id. */
                wallet_id: components["parameters"]["WalletId"];
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
                "application/json": components["schemas"]["SignTypedBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AcceptedSigningAnswer"];
                };
            };
            /** @description Success. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AcceptedSigningAnswer"];
                };
            };
        };
    };
    signTransaction: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. Keys are told apart by workspace, route and target; `sign` and `signRaw` are one route, and the keys of votes are each user's own. */
                "x-idempotency-key"?: components["parameters"]["XIdempotencyKey"];
            };
            path: {
                /** @description Wallet id. */
                wallet_id: components["parameters"]["WalletId"];
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
                "application/json": components["schemas"]["SignTransactionBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AcceptedSigningAnswer"];
                };
            };
            /** @description Success. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AcceptedSigningAnswer"];
                };
            };
        };
    };
    signBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. Keys are told apart by workspace, route and target; `sign` and `signRaw` are one route, and the keys of votes are each user's own. */
                "x-idempotency-key"?: components["parameters"]["XIdempotencyKey"];
            };
            path: {
                /** @description Wallet id. */
                wallet_id: components["parameters"]["WalletId"];
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
                "application/json": components["schemas"]["SignBatchBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchResultsAnswer"];
                };
            };
            /** @description Success. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchResultsAnswer"];
                };
            };
        };
    };
    listSigningRequests: {
        parameters: {
            query?: {
                /** @description Rows in a page; 50 when absent. */
                limit?: components["parameters"]["Limit"];
                /** @description From `X-Next-Cursor` of the page before. */
                cursor?: components["parameters"]["Cursor"];
                /** @description `created_at` when absent. */
                sort_by?: components["parameters"]["SortBy"];
                /** @description `desc` when absent. */
                sort_order?: components["parameters"]["SortOrder"];
                /** @description Of the column that sorts: this moment or later. */
                from?: components["parameters"]["From"];
                /** @description Of the column that sorts: before this moment. */
                to?: components["parameters"]["To"];
                /** @description Only operations with these statuses. */
                status?: components["schemas"]["SigningStatus"][];
                /** @description Only operations of these wallets. */
                wallet_id?: string[];
                /** @description Only operations on these networks, by catalogue id. */
                network_id?: string[];
                /** @description Only those with these names of the caller's. A name that has commas is found by itself. */
                external_id?: components["parameters"]["ExternalId"];
                /** @description Only operations that these addresses have signed; one that is not signed yet has none. */
                address?: string[];
            };
            header?: never;
            path: {
                /** @description Workspace id. */
                workspace_id: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Next-Cursor": components["headers"]["XNextCursor"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SigningRequestListAnswer"];
                };
            };
        };
    };
    cancelSigningRequest: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. Keys are told apart by workspace, route and target; `sign` and `signRaw` are one route, and the keys of votes are each user's own. */
                "x-idempotency-key"?: components["parameters"]["XIdempotencyKey"];
            };
            path: {
                signing_id: components["parameters"]["SigningId"];
            };
            cookie?: never;
        };
        /** @description None, or the reason. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "The invoice was paid already."
                 *     }
                 */
                "application/json": components["schemas"]["ReasonBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SigningRequestAnswer"];
                };
            };
        };
    };
    readSigningRequest: {
        parameters: {
            query?: never;
            header?: {
                /** @description `wait=<seconds>`, at most 30 (RFC 7240): answered as soon as the state is final, or when the time is up. */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                signing_id: components["parameters"]["SigningId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SigningRequestAnswer"];
                };
            };
        };
    };
    readSigningStatus: {
        parameters: {
            query?: never;
            header?: {
                /** @description `wait=<seconds>`, at most 30 (RFC 7240): answered as soon as the state is final, or when the time is up. */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description Wallet id. */
                wallet_id: components["parameters"]["WalletId"];
                signing_id: components["parameters"]["SigningId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SigningAliasAnswer"];
                };
            };
        };
    };
    readPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Workspace id. */
                workspace_id: components["parameters"]["WorkspaceId"];
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
                    "application/json": components["schemas"]["PolicyAnswer"];
                };
            };
        };
    };
    setPolicy: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. Keys are told apart by workspace, route and target; `sign` and `signRaw` are one route, and the keys of votes are each user's own. */
                "x-idempotency-key"?: components["parameters"]["XIdempotencyKey"];
            };
            path: {
                /** @description Workspace id. */
                workspace_id: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "rules": [
                 *         {
                 *           "name": "no blind signatures",
                 *           "when": {
                 *             "payload_kinds": [
                 *               "raw_digest"
                 *             ]
                 *           },
                 *           "then": {
                 *             "action": "deny"
                 *           }
                 *         },
                 *         {
                 *           "name": "known destinations",
                 *           "when": {
                 *             "operations": [
                 *               "withdrawal"
                 *             ],
                 *             "destination": {
                 *               "in_address_book": true
                 *             }
                 *           },
                 *           "then": {
                 *             "action": "allow"
                 *           }
                 *         }
                 *       ],
                 *       "default": {
                 *         "action": "require_approvals",
                 *         "approvals": 1,
                 *         "expires_in_seconds": 3600
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PolicyDocument"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicyAnswer"];
                };
            };
        };
    };
    listPolicyVersions: {
        parameters: {
            query?: {
                /** @description Rows in a page; 50 when absent. */
                limit?: components["parameters"]["Limit"];
                /** @description From `X-Next-Cursor` of the page before. */
                cursor?: components["parameters"]["Cursor"];
                /** @description `created_at` when absent. */
                sort_by?: components["parameters"]["SortBy"];
                /** @description `desc` when absent. */
                sort_order?: components["parameters"]["SortOrder"];
                /** @description Of the column that sorts: this moment or later. */
                from?: components["parameters"]["From"];
                /** @description Of the column that sorts: before this moment. */
                to?: components["parameters"]["To"];
            };
            header?: never;
            path: {
                /** @description Workspace id. */
                workspace_id: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Next-Cursor": components["headers"]["XNextCursor"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicyVersionListAnswer"];
                };
            };
        };
    };
    simulatePolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Workspace id. */
                workspace_id: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        /** @description One of `withdrawal` and `signing`, whose `item` is as in `signBatch`. `initiator` is the user who would ask, that of the calling key when absent. With a `document` that is tried, else the policy in force. `max` and `subtract_fee` look at what the wallet has: they need `balances:read`. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "signing": {
                 *         "wallet_id": "01900000-0000-7000-8000-000000000000",
                 *         "item": {
                 *           "type": "message",
                 *           "network_internal_code": "ETHEREUM_SANDBOX",
                 *           "message": "Hello, Bob!"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["SimulatePolicyBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicySimulationAnswer"];
                };
            };
        };
    };
    listAddressBook: {
        parameters: {
            query?: {
                /** @description Rows in a page; 50 when absent. */
                limit?: components["parameters"]["Limit"];
                /** @description From `X-Next-Cursor` of the page before. */
                cursor?: components["parameters"]["Cursor"];
                /** @description `created_at` when absent. */
                sort_by?: components["parameters"]["SortBy"];
                /** @description `desc` when absent. */
                sort_order?: components["parameters"]["SortOrder"];
                /** @description Of the column that sorts: this moment or later. */
                from?: components["parameters"]["From"];
                /** @description Of the column that sorts: before this moment. */
                to?: components["parameters"]["To"];
                /** @description Only of these networks. */
                network_id?: string[];
            };
            header?: never;
            path: {
                /** @description Workspace id. */
                workspace_id: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Next-Cursor": components["headers"]["XNextCursor"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddressBookEntryListAnswer"];
                };
            };
        };
    };
    addAddress: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. Keys are told apart by workspace, route and target; `sign` and `signRaw` are one route, and the keys of votes are each user's own. */
                "x-idempotency-key"?: components["parameters"]["XIdempotencyKey"];
            };
            path: {
                /** @description Workspace id. */
                workspace_id: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "network_id": "6e657477-6f72-4000-8000-000000000004",
                 *       "address": "0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826",
                 *       "label": "Cow"
                 *     }
                 */
                "application/json": components["schemas"]["AddAddressBody"];
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddressBookEntryAnswer"];
                };
            };
        };
    };
    removeAddress: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. Keys are told apart by workspace, route and target; `sign` and `signRaw` are one route, and the keys of votes are each user's own. */
                "x-idempotency-key"?: components["parameters"]["XIdempotencyKey"];
            };
            path: {
                /** @description Workspace id. */
                workspace_id: components["parameters"]["WorkspaceId"];
                /** @description Id of an entry of the address book. */
                address_book_id: components["parameters"]["AddressBookId"];
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
                    "application/json": components["schemas"]["AddressBookEntryAnswer"];
                };
            };
        };
    };
    approveWithdrawal: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. Keys are told apart by workspace, route and target; `sign` and `signRaw` are one route, and the keys of votes are each user's own. */
                "x-idempotency-key"?: components["parameters"]["XIdempotencyKey"];
            };
            path: {
                /** @description Withdrawal id. */
                withdrawal_id: components["parameters"]["WithdrawalId"];
            };
            cookie?: never;
        };
        /** @description None, or the digest of what the approver has seen. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "digest": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
                 *     }
                 */
                "application/json": components["schemas"]["ApproveBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WithdrawalAnswer"];
                };
            };
        };
    };
    approveSigningRequest: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. Keys are told apart by workspace, route and target; `sign` and `signRaw` are one route, and the keys of votes are each user's own. */
                "x-idempotency-key"?: components["parameters"]["XIdempotencyKey"];
            };
            path: {
                signing_id: components["parameters"]["SigningId"];
            };
            cookie?: never;
        };
        /** @description None, or the digest of what the approver has seen. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "digest": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
                 *     }
                 */
                "application/json": components["schemas"]["ApproveBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SigningRequestAnswer"];
                };
            };
        };
    };
    approvePolicy: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. Keys are told apart by workspace, route and target; `sign` and `signRaw` are one route, and the keys of votes are each user's own. */
                "x-idempotency-key"?: components["parameters"]["XIdempotencyKey"];
            };
            path: {
                /** @description Workspace id. */
                workspace_id: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "digest": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
                 *     }
                 */
                "application/json": components["schemas"]["ApproveDigestBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicyAnswer"];
                };
            };
        };
    };
    approveAddress: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. Keys are told apart by workspace, route and target; `sign` and `signRaw` are one route, and the keys of votes are each user's own. */
                "x-idempotency-key"?: components["parameters"]["XIdempotencyKey"];
            };
            path: {
                /** @description Workspace id. */
                workspace_id: components["parameters"]["WorkspaceId"];
                /** @description Id of an entry of the address book. */
                address_book_id: components["parameters"]["AddressBookId"];
            };
            cookie?: never;
        };
        /** @description None, or the digest of what the approver has seen. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "digest": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
                 *     }
                 */
                "application/json": components["schemas"]["ApproveBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddressBookEntryAnswer"];
                };
            };
        };
    };
    approveChange: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. Keys are told apart by workspace, route and target; `sign` and `signRaw` are one route, and the keys of votes are each user's own. */
                "x-idempotency-key"?: components["parameters"]["XIdempotencyKey"];
            };
            path: {
                /** @description Id of a change. */
                change_id: components["parameters"]["ChangeId"];
            };
            cookie?: never;
        };
        /** @description None, or the digest of what the approver has seen. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "digest": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
                 *     }
                 */
                "application/json": components["schemas"]["ApproveBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthorityChangeAnswer"];
                };
            };
        };
    };
    rejectWithdrawal: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. Keys are told apart by workspace, route and target; `sign` and `signRaw` are one route, and the keys of votes are each user's own. */
                "x-idempotency-key"?: components["parameters"]["XIdempotencyKey"];
            };
            path: {
                /** @description Withdrawal id. */
                withdrawal_id: components["parameters"]["WithdrawalId"];
            };
            cookie?: never;
        };
        /** @description None, or the digest of what the approver has seen, and the reason. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "The recipient is not known to us."
                 *     }
                 */
                "application/json": components["schemas"]["RejectBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WithdrawalAnswer"];
                };
            };
        };
    };
    rejectSigningRequest: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. Keys are told apart by workspace, route and target; `sign` and `signRaw` are one route, and the keys of votes are each user's own. */
                "x-idempotency-key"?: components["parameters"]["XIdempotencyKey"];
            };
            path: {
                signing_id: components["parameters"]["SigningId"];
            };
            cookie?: never;
        };
        /** @description None, or the digest of what the approver has seen, and the reason. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "The recipient is not known to us."
                 *     }
                 */
                "application/json": components["schemas"]["RejectBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SigningRequestAnswer"];
                };
            };
        };
    };
    rejectPolicy: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. Keys are told apart by workspace, route and target; `sign` and `signRaw` are one route, and the keys of votes are each user's own. */
                "x-idempotency-key"?: components["parameters"]["XIdempotencyKey"];
            };
            path: {
                /** @description Workspace id. */
                workspace_id: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "digest": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
                 *     }
                 */
                "application/json": components["schemas"]["RejectDigestBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicyAnswer"];
                };
            };
        };
    };
    rejectAddress: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. Keys are told apart by workspace, route and target; `sign` and `signRaw` are one route, and the keys of votes are each user's own. */
                "x-idempotency-key"?: components["parameters"]["XIdempotencyKey"];
            };
            path: {
                /** @description Workspace id. */
                workspace_id: components["parameters"]["WorkspaceId"];
                /** @description Id of an entry of the address book. */
                address_book_id: components["parameters"]["AddressBookId"];
            };
            cookie?: never;
        };
        /** @description None, or the digest of what the approver has seen, and the reason. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "The recipient is not known to us."
                 *     }
                 */
                "application/json": components["schemas"]["RejectBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddressBookEntryAnswer"];
                };
            };
        };
    };
    rejectChange: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. Keys are told apart by workspace, route and target; `sign` and `signRaw` are one route, and the keys of votes are each user's own. */
                "x-idempotency-key"?: components["parameters"]["XIdempotencyKey"];
            };
            path: {
                /** @description Id of a change. */
                change_id: components["parameters"]["ChangeId"];
            };
            cookie?: never;
        };
        /** @description None, or the digest of what the approver has seen, and the reason. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "The recipient is not known to us."
                 *     }
                 */
                "application/json": components["schemas"]["RejectBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthorityChangeAnswer"];
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description Only events after this place: the `seq` of the last one that was read. Without it from the oldest that is kept. */
                after_seq?: number;
                /** @description Events in a page; 50 when absent. */
                limit?: number;
                /** @description Only of these types. */
                type?: components["schemas"]["EventType"][];
            };
            header?: {
                /** @description `wait=<seconds>`, at most 30 (RFC 7240): answered as soon as the state is final, or when the time is up. */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description Workspace id. */
                workspace_id: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The next page as `<…>; rel="next"`, when there are more already. */
                    Link?: string;
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventListAnswer"];
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description Rows in a page; 50 when absent. */
                limit?: components["parameters"]["Limit"];
                /** @description From `X-Next-Cursor` of the page before. */
                cursor?: components["parameters"]["Cursor"];
                /** @description `created_at` when absent. */
                sort_by?: components["parameters"]["SortBy"];
                /** @description `desc` when absent. */
                sort_order?: components["parameters"]["SortOrder"];
                /** @description Of the column that sorts: this moment or later. */
                from?: components["parameters"]["From"];
                /** @description Of the column that sorts: before this moment. */
                to?: components["parameters"]["To"];
            };
            header?: never;
            path: {
                /** @description Workspace id. */
                workspace_id: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Next-Cursor": components["headers"]["XNextCursor"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookListAnswer"];
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. Keys are told apart by workspace, route and target; `sign` and `signRaw` are one route, and the keys of votes are each user's own. */
                "x-idempotency-key"?: components["parameters"]["XIdempotencyKey"];
            };
            path: {
                /** @description Workspace id. */
                workspace_id: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://example.com/countersign",
                 *       "events": [
                 *         "withdrawal.completed",
                 *         "deposit.confirmed"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CreateWebhookBody"];
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookAnswer"];
                };
            };
        };
    };
    readWebhookKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Workspace id. */
                workspace_id: components["parameters"]["WorkspaceId"];
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
                    "application/json": components["schemas"]["ReadWebhookKeyDataAnswer"];
                };
            };
        };
    };
    readWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Webhook id. */
                webhook_id: components["parameters"]["WebhookId"];
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
                    "application/json": components["schemas"]["WebhookAnswer"];
                };
            };
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. Keys are told apart by workspace, route and target; `sign` and `signRaw` are one route, and the keys of votes are each user's own. */
                "x-idempotency-key"?: components["parameters"]["XIdempotencyKey"];
            };
            path: {
                /** @description Webhook id. */
                webhook_id: components["parameters"]["WebhookId"];
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
                    "application/json": components["schemas"]["WebhookAnswer"];
                };
            };
        };
    };
    changeWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. Keys are told apart by workspace, route and target; `sign` and `signRaw` are one route, and the keys of votes are each user's own. */
                "x-idempotency-key"?: components["parameters"]["XIdempotencyKey"];
            };
            path: {
                /** @description Webhook id. */
                webhook_id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "events": [],
                 *       "description": "Everything"
                 *     }
                 */
                "application/json": components["schemas"]["ChangeWebhookBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookAnswer"];
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. Keys are told apart by workspace, route and target; `sign` and `signRaw` are one route, and the keys of votes are each user's own. */
                "x-idempotency-key"?: components["parameters"]["XIdempotencyKey"];
            };
            path: {
                /** @description Webhook id. */
                webhook_id: components["parameters"]["WebhookId"];
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
                    "application/json": components["schemas"]["WebhookAnswer"];
                };
            };
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /** @description Rows in a page; 50 when absent. */
                limit?: components["parameters"]["Limit"];
                /** @description From `X-Next-Cursor` of the page before. */
                cursor?: components["parameters"]["Cursor"];
                /** @description `created_at` when absent. */
                sort_by?: components["parameters"]["SortBy"];
                /** @description `desc` when absent. */
                sort_order?: components["parameters"]["SortOrder"];
                /** @description Of the column that sorts: this moment or later. */
                from?: components["parameters"]["From"];
                /** @description Of the column that sorts: before this moment. */
                to?: components["parameters"]["To"];
                /** @description Only deliveries with these statuses. */
                status?: components["schemas"]["DeliveryStatus"][];
                /** @description Only deliveries of events of these types. */
                event_type?: components["schemas"]["EventType"][];
            };
            header?: never;
            path: {
                /** @description Webhook id. */
                webhook_id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Next-Cursor": components["headers"]["XNextCursor"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryListAnswer"];
                };
            };
        };
    };
    pingWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. Keys are told apart by workspace, route and target; `sign` and `signRaw` are one route, and the keys of votes are each user's own. */
                "x-idempotency-key"?: components["parameters"]["XIdempotencyKey"];
            };
            path: {
                /** @description Webhook id. */
                webhook_id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PingWebhookDataAnswer"];
                };
            };
        };
    };
    replayWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. Keys are told apart by workspace, route and target; `sign` and `signRaw` are one route, and the keys of votes are each user's own. */
                "x-idempotency-key"?: components["parameters"]["XIdempotencyKey"];
            };
            path: {
                /** @description Webhook id. */
                webhook_id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "from": "2026-01-01T00:00:00Z",
                 *       "to": "2026-01-02T00:00:00Z"
                 *     }
                 */
                "application/json": components["schemas"]["ReplayWebhookBody"];
            };
        };
        responses: {
            /** @description Success. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplayWebhookDataAnswer"];
                };
            };
        };
    };
    redeliver: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. Keys are told apart by workspace, route and target; `sign` and `signRaw` are one route, and the keys of votes are each user's own. */
                "x-idempotency-key"?: components["parameters"]["XIdempotencyKey"];
            };
            path: {
                /** @description Id of a delivery. */
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryAnswer"];
                };
            };
        };
    };
    listExports: {
        parameters: {
            query?: {
                /** @description Rows in a page; 50 when absent. */
                limit?: components["parameters"]["Limit"];
                /** @description From `X-Next-Cursor` of the page before. */
                cursor?: components["parameters"]["Cursor"];
                /** @description `created_at` when absent. */
                sort_by?: components["parameters"]["SortBy"];
                /** @description `desc` when absent. */
                sort_order?: components["parameters"]["SortOrder"];
                /** @description Of the column that sorts: this moment or later. */
                from?: components["parameters"]["From"];
                /** @description Of the column that sorts: before this moment. */
                to?: components["parameters"]["To"];
                /** @description Only of these. */
                content?: components["schemas"]["ExportContent"][];
                /** @description Only exports with these statuses. */
                status?: components["schemas"]["ExportStatus"][];
                /** @description Only exports that these schedules asked for, also of one that is deleted. */
                schedule_id?: string[];
            };
            header?: never;
            path: {
                /** @description Workspace id. */
                workspace_id: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Next-Cursor": components["headers"]["XNextCursor"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExportListAnswer"];
                };
            };
        };
    };
    startExport: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. Keys are told apart by workspace, route and target; `sign` and `signRaw` are one route, and the keys of votes are each user's own. */
                "x-idempotency-key"?: components["parameters"]["XIdempotencyKey"];
            };
            path: {
                /** @description Workspace id. */
                workspace_id: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "content": "transactions",
                 *       "format": "csv",
                 *       "from": "2026-01-01T00:00:00Z",
                 *       "to": "2026-02-01T00:00:00Z"
                 *     }
                 */
                "application/json": components["schemas"]["StartExportBody"];
            };
        };
        responses: {
            /** @description Success. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExportAnswer"];
                };
            };
        };
    };
    readExport: {
        parameters: {
            query?: never;
            header?: {
                /** @description `wait=<seconds>`, at most 30 (RFC 7240): answered as soon as the state is final, or when the time is up. */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description Workspace id. */
                workspace_id: components["parameters"]["WorkspaceId"];
                /** @description Export id. */
                export_id: components["parameters"]["ExportId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExportAnswer"];
                };
            };
        };
    };
    cancelExport: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. Keys are told apart by workspace, route and target; `sign` and `signRaw` are one route, and the keys of votes are each user's own. */
                "x-idempotency-key"?: components["parameters"]["XIdempotencyKey"];
            };
            path: {
                /** @description Workspace id. */
                workspace_id: components["parameters"]["WorkspaceId"];
                /** @description Export id. */
                export_id: components["parameters"]["ExportId"];
            };
            cookie?: never;
        };
        /** @description None, or the reason. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "The invoice was paid already."
                 *     }
                 */
                "application/json": components["schemas"]["ReasonBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExportAnswer"];
                };
            };
        };
    };
    downloadExport: {
        parameters: {
            query?: never;
            header?: {
                /** @description `bytes=<first>-<last>`, one range (RFC 9110): to go on where a download broke off. */
                range?: string;
                /** @description The `ETag` of the first part: of another file the whole is sent. */
                "if-range"?: string;
            };
            path: {
                /** @description Workspace id. */
                workspace_id: components["parameters"]["WorkspaceId"];
                /** @description Export id. */
                export_id: components["parameters"]["ExportId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    /** @description The SHA-256 of the whole file, in quotes. */
                    ETag?: string;
                    /** @description `bytes`. */
                    "Accept-Ranges"?: string;
                    /** @description The name under which a browser would keep it. */
                    "Content-Disposition"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/vnd.apache.parquet": string;
                };
            };
            /** @description A part of the file. */
            206: {
                headers: {
                    /** @description The SHA-256 of the whole file, in quotes. */
                    ETag?: string;
                    /** @description `bytes`. */
                    "Accept-Ranges"?: string;
                    /** @description The name under which a browser would keep it. */
                    "Content-Disposition"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/vnd.apache.parquet": string;
                };
            };
        };
    };
    listExportSchedules: {
        parameters: {
            query?: {
                /** @description Rows in a page; 50 when absent. */
                limit?: components["parameters"]["Limit"];
                /** @description From `X-Next-Cursor` of the page before. */
                cursor?: components["parameters"]["Cursor"];
                /** @description `created_at` when absent. */
                sort_by?: components["parameters"]["SortBy"];
                /** @description `desc` when absent. */
                sort_order?: components["parameters"]["SortOrder"];
                /** @description Of the column that sorts: this moment or later. */
                from?: components["parameters"]["From"];
                /** @description Of the column that sorts: before this moment. */
                to?: components["parameters"]["To"];
            };
            header?: never;
            path: {
                /** @description Workspace id. */
                workspace_id: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Next-Cursor": components["headers"]["XNextCursor"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExportScheduleListAnswer"];
                };
            };
        };
    };
    createExportSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. Keys are told apart by workspace, route and target; `sign` and `signRaw` are one route, and the keys of votes are each user's own. */
                "x-idempotency-key"?: components["parameters"]["XIdempotencyKey"];
            };
            path: {
                /** @description Workspace id. */
                workspace_id: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "content": "transactions",
                 *       "format": "csv",
                 *       "cron": "30 6 1 * *",
                 *       "time_zone": "Europe/Zurich",
                 *       "window": "previous_month"
                 *     }
                 */
                "application/json": components["schemas"]["CreateExportScheduleBody"];
            };
        };
        responses: {
            /** @description Success. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExportScheduleAnswer"];
                };
            };
        };
    };
    readExportSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Workspace id. */
                workspace_id: components["parameters"]["WorkspaceId"];
                /** @description Id of a schedule. */
                schedule_id: components["parameters"]["ScheduleId"];
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
                    "application/json": components["schemas"]["ExportScheduleAnswer"];
                };
            };
        };
    };
    deleteExportSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. Keys are told apart by workspace, route and target; `sign` and `signRaw` are one route, and the keys of votes are each user's own. */
                "x-idempotency-key"?: components["parameters"]["XIdempotencyKey"];
            };
            path: {
                /** @description Workspace id. */
                workspace_id: components["parameters"]["WorkspaceId"];
                /** @description Id of a schedule. */
                schedule_id: components["parameters"]["ScheduleId"];
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
                    "application/json": components["schemas"]["ExportScheduleAnswer"];
                };
            };
        };
    };
    pauseExportSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. Keys are told apart by workspace, route and target; `sign` and `signRaw` are one route, and the keys of votes are each user's own. */
                "x-idempotency-key"?: components["parameters"]["XIdempotencyKey"];
            };
            path: {
                /** @description Workspace id. */
                workspace_id: components["parameters"]["WorkspaceId"];
                /** @description Id of a schedule. */
                schedule_id: components["parameters"]["ScheduleId"];
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
                    "application/json": components["schemas"]["ExportScheduleAnswer"];
                };
            };
        };
    };
    resumeExportSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. Keys are told apart by workspace, route and target; `sign` and `signRaw` are one route, and the keys of votes are each user's own. */
                "x-idempotency-key"?: components["parameters"]["XIdempotencyKey"];
            };
            path: {
                /** @description Workspace id. */
                workspace_id: components["parameters"]["WorkspaceId"];
                /** @description Id of a schedule. */
                schedule_id: components["parameters"]["ScheduleId"];
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
                    "application/json": components["schemas"]["ExportScheduleAnswer"];
                };
            };
        };
    };
    runExportSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. Keys are told apart by workspace, route and target; `sign` and `signRaw` are one route, and the keys of votes are each user's own. */
                "x-idempotency-key"?: components["parameters"]["XIdempotencyKey"];
            };
            path: {
                /** @description Workspace id. */
                workspace_id: components["parameters"]["WorkspaceId"];
                /** @description Id of a schedule. */
                schedule_id: components["parameters"]["ScheduleId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExportAnswer"];
                };
            };
        };
    };
    listAuditLogs: {
        parameters: {
            query?: {
                /** @description Rows in a page; 50 when absent. */
                limit?: components["parameters"]["Limit"];
                /** @description From `X-Next-Cursor` of the page before. */
                cursor?: components["parameters"]["Cursor"];
                /** @description `created_at` when absent. */
                sort_by?: components["parameters"]["SortBy"];
                /** @description `desc` when absent. */
                sort_order?: components["parameters"]["SortOrder"];
                /** @description Of the column that sorts: this moment or later. */
                from?: components["parameters"]["From"];
                /** @description Of the column that sorts: before this moment. */
                to?: components["parameters"]["To"];
                /** @description Only by these API keys. */
                actor_id?: string[];
                /** @description Only these routes or commands. */
                action?: string[];
                /** @description Only with these outcomes. */
                outcome?: components["schemas"]["AuditOutcome"][];
                /** @description Only about these resources. */
                resource_id?: string[];
                /** @description Only about these wallets. */
                wallet_id?: string[];
            };
            header?: never;
            path: {
                /** @description Workspace id. */
                workspace_id: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Next-Cursor": components["headers"]["XNextCursor"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditLogListAnswer"];
                };
            };
        };
    };
    exportAuditLogs: {
        parameters: {
            query?: {
                /** @description `csv` when absent. */
                format?: "csv" | "jsonl";
                /** @description Only by these API keys. */
                actor_id?: string[];
                /** @description Only these routes or commands. */
                action?: string[];
                /** @description Only with these outcomes. */
                outcome?: components["schemas"]["AuditOutcome"][];
                /** @description Only about these resources. */
                resource_id?: string[];
                /** @description Only about these wallets. */
                wallet_id?: string[];
                /** @description Of the column that sorts: this moment or later. */
                from?: components["parameters"]["From"];
                /** @description Of the column that sorts: before this moment. */
                to?: components["parameters"]["To"];
                /** @description `desc` when absent. */
                sort_order?: components["parameters"]["SortOrder"];
                /** @description Only for `jsonl`, which takes no filter: the chain from the place after this one on. */
                after_seq?: number;
            };
            header?: {
                /** @description `wait=<seconds>`, at most 30 (RFC 7240): answered as soon as the state is final, or when the time is up. */
                prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description Workspace id. */
                workspace_id: components["parameters"]["WorkspaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
        };
    };
    verifyAuditLogs: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Workspace id. */
                workspace_id: components["parameters"]["WorkspaceId"];
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
                    "application/json": components["schemas"]["AuditVerificationAnswer"];
                };
            };
        };
    };
    readAuditHead: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Workspace id. */
                workspace_id: components["parameters"]["WorkspaceId"];
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
                    "application/json": components["schemas"]["AuditHeadAnswer"];
                };
            };
        };
    };
    faucet: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. Keys are told apart by workspace, route and target; `sign` and `signRaw` are one route, and the keys of votes are each user's own. */
                "x-idempotency-key"?: components["parameters"]["XIdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "wallet_id": "01890000-0000-7000-8000-000000000000",
                 *       "asset_id": "2b982c13-41a5-5942-8eaf-8e1bb1c5168b",
                 *       "amount": "1.5"
                 *     }
                 */
                "application/json": components["schemas"]["FaucetBody"];
            };
        };
        responses: {
            /** @description Success. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FaucetPaymentAnswer"];
                };
            };
        };
    };
    mine: {
        parameters: {
            query?: never;
            header?: {
                /** @description Visible ASCII. A repeated key with the same request returns the original result and creates nothing. Keys are told apart by workspace, route and target; `sign` and `signRaw` are one route, and the keys of votes are each user's own. */
                "x-idempotency-key"?: components["parameters"]["XIdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "network_id": "6e657477-6f72-4000-8000-000000000001",
                 *       "blocks": 3
                 *     }
                 */
                "application/json": components["schemas"]["MineBody"];
            };
        };
        responses: {
            /** @description Success. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MiningAnswer"];
                };
            };
        };
    };
    onWalletCreated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WalletEvent"];
            };
        };
        responses: {
            /** @description It was taken. Any other answer has it sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWalletCreationFailed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WalletEvent"];
            };
        };
        responses: {
            /** @description It was taken. Any other answer has it sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWalletFrozen: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WalletEvent"];
            };
        };
        responses: {
            /** @description It was taken. Any other answer has it sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWalletUnfrozen: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WalletEvent"];
            };
        };
        responses: {
            /** @description It was taken. Any other answer has it sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDepositPending: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DepositEvent"];
            };
        };
        responses: {
            /** @description It was taken. Any other answer has it sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDepositConfirmed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DepositEvent"];
            };
        };
        responses: {
            /** @description It was taken. Any other answer has it sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDepositReorged: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DepositEvent"];
            };
        };
        responses: {
            /** @description It was taken. Any other answer has it sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWithdrawalCreated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WithdrawalEvent"];
            };
        };
        responses: {
            /** @description It was taken. Any other answer has it sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWithdrawalPendingApproval: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WithdrawalEvent"];
            };
        };
        responses: {
            /** @description It was taken. Any other answer has it sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWithdrawalApproved: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WithdrawalEvent"];
            };
        };
        responses: {
            /** @description It was taken. Any other answer has it sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWithdrawalRejected: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WithdrawalEvent"];
            };
        };
        responses: {
            /** @description It was taken. Any other answer has it sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWithdrawalProcessing: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WithdrawalEvent"];
            };
        };
        responses: {
            /** @description It was taken. Any other answer has it sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWithdrawalInsufficientFunds: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WithdrawalEvent"];
            };
        };
        responses: {
            /** @description It was taken. Any other answer has it sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWithdrawalBroadcast: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WithdrawalEvent"];
            };
        };
        responses: {
            /** @description It was taken. Any other answer has it sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWithdrawalReplaced: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WithdrawalEvent"];
            };
        };
        responses: {
            /** @description It was taken. Any other answer has it sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWithdrawalCompleted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WithdrawalEvent"];
            };
        };
        responses: {
            /** @description It was taken. Any other answer has it sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWithdrawalFailed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WithdrawalEvent"];
            };
        };
        responses: {
            /** @description It was taken. Any other answer has it sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWithdrawalCancelled: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WithdrawalEvent"];
            };
        };
        responses: {
            /** @description It was taken. Any other answer has it sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onSigningPendingApproval: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SigningEvent"];
            };
        };
        responses: {
            /** @description It was taken. Any other answer has it sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onSigningSubmitted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SigningEvent"];
            };
        };
        responses: {
            /** @description It was taken. Any other answer has it sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onSigningSuccess: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SigningEvent"];
            };
        };
        responses: {
            /** @description It was taken. Any other answer has it sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onSigningFailed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SigningEvent"];
            };
        };
        responses: {
            /** @description It was taken. Any other answer has it sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWorkspaceWithdrawalsFrozen: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WithdrawalsFreezeEvent"];
            };
        };
        responses: {
            /** @description It was taken. Any other answer has it sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWorkspaceWithdrawalsUnfrozen: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WithdrawalsFreezeEvent"];
            };
        };
        responses: {
            /** @description It was taken. Any other answer has it sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onApiKeyCreated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiKeyEvent"];
            };
        };
        responses: {
            /** @description It was taken. Any other answer has it sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onApiKeyRevoked: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiKeyEvent"];
            };
        };
        responses: {
            /** @description It was taken. Any other answer has it sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPasskeyEnrolled: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasskeyEvent"];
            };
        };
        responses: {
            /** @description It was taken. Any other answer has it sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPasskeyRemoved: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasskeyEvent"];
            };
        };
        responses: {
            /** @description It was taken. Any other answer has it sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onExportCompleted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExportEvent"];
            };
        };
        responses: {
            /** @description It was taken. Any other answer has it sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onExportFailed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExportEvent"];
            };
        };
        responses: {
            /** @description It was taken. Any other answer has it sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onExportCancelled: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExportEvent"];
            };
        };
        responses: {
            /** @description It was taken. Any other answer has it sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWebhookPing: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description It was taken. Any other answer has it sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWebhookDisabled: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description It was taken. Any other answer has it sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
type WithRequired<T, K extends keyof T> = T & {
    [P in K]-?: T[P];
};
