// What will be done by a change of users and API keys, or of a freeze, that waits for another user's approval: exactly,
// as the wire shows it, and never a secret.

/** What an API key can do and from where. */
export type KeyPower = {
  scopes: string[];
  wallet_ids: string[];
  /** Empty for any address. */
  ip_allowlist: string[];
  /** Null for never. */
  expires_at: string | null;
};

export type ChangeDetails = Partial<KeyPower> & {
  name?: string;
  email?: string | null;
  api_key?: string;
  /** Of who signs in with a passkey; the scopes are those of the roles. */
  roles?: string[];
  /** Those that the user had when the change was asked for: they must be the same when it is approved. */
  roles_before?: string[];
  /** Of an enrolment link: for so long it can be used once it is approved. */
  expires_in_seconds?: number;
  legacy_path_signing?: boolean;
  overlap_seconds?: number;
  /** What the key could do when the change was asked for: it must be the same when it is approved. */
  before?: KeyPower;
  /** Of unfreezing: why, and which freeze it is. Another one since is not undone by it. */
  reason?: string;
  freeze_version?: number;
};
