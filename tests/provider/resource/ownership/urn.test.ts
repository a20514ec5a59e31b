import { isFromManifest, partsOfUrn } from "../../../../provider/resource/ownership/urn";

test.each([
  [
    "urn:pulumi:dev::shop::a:b:Outer$c:d:Inner$e:f:Thing::one::two",
    {
      stack: "dev",
      project: "shop",
      parents: ["a:b:Outer", "c:d:Inner"],
      type: "e:f:Thing",
      name: "one::two",
    },
  ],
  [
    "urn:pulumi:dev::shop::e:f:Thing::line\nbreak",
    { stack: "dev", project: "shop", parents: [], type: "e:f:Thing", name: "line\nbreak" },
  ],
  ["not a urn:pulumi:dev::shop", { stack: "", project: "", parents: [], type: "", name: "" }],
])("parses %j", (urn, parts) => {
  expect(partsOfUrn(urn)).toEqual(parts);
});

test.each([
  ["agentserver:index:Workspace$agentserver:index:Thread", true],
  ["a:b:Outer$agentserver:index:Workspace$agentserver:index:Thread", true],
  ["agentserver:index:Workspace$a:b:Inner$agentserver:index:Thread", false],
  ["agentserver:index:Thread", false],
])("recognizes the children of a workspace: %s", (types, expected) => {
  expect(isFromManifest(`urn:pulumi:dev::shop::${types}::inbox`)).toBe(expected);
});
