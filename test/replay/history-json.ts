// Histories as the JSON that Temporal's tools exchange (the UI's download, `temporal workflow show --output json`). The
// SDK's own historyToJSON and historyFromJSON do the same, but throw "type must be a Type" as installed here: its
// packages carry copies of protobufjs that do not know each other's types.
import { createRequire } from 'node:module';
import type { History } from '@temporalio/common/lib/proto-utils.js';

const require = createRequire(import.meta.url);
const requireOfSdk = createRequire(require.resolve('@temporalio/common'));
const requireOfProto = createRequire(requireOfSdk.resolve('@temporalio/proto'));

interface MessageType {
  fromObject(plain: object): object;
}
const { temporal } = requireOfSdk('@temporalio/proto') as {
  temporal: { api: { history: { v1: { History: MessageType } } } };
};
const { fromJson, toJson } = requireOfProto('protobufjs/ext/protojson') as {
  fromJson: (type: MessageType, json: unknown) => History;
  toJson: (type: MessageType, message: object) => unknown;
};
const type = temporal.api.history.v1.History;

export const historyToJson = (history: History) => toJson(type, type.fromObject(history));
export const historyFromJson = (json: unknown): History => fromJson(type, json);
