// Unpacks the Chromium of an npm package into the temporary folder that the caller has set, and reports its path.
import chromium, { inflate } from "@sparticuz/chromium";
import { fileURLToPath } from "node:url";

chromium.setGraphicsMode = false;
const executable = await chromium.executablePath();
const libraries = await inflate(
  fileURLToPath(new URL("../bin/al2023.tar.br", import.meta.resolve("@sparticuz/chromium"))),
);
process.stdout.write(JSON.stringify({ executable, libraries: `${libraries}/lib` }));
