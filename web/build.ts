import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build, type Manifest } from 'vite'
import pagesConfig from './vite.config.ts'

// node web/build.ts FOLDER: the pages as they are sent, packed once instead of for every reader.
const folder = process.argv[2]
if (folder === undefined) throw new Error('usage: node web/build.ts FOLDER')

const packBrotli = promisify(brotliCompress)
const packGzip = promisify(gzip)

// Each audience is a build of its own: nobody loads a line of another's pages.
const AUDIENCES = ['member', 'console'] as const
await rm(folder, { recursive: true, force: true })
const built = await Promise.all(AUDIENCES.map((audience) => buildPages(folder, audience)))
const names = (await readdir(folder)).filter((name) => /\.(?:js|css|svg)$/.test(name))
await Promise.all(names.map((name) => pack(join(folder, name))))
await writeFile(join(folder, 'pages.json'), JSON.stringify(Object.fromEntries(built)))

async function buildPages(outDir: string, audience: (typeof AUDIENCES)[number]) {
  const manifestName = `${audience}.json`
  const config = pagesConfig.build
  await build({
    ...pagesConfig,
    configFile: false,
    logLevel: 'warn',
    build: {
      ...config,
      outDir,
      emptyOutDir: false,
      // The document is made by the service, which reads from this list what to load.
      manifest: manifestName,
      rolldownOptions: { ...config.rolldownOptions, input: `${audience}/main.tsx` },
    },
  })
  const manifest: Manifest = JSON.parse(await readFile(join(outDir, manifestName), 'utf8'))
  const entry = Object.values(manifest).find((chunk) => chunk.isEntry)
  if (!entry) throw new Error('the build has no entry')
  const pages = { script: entry.file, styles: entry.css ?? [], ahead: filesByPage(manifest, entry.file) }
  return [audience, pages] as const
}

// What each page needs beyond the first script, so that it can be asked for along with that.
function filesByPage(chunks: Manifest, first: string): Record<string, string[]> {
  const withImports = (key: string): string[] => {
    const { file = '', imports = [] } = chunks[key] ?? {}
    return [file, ...imports.flatMap(withImports)]
  }
  return Object.fromEntries(
    Object.keys(chunks).flatMap((key) => {
      const page = /([\w-]+)\/page\.tsx$/.exec(key)?.[1]
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
