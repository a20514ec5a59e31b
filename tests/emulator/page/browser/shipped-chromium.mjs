// Unpacks the Chromium of an npm package into the system's temporary folder, which the caller sets, and reports where.
import chromium, { inflate } from "@sparticuz/chromium";
import { fileURLToPath } from "node:url";

chromium.setGraphicsMode = false;
const executable = await chromium.executablePath();
const libraries = await inflate(
  fileURLToPath(new URL("../bin/al2023.tar.br", import.meta.resolve("@sparticuz/chromium"))),
);
process.stdout.write(JSON.stringify({ executable, libraries: `${libraries}/lib` }));
