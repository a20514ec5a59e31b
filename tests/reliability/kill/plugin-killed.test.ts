import { operations, expectFinish } from "../../provider/deployment/reconcile/killed-operations";
import { usePlugin } from "../../provider/hosts/plugin/plugin-provider";

usePlugin();

/** Operations that together send each kind of write about a deployment. */
const selected = [
  "a create with sizes",
  "a different ref and different secrets",
  "different triggers of a template",
];

test.each(operations.filter(({ name }) => selected.includes(name)))(
  "finishes an operation whose plugin was killed: $name",
  async (operation) => {
    for (let request = 1; request <= 7; request += 1)
      await expectFinish(operation, "langsmith", { request, isCarriedOut: true });
  },
);
