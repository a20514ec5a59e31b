/** What all sequences came to. */
export const counts = {
  sequences: 0,
  commands: 0,
  ups: 0,
  "provider killed": 0,
  "replies or requests lost": 0,
  "control plane ended": 0,
  "rollouts failed": 0,
  rollbacks: 0,
  "deployments made": 0,
  "revisions asked for": 0,
  "revisions made": 0,
  "revisions by others": 0,
  "revisions too many": 0,
  "most deployments of one resource": 0,
};
