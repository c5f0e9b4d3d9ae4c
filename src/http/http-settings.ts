// What an operator may set about HTTP in one process. Zero for no limit.
export interface HttpSettings {
  /** Proxies in front of every request, each of which writes its hop into X-Forwarded-For. */
  trustedProxies: number;
  /** Of one API key. */
  requestsPerMinute: number;
  /** Of one address, before its failures are answered late. */
  failedAuthenticationsPerMinute: number;
  /** Beyond them those who have not shown a key make room, the oldest first. */
  connectionsMax: number;
  requestsUnderWayMax: number;
  /** What bodies may hold whose signature is not verified yet. */
  unverifiedBodiesMaxBytes: number;
  eventLoopDelayMaxMs: number;
}

export const unlimited: HttpSettings = {
  trustedProxies: 0,
  requestsPerMinute: 0,
  failedAuthenticationsPerMinute: 0,
  connectionsMax: 0,
  requestsUnderWayMax: 0,
  unverifiedBodiesMaxBytes: 0,
  eventLoopDelayMaxMs: 0,
};
