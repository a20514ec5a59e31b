import type { BinaryReader as Reader } from "google-protobuf";
import type { Props } from "../../resource/inputs/values";
import {
  BinaryReader,
  ResourceProviderService,
  type ServiceDefinition,
  Struct,
  type StructMessage,
} from "./protocol";

/** The properties of messages that were read by {@link propertiesReader}. */
const readProperties = new WeakMap<StructMessage, Props>();

/** Generated class of a request. */
interface RequestClass {
  new (): object;
  deserializeBinaryFromReader(request: object, reader: Reader): object;
}

/**
 * Returns the service with requests whose properties are read directly into objects, because the generated code would
 * first create a message for each value. The request for a component is unchanged, because Pulumi's SDK needs these
 * messages.
 */
export function serviceWithProperties(): ServiceDefinition {
  const { construct, ...methods } = ResourceProviderService;
  const own = Object.entries(methods).map(([name, method]) => {
    const { requestType } = method as typeof method & { requestType: RequestClass };
    const requestDeserialize = (bytes: Buffer) =>
      requestType.deserializeBinaryFromReader(new requestType(), propertiesReader(bytes));
    return [name, { ...method, requestDeserialize }];
  });
  return { ...(Object.fromEntries(own) as ServiceDefinition), construct: construct! };
}

/** Returns the fields of a message as an object. Unlike `toJavaScript`, it keeps a `__proto__` field. */
export function propertiesIn(message: StructMessage): Props {
  const known = readProperties.get(message);
  if (known) return known;
  const fields: Props = {};
  readFields(fields, new BinaryReader(message.serializeBinary()));
  return fields;
}

/** Returns a reader of messages that reads properties without creating a message for each value. */
function propertiesReader(bytes: Buffer): Reader {
  const reader = new BinaryReader(bytes);
  const readMessage = reader.readMessage.bind(reader);
  reader.readMessage = (message: object, read) => {
    if (!(message instanceof Struct)) return readMessage(message, read) as unknown;
    const fields: Props = {};
    readMessage(fields, readFields);
    readProperties.set(message, fields);
    return undefined;
  };
  return reader;
}

/** Reads a `google.protobuf.Struct`. The engine sends its fields in a random order, so they are sorted. */
function readFields(fields: Props, reader: Reader): void {
  const entries = new Map<string, unknown>();
  while (reader.nextField())
    if (reader.getFieldNumber() === 1) reader.readMessage(entries, readEntry);
    else reader.skipField();
  for (const key of [...entries.keys()].sort()) {
    const value = entries.get(key);
    // An assignment to `__proto__` adds no field.
    if (key === "__proto__")
      Object.defineProperty(fields, key, { value, configurable: true, enumerable: true, writable: true });
    else fields[key] = value;
  }
}

/** Reads an entry of the map in a `google.protobuf.Struct`. */
function readEntry(entries: Map<string, unknown>, reader: Reader): void {
  let key = "";
  const value: unknown[] = [null];
  while (reader.nextField())
    if (reader.getFieldNumber() === 1) key = reader.readString();
    else if (reader.getFieldNumber() === 2) reader.readMessage(value, readValue);
    else reader.skipField();
  entries.set(key, value.at(-1));
}

/** Reads a `google.protobuf.ListValue`. */
function readItems(items: unknown[], reader: Reader): void {
  while (reader.nextField())
    if (reader.getFieldNumber() === 1) reader.readMessage(items, readValue);
    else reader.skipField();
}

/** Reads a `google.protobuf.Value`, and appends it to a list. */
function readValue(values: unknown[], reader: Reader): void {
  let value: unknown = null;
  while (reader.nextField())
    switch (reader.getFieldNumber()) {
      case 2:
        value = reader.readDouble();
        break;
      case 3:
        value = reader.readString();
        break;
      case 4:
        value = reader.readBool();
        break;
      case 5:
        value = {};
        reader.readMessage(value, readFields);
        break;
      case 6:
        value = [];
        reader.readMessage(value, readItems);
        break;
      case 1:
        reader.skipField();
        value = null;
        break;
      default:
        reader.skipField();
    }
  values.push(value);
}
