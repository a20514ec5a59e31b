const { existsSync, writeFileSync } = require("node:fs");

/** Notes when the first test starts. */
module.exports = class {
  onTestCaseStart() {
    const file = process.env.AGENTSERVER_FIRST_TEST;
    if (!existsSync(file)) writeFileSync(file, String(Date.now()));
  }
};
