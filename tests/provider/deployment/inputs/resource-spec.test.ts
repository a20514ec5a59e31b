import { fc } from "../../../properties";
import {
  resourceSpecFromWire,
  resourceSpecToWire,
} from "../../../../provider/deployment/inputs/resource-spec";

test("documented keys are camelCase for the user", () => {
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

test("maps, Kubernetes objects and unknown keys pass as they are", () => {
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

test("the objects inside volumeMounts and initContainers keep their own keys", () => {
  const spec = {
    volumeMounts: [{ mountPath: "/data", sub_path: "x" }],
    initContainers: [{ workingDir: "/" }],
  };
  expect(resourceSpecToWire(spec)).toEqual({
    volume_mounts: spec.volumeMounts,
    init_containers: spec.initContainers,
  });
});

test("keys that the server filled with nothing are left out", () => {
  expect(resourceSpecFromWire({ min_scale: 1, max_scale: null })).toEqual({ minScale: 1 });
});

test("every specification survives the way to the server and back", () => {
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
