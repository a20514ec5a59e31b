import * as messages from "@pulumi/pulumi/proto/provider_pb";
import fc from "fast-check";
import { propertiesIn, serviceWithProperties } from "../../../../provider/hosts/plugin/requests";
import type { Props } from "../../../../provider/resource/inputs/values";
import { struct } from "./client";

/** Returns a request as the service receives it. */
function received(request: messages.CheckRequest): messages.CheckRequest {
  const { check } = serviceWithProperties();
  return check!.requestDeserialize(Buffer.from(request.serializeBinary())) as messages.CheckRequest;
}

/**
 * Returns the properties in a request whose `news` field consists of these bytes, of which there must be fewer than
 * 128.
 */
function receivedNews(news: Buffer): Props {
  const { check } = serviceWithProperties();
  const request = check!.requestDeserialize(Buffer.from([26, news.length, ...news])) as messages.CheckRequest;
  return propertiesIn(request.getNews()!);
}

const values = fc.dictionary(
  fc.string({ unit: "grapheme" }).filter((key) => key !== "__proto__"),
  fc.jsonValue(),
  { noNullPrototype: true },
);

describe("the reader of request properties", () => {
  test("returns the values that were sent", () => {
    fc.assert(
      fc.property(values, values, (olds, news) => {
        const request = new messages.CheckRequest().setOlds(struct(olds)).setNews(struct(news));
        const check = received(request);
        expect([propertiesIn(check.getOlds()!), propertiesIn(check.getNews()!)]).toEqual([olds, news]);
      }),
    );
  });

  test("returns the values of messages that were created first", () => {
    fc.assert(fc.property(values, (props) => expect(propertiesIn(struct(props))).toEqual(props)));
  });

  test("sorts the fields, which the engine sends in a random order", () => {
    const fields = [{ b: { d: 1 } }, { c: 2 }, { a: [] }].map((one) => struct(one).serializeBinary());
    expect(Object.keys(receivedNews(Buffer.concat(fields)))).toEqual(["a", "b", "c"]);
  });

  test("keeps a value that is followed by an unknown field", () => {
    // The string "x" and the unknown field 9, as the value of the field "a".
    expect(receivedNews(Buffer.from([10, 10, 10, 1, 97, 18, 5, 26, 1, 120, 72, 1]))).toEqual({ a: "x" });
  });

  test("keeps a __proto__ field at any depth", () => {
    const props = JSON.parse('{ "__proto__": "a", "group": { "__proto__": { "key": "b" } } }') as Props;
    const request = received(new messages.CheckRequest().setNews(struct(props)));
    expect(JSON.stringify(propertiesIn(request.getNews()!))).toBe(JSON.stringify(props));
  });

  test("keeps the other fields of the request", () => {
    const request = received(new messages.CheckRequest().setUrn("urn").setNews(struct({ a: 1 })));
    expect([request.getUrn(), request.hasOlds(), request.hasNews()]).toEqual(["urn", false, true]);
  });

  test("creates messages for requests to construct a component", () => {
    const { construct } = serviceWithProperties();
    const sent = new messages.ConstructRequest().setInputs(struct({ names: ["a"] })).serializeBinary();
    const request = construct!.requestDeserialize(Buffer.from(sent)) as messages.ConstructRequest;
    expect(request.getInputs()!.toJavaScript()).toEqual({ names: ["a"] });
  });
});
