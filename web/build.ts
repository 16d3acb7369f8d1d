import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build, type Manifest } from 'vite'

// node web/build.ts FOLDER: the pages as they are sent, packed once instead of for every reader.
const folder = process.argv[2]
if (folder === undefined) throw new Error('usage: node web/build.ts FOLDER')

const packBrotli = promisify(brotliCompress)
const packGzip = promisify(gzip)

await build({
  configFile: fileURLToPath(new URL('vite.config.ts', import.meta.url)),
  logLevel: 'warn',
  build: { outDir: folder, emptyOutDir: true },
})
const names = (await readdir(folder)).filter((name) => /\.(?:js|css|svg)$/.test(name))
await Promise.all(names.map((name) => pack(join(folder, name))))
const manifest: Manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8'))
const entry = Object.values(manifest).find((chunk) => chunk.isEntry)
if (!entry) throw new Error('the build has no entry')
const pages = { script: entry.file, styles: entry.css ?? [], ahead: filesByPage(manifest, entry.file) }
await writeFile(join(folder, 'pages.json'), JSON.stringify(pages))

// What each page needs beyond the first script, so that it can be asked for along with that.
function filesByPage(chunks: Manifest, first: string): Record<string, string[]> {
  const withImports = (key: string): string[] => {
    const { file = '', imports = [] } = chunks[key] ?? {}
    return [file, ...imports.flatMap(withImports)]
  }
  return Object.fromEntries(
    Object.keys(chunks).flatMap((key) => {
      const page = /(\w+)\/page\.tsx$/.exec(key)?.[1]
      return page ? [[page, [...new Set(withImports(key))].filter((file) => file !== first)]] : []
    }),
  )
}

async function pack(path: string): Promise<void> {
  const plain = await readFile(path)
  const params = {
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
  }
  await Promise.all([
    packBrotli(plain, { params }).then((packed) => writeFile(`${path}.br`, packed)),
    packGzip(plain, { level: 9 }).then((packed) => writeFile(`${path}.gz`, packed)),
  ])
}
