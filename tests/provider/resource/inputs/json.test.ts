import { asset } from "@pulumi/pulumi";
import { serializeProperties } from "@pulumi/pulumi/runtime";
import { shapeFindings } from "../../../../provider/resource/inputs/shape";
import { assistantInputs } from "../../../../provider/assistant/inputs";

const notJson = "must be a JSON value, not an asset, an archive, or a resource";

test.each<[string, object, string]>([
  ["as the value", new asset.StringAsset("a"), "context"],
  ["in an object", { guide: new asset.StringAsset("a") }, "context.guide"],
  ["in a list", { guides: [new asset.FileArchive("./guides")] }, "context.guides.0"],
])("rejects an asset or archive %s, and names the field", async (_, context, property) => {
  const inputs = await serializeProperties("test", {
    deployment: { id: "d", url: "https://a" },
    graph: "agent",
    context,
  });
  expect(shapeFindings(assistantInputs, inputs)).toMatchObject([{ property, reason: notJson }]);
});
