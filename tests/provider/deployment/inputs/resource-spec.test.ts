import { fc } from "../../../properties";
import {
  resourceSpecFromWire,
  resourceSpecToWire,
} from "../../../../provider/deployment/inputs/resource-spec";

test("converts documented keys to and from camelCase", () => {
  const spec = {
    minScale: 1,
    cpu: 2,
    memoryLimitMb: 4096,
    queueMaxScale: 3,
    dbStorageGi: 8,
    serviceAccountName: "a",
  };
  expect(resourceSpecToWire(spec)).toEqual({
    min_scale: 1,
    cpu: 2,
    memory_limit_mb: 4096,
    queue_max_scale: 3,
    db_storage_gi: 8,
    service_account_name: "a",
  });
});

test("does not change maps, Kubernetes objects, or unknown keys", () => {
  const spec = {
    labels: { "app.kubernetes.io/min_scale": "x", minScale: "y" },
    annotations: { someKey: "z" },
    volumes: [{ name: "v", emptyDir: {} }],
    sidecars: [{ name: "s", imagePullPolicy: "Always" }],
    future_key: { innerKey: 1 },
    futureKey: 1,
  };
  expect(resourceSpecToWire(spec)).toEqual(spec);
});

test("keeps the keys of objects inside volumeMounts and initContainers", () => {
  const spec = {
    volumeMounts: [{ mountPath: "/data", sub_path: "x" }],
    initContainers: [{ workingDir: "/" }],
  };
  expect(resourceSpecToWire(spec)).toEqual({
    volume_mounts: spec.volumeMounts,
    init_containers: spec.initContainers,
  });
});

test("omits keys that the server reports as null", () => {
  expect(resourceSpecFromWire({ min_scale: 1, max_scale: null })).toEqual({ minScale: 1 });
});

test("restores every specification in a round trip", () => {
  const key = fc.constantFrom(
    "minScale",
    "cpu",
    "labels",
    "coreCpuLimit",
    "dbMaxConnections",
    "volumeMounts",
    "other_key",
  );
  fc.assert(
    fc.property(
      fc.dictionary(
        key,
        fc.jsonValue().filter((value) => value !== null),
      ),
      (spec) => {
        expect(resourceSpecFromWire(resourceSpecToWire(spec))).toEqual({ ...spec });
      },
    ),
  );
});
