// The readers of lists and watches against damaged bytes and pieces of any size: protobuf as the API server writes it,
// built here by hand, and the same objects as JSON.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LIVE_RESOURCES } from "../../server/src/cluster/live/resource.ts";
import { POD } from "../../server/src/cluster/live/wire/core.ts";
import { type PlainObject, WireDecoder, WireError } from "../../server/src/cluster/live/wire/decode.ts";
import { JsonWatchReader } from "../../server/src/cluster/live/wire/json-lines.ts";
import { JsonListReader } from "../../server/src/cluster/live/wire/json-list.ts";
import { ListReader } from "../../server/src/cluster/live/wire/list-reader.ts";
import { schema } from "../../server/src/cluster/live/wire/schema.ts";
import { StringReader } from "../../server/src/cluster/live/wire/strings.ts";
import { WatchReader } from "../../server/src/cluster/live/wire/watch-reader.ts";
import { decodePod } from "../../server/src/kube/decode/pod.ts";

const varint = (value: number): number[] => (value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)]);
/** A length-delimited field. */
const field = (number: number, body: Buffer | string): Buffer => {
  const bytes = typeof body === "string" ? Buffer.from(body, "utf8") : body;
  return Buffer.concat([Buffer.from([...varint((number << 3) | 2), ...varint(bytes.length)]), bytes]);
};
const message = (...fields: readonly Buffer[]): Buffer => Buffer.concat(fields);
const entry = (key: string, value: string): Buffer => message(field(1, key), field(2, value));
const envelope = (raw: Buffer): Buffer =>
  message(Buffer.from("k8s\0", "latin1"), field(1, message(field(1, "v1"), field(2, "Pod"))), field(2, raw));

interface PodText {
  readonly name: string;
  readonly label: string;
  readonly tokenVolume: string;
}

/** A pod of a template: everything but its name, its label and the random part of its token volume is alike. */
const podBytes = ({ name, label, tokenVolume }: PodText): Buffer =>
  message(
    field(1, message(field(1, name), field(3, "apps"), field(11, entry("app", label)), field(11, entry("漢", "字")))),
    field(
      2,
      message(
        field(1, message(field(1, `kube-api-access-${tokenVolume}`), field(2, field(26, "")))),
        field(
          2,
          message(
            field(1, "main"),
            field(9, message(field(1, "data"), field(3, "/data"))),
            field(
              9,
              message(
                field(1, `kube-api-access-${tokenVolume}`),
                field(3, "/var/run/secrets/kubernetes.io/serviceaccount"),
              ),
            ),
          ),
        ),
        field(2, message(field(1, "second"))),
        field(22, message(field(1, "team"), field(2, "Exists"))),
      ),
    ),
  );

const podJson = ({ name, label, tokenVolume }: PodText): PlainObject => ({
  metadata: { name, namespace: "apps", labels: { app: label, 漢: "字" } },
  spec: {
    volumes: [{ name: `kube-api-access-${tokenVolume}`, projected: {} }],
    containers: [
      {
        name: "main",
        volumeMounts: [
          { name: "data", mountPath: "/data" },
          { name: `kube-api-access-${tokenVolume}`, mountPath: "/var/run/secrets/kubernetes.io/serviceaccount" },
        ],
      },
      { name: "second" },
    ],
    tolerations: [{ key: "team", operator: "Exists" }],
  },
});

const listBytes = (pods: readonly PodText[]): Buffer =>
  envelope(message(field(1, field(2, "77")), ...pods.map((pod) => field(2, podBytes(pod)))));
const watchBytes = (pods: readonly PodText[]): Buffer =>
  Buffer.concat(
    pods.map((pod) => {
      const frame = message(field(1, "ADDED"), field(2, field(1, envelope(podBytes(pod)))));
      const length = Buffer.alloc(4);
      length.writeUInt32BE(frame.length);
      return Buffer.concat([length, frame]);
    }),
  );

const pods: fc.Arbitrary<readonly PodText[]> = fc.array(
  fc.record({
    name: fc.stringMatching(/^[a-z]{1,12}$/),
    label: fc.constantFrom("a", "b", "🚀"),
    tokenVolume: fc.stringMatching(/^[a-z0-9]{5}$/),
  }),
  { maxLength: 8 },
);

const decoder = (): WireDecoder => new WireDecoder(new StringReader());
const cutAt = (bytes: Buffer, at: number): readonly Buffer[] => [bytes.subarray(0, at), bytes.subarray(at)];

function readList(chunks: readonly Buffer[]): readonly PlainObject[] {
  const items: PlainObject[] = [];
  const reader = new ListReader(decoder(), POD, (item) => items.push(item));
  for (const chunk of chunks) reader.push(chunk);
  reader.end();
  expect(reader.metadata).toEqual({ resourceVersion: "77" });
  return items;
}

function readJsonList(chunks: readonly Buffer[]): readonly PlainObject[] {
  const items: PlainObject[] = [];
  const reader = new JsonListReader((item) => items.push(item));
  for (const chunk of chunks) reader.push(chunk);
  reader.end();
  expect(reader.metadata).toMatchObject({ resourceVersion: "77" });
  return items;
}

/** Runs `read`; whatever goes wrong must be a WireError. */
function onlyWireErrors(read: () => void): void {
  try {
    read();
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
  }
}

describe("protobuf", () => {
  test("pods decode as their JSON does, those of one template with different token volumes too", () => {
    fc.assert(
      fc.property(pods, (wanted) => {
        const items = readList([listBytes(wanted)]);
        expect(items.map((item) => decodePod(item))).toEqual(wanted.map((pod) => decodePod(podJson(pod))));
      }),
    );
  });

  test("a list cut into pieces at any byte gives the same items", () => {
    const bytes = listBytes([
      { name: "a", label: "🚀", tokenVolume: "abcde" },
      { name: "b", label: "b", tokenVolume: "fghij" },
    ]);
    const whole = readList([bytes]);
    for (let at = 0; at <= bytes.length; at += 1) expect(readList(cutAt(bytes, at))).toEqual(whole);
  });

  test("a list that ends before its end is never taken for all there is", () => {
    const bytes = listBytes([{ name: "a", label: "b", tokenVolume: "abcde" }]);
    for (let at = 0; at < bytes.length; at += 1) {
      expect(() => readList([bytes.subarray(0, at)])).toThrow(WireError);
    }
  });

  test("watch frames cut at any byte give the same events", () => {
    const bytes = watchBytes([
      { name: "a", label: "a", tokenVolume: "abcde" },
      { name: "b", label: "b", tokenVolume: "fghij" },
    ]);
    const read = (chunks: readonly Buffer[]) => {
      const reader = new WatchReader(decoder(), POD);
      return chunks.flatMap((chunk) => reader.push(chunk));
    };
    const whole = read([bytes]);
    expect(whole.map(({ type, object }) => `${type} ${JSON.stringify(object.metadata)}`)).toEqual([
      'ADDED {"name":"a","namespace":"apps","labels":{"app":"a","漢":"字"}}',
      'ADDED {"name":"b","namespace":"apps","labels":{"app":"b","漢":"字"}}',
    ]);
    for (let at = 0; at <= bytes.length; at += 1) expect(read(cutAt(bytes, at))).toEqual(whole);
  });

  test("random and damaged bytes raise a WireError or nothing", () => {
    const good = listBytes([{ name: "a", label: "b", tokenVolume: "abcde" }]);
    const damaged = fc.tuple(fc.nat(good.length - 1), fc.nat(255)).map(([at, byte]) => {
      const bytes = Buffer.from(good);
      bytes[at] = byte;
      return bytes;
    });
    const random = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes));
    fc.assert(
      fc.property(fc.oneof(random, damaged), fc.constantFrom(...LIVE_RESOURCES), (bytes, { schema }) => {
        onlyWireErrors(() => decoder().message(bytes, 0, bytes.length, schema));
        onlyWireErrors(() => {
          const reader = new ListReader(decoder(), schema, () => undefined);
          reader.push(bytes);
          reader.end();
        });
        onlyWireErrors(() => new WatchReader(decoder(), schema).push(bytes));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("JSON", () => {
  const text = (wanted: readonly PodText[]): Buffer =>
    Buffer.from(
      JSON.stringify({
        kind: "PodList",
        note: 'items":[{ "',
        metadata: { resourceVersion: "77" },
        items: wanted.map(podJson),
        more: [{ items: [{}] }],
      }),
      "utf8",
    );

  test("a list read piece by piece gives what parsing it whole gives, cut at any byte", () => {
    const wanted = [
      { name: "a", label: '\\"{', tokenVolume: "abcde" },
      { name: "b", label: "🚀]", tokenVolume: "fghij" },
    ];
    const bytes = text(wanted);
    for (let at = 0; at <= bytes.length; at += 1) {
      expect(readJsonList(cutAt(bytes, at))).toEqual(wanted.map(podJson));
    }
  });

  test.each([
    ["an empty body", ""],
    ["a gateway's page", "<html></html>"],
    ["an object without items", '{"metadata":{"resourceVersion":"77"}}'],
    ["a list without metadata", '{"items":[]}'],
    ["a list that is cut off", '{"metadata":{"resourceVersion":"77"},"items":[{}'],
    ["an item that is damaged", '{"metadata":{"resourceVersion":"77"},"items":[{"a":}]}'],
  ])("%s is no list", (_what, body) => {
    expect(() => readJsonList([Buffer.from(body)])).toThrow(WireError);
  });

  test("random bytes raise a WireError or nothing", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (body) => {
        onlyWireErrors(() => {
          const reader = new JsonListReader(() => undefined);
          reader.push(Buffer.from(body));
          reader.end();
        });
        onlyWireErrors(() => new JsonWatchReader().push(Buffer.from(`${body}\n`)));
      }),
    );
  });
});

/** A varint field as Go writes an int64: negative numbers take ten bytes. */
const int64 = (number: number, value: number): Buffer => {
  const bytes = [number << 3];
  for (let left = BigInt.asUintN(64, BigInt(value)); ; left >>= 7n) {
    if (left < 0x80n) return Buffer.from([...bytes, Number(left)]);
    bytes.push(Number(left & 0x7fn) | 0x80);
  }
};

test("whole numbers of either sign are read exactly", () => {
  const seconds = schema([5, "tolerationSeconds", "int"]);
  const decoder = new WireDecoder(new StringReader());
  fc.assert(
    fc.property(fc.oneof(fc.maxSafeInteger(), fc.integer({ min: -300, max: 300 })), (value) => {
      const bytes = int64(5, value);
      expect(decoder.message(bytes, 0, bytes.length, seconds)).toEqual({ tolerationSeconds: value });
    }),
  );
});
