const { existsSync, writeFileSync } = require("node:fs");

/** Records the time at which the first test starts. */
module.exports = class {
  onTestCaseStart() {
    const file = process.env.AGENTSERVER_FIRST_TEST;
    if (!existsSync(file)) writeFileSync(file, String(Date.now()));
  }
};
