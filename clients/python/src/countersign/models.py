"""Shapes of the interface, made from openapi.json by scripts/client-python.ts: run `npm run generate`."""

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict


class WalletEventData(TypedDict):
    # Wallet id.
    id: str
    # Wallet id.
    wallet_id: str
    # Workspace id.
    workspace_id: str
    name: str
    wallet_type: 'WalletType'
    # One of those that can be asked for; wallets of before there were these have any text.
    wallet_purpose: NotRequired[str]
    # The caller's own name for it.
    external_id: NotRequired[str]
    status: 'WalletStatus'
    # What who froze, unfroze or archived it last gave as the reason.
    reason: NotRequired[str]
    created_at: str
    updated_at: str
    # Stable, for programs.
    error_code: NotRequired[str]
    # The same in one plain sentence.
    error_reason: NotRequired[str]
    addresses: NotRequired['WalletAddresses']


class DepositEventData(TypedDict):
    # Id of this record.
    id: str
    # The same as `id`.
    transaction_id: str
    # Workspace id.
    workspace_id: str
    # Wallet id.
    wallet_id: str
    # Catalogue id of the asset.
    asset_id: str
    # Catalogue id of the network.
    network_id: str
    # Decimal number in the asset's unit.
    amount: str
    # Only what is `confirmed` can be spent. What was `reorged` is `pending` again when it comes
    # back.
    status: 'DepositStatus'
    tx_hash: str
    # Absent where the chain names no single sender.
    from_address: NotRequired[str]
    # The wallet's own address.
    to_address: str
    # The block that has it, or had it.
    block_number: int
    # Absent when a reorganisation took the block.
    block_hash: NotRequired[str]
    created_at: str
    updated_at: str


class WithdrawalEventData(TypedDict):
    # Withdrawal id.
    id: str
    # The same as `id`, under the name that SDK callers use.
    transaction_id: str
    # Workspace id.
    workspace_id: str
    # Wallet id.
    wallet_id: str
    # Catalogue id of an asset; not a contract address.
    asset_id: str
    # Network id.
    network_id: str
    # Internal code of the network.
    network_internal_code: str
    # `transfer` of the asset, or the `contract_call` of a signRaw request, whose amount is its
    # value.
    method: 'TransactionMethod'
    # What the recipient gets, in the asset's unit. Fees come on top.
    amount: str
    # In the canonical form of the chain; the contract of a call.
    recipient_address: str
    # The wallet's own address.
    from_address: str
    # How soon it should be in a block, and what that may cost: see the fees of the network.
    fee_level: 'FeeLevel'
    # What the fee must not exceed, in the native currency of the network.
    max_fee: NotRequired[str]
    # What the chain took, in the native currency; absent until it is final.
    fee_paid: NotRequired[str]
    # The caller's own name for it.
    external_id: NotRequired[str]
    # `pending_approval` until enough have approved, `approved` until a worker takes it up,
    # `processing` until the chain has it for good. `completed`, `failed`, `rejected` and
    # `cancelled` are final.
    status: 'WithdrawalStatus'
    # Where it stands within `processing`, or how it ended: `insufficient_funds` waits for the fee,
    # `stuck` for a block longer than usual; `reverted` was executed and failed, and paid its fee.
    sub_status: NotRequired['WithdrawalSubStatus']
    shortage: NotRequired['Shortage']
    # Of one that failed or was cancelled: stable, for programs.
    error_code: NotRequired[str]
    # The same in one plain sentence.
    error_reason: NotRequired[str]
    # What who rejected or cancelled it gave as the reason.
    reason: NotRequired[str]
    # Of the transaction that stands for it now; absent until it is broadcast.
    tx_hash: NotRequired[str]
    # The nodes of the cluster that signed that transaction, ascending; absent where that was not
    # kept.
    signed_by_nodes: NotRequired[list[int]]
    # The block that has it.
    block_number: NotRequired[int]
    # 1 in the newest block.
    confirmations: NotRequired[int]
    # The user who asked.
    requested_by: str
    # Why the policy decided as it did, in plain sentences.
    policy_reasons: list[str]
    created_at: str
    updated_at: str
    # Of the final status.
    completed_at: NotRequired[str]
    decoded: NotRequired['DecodedContent']


class SigningEventData(TypedDict):
    # The signing operation.
    id: str
    # The same as `id`.
    signing_id: str
    operation_type: 'SigningOrigin'
    # Wallet id.
    wallet_id: str
    # Internal code of the network.
    network_internal_code: str
    key_type: 'Curve'
    # What the nodes are shown. Only a `raw_digest` is signed without being read.
    payload_kind: 'PayloadKind'
    # The caller's own name for it.
    external_id: NotRequired[str]
    # 0x and 64 hex digits. Of the `solana_` kinds, which are signed unhashed, their SHA-256.
    signing_hash: str
    derivation_path: str
    status: 'SigningStatus'
    status_reason: NotRequired['SigningStatusReason']
    # Signing id and attempt, as the nodes know it.
    mpc_correlation_id: NotRequired[str]
    # Stable, for programs.
    error_code: NotRequired[str]
    # The same in one plain sentence.
    error_reason: NotRequired[str]
    # What who rejected or cancelled it gave as the reason.
    reason: NotRequired[str]
    # 0x r‖s‖v on secp256k1 (s low, v 27 or 28), 64 bytes in hex on ed25519.
    signature: NotRequired[str]
    # The derived child key, hex.
    public_key: NotRequired[str]
    # Its address on the network.
    address: NotRequired[str]
    # The nodes of its cluster that made the signature, ascending; absent where that was not kept.
    signed_by_nodes: NotRequired[list[int]]
    created_at: str
    updated_at: str
    completed_at: NotRequired[str]
    # The withdrawal that it is for.
    withdrawal_id: NotRequired[str]
    payload: NotRequired['SignedPayload']
    # Workspace id.
    workspace_id: str


class WithdrawalsFreezeEventData(TypedDict):
    # Workspace id.
    workspace_id: str
    # Whether withdrawals and signatures are refused.
    withdrawals_frozen: bool
    # Since when; absent unless frozen.
    frozen_at: NotRequired[str]
    # What who froze or unfroze it last gave as the reason.
    reason: NotRequired[str]
    # Of an event: when it was decided.
    updated_at: str


class ApiKeyEventData(TypedDict):
    # API key id.
    id: str
    # Workspace id.
    workspace_id: str
    # The user whose key it is, and whose votes it gives.
    user_id: str
    scopes: list[str]
    # Empty when the key reaches every wallet.
    wallet_ids: list[str]
    name: str
    # Id of the user who made it, or `operator`.
    created_by: str
    # Since when the key is refused, for ever.
    revoked_at: NotRequired[str]
    # When the key ends.
    expires_at: NotRequired[str]
    # When the key was made.
    created_at: str
    # When the key was last changed; its use is no change.
    updated_at: str


class PasskeyEventData(TypedDict):
    # Id of a passkey.
    id: str
    # Whose it is.
    user_id: str
    name: str
    # SubjectPublicKeyInfo, DER, base64: what evidence is verified with.
    public_key: str
    # Since when it is refused, for ever.
    removed_at: NotRequired[str]
    # When it was enrolled.
    created_at: str
    # Workspace id.
    workspace_id: str


class ExportEventData(TypedDict):
    # Export id.
    id: str
    content: 'ExportContent'
    format: 'ExportFormat'
    status: 'ExportStatus'
    # Stable, for programs.
    error_code: NotRequired[str]
    # The same in one plain sentence.
    error_reason: NotRequired[str]
    # Why it was cancelled, in the words of who did.
    reason: NotRequired[str]
    # When it was asked for.
    created_at: str
    # When its status changed last, or more of it was written.
    updated_at: str
    # When it ended.
    completed_at: NotRequired[str]
    # Workspace id.
    workspace_id: str


class WebhookEventData(TypedDict):
    # Webhook id.
    webhook_id: str
    # Why it is disabled: a caller asked for it, it answered 410, or nothing was taken for five
    # days. Absent unless disabled.
    status_reason: NotRequired[Literal["requested", "gone", "failing"]]


WalletType: TypeAlias = Literal["standard", "mpc"]


WalletStatus: TypeAlias = Literal["creating", "active", "failed", "frozen", "archived"]


class WalletAddresses(TypedDict):
    """By chain family: none until the wallet is active, and none when it is archived. Of its events
    `wallet.created` has them.
    """

    evm: NotRequired[str]
    sol: NotRequired[str]
    btc: NotRequired[str]
    tron: NotRequired[str]


DepositStatus: TypeAlias = Literal["pending", "confirmed", "reorged"]


TransactionMethod: TypeAlias = Literal["transfer", "contract_call"]


FeeLevel: TypeAlias = Literal["low", "medium", "high"]


WithdrawalStatus: TypeAlias = Literal["pending", "pending_approval", "approved", "processing", "completed", "failed", "rejected", "cancelled"]


WithdrawalSubStatus: TypeAlias = Literal["policy_check", "queued", "awaiting_signature", "broadcasting", "confirming", "stuck", "replaced", "reorged", "insufficient_funds", "reverted"]


class Shortage(TypedDict):
    """While it is `insufficient_funds`: what is missing, and until when it waits."""

    # Catalogue id of an asset; not a contract address.
    asset_id: str
    # Its symbol.
    asset: str
    # How much more the address must have, by the last quote; absent where nobody could say.
    missing: NotRequired[str]
    # It fails when that is still missing then; absent of one that is signed, which waits for ever.
    waits_until: NotRequired[str]


CallKind: TypeAlias = Literal["transfer", "dangerous", "unknown"]


class DecodedMovement(TypedDict):
    """What is absent or null is not known, and may be anything."""

    # Of an asset of the catalogue.
    asset_id: NotRequired[str | None]
    # In the asset's unit.
    amount: NotRequired[str | None]
    # Whole base units.
    amount_base_units: NotRequired[str | None]
    # Who receives it.
    destination: NotRequired[str | None]
    # Of the asset, where it is decoded.
    symbol: NotRequired[str]
    # The contract or mint that stands for the asset; absent also for the native currency.
    contract: NotRequired[str]
    # On Solana: the account that receives a token.
    token_account: NotRequired[str]
    # Of a simulation, when a rule asks.
    in_address_book: NotRequired[bool]


class DecodedContent(TypedDict):
    """What it does, read from the bytes that are signed and from nothing that its caller says of it.
    """

    # As `calls` of a policy names it. A message has none.
    kind: NotRequired['CallKind']
    # One plain clause: what it was found to do.
    summary: NotRequired[str]
    # Whom an EVM call is to, also the one that a Safe is to make; absent where a contract is
    # created.
    to: NotRequired[str]
    # What the call carries, in the native currency of the network.
    value: NotRequired[str]
    # The function that it calls, where it is a known one.
    method: NotRequired[str]
    # Of the method, in their order: numbers are decimal, bytes 0x hex, lists and structs JSON text.
    # The types stand in `method`.
    arguments: NotRequired[list[str]]
    # Of a Solana transaction: the program of each, and what is read of it.
    instructions: NotRequired[list[str]]
    # All that is seen to move.
    movements: 'list[DecodedMovement]'
    # What a transaction may pay at most, in the native currency; absent where it is not known.
    max_fee: NotRequired[str]
    # What of it was not understood: it may move anything besides.
    unknown: list[str]
    # Internal codes of the networks that are enabled here and on which it is valid, the named one
    # first.
    networks: list[str]


SigningOrigin: TypeAlias = Literal["withdrawal", "generic"]


Curve: TypeAlias = Literal["secp256k1", "ed25519"]


PayloadKind: TypeAlias = Literal["raw_digest", "evm_transaction", "evm_message", "evm_typed_data", "solana_transaction", "bitcoin_input", "solana_message"]


SigningStatus: TypeAlias = Literal["pending", "submitted", "failed", "success"]


SigningStatusReason: TypeAlias = Literal["awaiting_approval", "queued", "cluster_not_ready", "policy_denied", "approval_rejected", "approval_expired", "cancelled", "frozen", "mpc_timeout", "mpc_error", "signature_invalid"]


class TypedDataField(TypedDict):
    name: str
    type: str


JsonObject: TypeAlias = dict[str, Any]


class TypedData(TypedDict):
    """An EIP-712 document: at most 64 types and 4096 bytes of them, 32 levels deep, 64 KiB in the
    encoding of the nodes (a value is 33 bytes, or 5 and its own).
    """

    # `EIP712Domain` may be left out: it follows from the fields of `domain`.
    types: 'dict[str, list[TypedDataField]]'
    # When absent, the one type that no other refers to.
    primaryType: NotRequired[str]
    # Some of EIP-712's five fields; `chainId`, when it is there, must be the network's.
    domain: 'JsonObject'
    # Every field of its type and no other. Integers beyond 2^53 - 1 are strings, decimal or 0x hex.
    message: 'JsonObject'


class SignedPayload(TypedDict):
    """What is signed. Absent where the stored operation is no longer what was asked for, which nobody
    can approve.
    """

    # What the nodes are shown. Only a `raw_digest` is signed without being read.
    kind: 'PayloadKind'
    # The bytes of a message, 0x hex: on EVM networks without the prefix of EIP-191.
    message: NotRequired[str]
    # The message as text, where it is text. What is signed are the bytes.
    text: NotRequired[str]
    # Of a message in the off-chain envelope of Solana: which application asks, base58.
    application_domain: NotRequired[str]
    # Whose signatures such an envelope asks for.
    signers: NotRequired[list[str]]
    typed_data: NotRequired['TypedData']
    # The unsigned transaction, 0x hex: as it is hashed on EVM networks; the message on Solana.
    transaction: NotRequired[str]
    # What came with a raw digest: nobody has signed it, and it may be anything.
    unsigned_tx: NotRequired[str]
    # Whether `signing_hash` is the hash of `transaction` or `unsigned_tx`: keccak256 on EVM
    # networks, SHA-256 on Tron and Solana, twice SHA-256 on Bitcoin. When it is false, take nothing
    # that `unsigned_tx` says for what is signed.
    matches_digest: NotRequired[bool]
    # True where what is signed is longer than 4 KiB and left out: read the operation itself.
    shortened: NotRequired[bool]
    decoded: 'DecodedContent'


ExportContent: TypeAlias = Literal["transactions", "withdrawals", "deposits", "signing_requests", "ledger_entries", "balances", "audit"]


ExportFormat: TypeAlias = Literal["csv", "jsonl", "parquet"]


ExportStatus: TypeAlias = Literal["pending", "running", "completed", "failed", "cancelled"]


Reachability: TypeAlias = Literal["up", "down"]


class PartStatus(TypedDict):
    status: 'Reachability'


class ReadReadinessData(TypedDict):
    postgres: 'Reachability'
    temporal: NotRequired['Reachability']
    # Whether enough nodes to sign were up a moment ago, as a worker found them.
    mpc: NotRequired['Reachability']


class ReadTimeData(TypedDict):
    # What ACCESS-TIMESTAMP is compared with.
    unix_seconds: int
    time: str


class TaskQueue(TypedDict):
    backlog: int
    # How long the oldest task has waited for a worker.
    oldest_age_seconds: float
    # Workers that asked for tasks a moment ago.
    pollers: int


class TaskQueues(TypedDict):
    workflow: 'TaskQueue'
    activity: 'TaskQueue'


class Backlog(TypedDict):
    count: int
    # How long the oldest has waited; 0 when none does.
    oldest_age_seconds: float


class ServiceStatus(TypedDict):
    postgres: 'PartStatus'
    temporal: 'ServiceStatusTemporal'
    mpc_nodes: 'list[ServiceStatusMpcNodesItem]'
    chains: 'list[ServiceStatusChainsItem]'
    queues: 'ServiceStatusQueues'
    open_operations: 'list[ServiceStatusOpenOperationsItem]'
    # Processes that carry out workflows and activities.
    workers: int
    signers: 'ServiceStatusSigners'


class ServiceStatusTemporal(TypedDict):
    status: 'Reachability'
    # Null while Temporal does not answer.
    task_queues: 'TaskQueues | None'
    # In Temporal's web interface; `/` and the id of a workflow lead to it.
    workflows_url: NotRequired[str]


class ServiceStatusMpcNodesItem(TypedDict):
    # Its name: `main`, unless the service has several.
    cluster: str
    # Its number in its cluster.
    node: int
    status: 'Reachability'
    # How often it has banned another node; it bans one under one key at a time.
    bans: int
    # The nodes of its cluster that it has banned under any key, ascending.
    banned_nodes: list[int]
    # What it says of itself.
    version: str | None
    # Of the policy file that it signs by, in hex; the nodes of a cluster should have the same.
    policy_sha256: str | None
    # How long it took to tell how it is; null while it does not answer.
    answer_ms: int | None
    # How long it usually takes in a signature; the workers prefer fast nodes by it. Null before the
    # first one.
    signing_ms: int | None
    error: str | None
    # Since a worker asked it last.
    checked_age_seconds: float


class ServiceStatusChainsItem(TypedDict):
    # Its internal code.
    network: str
    status: Literal["watched", "failing", "halted"]
    halted_reason: str | None
    # Why it could not be read on when that was tried last; null since it could.
    last_error: str | None
    head_block: int
    # Blocks up to the head that are not read yet.
    lag_blocks: int
    # Since its node told its head.
    head_age_seconds: float


class ServiceStatusQueues(TypedDict):
    outbox: 'Backlog'
    events: 'Backlog'
    webhooks: 'Backlog'
    audit: 'Backlog'


class ServiceStatusOpenOperationsItem(TypedDict):
    kind: Literal["wallet", "signing_request", "withdrawal", "export"]
    status: str
    count: int
    # Since it was made; of a withdrawal since its last step.
    oldest_age_seconds: float


class ServiceStatusSigners(TypedDict):
    total: int
    up: int


SortColumn: TypeAlias = Literal["created_at", "updated_at"]


SortOrder: TypeAlias = Literal["asc", "desc"]


class ApiKey(TypedDict):
    # API key id.
    id: str
    # Workspace id.
    workspace_id: str
    # The user whose key it is, and whose votes it gives.
    user_id: str
    scopes: list[str]
    # Empty when the key reaches every wallet.
    wallet_ids: list[str]
    name: str
    # Id of the user who made it, or `operator`.
    created_by: str
    # Since when the key is refused, for ever.
    revoked_at: NotRequired[str]
    # When the key ends.
    expires_at: NotRequired[str]
    # When the key was made.
    created_at: str
    # When the key was last changed; its use is no change.
    updated_at: str
    # The key identifier: what ACCESS-API-KEY carries.
    api_key: str
    # Absent when any address is allowed.
    ip_allowlist: NotRequired[list[str]]
    # Absent for all but legacy keys.
    legacy_path_signing: NotRequired[Literal[True]]
    # Of the key by which the sessions of its user act, which has no secret: what its scopes are
    # made of. Absent for all others.
    roles: NotRequired[list[Literal["administrator", "approver", "operator", "viewer", "auditor"]]]
    # Another user made or rotated the key: its own user has yet to take the secret (`take-secret`).
    awaiting_secret: NotRequired[Literal[True]]
    # Until when the secret before the last rotation still signs. Absent when it ends with
    # `awaiting_secret`, or did.
    previous_secret_expires_at: NotRequired[str]
    # Written every few seconds.
    last_used_at: NotRequired[str]
    last_used_ip: NotRequired[str]
    # The signing secret, shown once, to who makes the key or takes its secret, and in no list: a
    # repeat of the request under its X-Idempotency-Key answers the record without it.
    api_secret: NotRequired[str]


Scope: TypeAlias = Literal["catalog:read", "wallets:read", "wallets:write", "wallets:admin", "balances:read", "transactions:read", "transactions:write", "withdrawals:read", "withdrawals:write", "withdrawals:approve", "signing:read", "signing:write", "signing:approve", "policies:read", "policies:write", "webhooks:read", "webhooks:write", "audit:read", "observability:read", "api_keys:admin", "workspace:admin"]


class CreateApiKeyBody(TypedDict):
    name: str
    # Whose key it will be; that of the calling key when absent.
    user_id: NotRequired[str]
    # What the key may do. None that the calling key lacks, but for the scopes to approve of a key
    # that waits for approval.
    scopes: 'list[Scope]'
    # Wallets of the workspace that the key is bound to; empty for all.
    wallet_ids: NotRequired[list[str]]
    # IPv4 and IPv6 addresses and CIDR ranges that the key may be used from; empty for any.
    ip_allowlist: NotRequired[list[str]]
    # When the key ends; never when absent. In the future.
    expires_at: NotRequired[str]
    # The key may sign the path without its query string, and nothing for a body of `{}`. For
    # existing callers only.
    legacy_path_signing: NotRequired[bool]


AuthorityChangeKind: TypeAlias = Literal["create_user", "enable_user", "create_api_key", "rotate_api_key", "change_api_key", "give_roles", "enrol_passkey", "unfreeze_withdrawals", "unfreeze_wallet"]


ApprovalStatus: TypeAlias = Literal["pending", "approved", "rejected"]


ApprovalRoundStatus: TypeAlias = Literal["pending", "approved", "rejected", "expired", "cancelled"]


class ApprovalVote(TypedDict):
    # User id.
    user_id: str
    status: 'ApprovalStatus'
    voted_at: NotRequired[str]


class Approval(TypedDict):
    status: 'ApprovalRoundStatus'
    # SHA-256 over the canonical JSON (RFC 8785) of what is approved.
    digest: str
    # How many approvals.
    required: int
    # What each approval must be given with; absent for any key.
    approve_with: NotRequired[Literal["passkey"]]
    # One for each user who voted. Named approvers who have not are `pending`.
    approvals: 'list[ApprovalVote]'
    # Why it needs approval.
    reasons: list[str]
    # The user who asked, who cannot approve.
    requested_by: str
    expires_at: str
    decided_at: NotRequired[str]


class AuthorityChange(TypedDict):
    # Id of a change.
    id: str
    workspace_id: str
    kind: 'AuthorityChangeKind'
    # Who is made or changed, or whose key is; of unfreezing who asked.
    user_id: str
    # The key that is made or changed.
    api_key_id: NotRequired[str]
    # The wallet that is unfrozen.
    wallet_id: NotRequired[str]
    status: 'ApprovalStatus'
    # What will be done. Never a secret.
    details: 'AuthorityChangeDetails'
    # The user who asked.
    created_by: str
    created_at: str
    updated_at: str
    approval: NotRequired['Approval']


class AuthorityChangeDetails(TypedDict):
    """What will be done. Never a secret."""

    name: NotRequired[str]
    email: NotRequired[str | None]
    # The identifier of the key that is made.
    api_key: NotRequired[str]
    scopes: NotRequired[list[str]]
    # Empty for every wallet.
    wallet_ids: NotRequired[list[str]]
    # Empty for any address.
    ip_allowlist: NotRequired[list[str]]
    # Null for never.
    expires_at: NotRequired[str | None]
    # What the user may do at the console.
    roles: NotRequired[list[str]]
    # The roles when this was asked for.
    roles_before: NotRequired[list[str]]
    # Of an enrolment link: for how long it is good once it is approved.
    expires_in_seconds: NotRequired[int]
    legacy_path_signing: NotRequired[bool]
    overlap_seconds: NotRequired[int]
    # What the key could do when this was asked for.
    before: NotRequired['AuthorityChangeDetailsBefore']
    # Of unfreezing: what who asked gave as the reason.
    reason: NotRequired[str]
    # Of unfreezing: which freeze it is. A later one is not undone by it.
    freeze_version: NotRequired[int]


class AuthorityChangeDetailsBefore(TypedDict):
    """What the key could do when this was asked for."""

    scopes: list[str]
    # Empty for every wallet.
    wallet_ids: list[str]
    # Empty for any address.
    ip_allowlist: list[str]
    # Null for never.
    expires_at: str | None


class ChangeApiKeyBody(TypedDict):
    name: NotRequired[str]
    # What the key may do. None that the calling key lacks, but for the scopes to approve of a key
    # that waits for approval.
    scopes: NotRequired['list[Scope]']
    # Wallets of the workspace that the key is bound to; empty for all.
    wallet_ids: NotRequired[list[str]]
    # null allows any address.
    ip_allowlist: NotRequired[list[str] | None]
    # null lets the key never end.
    expires_at: NotRequired[str | None]


class SecretOverlapBody(TypedDict):
    # How long the secret until now still signs, if there is one; 3600 when absent, so that a lost
    # answer locks nobody out. 0 when the secret may have leaked. A secret from an earlier rotation
    # ends at once. When another user's key is rotated and waits for approval: counted from there;
    # absent, until its user has taken the new secret.
    overlap_seconds: NotRequired[int]


UserStatus: TypeAlias = Literal["active", "disabled"]


class User(TypedDict):
    # User id.
    id: str
    workspace_id: str
    name: str
    email: NotRequired[str]
    # No key of a disabled user is let in, and no vote counts.
    status: 'UserStatus'
    # Id of the user who made it, or `operator`.
    created_by: str
    created_at: str
    updated_at: str


class CreateUserBody(TypedDict):
    name: str
    email: NotRequired[str]


class ChangeUserBody(TypedDict):
    name: NotRequired[str]
    # `disabled` revokes every key of the user, for ever; who is `active` again needs new ones.
    status: NotRequired['UserStatus']


class RolesBody(TypedDict):
    # Empty for none.
    roles: list[Literal["administrator", "approver", "operator", "viewer", "auditor"]]


class GivenRoles(TypedDict):
    # User id.
    user_id: str
    # Empty for none.
    roles: list[Literal["administrator", "approver", "operator", "viewer", "auditor"]]
    # What a session may do.
    scopes: list[str]


class Passkey(TypedDict):
    # Id of a passkey.
    id: str
    # Whose it is.
    user_id: str
    name: str
    # SubjectPublicKeyInfo, DER, base64: what evidence is verified with.
    public_key: str
    # Since when it is refused, for ever.
    removed_at: NotRequired[str]
    # When it was enrolled.
    created_at: str
    # The id of the credential, base64url.
    credential_id: str
    # The model that the authenticator says to be. Nobody has attested it.
    aaguid: str
    # Whether its owner may copy it to other devices.
    backup_eligible: bool
    # Whether it was, when it was last used.
    backed_up: bool
    # Of the last use; 0 for one that does not count.
    counter: int
    # When it last signed in or voted.
    last_used_at: NotRequired[str]


class EndedSessions(TypedDict):
    user_id: str
    sessions_ended: int


class EnrolmentLinkBody(TypedDict):
    # For how long it can be used, from when it is approved; 86400 when absent.
    expires_in_seconds: NotRequired[int]


class EnrolmentLink(TypedDict):
    id: str
    # Who enrols a passkey by it.
    user_id: str
    # `pending` while it waits for approval.
    status: Literal["pending", "open", "used", "void"]
    # What the user opens, once. Shown once, to who makes it: hand it over in a way that reaches
    # that person alone.
    url: NotRequired[str]
    # Until when it can be used; absent while it waits.
    expires_at: NotRequired[str]
    # The change that is to be approved.
    change_id: NotRequired[str]
    created_by: str
    # When it was made.
    created_at: str


class VoteEvidence(TypedDict):
    # What the passkey was asked to say.
    statement: dict[str, Any]
    origin: str
    relying_party_id: str
    # SubjectPublicKeyInfo, DER, base64.
    public_key: str
    credential_id: str
    # base64url.
    client_data_json: str
    # base64url.
    authenticator_data: str
    # base64url.
    signature: str


class EvidencedVote(TypedDict):
    user_id: str
    decision: Literal["approved", "rejected"]
    created_at: str
    # Null for a vote that an API key signed.
    evidence: 'VoteEvidence | None'


class ApprovalEvidence(TypedDict):
    format: str
    workspace_id: str
    subject: Literal["withdrawal", "signing_request", "policy", "address", "authority_change"]
    subject_id: str
    status: 'ApprovalRoundStatus'
    # SHA-256 over the canonical JSON (RFC 8785) of `content`.
    digest: str
    # What is approved; null where it is no longer kept.
    content: dict[str, Any] | None
    # User id.
    requested_by: str
    required: int
    approve_with: NotRequired[Literal["passkey"]]
    expires_at: str
    decided_at: NotRequired[str]
    votes: 'list[EvidencedVote]'


class Reason(TypedDict):
    # Why, in words of your own: the record, its events and the audit log show it.
    reason: NotRequired[str]


# None, or the reason.
ReasonBody: TypeAlias = 'None | Reason'


class WithdrawalsFreeze(TypedDict):
    # Workspace id.
    workspace_id: str
    # Whether withdrawals and signatures are refused.
    withdrawals_frozen: bool
    # Since when; absent unless frozen.
    frozen_at: NotRequired[str]
    # What who froze or unfroze it last gave as the reason.
    reason: NotRequired[str]
    # Of an event: when it was decided.
    updated_at: NotRequired[str]


AssetType: TypeAlias = Literal["native", "token"]


AddressType: TypeAlias = Literal["evm", "sol", "btc", "tron"]


class NetworkCapabilities(TypedDict):
    """What this deployment does on it now. Signing needs no node. What arrives is seen, and
    withdrawals are sent, only by a node that an operator has connected, and not at all where the
    service has no adapter of the chain (Tron).
    """

    sign: bool
    deposit: bool
    withdraw: bool


class Network(TypedDict):
    # Network id.
    id: str
    name: str
    native_currency: str
    internal_code: str
    # Path of the logo under the base address of the service; empty when there is none.
    logo_url: str
    is_evm: bool
    is_testnet: bool
    # The deployment does not use this network: nothing is signed for it.
    disabled: bool
    # EIP-155 id; null when it is no EVM chain.
    chain_id: int | None
    confirmation_blocks: int
    capabilities: 'NetworkCapabilities'


class Asset(TypedDict):
    # Catalogue id of an asset; not a contract address.
    id: str
    name: str
    symbol: str
    # The same as `contract_address`.
    address: str
    # EIP-55 on EVM chains, the mint on Solana; empty for a native asset.
    contract_address: str
    asset_type: 'AssetType'
    # Chain family of the addresses that receive it.
    address_type: 'AddressType'
    # Network id.
    network_id: str
    # Path of the logo under the base address of the service; empty when there is none.
    logo_url: str
    decimals: int
    is_native: bool
    is_whitelisted: bool
    network: 'Network'
    # Decimal string, for display only; null when the deployment has no price, and on test networks.
    price_usd: str | None


ShortTexts: TypeAlias = dict[str, str]


class NetworkFee(TypedDict):
    # What a plain transfer of the native currency costs at most, in that currency.
    max_fee: str
    # The chain's own numbers behind it, for example `gasLimit` and `maxFeePerGas` (wei),
    # `microLamportsPerUnit`, or `rate` (satoshis per virtual byte).
    parameters: 'ShortTexts'


class NetworkFees(TypedDict):
    # Network id.
    network_id: str
    # The native asset, in which fees are paid.
    fee_asset_id: str
    low: 'NetworkFee'
    medium: 'NetworkFee'
    high: 'NetworkFee'
    # When the node was asked.
    quoted_at: str


class TransactionRescan(TypedDict):
    # As the network's explorers show it: 64 hex digits, after `0x` on EVM networks; base58 on
    # Solana.
    tx_hash: str
    # Network id.
    network_id: str


WalletPurpose: TypeAlias = Literal["general", "gas_tank", "deployment", "custody", "user", "payment", "one_time_use"]


class CreateWalletBody(TypedDict):
    name: str
    wallet_type: 'WalletType'
    # What it is for. It changes nothing about what the wallet can do; policies do that.
    wallet_purpose: NotRequired['WalletPurpose']
    # The caller's own name for it, 1 to 128 visible ASCII characters. Taken once in a workspace,
    # for ever: a second wallet with it is a 409 `external_id_taken`, whose message has the id of
    # the first.
    external_id: NotRequired[str]
    # What you keep with it: at most 20 texts of at most 200 characters, by names of at most 40
    # letters, digits, `_`, `.` and `-`. Nothing here decides by it.
    metadata: NotRequired['ShortTexts']


CreationStatus: TypeAlias = Literal["pending", "success", "error"]


class WalletCreation(TypedDict):
    # Wallet id.
    wallet_id: str
    # `pending` in the answer to the request.
    status: 'CreationStatus'
    # Why it is still pending: `cluster_not_ready` while an MPC node is away, `cluster_busy` while
    # one is at a limit, such as of the keys of a day. It is tried for seven days.
    status_reason: NotRequired[str]
    error_code: NotRequired[str]
    error_reason: NotRequired[str]


class Wallet(TypedDict):
    # Wallet id.
    id: str
    # Wallet id.
    wallet_id: str
    # Workspace id.
    workspace_id: str
    name: str
    wallet_type: 'WalletType'
    # One of those that can be asked for; wallets of before there were these have any text.
    wallet_purpose: NotRequired[str]
    # The caller's own name for it.
    external_id: NotRequired[str]
    status: 'WalletStatus'
    # What who froze, unfroze or archived it last gave as the reason.
    reason: NotRequired[str]
    created_at: str
    updated_at: str
    # What you keep with it: at most 20 texts of at most 200 characters, by names of at most 40
    # letters, digits, `_`, `.` and `-`. Nothing here decides by it.
    metadata: 'ShortTexts'
    addresses: 'WalletAddresses'
    # Whose nodes hold its keys: `main`, unless the service has several clusters.
    cluster: str


class ChangeWalletBody(TypedDict):
    name: NotRequired[str]
    # null takes it away.
    wallet_purpose: NotRequired['WalletPurpose | None']
    # What you keep with it: at most 20 texts of at most 200 characters, by names of at most 40
    # letters, digits, `_`, `.` and `-`. Nothing here decides by it.
    metadata: NotRequired['ShortTexts']


class DepositAddress(TypedDict):
    # Wallet id.
    wallet_id: str
    # The asset that was asked for, else the native one of the network; empty with `network_id`.
    asset_id: str
    # The network that was asked for, or that of the asset; else the first one of the family on
    # which this deployment sees deposits, main networks first. Empty when there is none.
    network_id: str
    address: str
    # Empty: no network here needs one.
    memo: str
    # The address as a `data:image/png;base64,` URI. From `deposit-address` only with
    # `qr_code=true`, else empty.
    qr_code: str


class WalletDetail(TypedDict):
    # Wallet id.
    id: str
    # Wallet id.
    wallet_id: str
    workspace_id: str
    name: str
    wallet_type: str
    # `creating`, `active`, `failed`, `frozen` or `archived`.
    status: str
    # The chain family that was asked for.
    address_type: 'AddressType'
    # Address of the asked chain family; empty until the wallet is active, and when it is archived.
    address: str


class AttachAssetBody(TypedDict):
    # Catalogue id of an asset; not a contract address.
    asset_id: str


WalletAssetStatus: TypeAlias = Literal["pending", "active", "disabled"]


class WalletAsset(TypedDict):
    id: str
    # Wallet id.
    wallet_id: str
    # Catalogue id of an asset; not a contract address.
    asset_id: str
    asset: 'Asset'
    # Network id.
    network_id: str
    address_type: 'AddressType'
    # Where the wallet receives it; empty unless it is `active`, and when the wallet is archived.
    address: str
    # The same as `address`.
    deposit_address: str
    derivation_path: str
    # `pending` while this deployment does not see deposits of its network (see its `capabilities`).
    # What is `disabled` is booked when it arrives, has no address and cannot be withdrawn.
    status: 'WalletAssetStatus'
    # Whether it is `disabled`.
    hidden: bool
    created_at: str
    updated_at: str


class ChangeWalletAssetBody(TypedDict):
    # Whether the wallet uses the asset.
    status: 'UserStatus'


class Balance(TypedDict):
    # Wallet id.
    wallet_id: str
    # Catalogue id of an asset; not a contract address.
    asset_id: str
    # Network id.
    network_id: str
    symbol: str
    # Decimal number in the asset's unit: `available` and `held` together.
    total: str
    # What a withdrawal can take. Below zero where the chain took back a deposit that was spent
    # already, or took more than was known to be there.
    available: str
    # For withdrawals under way and their fees.
    held: str
    # Seen on the chain and not final yet; not part of `total`.
    pending_in: str
    # What transactions that were signed for a caller, who broadcasts them himself, may take at
    # most, fees included, and as far as it is known. Still part of `available`: nobody knows
    # whether he does. It goes when a block has them, which takes what they moved from `available`,
    # or when they can land no more.
    pending_out: str
    # The newest block whose movements are in it; null while no node of the network is read.
    as_of_block: int | None
    updated_at: str


TransactionStatusName: TypeAlias = Literal["pending", "pending_approval", "confirmed", "completed", "failed", "rejected"]


TransactionDirection: TypeAlias = Literal["in", "out"]


class Transaction(TypedDict):
    # Id of this record.
    id: str
    # The withdrawal, or the signing operation, that it is of; for a deposit, or what nobody here
    # signed, its own id.
    transaction_id: str
    # Wallet id.
    wallet_id: str
    # Catalogue id of the asset.
    asset_id: str
    # Catalogue id of the network.
    network_id: str
    # `in` for deposits, `out` for withdrawals and for what a caller broadcasts himself.
    direction: 'TransactionDirection'
    method: 'TransactionMethod'
    # Decimal number in the asset's unit.
    amount: str
    status: 'TransactionStatusName'
    tx_hash: NotRequired[str]
    from_address: NotRequired[str]
    to_address: NotRequired[str]
    # Who gets the asset: differs from `to_address` where that is a contract.
    recipient_address: NotRequired[str]
    block_number: NotRequired[int]
    block_hash: NotRequired[str]
    gas_used: NotRequired[str]
    effective_gas_price_wei: NotRequired[str]
    confirmed_at: NotRequired[str]
    created_at: str
    updated_at: str
    # Of the asset.
    symbol: NotRequired[str]
    # Internal code of the network.
    network_internal_code: NotRequired[str]
    # What the chain took from the wallet, as a decimal number of `fee_symbol`, on every chain;
    # absent until that is final, of deposits, and where another line of the same transaction has
    # it.
    fee: NotRequired[str]
    # The native currency of the network, beside a `fee`.
    fee_symbol: NotRequired[str]
    # Of a withdrawal its own status: what was `cancelled` shows as `failed` in `status`, which has
    # no such value.
    withdrawal_status: NotRequired['WithdrawalStatus']
    # The caller's own name for the withdrawal, or for the signing operation.
    external_id: NotRequired[str]
    # The caller's own words of the withdrawal.
    notes: NotRequired[str]


class TransactionStatus(TypedDict):
    # The withdrawal, or the signing operation.
    transaction_id: str
    status: 'TransactionStatusName'
    # Absent of a signature.
    method: NotRequired['TransactionMethod']
    approvals: 'list[ApprovalVote]'
    # Absent until the transaction is broadcast. Of a signature on Solana that signature in base58,
    # which names its transaction; absent of other signatures.
    hash: NotRequired[str]
    created_at: str
    updated_at: str
    failed_reason: NotRequired[str]


class RequestWithdrawalBody(TypedDict):
    # Catalogue id of an asset; not a contract address.
    asset_id: NotRequired[str]
    # Symbol, with `network` in the place of asset_id.
    asset: NotRequired[str]
    # Internal code of the network.
    network: NotRequired[str]
    # A decimal number in the asset's unit, with no more decimals than it has; or `max`: all that is
    # available, less what the fee may take where it is paid in the same asset (on Solana also less
    # the 0.00089088 SOL that an account must keep).
    amount: str
    # Takes the fee out of the amount, so that no more than the amount leaves the wallet: the
    # recipient gets it less what the fee may take. Of the native currency alone; `max` is so by
    # itself.
    subtract_fee: NotRequired[bool]
    # An address of the network's chain; never the wallet's own, nor a token's contract.
    recipient_address: str
    # For those who approve it, and for you.
    notes: NotRequired[str]
    # How soon it should be in a block, and what that may cost: see the fees of the network.
    # `medium` when absent.
    fee_level: NotRequired['FeeLevel']
    # In the native currency. A withdrawal whose fee would be more fails and moves nothing.
    max_fee: NotRequired[str]
    # The caller's own name for it, 1 to 128 visible ASCII characters. Taken once in a workspace,
    # for ever: a second withdrawal with it is a 409 `external_id_taken`, whose message has the id
    # of the first.
    external_id: NotRequired[str]
    # Taken from existing callers, and changes nothing: what is not there is never promised to
    # anybody.
    skip_balance_check: NotRequired[bool]


class ContractCallAccess(TypedDict):
    address: str
    storage_keys: list[str]


class ContractCall(TypedDict):
    """Of a `contract_call`: what `recipient_address` is called with, as it was asked."""

    # 0x hex.
    data: str
    nonce: NotRequired[int]
    gas_limit: NotRequired[str]
    # Wei.
    max_fee_per_gas: NotRequired[str]
    # Wei.
    max_priority_fee_per_gas: NotRequired[str]
    access_list: NotRequired['list[ContractCallAccess]']


class WithdrawalApproval(TypedDict):
    """What must be approved by when."""

    # SHA-256, hex, over exactly what will be done: what an approval is of.
    digest: str
    # What each approval must be given with; absent for any key.
    approve_with: NotRequired[Literal["passkey"]]
    # How many must approve.
    required: int
    # Not approved until then, it fails as `approval_expired`.
    expires_at: str


class Withdrawal(TypedDict):
    # Withdrawal id.
    id: str
    # The same as `id`, under the name that SDK callers use.
    transaction_id: str
    # Workspace id.
    workspace_id: str
    # Wallet id.
    wallet_id: str
    # Catalogue id of an asset; not a contract address.
    asset_id: str
    # Network id.
    network_id: str
    # Internal code of the network.
    network_internal_code: str
    # `transfer` of the asset, or the `contract_call` of a signRaw request, whose amount is its
    # value.
    method: 'TransactionMethod'
    # What the recipient gets, in the asset's unit. Fees come on top.
    amount: str
    # In the canonical form of the chain; the contract of a call.
    recipient_address: str
    # The wallet's own address.
    from_address: str
    # How soon it should be in a block, and what that may cost: see the fees of the network.
    fee_level: 'FeeLevel'
    # What the fee must not exceed, in the native currency of the network.
    max_fee: NotRequired[str]
    # What the chain took, in the native currency; absent until it is final.
    fee_paid: NotRequired[str]
    # The caller's own name for it.
    external_id: NotRequired[str]
    # `pending_approval` until enough have approved, `approved` until a worker takes it up,
    # `processing` until the chain has it for good. `completed`, `failed`, `rejected` and
    # `cancelled` are final.
    status: 'WithdrawalStatus'
    # Where it stands within `processing`, or how it ended: `insufficient_funds` waits for the fee,
    # `stuck` for a block longer than usual; `reverted` was executed and failed, and paid its fee.
    sub_status: NotRequired['WithdrawalSubStatus']
    shortage: NotRequired['Shortage']
    # Of one that failed or was cancelled: stable, for programs.
    error_code: NotRequired[str]
    # The same in one plain sentence.
    error_reason: NotRequired[str]
    # What who rejected or cancelled it gave as the reason.
    reason: NotRequired[str]
    # Of the transaction that stands for it now; absent until it is broadcast.
    tx_hash: NotRequired[str]
    # The nodes of the cluster that signed that transaction, ascending; absent where that was not
    # kept.
    signed_by_nodes: NotRequired[list[int]]
    # The block that has it.
    block_number: NotRequired[int]
    # 1 in the newest block.
    confirmations: NotRequired[int]
    # The user who asked.
    requested_by: str
    # Why the policy decided as it did, in plain sentences.
    policy_reasons: list[str]
    created_at: str
    updated_at: str
    # Of the final status.
    completed_at: NotRequired[str]
    decoded: NotRequired['DecodedContent']
    call: NotRequired['ContractCall']
    # The caller's own words.
    notes: NotRequired[str]
    # The policy let it through without any approval.
    auto_approved: bool
    # Who has decided, in that order, then the approvers whom the policy names and who have not yet.
    withdrawal_approvals: 'list[ApprovalVote]'
    # Null when no approval is needed.
    approval: 'WithdrawalApproval | None'


class RequestWithdrawalData(TypedDict):
    # False when approvals are needed before anything is signed.
    auto_approved: bool
    withdrawal: 'Withdrawal'


class EstimateWithdrawalBody(TypedDict):
    # Catalogue id of an asset; not a contract address.
    asset_id: NotRequired[str]
    # Symbol, with `network` in the place of asset_id.
    asset: NotRequired[str]
    # Internal code of the network.
    network: NotRequired[str]
    # A decimal number in the asset's unit, with no more decimals than it has; or `max`: all that is
    # available, less what the fee may take where it is paid in the same asset (on Solana also less
    # the 0.00089088 SOL that an account must keep).
    amount: str
    # Takes the fee out of the amount, so that no more than the amount leaves the wallet: the
    # recipient gets it less what the fee may take. Of the native currency alone; `max` is so by
    # itself.
    subtract_fee: NotRequired[bool]
    # An address of the network's chain; never the wallet's own, nor a token's contract.
    recipient_address: NotRequired[str]
    # For those who approve it, and for you.
    notes: NotRequired[str]
    # How soon it should be in a block, and what that may cost: see the fees of the network.
    # `medium` when absent.
    fee_level: NotRequired['FeeLevel']
    # In the native currency. A withdrawal whose fee would be more fails and moves nothing.
    max_fee: NotRequired[str]
    # The caller's own name for it, 1 to 128 visible ASCII characters. Taken once in a workspace,
    # for ever: a second withdrawal with it is a 409 `external_id_taken`, whose message has the id
    # of the first.
    external_id: NotRequired[str]
    # Taken from existing callers, and changes nothing: what is not there is never promised to
    # anybody.
    skip_balance_check: NotRequired[bool]


class FeeEstimate(TypedDict):
    # What the fee can be at most, in the native currency of the network.
    max_fee: str
    # What a withdrawal of this level may pay in the end, however the market moves: what its policy
    # judges, and what `max` and `subtract_fee` take out of the amount. A `max_fee` of your own
    # lowers it.
    fee_bound: str
    # What the recipient gets.
    amount: str
    # Whether what is available covers the amount and this fee.
    sufficient: bool


class FeeEstimates(TypedDict):
    """By level."""

    low: 'FeeEstimate'
    medium: 'FeeEstimate'
    high: 'FeeEstimate'


class WithdrawalEstimate(TypedDict):
    # Wallet id.
    wallet_id: str
    # Catalogue id of an asset; not a contract address.
    asset_id: str
    # Network id.
    network_id: str
    # The native asset of the network, which fees are paid in.
    fee_asset_id: str
    # What was asked about: the amount at the `fee_level` that was asked for.
    amount: str
    # Of the asset: what a withdrawal can take now.
    available: str
    # Of the fee asset.
    fee_available: str
    fees: 'FeeEstimates'
    # When the node was asked.
    quoted_at: str


class WithdrawalHistoryEntry(TypedDict):
    # `pending_approval` until enough have approved, `approved` until a worker takes it up,
    # `processing` until the chain has it for good. `completed`, `failed`, `rejected` and
    # `cancelled` are final.
    status: 'WithdrawalStatus'
    sub_status: NotRequired['WithdrawalSubStatus']
    # Of the transaction that stood for it then.
    tx_hash: NotRequired[str]
    # One plain sentence.
    details: NotRequired[str]
    # What the caller of this step gave as the reason.
    reason: NotRequired[str]
    created_at: str


class SpeedUp(TypedDict):
    # How soon it should be in a block, and what that may cost: see the fees of the network.
    fee_level: NotRequired['FeeLevel']


# None, or the level whose fee it should pay, when that is more than what it offers now.
SpeedUpWithdrawalBody: TypeAlias = 'None | SpeedUp'


class SignDigestBody(TypedDict):
    # Needed in a batch.
    type: NotRequired[Literal["raw"]]
    # Required, under this name or its alias.
    network_internal_code: NotRequired[str]
    # Curve of the key; `secp256k1` when absent.
    key_type: NotRequired['Curve']
    # 32-byte digest in hex. Required, under this name or an alias.
    signing_hash: NotRequired[str]
    # What the digest is of, in hex: kept for audit. Defaults to signing_hash.
    unsigned_tx: NotRequired[str]
    # Non-hardened, `m/` optional; `m/44/{coin_type}/0/0/0` when absent.
    derivation_path: NotRequired[str]
    derivation_path_components: NotRequired[list[int]]
    # The caller's own name for it, 1 to 128 visible ASCII characters. Taken once in a workspace,
    # for ever: a second request with it is a 409 `external_id_taken`, whose message has the id of
    # the first.
    external_id: NotRequired[str]


class EthSignBody(TypedDict):
    method: Literal["eth_sign", "personal_sign"]
    # As in JSON-RPC: 0x and whole bytes in hex are these bytes, what does not begin with 0x is
    # text, and 0x with anything else is refused. Signed under the EIP-191 prefix.
    message: str
    # EIP-155 chain id of a network that is enabled here, as an integer or its decimal text.
    chain_id: int | str
    # Non-hardened, `m/` optional; `m/44/{coin_type}/0/0/0` when absent.
    derivation_path: NotRequired[str]
    # The caller's own name for it, 1 to 128 visible ASCII characters. Taken once in a workspace,
    # for ever: a second request with it is a 409 `external_id_taken`, whose message has the id of
    # the first.
    external_id: NotRequired[str]


class EthSignTypedDataBody(TypedDict):
    method: Literal["eth_signTypedData_v4"]
    # The EIP-712 document as JSON text.
    typed_data: str
    # Empty, as SDK callers send it: nothing else is taken.
    message: NotRequired[str]
    # EIP-155 chain id of a network that is enabled here, as an integer or its decimal text.
    chain_id: int | str
    # Non-hardened, `m/` optional; `m/44/{coin_type}/0/0/0` when absent.
    derivation_path: NotRequired[str]
    # The caller's own name for it, 1 to 128 visible ASCII characters. Taken once in a workspace,
    # for ever: a second request with it is a 409 `external_id_taken`, whose message has the id of
    # the first.
    external_id: NotRequired[str]


class AccessListEntry(TypedDict):
    # A contract.
    address: str
    storageKeys: list[str]


class EvmCall(TypedDict):
    # The contract, or whoever gets the value. Contracts are not created this way.
    to: str
    # EIP-155 id of a network that is enabled here.
    chainId: int | str
    # Wei; 0 when absent.
    value: NotRequired[int | str]
    # What the contract is called with, at most 64 KiB; `0x` when absent.
    data: NotRequired[str]
    # The call fails when this is not the next one of the wallet. Better left out.
    nonce: NotRequired[int | str]
    # By a trial run when absent.
    gasLimit: NotRequired[int | str]
    # Wei; by `fee_level` when absent.
    maxFeePerGas: NotRequired[int | str]
    # Wei; by `fee_level` when absent.
    maxPriorityFeePerGas: NotRequired[int | str]
    accessList: NotRequired['list[AccessListEntry]']


class ContractCallBody(TypedDict):
    transaction: 'EvmCall'
    # Not needed, since chainId says it; must agree with it.
    network_internal_code: NotRequired[str]
    # How soon it should be in a block, and what that may cost: see the fees of the network.
    # `medium` when absent.
    fee_level: NotRequired['FeeLevel']
    # In the native currency. A withdrawal whose fee would be more fails and moves nothing.
    max_fee: NotRequired[str]
    # For those who approve it, and for you.
    notes: NotRequired[str]
    # The caller's own name for it, 1 to 128 visible ASCII characters. Taken once in a workspace,
    # for ever: a second withdrawal with it is a 409 `external_id_taken`, whose message has the id
    # of the first.
    external_id: NotRequired[str]


EvmSendBody = TypedDict(
    "EvmSendBody",
    {
        "to": NotRequired[str | None],
        "from": NotRequired[str | None],
        "nonce": NotRequired[int | str | None],
        "gasLimit": NotRequired[int | str | None],
        "maxFeePerGas": NotRequired[int | str | None],
        "maxPriorityFeePerGas": NotRequired[int | str | None],
        "value": NotRequired[int | str | None],
        "data": NotRequired[str | None],
        "chainId": NotRequired[int | str | None],
        "accessList": NotRequired['list[AccessListEntry] | None'],
        "external_id": NotRequired[str],
    },
)


class SolanaSignMeta(TypedDict):
    tx_method: Literal["solana_signTransaction"]


SolanaSignBody = TypedDict(
    "SolanaSignBody",
    {
        "data": str,
        "from": NotRequired[str | None],
        "meta": 'SolanaSignMeta',
        "chainId": NotRequired[int | str],
        "network_internal_code": NotRequired[str],
        "external_id": NotRequired[str],
    },
)


SolanaSendBody = TypedDict(
    "SolanaSendBody",
    {
        "method": Literal["solana_signAndSendTransaction"],
        "transaction": str,
        "from": NotRequired[str | None],
        "network_internal_code": NotRequired[str],
        "notes": NotRequired[str],
        "external_id": NotRequired[str],
    },
)


class SolanaMessageBody(TypedDict):
    method: Literal["solana_signMessage"]
    # Text, which is signed as it is; at most 64 KiB. Base64 of text is taken for that text, unless
    # `encoding` says otherwise, and base64 of an off-chain envelope for that envelope. Nothing else
    # is signed: other bytes could be a transaction.
    message: str
    # What `message` is, for what could be read in both ways.
    encoding: NotRequired[Literal["utf8", "base64"]]
    # That of Solana in the numbering of SDK callers (1399811149), or 0: it names no network.
    chain_id: NotRequired[int | str]
    # Which Solana network, where the deployment has several.
    network_internal_code: NotRequired[str]
    # The caller's own name for it, 1 to 128 visible ASCII characters. Taken once in a workspace,
    # for ever: a second request with it is a 409 `external_id_taken`, whose message has the id of
    # the first.
    external_id: NotRequired[str]


SignAnyBody: TypeAlias = 'SignDigestBody | EthSignBody | EthSignTypedDataBody | ContractCallBody | EvmSendBody | SolanaSignBody | SolanaSendBody | SolanaMessageBody'


class SigningRequest(TypedDict):
    # The signing operation.
    id: str
    # The same as `id`.
    signing_id: str
    operation_type: 'SigningOrigin'
    # Wallet id.
    wallet_id: str
    # Internal code of the network.
    network_internal_code: str
    key_type: 'Curve'
    # What the nodes are shown. Only a `raw_digest` is signed without being read.
    payload_kind: 'PayloadKind'
    # The caller's own name for it.
    external_id: NotRequired[str]
    # 0x and 64 hex digits. Of the `solana_` kinds, which are signed unhashed, their SHA-256.
    signing_hash: str
    derivation_path: str
    status: 'SigningStatus'
    status_reason: NotRequired['SigningStatusReason']
    # Signing id and attempt, as the nodes know it.
    mpc_correlation_id: NotRequired[str]
    # Stable, for programs.
    error_code: NotRequired[str]
    # The same in one plain sentence.
    error_reason: NotRequired[str]
    # What who rejected or cancelled it gave as the reason.
    reason: NotRequired[str]
    # 0x r‖s‖v on secp256k1 (s low, v 27 or 28), 64 bytes in hex on ed25519.
    signature: NotRequired[str]
    # The derived child key, hex.
    public_key: NotRequired[str]
    # Its address on the network.
    address: NotRequired[str]
    # The nodes of its cluster that made the signature, ascending; absent where that was not kept.
    signed_by_nodes: NotRequired[list[int]]
    created_at: str
    updated_at: str
    completed_at: NotRequired[str]
    withdrawal_id: str | None
    # The workflow in Temporal: its own, or the one that signs it with others.
    workflow_id: NotRequired[str]
    payload: NotRequired['SignedPayload']
    # Of one that failed: whether a node may have made a signature all the same, which is not
    # stored. Then take what was to be signed for signed.
    may_be_signed: NotRequired[bool]
    approval: NotRequired['Approval']


class AcceptedSigning(TypedDict):
    # False when an earlier request with this idempotency key made the operation.
    created: bool
    # The signing id, under the name that SDK callers poll.
    transaction_id: str
    signing_request: 'SigningRequest'


class AcceptedCall(TypedDict):
    # False when an earlier request with this idempotency key made it.
    created: bool
    # The withdrawal, under the name that SDK callers poll.
    transaction_id: str
    # False when approvals are needed before it is signed.
    auto_approved: bool
    withdrawal: 'Withdrawal'


SignOutcome: TypeAlias = 'AcceptedSigning | AcceptedCall'


SignBody: TypeAlias = 'SignDigestBody | EthSignBody | EthSignTypedDataBody | ContractCallBody | EvmSendBody | SolanaSignBody | SolanaSendBody | SolanaMessageBody'


MessageEncoding: TypeAlias = Literal["utf8", "hex"]


class SignMessageBody(TypedDict):
    # Needed in a batch.
    type: NotRequired[Literal["message"]]
    # The network, by this or by chain_id.
    network_internal_code: NotRequired[str]
    # EIP-155 chain id of a network that is enabled here, as an integer or its decimal text.
    chain_id: NotRequired[int | str]
    # What is signed: on EVM networks under the EIP-191 prefix, at most 64 KiB; on Solana in the
    # envelope of its off-chain message signing, for the wallet's own address. Taken as `encoding`
    # says, never guessed.
    message: str
    # `utf8` (when absent): the text. `hex`: the bytes that it spells, on Solana a whole envelope of
    # version 0 with the key among its signers.
    encoding: NotRequired['MessageEncoding']
    # Of the envelope on Solana: 32 bytes in base58, by which an application is known; zeros when
    # absent.
    application_domain: NotRequired[str]
    # Non-hardened, `m/` optional; `m/44/{coin_type}/0/0/0` when absent.
    derivation_path: NotRequired[str]
    # The caller's own name for it, 1 to 128 visible ASCII characters. Taken once in a workspace,
    # for ever: a second request with it is a 409 `external_id_taken`, whose message has the id of
    # the first.
    external_id: NotRequired[str]


class SignTypedBody(TypedDict):
    # Needed in a batch.
    type: NotRequired[Literal["typed"]]
    # The network, by this or by chain_id.
    network_internal_code: NotRequired[str]
    # EIP-155 chain id of a network that is enabled here, as an integer or its decimal text.
    chain_id: NotRequired[int | str]
    typed_data: 'TypedData'
    # Non-hardened, `m/` optional; `m/44/{coin_type}/0/0/0` when absent.
    derivation_path: NotRequired[str]
    # The caller's own name for it, 1 to 128 visible ASCII characters. Taken once in a workspace,
    # for ever: a second request with it is a 409 `external_id_taken`, whose message has the id of
    # the first.
    external_id: NotRequired[str]


class SignTransactionBody(TypedDict):
    # Needed in a batch.
    type: NotRequired[Literal["transaction"]]
    # The network, by this or by chain_id.
    network_internal_code: NotRequired[str]
    # EIP-155 chain id of a network that is enabled here, as an integer or its decimal text.
    chain_id: NotRequired[int | str]
    # In hex: on EVM networks the serialized unsigned transaction for this very chain, on Solana the
    # serialized message (legacy or version 0, at most 1232 bytes) of which the key is a required
    # signer, or the whole transaction with places for its signatures: its message is what is
    # signed.
    unsigned_tx: str
    # Non-hardened, `m/` optional; `m/44/{coin_type}/0/0/0` when absent.
    derivation_path: NotRequired[str]
    # The caller's own name for it, 1 to 128 visible ASCII characters. Taken once in a workspace,
    # for ever: a second request with it is a 409 `external_id_taken`, whose message has the id of
    # the first.
    external_id: NotRequired[str]


class DigestItem(TypedDict):
    # Needed in a batch.
    type: Literal["raw"]
    # Required, under this name or its alias.
    network_internal_code: NotRequired[str]
    # Curve of the key; `secp256k1` when absent.
    key_type: NotRequired['Curve']
    # 32-byte digest in hex. Required, under this name or an alias.
    signing_hash: NotRequired[str]
    # What the digest is of, in hex: kept for audit. Defaults to signing_hash.
    unsigned_tx: NotRequired[str]
    # Non-hardened, `m/` optional; `m/44/{coin_type}/0/0/0` when absent.
    derivation_path: NotRequired[str]
    derivation_path_components: NotRequired[list[int]]
    # The caller's own name for it, 1 to 128 visible ASCII characters. Taken once in a workspace,
    # for ever: a second request with it is a 409 `external_id_taken`, whose message has the id of
    # the first.
    external_id: NotRequired[str]


class MessageItem(TypedDict):
    # Needed in a batch.
    type: Literal["message"]
    # The network, by this or by chain_id.
    network_internal_code: NotRequired[str]
    # EIP-155 chain id of a network that is enabled here, as an integer or its decimal text.
    chain_id: NotRequired[int | str]
    # What is signed: on EVM networks under the EIP-191 prefix, at most 64 KiB; on Solana in the
    # envelope of its off-chain message signing, for the wallet's own address. Taken as `encoding`
    # says, never guessed.
    message: str
    # `utf8` (when absent): the text. `hex`: the bytes that it spells, on Solana a whole envelope of
    # version 0 with the key among its signers.
    encoding: NotRequired['MessageEncoding']
    # Of the envelope on Solana: 32 bytes in base58, by which an application is known; zeros when
    # absent.
    application_domain: NotRequired[str]
    # Non-hardened, `m/` optional; `m/44/{coin_type}/0/0/0` when absent.
    derivation_path: NotRequired[str]
    # The caller's own name for it, 1 to 128 visible ASCII characters. Taken once in a workspace,
    # for ever: a second request with it is a 409 `external_id_taken`, whose message has the id of
    # the first.
    external_id: NotRequired[str]


class TypedDataItem(TypedDict):
    # Needed in a batch.
    type: Literal["typed"]
    # The network, by this or by chain_id.
    network_internal_code: NotRequired[str]
    # EIP-155 chain id of a network that is enabled here, as an integer or its decimal text.
    chain_id: NotRequired[int | str]
    typed_data: 'TypedData'
    # Non-hardened, `m/` optional; `m/44/{coin_type}/0/0/0` when absent.
    derivation_path: NotRequired[str]
    # The caller's own name for it, 1 to 128 visible ASCII characters. Taken once in a workspace,
    # for ever: a second request with it is a 409 `external_id_taken`, whose message has the id of
    # the first.
    external_id: NotRequired[str]


class TransactionItem(TypedDict):
    # Needed in a batch.
    type: Literal["transaction"]
    # The network, by this or by chain_id.
    network_internal_code: NotRequired[str]
    # EIP-155 chain id of a network that is enabled here, as an integer or its decimal text.
    chain_id: NotRequired[int | str]
    # In hex: on EVM networks the serialized unsigned transaction for this very chain, on Solana the
    # serialized message (legacy or version 0, at most 1232 bytes) of which the key is a required
    # signer, or the whole transaction with places for its signatures: its message is what is
    # signed.
    unsigned_tx: str
    # Non-hardened, `m/` optional; `m/44/{coin_type}/0/0/0` when absent.
    derivation_path: NotRequired[str]
    # The caller's own name for it, 1 to 128 visible ASCII characters. Taken once in a workspace,
    # for ever: a second request with it is a 409 `external_id_taken`, whose message has the id of
    # the first.
    external_id: NotRequired[str]


class SignBatchBody(TypedDict):
    items: 'list[DigestItem | MessageItem | TypedDataItem | TransactionItem]'


class Refusal(TypedDict):
    code: str
    message: str


class RefusedItem(TypedDict):
    error: 'Refusal'


class BatchResults(TypedDict):
    # One for each item, in the order of the items.
    results: 'list[AcceptedSigning | RefusedItem]'


SigningAliasStatus: TypeAlias = Literal["pending", "pending_approval", "confirmed", "failed", "rejected"]


class SigningAlias(TypedDict):
    transaction_id: str
    status: 'SigningAliasStatus'
    signature: str | None
    approvals: 'list[ApprovalVote]'
    created_at: str
    updated_at: str


PolicyStatus: TypeAlias = Literal["pending", "active", "superseded", "rejected"]


class AmountBounds(TypedDict):
    """At least one of `more_than` and `at_most`."""

    asset_id: str
    # Of `amount`: in units of the asset, of a native currency with the fee. Of `fee`: what the
    # network may take at most, in units of its native currency.
    more_than: NotRequired[str]
    # Of `amount`: in units of the asset, of a native currency with the fee. Of `fee`: what the
    # network may take at most, in units of its native currency.
    at_most: NotRequired[str]


WalletOrWorkspace: TypeAlias = Literal["wallet", "workspace"]


class PolicyConditions(TypedDict):
    """All must hold; without any the rule always applies. Of a rule that allows they must hold for all
    that the operation moves (amounts are summed by asset), and what is not known of it meets none.
    Of one that denies or asks for approvals they hold already for a part of it, and what is not
    known, such as the amount of a raw digest, meets all. What the operation does not have meets
    none: a message moves nothing.
    """

    # What is asked for.
    operations: NotRequired[list[Literal["withdrawal", "signing"]]]
    # Of a withdrawal.
    methods: NotRequired['list[TransactionMethod]']
    # Internal codes.
    networks: NotRequired[list[str]]
    # Of these wallets.
    wallet_ids: NotRequired[list[str]]
    # User ids of who asks. A key that was made before there were users has a user with its own id.
    initiators: NotRequired[list[str]]
    # Of these assets.
    asset_ids: NotRequired[list[str]]
    amount: NotRequired['AmountBounds']
    fee: NotRequired['AmountBounds']
    # At least one of `more_than` and `at_most`.
    velocity: NotRequired['PolicyConditionsVelocity']
    # At least one of `more_than` and `at_most`.
    count: NotRequired['PolicyConditionsCount']
    destination: NotRequired['PolicyConditionsDestination']
    # What is to be signed.
    payload_kinds: NotRequired['list[PayloadKind]']
    typed_data: NotRequired['PolicyConditionsTypedData']
    # What a transaction does: it moves an amount; it gives power away (approvals, permits,
    # upgrades, changes of owner, delegated calls); or it cannot be told.
    calls: NotRequired['list[CallKind]']
    # The first four bytes of an EVM call.
    selectors: NotRequired[list[str]]


class PolicyConditionsVelocity(TypedDict):
    """At least one of `more_than` and `at_most`."""

    asset_id: str
    # Whose operations are looked at.
    per: 'WalletOrWorkspace'
    # Back from now.
    window_seconds: int
    # The sum of what withdrawals and signatures in the window may move, fees and this one included.
    more_than: NotRequired[str]
    # The sum of what withdrawals and signatures in the window may move, fees and this one included.
    at_most: NotRequired[str]


class PolicyConditionsCount(TypedDict):
    """At least one of `more_than` and `at_most`."""

    # Whose operations are looked at.
    per: 'WalletOrWorkspace'
    # Back from now.
    window_seconds: int
    # Operations of the same kind in the window, this one included.
    more_than: NotRequired[int]
    # Operations of the same kind in the window, this one included.
    at_most: NotRequired[int]


class PolicyConditionsDestination(TypedDict):
    # Whether the address book has it for this network.
    in_address_book: NotRequired[bool]
    # One of these.
    addresses: NotRequired[list[str]]


class PolicyConditionsTypedData(TypedDict):
    # `domain.name`.
    domain_names: NotRequired[list[str]]
    # `domain.chainId` as decimal text.
    chain_ids: NotRequired[list[str]]
    # `domain.verifyingContract`, in any case.
    verifying_contracts: NotRequired[list[str]]
    # `primaryType`.
    primary_types: NotRequired[list[str]]


class AllowOrDenyAction(TypedDict):
    action: Literal["allow", "deny"]


class RequireApprovalsAction(TypedDict):
    action: Literal["require_approvals"]
    # How many different users must approve.
    approvals: int
    # User ids of those who may; any user whose key has the scope when absent. A key that was made
    # before there were users has a user with its own id.
    approvers: NotRequired[list[str]]
    # `passkey`: an approval counts only with a fresh assertion over it by a passkey of its user, so
    # that no stolen API key approves. It is looked at when the approvals are counted, also of those
    # given before. Any key with the scope when absent.
    approve_with: NotRequired[Literal["passkey"]]
    # 86400 when absent.
    expires_in_seconds: NotRequired[int]


class PolicyRule(TypedDict):
    # Shown in reasons; no two alike.
    name: str
    description: NotRequired[str]
    when: 'PolicyConditions'
    then: 'AllowOrDenyAction | RequireApprovalsAction'


class PolicyDocument(TypedDict):
    # In order: the first that applies to all of an operation decides, or one that denies a part of
    # it. One that asks for approvals for a part counts beside what comes after it, and the
    # strictest decides. A rule that does not name `dangerous` or `unknown` calls permits none: for
    # them it is passed over unless it denies, and so they are denied by default. Raw digests
    # (`payload_kinds`) and typed data of no known standard (`primary_types`, `verifying_contracts`)
    # are allowed only where a rule names them, and may be approved without. What may be valid on
    # several networks is judged for each: the strictest outcome counts.
    rules: 'list[PolicyRule]'
    default: 'AllowOrDenyAction | RequireApprovalsAction'
    # What a change of this policy, of users and keys, a new address in the book, and unfreezing
    # needs. Absent: nothing in the sandbox, one approval in production.
    changes: NotRequired['PolicyDocumentChanges']


class PolicyDocumentChanges(TypedDict):
    """What a change of this policy, of users and keys, a new address in the book, and unfreezing
    needs. Absent: nothing in the sandbox, one approval in production.
    """

    # How many different users must approve.
    approvals: int
    # User ids of those who may; any user whose key has the scope when absent. A key that was made
    # before there were users has a user with its own id.
    approvers: NotRequired[list[str]]
    # `passkey`: an approval counts only with a fresh assertion over it by a passkey of its user, so
    # that no stolen API key approves. It is looked at when the approvals are counted, also of those
    # given before. Any key with the scope when absent.
    approve_with: NotRequired[Literal["passkey"]]
    # 86400 when absent.
    expires_in_seconds: NotRequired[int]


class PolicyDifference(TypedDict):
    part: Literal["rule", "default", "changes"]
    # `moved`: the rule has another place among the others.
    change: Literal["added", "removed", "changed", "moved"]
    # The name of the rule.
    rule: NotRequired[str]
    # The part; of a rule that moved its `place`, counted from 1.
    before: NotRequired[Any]
    # The same.
    after: NotRequired[Any]


class PolicyVersion(TypedDict):
    # Null for the one that is built in.
    id: str | None
    # 0 for the one that is built in.
    version: int
    status: 'PolicyStatus'
    document: 'PolicyDocument'
    # The user who set it.
    created_by: NotRequired[str]
    created_at: NotRequired[str]
    # When its status changed last: since when one is in force.
    updated_at: NotRequired[str]
    approval: NotRequired['Approval']
    # Somebody else than the service has written it: nothing is decided by it.
    altered: NotRequired[Literal[True]]
    # In the history: the version that was in force when it was asked for.
    compared_with: NotRequired[int]
    # In the history: what it changes of that one.
    differences: NotRequired['list[PolicyDifference]']


class Policy(TypedDict):
    active: 'PolicyVersion'
    # A change that waits for approvals.
    pending: 'PolicyVersion | None'


class SimulatePolicyBody(TypedDict):
    """One of `withdrawal` and `signing`, whose `item` is as in `signBatch`. `initiator` is the user
    who would ask, that of the calling key when absent. With a `document` that is tried, else the
    policy in force. `max` and `subtract_fee` look at what the wallet has: they need
    `balances:read`.
    """

    withdrawal: NotRequired['SimulatePolicyBodyWithdrawal']
    signing: NotRequired['SimulatePolicyBodySigning']
    initiator: NotRequired[str]
    document: NotRequired['PolicyDocument']


class SimulatePolicyBodyWithdrawal(TypedDict):
    # Wallet id.
    wallet_id: str
    # Catalogue id of an asset; not a contract address.
    asset_id: str
    # A decimal number in the asset's unit, with no more decimals than it has; or `max`: all that is
    # available, less what the fee may take where it is paid in the same asset (on Solana also less
    # the 0.00089088 SOL that an account must keep).
    amount: str
    # Takes the fee out of the amount, so that no more than the amount leaves the wallet: the
    # recipient gets it less what the fee may take. Of the native currency alone; `max` is so by
    # itself.
    subtract_fee: NotRequired[bool]
    # How soon it should be in a block, and what that may cost: see the fees of the network.
    # `medium` when absent.
    fee_level: NotRequired['FeeLevel']
    # In the native currency. A withdrawal whose fee would be more fails and moves nothing.
    max_fee: NotRequired[str]
    recipient_address: str


class SimulatePolicyBodySigning(TypedDict):
    # Wallet id.
    wallet_id: str
    item: 'DigestItem | MessageItem | TypedDataItem | TransactionItem'


PolicyAction: TypeAlias = Literal["allow", "deny", "require_approvals"]


class SimulatedMovement(TypedDict):
    """What is absent or null is not known, and may be anything."""

    # Of an asset of the catalogue.
    asset_id: str | None
    # In the asset's unit.
    amount: str | None
    # Whole base units.
    amount_base_units: str | None
    # Who receives it.
    destination: str | None
    # Of the asset, where it is decoded.
    symbol: NotRequired[str]
    # The contract or mint that stands for the asset; absent also for the native currency.
    contract: NotRequired[str]
    # On Solana: the account that receives a token.
    token_account: NotRequired[str]
    # Of a simulation, when a rule asks.
    in_address_book: NotRequired[bool]


class PolicySimulation(TypedDict):
    action: 'PolicyAction'
    # The name of the rule that decides, or `default`.
    rule: str
    reasons: list[str]
    # How many would be needed.
    approvals: int
    # Empty for any key with the scope.
    approvers: list[str]
    # What every approval takes.
    approve_with: NotRequired[Literal["passkey"]]
    expires_in_seconds: int
    # Internal codes: it is judged for each on which it may be valid, and the strictest outcome
    # counts.
    networks: list[str]
    # All that moves, as it would be on the first of the networks.
    movements: 'list[SimulatedMovement]'
    # What of it was not understood: it may move anything besides.
    unknown: list[str]
    # Every rule that was looked at, in order.
    considered: 'list[PolicySimulationConsideredItem]'


class PolicySimulationConsideredItem(TypedDict):
    rule: str
    applies: bool
    because: list[str]


class AddressBookEntry(TypedDict):
    # Id of an entry of the address book.
    id: str
    # Network id.
    network_id: str
    # In the canonical form of the chain.
    address: str
    label: str
    # A `pending` one counts for nothing until it is approved.
    status: Literal["pending", "active"]
    # The user who added it.
    created_by: str
    created_at: str
    updated_at: str
    approval: NotRequired['Approval']


class AddAddressBody(TypedDict):
    # Network id.
    network_id: str
    address: str
    label: str


class PasskeyProof(TypedDict):
    """The answer of a passkey over exactly what is asked."""

    # What was asked of the passkey, as the service has handed it out. Good once, for minutes.
    ticket: str
    # The id of the credential, base64url.
    credential_id: str
    # `clientDataJSON`, base64url.
    client_data_json: str
    # `authenticatorData`, base64url.
    authenticator_data: str
    # The signature, base64url.
    signature: str


class SeenDigest(TypedDict):
    # The digest that was shown: the approval is of exactly that.
    digest: NotRequired[str]
    passkey: NotRequired['PasskeyProof']


# None, or the digest of what the approver has seen.
ApproveBody: TypeAlias = 'None | SeenDigest'


class ApproveDigestBody(TypedDict):
    # The digest that was shown: the approval is of exactly that.
    digest: str
    passkey: NotRequired['PasskeyProof']


class Rejection(TypedDict):
    # The digest that was shown: the approval is of exactly that.
    digest: NotRequired[str]
    # Why, in words of your own: the record, its events and the audit log show it.
    reason: NotRequired[str]
    passkey: NotRequired['PasskeyProof']


# None, or the digest of what the approver has seen, and the reason.
RejectBody: TypeAlias = 'None | Rejection'


class RejectDigestBody(TypedDict):
    # The digest that was shown: the approval is of exactly that.
    digest: str
    # Why, in words of your own: the record, its events and the audit log show it.
    reason: NotRequired[str]
    passkey: NotRequired['PasskeyProof']


EventType: TypeAlias = Literal["wallet.created", "wallet.creation_failed", "wallet.frozen", "wallet.unfrozen", "deposit.pending", "deposit.confirmed", "deposit.reorged", "withdrawal.created", "withdrawal.pending_approval", "withdrawal.approved", "withdrawal.rejected", "withdrawal.processing", "withdrawal.insufficient_funds", "withdrawal.broadcast", "withdrawal.replaced", "withdrawal.completed", "withdrawal.failed", "withdrawal.cancelled", "signing.pending_approval", "signing.submitted", "signing.success", "signing.failed", "workspace.withdrawals_frozen", "workspace.withdrawals_unfrozen", "api_key.created", "api_key.revoked", "passkey.enrolled", "passkey.removed", "export.completed", "export.failed", "export.cancelled", "webhook.ping", "webhook.disabled"]


class WalletEvent(TypedDict):
    # Its place in the feed of the workspace: 1, 2, 3 and so on. Deliveries may come out of order.
    seq: int
    # The same in the feed and in each attempt of a delivery: its `webhook-id`.
    id: str
    type: Literal["wallet.created", "wallet.creation_failed", "wallet.frozen", "wallet.unfrozen"]
    # When it happened.
    timestamp: str
    data: 'WalletEventData'


class DepositEvent(TypedDict):
    # Its place in the feed of the workspace: 1, 2, 3 and so on. Deliveries may come out of order.
    seq: int
    # The same in the feed and in each attempt of a delivery: its `webhook-id`.
    id: str
    type: Literal["deposit.pending", "deposit.confirmed", "deposit.reorged"]
    # When it happened.
    timestamp: str
    data: 'DepositEventData'


class WithdrawalEvent(TypedDict):
    # Its place in the feed of the workspace: 1, 2, 3 and so on. Deliveries may come out of order.
    seq: int
    # The same in the feed and in each attempt of a delivery: its `webhook-id`.
    id: str
    type: Literal["withdrawal.created", "withdrawal.pending_approval", "withdrawal.approved", "withdrawal.rejected", "withdrawal.processing", "withdrawal.insufficient_funds", "withdrawal.broadcast", "withdrawal.replaced", "withdrawal.completed", "withdrawal.failed", "withdrawal.cancelled"]
    # When it happened.
    timestamp: str
    data: 'WithdrawalEventData'


class SigningEvent(TypedDict):
    # Its place in the feed of the workspace: 1, 2, 3 and so on. Deliveries may come out of order.
    seq: int
    # The same in the feed and in each attempt of a delivery: its `webhook-id`.
    id: str
    type: Literal["signing.pending_approval", "signing.submitted", "signing.success", "signing.failed"]
    # When it happened.
    timestamp: str
    data: 'SigningEventData'


class WithdrawalsFreezeEvent(TypedDict):
    # Its place in the feed of the workspace: 1, 2, 3 and so on. Deliveries may come out of order.
    seq: int
    # The same in the feed and in each attempt of a delivery: its `webhook-id`.
    id: str
    type: Literal["workspace.withdrawals_frozen", "workspace.withdrawals_unfrozen"]
    # When it happened.
    timestamp: str
    data: 'WithdrawalsFreezeEventData'


class ApiKeyEvent(TypedDict):
    # Its place in the feed of the workspace: 1, 2, 3 and so on. Deliveries may come out of order.
    seq: int
    # The same in the feed and in each attempt of a delivery: its `webhook-id`.
    id: str
    type: Literal["api_key.created", "api_key.revoked"]
    # When it happened.
    timestamp: str
    data: 'ApiKeyEventData'


class PasskeyEvent(TypedDict):
    # Its place in the feed of the workspace: 1, 2, 3 and so on. Deliveries may come out of order.
    seq: int
    # The same in the feed and in each attempt of a delivery: its `webhook-id`.
    id: str
    type: Literal["passkey.enrolled", "passkey.removed"]
    # When it happened.
    timestamp: str
    data: 'PasskeyEventData'


class ExportEvent(TypedDict):
    # Its place in the feed of the workspace: 1, 2, 3 and so on. Deliveries may come out of order.
    seq: int
    # The same in the feed and in each attempt of a delivery: its `webhook-id`.
    id: str
    type: Literal["export.completed", "export.failed", "export.cancelled"]
    # When it happened.
    timestamp: str
    data: 'ExportEventData'


class WebhookEvent(TypedDict):
    # Its place in the feed of the workspace: 1, 2, 3 and so on. Deliveries may come out of order.
    seq: int
    # The same in the feed and in each attempt of a delivery: its `webhook-id`.
    id: str
    type: Literal["webhook.ping", "webhook.disabled"]
    # When it happened.
    timestamp: str
    data: 'WebhookEventData'


Event: TypeAlias = 'WalletEvent | DepositEvent | WithdrawalEvent | SigningEvent | WithdrawalsFreezeEvent | ApiKeyEvent | PasskeyEvent | ExportEvent | WebhookEvent'


WebhookStatus: TypeAlias = Literal["active", "disabled", "deleted"]


class Webhook(TypedDict):
    # Webhook id.
    id: str
    workspace_id: str
    url: str
    # All types when empty.
    events: list[str]
    description: NotRequired[str]
    status: 'WebhookStatus'
    # Why it is disabled: a caller asked for it, it answered 410, or nothing was taken for five
    # days. Absent unless disabled.
    status_reason: NotRequired[Literal["requested", "gone", "failing"]]
    # Since when every attempt has failed; absent while they do not.
    failing_since: NotRequired[str]
    # Until when the secret before the last rotation still signs too.
    previous_secret_expires_at: NotRequired[str]
    # When it was made.
    created_at: str
    # When it was last changed.
    updated_at: str
    # `whsec_` and base64: what verifies `v1` signatures. Shown once, to who makes the webhook or
    # rotates its secret, and in no list: a repeat of the request under its X-Idempotency-Key
    # answers the record without it.
    secret: NotRequired[str]


class CreateWebhookBody(TypedDict):
    # Where events are posted to: https, without user name and password. Private and loopback
    # targets are refused, also by what their name leads to, unless the deployment allows them;
    # link-local, multicast, unspecified and reserved ones always are; and a sandbox takes http.
    url: str
    # Types of events that are delivered; all of them when empty.
    events: 'list[EventType]'
    description: NotRequired[str]


class ReadWebhookKeyData(TypedDict):
    # Raw 32 bytes of the Ed25519 key, base64: what verifies `v1a` signatures of every webhook of
    # the service. Libraries of the Standard Webhooks specification take it with `whpk_` before it.
    public_key: str


class ChangeWebhookBody(TypedDict):
    # Where events are posted to: https, without user name and password. Private and loopback
    # targets are refused, also by what their name leads to, unless the deployment allows them;
    # link-local, multicast, unspecified and reserved ones always are; and a sandbox takes http.
    url: NotRequired[str]
    # Types of events that are delivered; all of them when empty.
    events: NotRequired['list[EventType]']
    # null takes it away.
    description: NotRequired[str | None]
    # What waits for an endpoint that is disabled is sent no more, and events meanwhile are not kept
    # for it: `replay` brings both back.
    status: NotRequired['UserStatus']


DeliveryStatus: TypeAlias = Literal["pending", "delivered", "failed"]


class WebhookDelivery(TypedDict):
    # Id of a delivery.
    id: str
    # Webhook id.
    webhook_id: str
    # Id of the event: the `webhook-id` of each attempt.
    event_id: str
    event_type: 'EventType'
    # The number of the event in the feed of its workspace.
    event_seq: int
    # `failed`: ten attempts failed, or the webhook was disabled or deleted. It is sent no more.
    status: 'DeliveryStatus'
    # Somebody asked for it again.
    replayed: bool
    # By the schedule; a probe may come sooner while it waits for its third attempt. Absent unless
    # pending.
    next_attempt_at: NotRequired[str]
    attempts: 'list[WebhookDeliveryAttemptsItem]'
    # When it was to be delivered first.
    created_at: str
    # When it was last tried.
    updated_at: str


class WebhookDeliveryAttemptsItem(TypedDict):
    # 1 for the first, 10 for the last.
    attempt: int
    # When it began.
    started_at: str
    duration_ms: int
    # Absent when there was no answer.
    status_code: NotRequired[int]
    # Why it failed, in a sentence; absent when it was taken.
    error: NotRequired[str]


class PingWebhookData(TypedDict):
    # Id of the event: the `webhook-id` of each attempt.
    event_id: str


ReplayWebhookBody = TypedDict(
    "ReplayWebhookBody",
    {
        "from": str,
        "to": str,
        "types": NotRequired['list[EventType]'],
    },
)


class ReplayWebhookData(TypedDict):
    # How many were made. Events of which a delivery is pending already are not among them.
    deliveries: int


StartExportBody = TypedDict(
    "StartExportBody",
    {
        "content": 'ExportContent',
        "format": 'ExportFormat',
        "from": NotRequired[str],
        "to": NotRequired[str],
        "wallet_ids": NotRequired[list[str]],
    },
)


ExportColumnType: TypeAlias = Literal["id", "text", "enum", "integer", "amount", "moment", "boolean", "json"]


class ExportColumn(TypedDict):
    name: str
    type: 'ExportColumnType'


class ExportFile(TypedDict):
    # In the folder of exports; beside it is its `….manifest.json`.
    file_name: str
    media_type: str
    # Without the header row.
    rows: int
    bytes: int
    # Of the whole file, 64 hex digits.
    sha256: str
    # As of when all of its rows are.
    snapshot_at: str
    # In their order. `amount` is a decimal number as text, `moment` RFC 3339 in UTC, `json`
    # canonical JSON as text.
    columns: 'list[ExportColumn]'


Export = TypedDict(
    "Export",
    {
        "id": str,
        "content": 'ExportContent',
        "format": 'ExportFormat',
        "status": 'ExportStatus',
        "error_code": NotRequired[str],
        "error_reason": NotRequired[str],
        "reason": NotRequired[str],
        "created_at": str,
        "updated_at": str,
        "completed_at": NotRequired[str],
        "from": NotRequired[str],
        "to": NotRequired[str],
        "wallet_ids": NotRequired[list[str]],
        "schedule_id": NotRequired[str],
        "scheduled_for": NotRequired[str],
        "requested_by": str,
        "rows_written": int,
        "bytes_written": int,
        "file": NotRequired['ExportFile'],
    },
)


class CreateExportScheduleBody(TypedDict):
    # What is exported. The key needs what reading the same elsewhere takes: `transactions:read`
    # (also of deposits), `withdrawals:read`, `signing:read`, `balances:read` (also of ledger
    # entries), or `audit:read`.
    content: 'ExportContent'
    # `csv` with a header row (RFC 4180), `jsonl`, one object a line, or `parquet` (Apache Parquet).
    format: 'ExportFormat'
    # Only of these wallets. A key that is bound to wallets exports its own when absent.
    wallet_ids: NotRequired[list[str]]
    # When it is due, as five fields of numbers, ranges, steps and lists: minute, hour, day of the
    # month, month, day of the week (0 and 7 are Sunday). One minute, so that it is due once an hour
    # at most, and days of the month or of the week, not both.
    cron: str
    # Whose clocks `cron` and `window` go by: a name of the IANA database, such as `Europe/Zurich`.
    time_zone: str
    # Of which time each export is: the whole day, week (from Monday on) or month before the one in
    # which it was due. Everything until then when absent, and of balances always how they were
    # then.
    window: NotRequired[Literal["previous_day", "previous_week", "previous_month"]]


class ExportSchedule(TypedDict):
    # Id of a schedule.
    id: str
    # What is exported. The key needs what reading the same elsewhere takes: `transactions:read`
    # (also of deposits), `withdrawals:read`, `signing:read`, `balances:read` (also of ledger
    # entries), or `audit:read`.
    content: 'ExportContent'
    # `csv` with a header row (RFC 4180), `jsonl`, one object a line, or `parquet` (Apache Parquet).
    format: 'ExportFormat'
    # Only of these wallets. A key that is bound to wallets exports its own when absent.
    wallet_ids: NotRequired[list[str]]
    # When it is due, as five fields of numbers, ranges, steps and lists: minute, hour, day of the
    # month, month, day of the week (0 and 7 are Sunday). One minute, so that it is due once an hour
    # at most, and days of the month or of the week, not both.
    cron: str
    # Whose clocks `cron` and `window` go by: a name of the IANA database, such as `Europe/Zurich`.
    time_zone: str
    # Of which time each export is: the whole day, week (from Monday on) or month before the one in
    # which it was due. Everything until then when absent, and of balances always how they were
    # then.
    window: NotRequired[Literal["previous_day", "previous_week", "previous_month"]]
    status: Literal["active", "paused"]
    # `key_refused`: the key by whose rights it exports is gone, or may not read this any more.
    paused_reason: NotRequired[Literal["asked_for", "key_refused"]]
    # The API key by whose rights it exports: that which made it, or resumed it last.
    requested_by: str
    # When it was due last.
    last_scheduled_for: NotRequired[str]
    # When it was made.
    created_at: str
    # When it was changed last.
    updated_at: str


AuditOutcome: TypeAlias = Literal["accepted", "refused"]


AuditActor: TypeAlias = Literal["api_key", "operator", "system"]


class AuditLog(TypedDict):
    # Id of the entry.
    id: str
    # Workspace.
    workspace_id: str
    actor: 'AuditActor'
    actor_id: str | None
    ip: str | None
    request_id: str | None
    # The route, or the operator's command; `many requests` for refusals that are only counted.
    action: str
    resource_id: str | None
    wallet_id: str | None
    outcome: 'AuditOutcome'
    # Of the answer to what was refused.
    status_code: int | None
    code: str | None
    body_hash: str | None
    # The body; null when it was malformed or longer than 16 KiB.
    body: Any
    # What was changed, as it was. Of more than 16 KiB only `bytes` and `sha256` of its canonical
    # JSON.
    before: Any
    # What was made, or how it is now.
    after: Any
    created_at: str
    # Of a change of rows that decide (keys, users, policies, the address book, a freeze): which,
    # and the version that each has now, marked by the service. Absent elsewhere.
    sealed: NotRequired[Any]
    # Its place in the chain of the workspace; null for a second or two, until it is sealed.
    seq: int | None
    # Of its place, the hash before it and everything above.
    hash: str | None


class AuditVerification(TypedDict):
    valid: bool
    # How many places of the chain were checked.
    entries: int
    # The last one.
    seq: int
    # SHA-256, 64 hex digits.
    hash: str
    # The first twenty.
    problems: 'list[AuditVerificationProblemsItem]'


class AuditVerificationProblemsItem(TypedDict):
    seq: int | None
    message: str


class AuditHead(TypedDict):
    # Workspace.
    workspace_id: str
    # The last place of the chain at that moment.
    seq: int
    # SHA-256, 64 hex digits.
    hash: str
    signed_at: str
    # Ed25519, 32 bytes, base64. Keep it from a time that you trust.
    public_key: str
    # Ed25519 over the canonical JSON (RFC 8785) of workspace_id, seq, hash and signed_at, base64.
    signature: str


class FaucetBody(TypedDict):
    # Wallet id.
    wallet_id: str
    # Catalogue id of an asset; not a contract address.
    asset_id: str
    # In the asset's unit: at most 100 ETH, 1000 SOL, 10 BTC or 1000000 USDC.
    amount: str


class FaucetPayment(TypedDict):
    # Its workflow in Temporal is `fund-from-faucet-{id}`.
    id: str
    # Wallet id.
    wallet_id: str
    # Catalogue id of an asset; not a contract address.
    asset_id: str
    amount: str
    # The wallet's address, which is paid.
    address: str


class MineBody(TypedDict):
    # Network id.
    network_id: str
    blocks: int


class Mining(TypedDict):
    # Its workflow in Temporal is `mine-blocks-{id}`.
    id: str
    # Network id.
    network_id: str
    blocks: int
