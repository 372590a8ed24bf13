// Makes page.bundle.js and its licences of src/: `npm install && node bundle.mjs`.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const sources = ["package.json", ...readdirSync("src").sort().map((name) => `src/${name}`)];
const hash = createHash("sha256");
for (const name of sources) hash.update(readFileSync(name));

const made = await build({
  entryPoints: ["src/page.js"], bundle: true, minify: true, format: "iife", target: "es2022",
  outfile: "page.bundle.js", metafile: true, legalComments: "none",
  banner: { js: `// Made by bundle.mjs of sources with sha256 ${hash.digest("hex")}` },
});
const used = Object.keys(made.metafile.inputs).map((name) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(name));
const packages = [...new Set(used.filter(Boolean).map((found) => found[0]))].sort();
const texts = packages.map((folder) => {
  const about = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
  return `${about.name} ${about.version}\n\n${readFileSync(`${folder}/LICENSE`, "utf8").trim()}\n`;
});
writeFileSync("page.bundle.LICENSE", texts.join(`\n${"-".repeat(80)}\n\n`));
