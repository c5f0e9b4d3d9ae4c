// The two forms of what an event says. Imports nothing, so that any layer may read it.

/** As callers read it: a resource in its form on the wire. */
export type EventData = Readonly<Record<string, unknown>>;

/** As the statement that changed the resource recorded it: JSON, by the names that the code has for its columns. */
export type RecordedResource = Readonly<Record<string, unknown>>;
